"""A policy of a game's own for its search: the module `policy` of a game that has one.

    rate(view, parts, moves, count, scores)

It takes the place of the game's advice in the search, as the prior of moves and in playouts, and not in `greedy`. It is
called millions of times, with full states of drawn worlds as well as views: it must not look at what their seat cannot
know. A table of numbers that it reads lies in a file beside it; `python -m bench.policy GAME` learns one from what the
game's trained player does.
"""

import hashlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FILE = "policy.npy"


def digest(table: NDArray[np.int16]) -> str:
    """By which a module says which table is its own: compiled code holds its numbers, and is compiled anew only when
    the module changes.
    """
    return hashlib.sha256(table.astype("<i2").tobytes()).hexdigest()[:16]


def read_table(module: str, rows: int, expected: str) -> NDArray[np.int16]:
    """The table, int16 (rows,), beside the module in that file; raises ValueError if it is not the expected one."""
    table: NDArray[np.int16] = np.load(Path(module).with_name(FILE))
    if table.shape != (rows,) or digest(table) != expected:
        raise ValueError(f"{FILE} beside {module} is not the table that the module expects")
    return table
