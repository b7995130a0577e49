"""The components files of Karuba: their form, their limits, and the arrays that the rules read."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from atoll.core.components import File, FileContent, Source
from atoll.core.game import Components
from atoll.games.karuba import state as ka

Colour = Literal["blue", "orange", "green", "purple"]
Points = Annotated[int, Meta(ge=0, le=ka.MAX_POINTS)]
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
    exits: Annotated[str, Meta(pattern=r"^(?=.)N?E?S?W?\Z")]
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
        raise content.fault("cards", f"{rounds} rounds need {needed} cards; there are {len(file.cards)}")
    if frame**2 < needed:
        problem = f"an island of {frame} x {frame} does not hold the {needed} cards of {rounds} rounds"
        raise content.fault("game.frame", problem)
    for index, card in enumerate(file.cards):
        if card.adventurer and card.temple:
            raise content.fault(f"cards[{index}]", "a card has an adventurer or a temple, not both")
    for kind in ("adventurer", "temple"):
        for colour in ka.COLOURS:
            count = sum(getattr(card, kind) == colour for card in file.cards)
            if count != 1:
                raise content.fault("cards", f"exactly one card has the {colour} {kind}, not {count}")


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
