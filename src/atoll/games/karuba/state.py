"""The state of Karuba, the card game: its numbers and its record.

An island lies on a board of 7 x 7 cells, the first card on the middle one: so it can grow to 4 cards in any
direction. Cells are numbered row by row from the top.
"""

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.core.fields import Field, Int8s, everybody, nobody, owner
from atoll.core.forms import Row
from atoll.core.game import Json
from atoll.core.state import State, record_dtype

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


class Island(Row):
    """An island in words: `{"column,row": card}`, counted from the first card, rows downwards."""

    def say(self, values: list[int]) -> Json:
        """The cards that lie there."""
        return {
            ",".join(map(str, place_of(cell))): card for cell, card in enumerate(values) if card != NO_CARD
        }

    def read(self, said: Any, field: Field) -> list[int]:
        """The card on each cell."""
        cards = [NO_CARD] * CELLS
        for key, card in said.items() if isinstance(said, dict) else [("", None)]:
            place = re.fullmatch(r"(0|-?[1-9]),(0|-?[1-9])", key)
            cell = cell_at(*map(int, place.groups())) if place else NOWHERE
            if cell == NOWHERE:
                raise ValueError(f"an object of cards by place, columns and rows from {-REACH} to {REACH}")
            cards[cell] = self.form.read(card, field)
        return cards


class KarubaState(State):
    """A position of Karuba. The first axis of what belongs to players counts seats."""

    phase: int = everybody("what is being decided", names=PHASES, key="phase")
    round_number: int = everybody("the round, from 1", least=1, most=MAX_ROUNDS, key="round")
    hand_count: Int8s = everybody(
        "cards in each hand", shape=MAX_PLAYERS, most=MAX_CARDS, counts="players[].hand"
    )
    hand: Int8s = owner(
        "cards in hand, ascending",
        shape=(MAX_PLAYERS, MAX_CARDS),
        least=1,
        most=MAX_CARDS,
        empty=NO_CARD,
        key="players[].hand",
        form=Row(ascending=True),
    )
    pile_count: Int8s = everybody(
        "cards in each draw pile", shape=MAX_PLAYERS, most=MAX_CARDS, counts="players[].pile"
    )
    pile: Int8s = nobody(
        "cards in each draw pile, the top last",
        shape=(MAX_PLAYERS, MAX_CARDS),
        least=1,
        most=MAX_CARDS,
        empty=NO_CARD,
        key="players[].pile",
        form=Row(reverse=True),
    )
    chosen: Int8s = owner(
        "the cards chosen for this round, ascending; others see them once all have chosen (KA-4)",
        shape=(MAX_PLAYERS, CHOSEN_CARDS),
        least=1,
        most=MAX_CARDS,
        empty=NO_CARD,
    )
    to_lay: NDArray[np.uint8] = everybody(
        "bit i: chosen[i] is still to be laid", "u1", MAX_PLAYERS, most=(1 << CHOSEN_CARDS) - 1
    )
    discard_count: Int8s = everybody(
        "cards on each discard pile", shape=MAX_PLAYERS, most=MAX_ROUNDS, counts="players[].discarded"
    )
    discarded: Int8s = everybody(
        "cards on each discard pile, the oldest first",
        shape=(MAX_PLAYERS, MAX_ROUNDS),
        least=1,
        most=MAX_CARDS,
        empty=NO_CARD,
        key="players[].discarded",
    )
    laid: Int8s = everybody("cards in each island", shape=MAX_PLAYERS, most=MAX_CARDS)
    island: Int8s = everybody(
        "the card on each cell of each island",
        shape=(MAX_PLAYERS, CELLS),
        least=1,
        most=MAX_CARDS,
        empty=NO_CARD,
        key="players[].island",
        form=Island(),
    )
    # All in the middle while the island is empty.
    west: Int8s = everybody("outermost column of each island", shape=MAX_PLAYERS, most=SPAN - 1)
    east: Int8s = everybody("outermost column of each island", shape=MAX_PLAYERS, most=SPAN - 1)
    north: Int8s = everybody("outermost row of each island", shape=MAX_PLAYERS, most=SPAN - 1)
    south: Int8s = everybody("outermost row of each island", shape=MAX_PLAYERS, most=SPAN - 1)


STATE = KarubaState.dtype

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
