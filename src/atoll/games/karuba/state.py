"""The state of Karuba, the card game: its numbers, its record and its events.

An island lies on a board of 7 x 7 cells, the first card on the middle one: so it can grow to 4 cards in any
direction. Cells are numbered row by row from the top.
"""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from atoll.core.state import HEADER, State, record_dtype

# Declared maxima: a components file stays within them.
MAX_PLAYERS = 6
MAX_CARDS = 16  # of a player
MAX_ROUNDS = 8
MAX_FRAME = 4  # width and height of an island
MAX_TREASURES = 5  # crystals, and nuggets, on a card
MAX_POINTS = 20  # for an adventurer, a crystal, a nugget

CHOSEN_CARDS = 2  # by each player and round (KA-4)

REACH = MAX_FRAME - 1  # how far an island can reach from its first card
SPAN = 2 * REACH + 1
CELLS = SPAN * SPAN
MIDDLE = CELLS // 2

COLOURS = ("blue", "orange", "green", "purple")

# Edges of a card, clockwise; an exit on edge e is bit 1 << e.
EDGES = ("N", "E", "S", "W")
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))  # columns and rows to the neighbour over each edge

NOWHERE = -1
"""No cell."""


def cell_at(column: int, row: int) -> int:
    """The cell at a place counted from the first card, or NOWHERE beyond the board."""
    if max(abs(column), abs(row)) > REACH:
        return NOWHERE
    return (row + REACH) * SPAN + column + REACH


def place_of(cell: int) -> tuple[int, int]:
    """Column and row of a cell, counted from the first card; rows count downwards."""
    return cell % SPAN - REACH, cell // SPAN - REACH


NEIGHBOURS = np.array(
    [[cell_at(column + x, row + y) for x, y in STEPS] for column, row in map(place_of, range(CELLS))],
    dtype=np.int64,
)
"""The cell over each edge of a cell, or NOWHERE; shape (CELLS, 4)."""

PHASES = ("choose", "discard", "lay", "over")
CHOOSE, DISCARD, LAY, OVER = range(len(PHASES))

NO_CARD = 0
"""Where there is no card; cards are numbered from 1."""

STATE = record_dtype(
    [
        *HEADER,
        ("phase", "i1"),  # one of PHASES
        ("round_number", "i1"),  # from 1
        ("hand_count", "i1", (MAX_PLAYERS,)),
        ("hand", "i1", (MAX_PLAYERS, MAX_CARDS)),  # ascending, then NO_CARD
        ("pile_count", "i1", (MAX_PLAYERS,)),
        ("pile", "i1", (MAX_PLAYERS, MAX_CARDS)),  # the top is the last of pile_count
        ("chosen", "i1", (MAX_PLAYERS, CHOSEN_CARDS)),  # ascending, until the round ends; else NO_CARD
        ("to_lay", "u1", (MAX_PLAYERS,)),  # bit i: chosen[i] is still to be laid
        ("discard_count", "i1", (MAX_PLAYERS,)),
        ("discarded", "i1", (MAX_PLAYERS, MAX_ROUNDS)),  # the oldest first
        ("laid", "i1", (MAX_PLAYERS,)),  # cards in each island
        ("island", "i1", (MAX_PLAYERS, CELLS)),  # the card on each cell, or NO_CARD
        # The outermost columns and rows of each island, 0 to SPAN - 1; all in the middle while it is empty.
        ("west", "i1", (MAX_PLAYERS,)),
        ("east", "i1", (MAX_PLAYERS,)),
        ("north", "i1", (MAX_PLAYERS,)),
        ("south", "i1", (MAX_PLAYERS,)),
    ]
)

PARTS = record_dtype(
    [
        ("rounds", "i1"),
        ("hand_limit", "i1"),
        ("frame", "i1"),  # greatest width and height of an island
        ("adventurer_points", "i1"),
        ("cards", "i1"),  # of a player; the arrays below are by card number
        ("exits", "i1", (MAX_CARDS + 1,)),  # bit set of edges
        ("treasure_points", "i2", (MAX_CARDS + 1,)),  # of all crystals and nuggets on the card
        ("adventurer", "i1", (MAX_CARDS + 1,)),  # colour of the adventurer on the card, or -1
        ("temple", "i1", (MAX_CARDS + 1,)),  # colour of the temple on the card, or -1
        ("adventurer_card", "i1", (len(COLOURS),)),  # card of each colour's adventurer
        ("temple_card", "i1", (len(COLOURS),)),  # card of each colour's temple
    ]
)


class KarubaState(State, Protocol):
    """The record's fields, as the uncompiled rules and the words see them."""

    phase: int
    round_number: int
    hand_count: NDArray[np.int8]
    hand: NDArray[np.int8]
    pile_count: NDArray[np.int8]
    pile: NDArray[np.int8]
    chosen: NDArray[np.int8]
    to_lay: NDArray[np.uint8]
    discard_count: NDArray[np.int8]
    discarded: NDArray[np.int8]
    laid: NDArray[np.int8]
    island: NDArray[np.int8]
    west: NDArray[np.int8]
    east: NDArray[np.int8]
    north: NDArray[np.int8]
    south: NDArray[np.int8]


# Events: (what, whose, piece, origin, target, extra). Piece is a card's number; origin and target are places:
CELL_PLACE = 0  # + cell of the island of `whose`
HAND_PLACE = 60
CHOSEN_PLACE = 61
PILE_PLACE = 62
DISCARD_PLACE = 63
NO_PLACE = -1

(
    CARD_CHOSEN,  # whose; piece: card, UNKNOWN to others; origin, target
    CARD_REVEALED,  # whose; piece: card; origin: its place
    SUM_LOWEST,  # whose; extra: the sum that makes them discard
    CARD_DISCARDED,  # whose; piece: card; origin, target
    CARD_LAID,  # whose; piece: card; origin, target
    CARD_DRAWN,  # whose; piece: card, UNKNOWN to others; origin, target
    ROUND_BEGUN,  # extra: round number
    GAME_OVER,
) = range(8)
