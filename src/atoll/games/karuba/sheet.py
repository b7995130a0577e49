"""What the page of components needs: the cards by their numbers, and the checked file."""

from typing import Any

from atoll.core.game import Components
from atoll.games.karuba.components import numbered_cards


def sheet(components: Components) -> dict[str, Any]:
    """The context of the page's template."""
    return {"cards": numbered_cards(components), "file": components.file}
