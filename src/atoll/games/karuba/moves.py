"""The moves of Karuba."""

from itertools import combinations

import numpy as np

from atoll.core.moves import Kind, Moves, Part
from atoll.games.karuba.state import CELLS, MAX_CARDS, place_of

_CARDS = range(1, MAX_CARDS + 1)

PAIRS = np.array(list(combinations(_CARDS, 2)), dtype=np.int64)
"""Every two cards, ascending; shape (120, 2)."""

PAIR_INDEX = np.zeros((MAX_CARDS + 1, MAX_CARDS + 1), dtype=np.int64)
"""The index in PAIRS of a lower and a higher card."""
PAIR_INDEX[PAIRS[:, 0], PAIRS[:, 1]] = np.arange(len(PAIRS))

_CARD = Part("card", _CARDS, of="card", least=1)

MOVES = Moves(
    Kind("choose", Part("cards", PAIRS.tolist(), of="cards")),
    Kind("discard", _CARD),
    Kind("lay", _CARD, Part("at", [list(place_of(cell)) for cell in range(CELLS)], of="cell")),
)
CHOOSE_CARDS = MOVES.first("choose")  # + index in PAIRS
DISCARD_CARD = MOVES.first("discard")  # + card - 1
encode_lay, decode_lay = MOVES.coding("lay")
