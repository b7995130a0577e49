"""The game's things by their names: cards and where they lie."""

from collections.abc import Sequence

from atoll.games.karuba.cards import Card
from atoll.games.karuba.state import NEIGHBOURS, NO_CARD, NOWHERE
from atoll.text.translation import Translator, texts

ADVENTURER, TEMPLE, STOPPED = range(3)
COLOUR_TEXTS = {
    "blue": texts("Blue adventurer", "Blue temple", "stopped by blue"),
    "orange": texts("Orange adventurer", "Orange temple", "stopped by orange"),
    "green": texts("Green adventurer", "Green temple", "stopped by green"),
    "purple": texts("Purple adventurer", "Purple temple", "stopped by purple"),
}
"""What has a colour, and what an adventurer of that colour does to others (KA-11)."""


def adventurer_name(translator: Translator, colour: str) -> str:
    """An adventurer by colour."""
    return translator(COLOUR_TEXTS[colour][ADVENTURER])


def temple_name(translator: Translator, colour: str) -> str:
    """A temple by colour."""
    return translator(COLOUR_TEXTS[colour][TEMPLE])


def stopped_by(translator: Translator, colour: str) -> str:
    """Why an adventurer cannot pass (KA-11)."""
    return translator(COLOUR_TEXTS[colour][STOPPED])


def cards_name(translator: Translator, cards: Sequence[int]) -> str:
    """Cards by their numbers: "3 and 9"."""
    return translator.both([str(card) for card in cards])


def card_name(translator: Translator, card: Card) -> str:
    """What is on a card: "Blue temple", "Path with 1 crystal"."""
    name = adventurer_name(translator, card.adventurer) if card.adventurer else translator("Path")
    name = temple_name(translator, card.temple) if card.temple else name
    crystals = translator.plural("%(num)s crystal", "%(num)s crystals", card.crystals)
    nuggets = translator.plural("%(num)s nugget", "%(num)s nuggets", card.nuggets)
    treasures = [text for text, count in ((crystals, card.crystals), (nuggets, card.nuggets)) if count]
    return (
        translator("%(card)s with %(treasures)s", card=name, treasures=translator.both(treasures))
        if treasures
        else name
    )


EXITS = dict(zip("NESW", texts("the top", "the right", "the bottom", "the left"), strict=True))
"""Where a card's paths lead, by the edge."""


def card_description(translator: Translator, card: Card) -> str:
    """What is on a card and where its paths lead, for who does not see it: "Blue temple, paths to the top"."""
    exits = translator.both([translator(EXITS[edge]) for edge in card.exits])
    return translator("%(card)s, paths to %(exits)s", card=card_name(translator, card), exits=exits)


def place_name(translator: Translator, island: Sequence[int], at: int) -> str:
    """Where a card is laid, by one or two of the cards beside it: "below 3 and right of 10".

    `island` has the card on each cell.
    """
    north, east, south, west = (
        NO_CARD if cell == NOWHERE else island[cell] for cell in NEIGHBOURS[at].tolist()
    )
    beside = (
        (north, translator("below %(card)s", card=north)),
        (south, translator("above %(card)s", card=south)),
        (west, translator("right of %(card)s", card=west)),
        (east, translator("left of %(card)s", card=east)),
    )
    return translator.both([text for card, text in beside if card != NO_CARD][:2])
