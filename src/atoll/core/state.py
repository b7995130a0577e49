"""What the state records of all games have in common.

A state is one element of a NumPy array of a structured dtype of small integers; it holds everything, hidden cards
and the generator of chance included. A view is the same record with what its seat cannot know set to `UNKNOWN`.
"""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from atoll.core.errors import AtollError

UNKNOWN = -1
"""A value that the seat of a view cannot know."""
REFEREE = -2
"""The `seat` of a full state."""
SPECTATOR = -3
"""The `seat` of a spectator's view."""

GENERATOR_WORDS = 3
"""The words of 64 bits of a generator of chance, as `core/chance.py` describes it."""

HEADER: list[tuple[Any, ...]] = [
    ("generator", "u8", (GENERATOR_WORDS,)),  # of chance; zeros in a view
    ("players", "i1"),  # how many play
    ("seat", "i1"),  # whose view this is: a seat, SPECTATOR, or REFEREE for a full state
    ("to_act", "u1"),  # bit set of the seats that have to decide; 0 when the game is over
]
"""The fields with which every state begins."""

_RESERVED = frozenset(dir(np.recarray)) | frozenset(dir(np.record))


class State(Protocol):
    """A state record as Python sees it; games add their own fields."""

    generator: NDArray[np.uint64]
    players: int
    seat: int
    to_act: int


def record_dtype(fields: list[tuple[Any, ...]]) -> np.dtype[Any]:
    """The dtype of a record whose fields can be read as attributes, compiled and uncompiled alike.

    Raises AtollError for a field named like an attribute of `numpy.record`: reading it uncompiled would silently
    give NumPy's own.
    """
    for name, *_ in fields:
        if name in _RESERVED:
            raise AtollError(
                f"a record's field cannot be called {name!r}: NumPy's records have that attribute"
            )
    return np.dtype((np.record, fields))
