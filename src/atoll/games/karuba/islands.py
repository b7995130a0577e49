"""What rules, advice and pages ask of an island: which cells are open, which cards are joined.

Sets of cells are bits of a 64-bit word, cell 0 the lowest, so that a step goes on from all cells of a set at once.
"""

# mypy: disable-error-code="no-untyped-def"

import numpy as np

from atoll.engine.compiling import compiled, inlined
from atoll.games.karuba.state import CELLS, MAX_FRAME, MIDDLE, NEIGHBOURS, NO_CARD, NOWHERE, REACH, SPAN

BOARD = (1 << CELLS) - 1
LINE = (1 << SPAN) - 1  # the uppermost row
COLUMN = sum(1 << row * SPAN for row in range(SPAN))  # the first one
NOT_FIRST = BOARD & ~COLUMN
NOT_LAST = BOARD & ~(COLUMN << (SPAN - 1))


def _within(frame: int, lines: int) -> int:
    """The bit set of the columns, or rows, that an island may use which uses those of `lines`."""
    present = [line for line in range(SPAN) if lines >> line & 1] or [REACH]
    return sum(
        1 << line
        for line in range(SPAN)
        if max(*present, line) - min(*present, line) < frame or line in present
    )


_LINES = [[_within(frame, lines) for lines in range(LINE + 1)] for frame in range(MAX_FRAME + 1)]

COLUMNS_WITHIN = np.array([[lines * COLUMN for lines in row] for row in _LINES], dtype=np.int64)
"""The cells of the columns that an island may use, by frame and bit set of used columns; shape (frames, 128)."""

ROWS_WITHIN = np.array(
    [[sum(LINE << row * SPAN for row in range(SPAN) if lines >> row & 1) for lines in row] for row in _LINES],
    dtype=np.int64,
)
"""The cells of the rows that an island may use, by frame and bit set of used rows; shape (frames, 128)."""


@compiled
def occupied_cells(island):
    """The cells with a card; `island` has shape (CELLS,)."""
    cells = 0
    for cell in range(CELLS):
        if island[cell] != NO_CARD:
            cells |= 1 << cell
    return cells


@compiled
def free_cells(cells, parts):
    """The cells without a card on which cards keep an island within its frame, wherever that can still lie (KA-6)."""
    columns = 0
    rows = 0
    for row in range(SPAN):
        line = cells >> row * SPAN & LINE
        columns |= line
        if line != 0:
            rows |= 1 << row
    return int(COLUMNS_WITHIN[parts.frame, columns] & ROWS_WITHIN[parts.frame, rows]) & ~cells


@compiled
def open_cells(cells, parts):
    """The cells on which the next card may be laid: edge to edge with a card, and within the frame (KA-6)."""
    if cells == 0:
        return 1 << MIDDLE
    beside = cells >> SPAN | cells << SPAN | (cells & NOT_LAST) << 1 | (cells & NOT_FIRST) >> 1
    return beside & free_cells(cells, parts)


@compiled
def find_card(island, card):
    """The cell on which a card lies, or NOWHERE; `island` has shape (CELLS,)."""
    for cell in range(CELLS):
        if island[cell] == card:
            return cell
    return NOWHERE


@inlined
def joined(island, parts, card, cell, edge):
    """Whether a card, lying or to be laid on a cell, and the one over an edge both have an exit there (KA-9)."""
    other = NEIGHBOURS[cell, edge]
    return (
        other != NOWHERE
        and island[other] != NO_CARD
        and int(parts.exits[card]) >> edge & 1 != 0
        and int(parts.exits[island[other]]) >> (edge ^ 2) & 1 != 0
    )


@compiled
def edges(island, parts, card, cell):
    """Two bit sets of edges of a card that lies on a cell, or is to be laid there: where it is joined to another, and
    where a path of it ends before a card without an exit (KA-9).
    """
    joins = 0
    shut = 0
    for edge in range(4):
        other = NEIGHBOURS[cell, edge]
        if joined(island, parts, card, cell, edge):
            joins |= 1 << edge
        elif other != NOWHERE and island[other] != NO_CARD and int(parts.exits[card]) >> edge & 1:
            shut |= 1 << edge
    return joins, shut
