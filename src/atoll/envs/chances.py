"""What chance an environment has: of a seed, and for all games that it begins until it is seeded anew.

One game at a time (`envs/referee.py`) and many at once (`envs/vector.py`) draw from these in the same way, so that the
same seed gives the same games.
"""

import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.engine.chance import derive_each, generators
from atoll.text.errors import AtollError

GAME_CHANCE, BOT_CHANCE, SAMPLE_CHANCE = range(3)
"""Whose the generators are: each game's deal forks the first, bots draw from the second, samples from the third."""
CHANCES = 3
_WORD = (1 << 64) - 1


def chances_of(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The generators for seeds, shape (*words.shape, CHANCES, GENERATOR_WORDS)."""
    return generators(derive_each(words[..., None], np.arange(CHANCES, dtype=np.uint64)))


def word_of(seed: Any) -> int:
    """The word of 64 bits that a seed is to generators; raises AtollError for what is no seed."""
    return whole("a seed", seed, 0) & _WORD


def whole(what: str, value: Any, least: int | None = None) -> int:
    """The value as an int; raises AtollError for one that is no whole number, or less than `least`."""
    try:
        number = operator.index(value)
    except TypeError:
        raise AtollError(f"{what} is a whole number, not {value!r}") from None
    if least is not None and number < least:
        raise AtollError(f"{what} is a whole number from {least}, not {number}")
    return number
