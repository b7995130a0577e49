"""The components file of Privateers: how long a game is, and the ships."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from atoll.core.components import File, FileContent
from privateers.state import MOST_CARDS, MOST_GOLD, MOST_HAND, MOST_PLAYERS, MOST_ROUNDS, SIDES


class Name(Struct, forbid_unknown_fields=True):
    """A name by language."""

    en: str
    fr: str | None = None


class Numbers(Struct, forbid_unknown_fields=True):
    """What is no card's."""

    rounds: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)]
    hand: Annotated[int, Meta(ge=1, le=MOST_HAND)]
    gold: Annotated[int, Meta(ge=1, le=MOST_GOLD // MOST_PLAYERS)]


class Ship(Struct, forbid_unknown_fields=True):
    """A card."""

    name: Name
    takes: Annotated[int, Meta(ge=1, le=MOST_GOLD)]
    wind: Annotated[int, Meta(ge=1, le=SIDES)] = 1


class ComponentsFile(File, forbid_unknown_fields=True):
    """The whole file."""

    game: Numbers
    cards: Annotated[list[Ship], Meta(max_length=MOST_CARDS)]


def check(content: FileContent, file: Any) -> None:
    """Raise ComponentError if there are too few cards for the hands."""
    if len(file.cards) < file.game.hand * MOST_PLAYERS:
        raise content.fault("cards", "too few for %(most)s hands", most=MOST_PLAYERS)
