"""The game's things by their names: cards and where they lie."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from atoll.core.words import Words, texts
from atoll.games.karuba.state import NEIGHBOURS, NO_CARD, NOWHERE

if TYPE_CHECKING:
    from atoll.games.karuba.components import Card

ADVENTURER, TEMPLE, STOPPED = range(3)
SAID = {
    "blue": texts("Blue adventurer", "Blue temple", "stopped by blue"),
    "orange": texts("Orange adventurer", "Orange temple", "stopped by orange"),
    "green": texts("Green adventurer", "Green temple", "stopped by green"),
    "purple": texts("Purple adventurer", "Purple temple", "stopped by purple"),
}
"""What has a colour, and what an adventurer of that colour does to others (KA-11)."""


def adventurer_name(words: Words, colour: str) -> str:
    """An adventurer by colour."""
    return words(SAID[colour][ADVENTURER])


def temple_name(words: Words, colour: str) -> str:
    """A temple by colour."""
    return words(SAID[colour][TEMPLE])


def stopped_by(words: Words, colour: str) -> str:
    """Why an adventurer cannot pass (KA-11)."""
    return words(SAID[colour][STOPPED])


def cards_name(words: Words, cards: Sequence[int]) -> str:
    """Cards by their numbers: "3 and 9"."""
    return words.both([str(card) for card in cards])


def card_name(words: Words, card: "Card") -> str:
    """What is on a card: "Blue temple", "Path with 1 crystal"."""
    name = adventurer_name(words, card.adventurer) if card.adventurer else words("Path")
    name = temple_name(words, card.temple) if card.temple else name
    crystals = words.plural("%(num)s crystal", "%(num)s crystals", card.crystals)
    nuggets = words.plural("%(num)s nugget", "%(num)s nuggets", card.nuggets)
    treasures = [said for said, count in ((crystals, card.crystals), (nuggets, card.nuggets)) if count]
    return (
        words("%(card)s with %(treasures)s", card=name, treasures=words.both(treasures))
        if treasures
        else name
    )


EXITS = dict(zip("NESW", texts("the top", "the right", "the bottom", "the left"), strict=True))
"""Where a card's paths lead, by the edge."""


def card_told(words: Words, card: "Card") -> str:
    """What is on a card and where its paths lead, for who does not see it: "Blue temple, paths to the top"."""
    exits = words.both([words(EXITS[edge]) for edge in card.exits])
    return words("%(card)s, paths to %(exits)s", card=card_name(words, card), exits=exits)


def place_name(words: Words, island: Sequence[int], at: int) -> str:
    """Where a card is laid, told by one or two of the cards beside it: "below 3 and right of 10".

    `island` has the card on each cell.
    """
    north, east, south, west = (
        NO_CARD if cell == NOWHERE else island[cell] for cell in NEIGHBOURS[at].tolist()
    )
    beside = (
        (north, words("below %(card)s", card=north)),
        (south, words("above %(card)s", card=south)),
        (west, words("right of %(card)s", card=west)),
        (east, words("left of %(card)s", card=east)),
    )
    return words.both([text for card, text in beside if card != NO_CARD][:2])
