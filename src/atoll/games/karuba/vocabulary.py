"""The game's things by their names: cards and where they lie."""

from collections.abc import Mapping, Sequence

from atoll.core.game import Components, Json
from atoll.core.words import Words

Island = Mapping[str, int]
"""An island in the words of records: "column,row" to the number of a card."""


def card_of(components: Components, number: int) -> Json:
    """What the components file says of a card."""
    card: Json = components.data["cards"][number - 1]
    return card


def cards_name(words: Words, cards: Sequence[int]) -> str:
    """Cards by their numbers: "3 and 9"."""
    return words.both([str(card) for card in cards])


def adventurer_name(words: Words, colour: str) -> str:
    """An adventurer by colour."""
    match colour:
        case "blue":
            return words("Blue adventurer")
        case "orange":
            return words("Orange adventurer")
        case "green":
            return words("Green adventurer")
        case _:
            return words("Purple adventurer")


def temple_name(words: Words, colour: str) -> str:
    """A temple by colour."""
    match colour:
        case "blue":
            return words("Blue temple")
        case "orange":
            return words("Orange temple")
        case "green":
            return words("Green temple")
        case _:
            return words("Purple temple")


def card_name(words: Words, card: Json) -> str:
    """What is on a card: "Blue temple", "Path with 1 crystal"."""
    if card.get("adventurer"):
        name = adventurer_name(words, card["adventurer"])
    elif card.get("temple"):
        name = temple_name(words, card["temple"])
    else:
        name = words("Path")
    treasures = []
    if card.get("crystals"):
        treasures.append(words.plural("%(num)s crystal", "%(num)s crystals", card["crystals"]))
    if card.get("nuggets"):
        treasures.append(words.plural("%(num)s nugget", "%(num)s nuggets", card["nuggets"]))
    if not treasures:
        return name
    return words("%(card)s with %(treasures)s", card=name, treasures=words.both(treasures))


def place_name(words: Words, island: Island, at: Sequence[int]) -> str:
    """Where a card is laid, told by one or two of the cards beside it: "below 3 and right of 10"."""
    column, row = at
    above, right = island.get(f"{column},{row - 1}"), island.get(f"{column + 1},{row}")
    below, left = island.get(f"{column},{row + 1}"), island.get(f"{column - 1},{row}")
    beside = []
    if above is not None:
        beside.append(words("below %(card)s", card=above))
    if below is not None:
        beside.append(words("above %(card)s", card=below))
    if left is not None:
        beside.append(words("right of %(card)s", card=left))
    if right is not None:
        beside.append(words("left of %(card)s", card=right))
    return words.both(beside[:2])
