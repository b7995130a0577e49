"""Random numbers for compiled rules, the same on every machine.

The generator is Marsaglia's xorshift64 (G. Marsaglia, "Xorshift RNGs", 2003): one non-zero 64-bit word, shifts
and exclusive ors alone, so that it runs uncompiled too. Seeds are spread with SplitMix64 (Steele, Lea and Flood,
"Fast splittable pseudorandom number generators", 2014) so that neighbouring seeds give unrelated games.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.core.compiling import compiled

_MASK = (1 << 64) - 1


def mix(word: Any) -> Any:
    """SplitMix64's output function: a bijection of 64-bit words in which every bit depends on every bit.

    Takes an int, or an array of uint64.
    """
    word = (word + 0x9E3779B97F4A7C15) & _MASK
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _MASK
    return word ^ (word >> 31)


def derive(seed: int, *path: int) -> int:
    """The seed of a part of a whole: a non-zero 64-bit word that depends on `seed` and every step of `path`."""
    word: int = mix(seed & _MASK)
    for step in path:
        word = mix(mix(word) ^ mix(step & _MASK))  # so that (1, 2) and (2, 1) differ
    return word or 1


def derive_each(seed: int, *paths: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """`derive` for many paths at once: the steps are arrays of uint64 that broadcast together."""
    word: Any = np.array([mix(seed & _MASK)], dtype=np.uint64)
    for step in paths:
        word = mix(mix(word) ^ mix(step))
    return np.where(word == 0, np.uint64(1), word)


def generator(seed: int) -> NDArray[np.uint64]:
    """A generator of one's own: shape (1,), uint64, as compiled bots and `resample` take it."""
    return np.array([derive(seed)], dtype=np.uint64)


@compiled
def next_word(word):  # type: ignore[no-untyped-def]
    """The next 64-bit word of the generator."""
    word ^= word << np.uint64(13)
    word ^= word >> np.uint64(7)
    word ^= word << np.uint64(17)
    return word


@compiled
def draw_below(word, bound):  # type: ignore[no-untyped-def]
    """Draw a whole number from 0 to bound - 1, all equally likely; returns it and the generator's next word.

    The high bits are masked to the bound's width and drawn again while too large: no bias.
    """
    mask = bound - 1
    mask |= mask >> 1
    mask |= mask >> 2
    mask |= mask >> 4
    mask |= mask >> 8
    while True:
        word = next_word(word)
        value = np.int64(word >> np.uint64(40)) & mask
        if value < bound:
            return value, word


@compiled
def shuffle(items, count, word):  # type: ignore[no-untyped-def]
    """Shuffle the first `count` items in place (Fisher and Yates); returns the generator's next word."""
    for last in range(count - 1, 0, -1):
        other, word = draw_below(word, last + 1)
        held = items[last]
        items[last] = items[other]
        items[other] = held
    return word
