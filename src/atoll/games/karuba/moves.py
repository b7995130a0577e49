"""The moves of Karuba: action codes, and the words of the record format for them."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np

from atoll.core.errors import AtollError
from atoll.games.karuba.state import CELLS, MAX_CARDS, place_of

Move = dict[str, Any]

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

_MOVES: list[Move] = [
    *({"do": "choose", "cards": list(pair)} for pair in _PAIRS),
    *({"do": "discard", "card": card} for card in _CARDS),
    *({"do": "lay", "card": card, "at": list(place_of(cell))} for card in _CARDS for cell in range(CELLS)),
]


def _key(move: Mapping[str, Any]) -> frozenset[tuple[str, str]]:
    # repr tells a JSON true, which is no card, from a 1.
    return frozenset((name, repr(value)) for name, value in move.items())


_CODES = {_key(move): code for code, move in enumerate(_MOVES)}
_KINDS = {move["do"]: move for move in _MOVES}


def move_of(action: int) -> Move:
    """The move that an action code stands for."""
    move = _MOVES[action]
    return {name: list(value) if isinstance(value, list) else value for name, value in move.items()}


def action_of(move: Mapping[str, Any]) -> int:
    """The action code of a move in the record's words; raises AtollError if there is no such move."""
    code = _CODES.get(_key(move)) if isinstance(move, Mapping) else None
    if code is not None:
        return code
    do = move.get("do") if isinstance(move, Mapping) else None
    if isinstance(do, str) and do in _KINDS:
        example = _KINDS[do]
        raise AtollError(f"{do!r} has the keys {', '.join(example)}, for example {example}; not {dict(move)}")
    raise AtollError(f"there is no move {do!r}; there are: {', '.join(_KINDS)}")
