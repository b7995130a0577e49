"""A card of Karuba as components files have it."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from atoll.core.components import Source
from atoll.core.types import Components
from atoll.games.karuba import state as ka
from atoll.text.translation import texts

Colour = Literal["blue", "orange", "green", "purple"]
(EXITS_FORM,) = texts("one to four of the letters N, E, S, W, in this order")
Treasures = Annotated[int, Meta(ge=0, le=ka.MAX_TREASURES)]


class Card(Struct, forbid_unknown_fields=True):
    """A card: its exits, and what is on it."""

    source: Source
    exits: Annotated[str, Meta(pattern=r"^(?=.)N?E?S?W?\Z", description=EXITS_FORM)]
    adventurer: Colour | None = None
    temple: Colour | None = None
    crystals: Treasures = 0
    nuggets: Treasures = 0


def numbered_cards(components: Components) -> dict[int, Card]:
    """The cards of a file by their numbers."""
    return dict(enumerate(components.file.cards, start=1))
