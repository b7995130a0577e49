"""What the page of components needs: the cards by their numbers, and the checked file."""

from typing import Any

from atoll.core.game import Components
from atoll.core.words import texts
from atoll.games.karuba.components import numbered_cards


def sheet(components: Components) -> dict[str, Any]:
    """The context of the page's template."""
    return {"cards": numbered_cards(components), "file": components.file}


KEYS = {
    "rounds": texts("Rounds")[0],
    "hand": texts("Cards in hand")[0],
    "frame": texts("Width and height of an island, at most")[0],
    "adventurer_points": texts("Points for an adventurer who arrives")[0],
    "crystal_points": texts("Points for a crystal")[0],
    "nugget_points": texts("Points for a nugget")[0],
    "game": texts("Figures")[0],
    "cards": texts("Cards")[0],
    "source": texts("Source")[0],
    "exits": texts("Exits (N, E, S, W)")[0],
    "adventurer": texts("Adventurer")[0],
    "temple": texts("Temple")[0],
    "crystals": texts("Crystals")[0],
    "nuggets": texts("Nuggets")[0],
    "blue": texts("blue")[0],
    "green": texts("green")[0],
    "orange": texts("orange")[0],
    "purple": texts("purple")[0],
    "name": texts("Name")[0],
}
"""What the workshop calls the keys and words of the file."""
