"""What is in a game's box, for printing: the pieces with their sizes in millimetres.

The module `box` of a game says `box(translator, components)`: the groups of pieces, in the order in which they are
printed. Its template `box.html.jinja` draws them as the table does, with two macros, `front(group, piece)` and
`back(group, piece)`, whose context is that of the page of components. `core/plain_box.py` makes
both of the declarations.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

BLEED = 2.0
"""Millimetres by which a drawing goes on beyond the cut."""


@dataclass(frozen=True)
class PrintedPiece:
    """A design, and how often it is in the box. `key` is its own in its group; `face` is for the template."""

    key: str
    name: str
    """as it is said in the list of changes, in the reader's language"""
    face: Any = None
    count: int = 1


@dataclass(frozen=True)
class PieceGroup:
    """Pieces of one size. `back` says what is on the other side: what the template draws, the front again, nothing."""

    key: str
    """a word: `atoll print --only` names it"""
    title: str
    """in the reader's language"""
    width: float
    """millimetres, cut"""
    height: float
    pieces: Sequence[PrintedPiece]
    back: Literal["drawn", "same", "none"] = "drawn"
    bleed: float = BLEED
    is_round: bool = False

    @property
    def count(self) -> int:
        """How many pieces of it are in the box."""
        return sum(piece.count for piece in self.pieces)
