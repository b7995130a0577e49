"""Programmed moves: what a player lets be done again and again, whenever it can be done, until something named happens.

A game declares them in its module `programs`, where they make sense:

    PROGRAMS = (
        Program("pass", {"do": "pass"}, texts("Pass until one builds")[0], until=lambda event: event.what == BUILT),
    )

A program sees what its player sees: the moves that are legal, and the events that the seat has heard.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from atoll.core.game import Game, Json

if TYPE_CHECKING:
    from atoll.core.events import Event


@dataclass(frozen=True)
class Premove:
    """`move` is made whenever it is legal, from when its player says so until an event is heard that is `until`."""

    name: str
    move: Mapping[str, Any]
    label: str
    """what the button says, with what ends it: English, translated by the game's catalogue"""
    until: "Callable[[Event], bool]"


def premove_named(game: Game, name: str) -> Premove | None:
    """The game's program of that name, if there is one."""
    return next((program for program in game.premoves if program.name == name), None)


def has_ended(program: Premove, heard: "Iterable[Sequence[Event]]") -> bool:
    """Whether what ends it is among the events of some moves, as its seat heard them."""
    return any(program.until(event) for events in heard for event in events)


def next_move(program: Premove, legal: Sequence[Json]) -> Json | None:
    """Its move, if that is legal now."""
    return next((move for move in legal if move == dict(program.move)), None)
