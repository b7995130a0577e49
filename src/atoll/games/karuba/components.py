"""The components files of Karuba: their form, their limits, and the arrays that the rules read."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from atoll.core.components import File, FileContent, Source
from atoll.core.types import Components
from atoll.games.karuba import state as ka
from atoll.games.karuba.vocabulary import ADVENTURER, SAID, TEMPLE
from atoll.text.messages import Message
from atoll.text.translation import texts

Colour = Literal["blue", "orange", "green", "purple"]
Points = Annotated[int, Meta(ge=0, le=ka.MAX_POINTS)]
(EXITS,) = texts("one to four of the letters N, E, S, W, in this order")
Treasures = Annotated[int, Meta(ge=0, le=ka.MAX_TREASURES)]


class Figures(Struct, forbid_unknown_fields=True):
    """The numbers of the rules."""

    source: Source
    rounds: Annotated[int, Meta(ge=1, le=ka.MAX_ROUNDS)]
    hand: Annotated[int, Meta(ge=ka.CHOSEN_CARDS, le=ka.MAX_CARDS)]
    frame: Annotated[int, Meta(ge=1, le=ka.MAX_FRAME)]
    adventurer_points: Points
    crystal_points: Points
    nugget_points: Points


class Card(Struct, forbid_unknown_fields=True):
    """A card: its exits, and what is on it."""

    source: Source
    exits: Annotated[str, Meta(pattern=r"^(?=.)N?E?S?W?\Z", description=EXITS)]
    adventurer: Colour | None = None
    temple: Colour | None = None
    crystals: Treasures = 0
    nuggets: Treasures = 0


class ComponentsFile(File, forbid_unknown_fields=True):
    """The whole file."""

    game: Figures
    cards: Annotated[list[Card], Meta(max_length=ka.MAX_CARDS)]


def check(content: FileContent, file: ComponentsFile) -> None:
    """Raise ComponentError where the figures do not go together, or an adventurer or a temple is not on one card."""
    rounds, frame, needed = file.game.rounds, file.game.frame, ka.CHOSEN_CARDS * file.game.rounds
    if len(file.cards) < needed:
        raise content.fault(
            "cards",
            "with rounds = %(rounds)s, %(needed)s cards are needed, not %(count)s",
            rounds=rounds,
            needed=needed,
            count=len(file.cards),
        )
    if frame**2 < needed:
        raise content.fault(
            "game.frame",
            "with rounds = %(rounds)s, the island has to hold %(needed)s cards, "
            "and one of %(frame)s x %(frame)s does not",
            frame=frame,
            needed=needed,
            rounds=rounds,
        )
    for index, card in enumerate(file.cards):
        if card.adventurer and card.temple:
            raise content.fault(f"cards[{index}]", "a card has an adventurer or a temple, not both")
    for kind, named in (("adventurer", ADVENTURER), ("temple", TEMPLE)):
        for colour in ka.COLOURS:
            count = sum(getattr(card, kind) == colour for card in file.cards)
            if count != 1:
                piece = Message(SAID[colour][named])
                raise content.fault(
                    "cards", "exactly one card has this, not %(count)s: %(piece)s", count=count, piece=piece
                )


def fill(content: FileContent, file: ComponentsFile, parts: ka.KarubaParts) -> None:
    """Write exits, what treasures are worth, and where adventurers and temples are."""
    for number, card in enumerate(file.cards, start=1):
        parts.exits[number] = sum(1 << ka.EDGES.index(edge) for edge in card.exits)
        crystals, nuggets = card.crystals * file.game.crystal_points, card.nuggets * file.game.nugget_points
        parts.treasure_points[number] = crystals + nuggets
        for colour, cards in ((card.adventurer, parts.adventurer_card), (card.temple, parts.temple_card)):
            if colour:
                cards[ka.COLOURS.index(colour)] = number


def numbered_cards(components: Components) -> dict[int, Card]:
    """The cards of a file by their numbers."""
    return dict(enumerate(components.file.cards, start=1))
