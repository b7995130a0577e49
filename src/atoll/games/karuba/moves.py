"""The moves of Karuba: action codes, and the words of the record format for them."""

from itertools import combinations

import numpy as np

from atoll.core.moves import MoveCodes
from atoll.games.karuba.state import CELLS, MAX_CARDS, place_of

_CARDS = range(1, MAX_CARDS + 1)
_PAIRS = list(combinations(_CARDS, 2))

# Codes: the first of each kind of move.
CHOOSE_CARDS = 0  # + index in PAIRS
DISCARD_CARD = CHOOSE_CARDS + len(_PAIRS)  # + card - 1
LAY_CARD = DISCARD_CARD + MAX_CARDS  # + (card - 1) * CELLS + cell
ACTIONS = LAY_CARD + MAX_CARDS * CELLS

PAIRS = np.array(_PAIRS, dtype=np.int64)
"""Every two cards, ascending; shape (120, 2)."""

PAIR_INDEX = np.zeros((MAX_CARDS + 1, MAX_CARDS + 1), dtype=np.int64)
"""The index in PAIRS of a lower and a higher card."""
for _index, _pair in enumerate(_PAIRS):
    PAIR_INDEX[_pair] = _index

_CODES = MoveCodes(
    [
        *({"do": "choose", "cards": list(pair)} for pair in _PAIRS),
        *({"do": "discard", "card": card} for card in _CARDS),
        *(
            {"do": "lay", "card": card, "at": list(place_of(cell))}
            for card in _CARDS
            for cell in range(CELLS)
        ),
    ]
)
move_of = _CODES.move_of
action_of = _CODES.action_of
