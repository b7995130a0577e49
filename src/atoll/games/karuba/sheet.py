"""What the page of components needs: the cards by their numbers, and the checked file."""

from typing import Any

from atoll.core.types import Components
from atoll.games.karuba.cards import numbered_cards
from atoll.games.karuba.state import COLOURS


def sheet(components: Components) -> dict[str, Any]:
    """The context of the page's template."""
    return {"cards": numbered_cards(components), "file": components.file}


KEYS = {
    "hand": "Cards in hand",
    "frame": "Width and height of an island, at most",
    "adventurer_points": "Points for an adventurer who arrives",
    "crystal_points": "Points for a crystal",
    "nugget_points": "Points for a nugget",
    "game": "Figures",
    "exits": "Exits (N, E, S, W)",
    **{colour: colour for colour in COLOURS},
}
"""What the workshop calls the keys and words of the file that are not called as they stand there."""
