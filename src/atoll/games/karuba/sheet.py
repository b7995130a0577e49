"""What the page of components needs besides the file's data: the cards by their numbers."""

from typing import Any

from atoll.core.game import Components
from atoll.games.karuba.table import numbered_cards


def sheet(components: Components) -> dict[str, Any]:
    """The context of the page's template."""
    return {"cards": numbered_cards(components)}
