"""The components files of Karuba: their form, their limits, and the arrays that the rules read."""

from typing import Annotated

from msgspec import Meta, Struct

from atoll.core.components import File, FileContent, Source
from atoll.games.karuba import state as ka
from atoll.games.karuba.cards import Card
from atoll.games.karuba.vocabulary import ADVENTURER, COLOUR_TEXTS, TEMPLE
from atoll.text.messages import Message

Points = Annotated[int, Meta(ge=0, le=ka.MAX_POINTS)]


class KarubaNumbers(Struct, forbid_unknown_fields=True):
    """The numbers of the rules."""

    source: Source
    rounds: Annotated[int, Meta(ge=1, le=ka.MAX_ROUNDS)]
    hand: Annotated[int, Meta(ge=ka.CHOSEN_CARDS, le=ka.MAX_CARDS)]
    frame: Annotated[int, Meta(ge=1, le=ka.MAX_FRAME)]
    adventurer_points: Points
    crystal_points: Points
    nugget_points: Points


class ComponentsFile(File, forbid_unknown_fields=True):
    """The whole file."""

    game: KarubaNumbers
    cards: Annotated[list[Card], Meta(max_length=ka.MAX_CARDS)]


def check(content: FileContent, file: ComponentsFile) -> None:
    """Raise ComponentError where the figures do not go together, or an adventurer or a temple is not on one card."""
    rounds, frame, minimum = file.game.rounds, file.game.frame, ka.CHOSEN_CARDS * file.game.rounds
    if len(file.cards) < minimum:
        raise content.fault(
            "cards",
            "with rounds = %(rounds)s, %(needed)s cards are needed, not %(count)s",
            rounds=rounds,
            needed=minimum,
            count=len(file.cards),
        )
    if frame**2 < minimum:
        raise content.fault(
            "game.frame",
            "with rounds = %(rounds)s, the island has to hold %(needed)s cards, "
            "and one of %(frame)s x %(frame)s does not",
            frame=frame,
            needed=minimum,
            rounds=rounds,
        )
    for index, card in enumerate(file.cards):
        if card.adventurer and card.temple:
            raise content.fault(f"cards[{index}]", "a card has an adventurer or a temple, not both")
    for kind, text_index in (("adventurer", ADVENTURER), ("temple", TEMPLE)):
        for colour in ka.COLOURS:
            count = sum(getattr(card, kind) == colour for card in file.cards)
            if count != 1:
                piece = Message(COLOUR_TEXTS[colour][text_index])
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
