"""Which drawing shows a construction or an event card: that of the shipped one with the same name.

A drawing is of what the name says, whatever a file makes of its number or effect; what has a name of its own is
shown by what it gives.
"""

from functools import cache

from atoll.core.types import Components
from atoll.games.cast_away import game
from atoll.games.cast_away.parts import event_index

EVENT_ICONS = (
    *("i-ship", "i-explore", "i-saw", "i-ropes", "i-sail", "i-spyglass", "i-net", "i-calumet"),
    *("i-compass", "i-crystal", "i-trees", "i-dolmen", "i-timber", "i-casks", "i-galley"),
)
"""The signs of the shipped event cards, by their index: the Ship's first."""


@cache
def drawings() -> dict[str, str]:
    """The symbol that shows each shipped construction or event card, by its English name."""
    file = game.components().file
    symbols = {tile.name.en: f"art-{tile.id}" for tile in file.constructions}
    return symbols | {card.name.en: EVENT_ICONS[event_index(card.id)] for card in file.events}


class Pictures:
    """The symbols for the constructions and event cards of a components file."""

    def __init__(self, components: Components) -> None:
        file = components.file
        self._names = {entry.id: entry.name.en for entry in (*file.constructions, *file.events)}

    def tile(self, tile: int) -> str | None:
        """The drawing of a construction, if it has one."""
        return drawings().get(self._names[tile])

    def event(self, card: str) -> str:
        """The sign of an event card; a card's own if it has no other."""
        return drawings().get(self._names[card], "i-card")
