"""Random numbers for compiled rules, the same on every machine, compiled or not: integers alone.

A generator is an array of uint64, shape (GENERATOR_WORDS,): two words of a key, and one that changes with every draw.

Without a key (both words 0) it is Marsaglia's xorshift64 (G. Marsaglia, "Xorshift RNGs", 2003): one non-zero word,
shifts and exclusive ors alone. It is fast, and fit for simulation and search; but every bit that it gives is a sum
modulo 2 of the 64 bits of its word, so whoever sees enough of them solves for that word and knows what comes next.

With a key it gives SipHash-2-4 (J.-P. Aumasson and D. J. Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012)
of a counter, the word, as a message of 8 bytes. SipHash is a pseudorandom function with a key of 128 bits: without the
key its values at different counters cannot be told from independent uniform words by less work than trying keys, as far
as published attacks go, so that those seen say nothing of those to come (counter mode, whose proof is in M. Bellare,
A. Desai, E. Jokipii and P. Rogaway, "A Concrete Security Treatment of Symmetric Encryption", 1997). This is what
games between people are dealt with.

Seeds are spread with SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014) so that
neighbouring seeds give unrelated games.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.engine.compiling import compiled, inlined
from atoll.engine.constants import GENERATOR_WORDS
from atoll.engine.seeds import KEY_BITS
from atoll.text.errors import AtollError

WORD = 2
"""Where in a generator the word stands that changes; the key's lower half stands at 0, its upper at 1."""

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


def derive_each(seed: int | NDArray[np.uint64], *paths: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """`derive` for many seeds or paths at once: seeds and steps are arrays of uint64 that broadcast together."""
    word: Any = mix(seed) if isinstance(seed, np.ndarray) else np.array([mix(seed & _MASK)], dtype=np.uint64)
    for step in paths:
        word = mix(mix(word) ^ mix(step))
    return np.where(word == 0, np.uint64(1), word)


def generator(seed: int) -> NDArray[np.uint64]:
    """A fast generator, without a key; any whole number is a seed."""
    return generators(np.array(derive(seed), dtype=np.uint64))


def generators(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Fast generators that begin at these non-zero words: an array of one axis more than `words`, of length 3."""
    made = np.zeros((*words.shape, GENERATOR_WORDS), dtype=np.uint64)
    made[..., WORD] = words
    return made


def keyed_generator(key: int) -> NDArray[np.uint64]:
    """A generator whose draws nobody can predict without the key; raises AtollError unless 0 < key < 2^128."""
    if not 0 < key < 1 << KEY_BITS:
        raise AtollError(f"a key of chance is a whole number from 1 to 2^{KEY_BITS} - 1, not {key}")
    return np.array([key & _MASK, key >> 64, 0], dtype=np.uint64)


@compiled
def set_generator(target, source):  # type: ignore[no-untyped-def]
    """Make `target` what `source` is."""
    for i in range(GENERATOR_WORDS):
        target[i] = source[i]


@compiled
def fork_generator(generator, out):  # type: ignore[no-untyped-def]
    """Make `out` a fast generator that begins at a word drawn from `generator`, and scrambled: at the word itself its
    draws would be those that `generator` makes next.
    """
    out[0] = out[1] = 0
    word = siphash(_ZERO, _ZERO, next_word(generator))
    out[WORD] = word if word != _ZERO else _ONE


@compiled
def next_word(generator):  # type: ignore[no-untyped-def]
    """Draw a 64-bit word."""
    if is_keyed(generator):
        word = siphash(generator[0], generator[1], generator[WORD])
        generator[WORD] = add(generator[WORD], _ONE)
    else:
        word = xorshift(generator[WORD])
        generator[WORD] = word
    return word


@inlined
def draw_below(generator, bound):  # type: ignore[no-untyped-def]
    """Draw a whole number from 0 to bound - 1, all equally likely; `bound` is at most 2^16.

    The high bits are masked to the bound's width and drawn again while too large: no bias.
    """
    if is_keyed(generator):
        return keyed_below(generator, bound)
    value, generator[WORD] = fast_below(generator[WORD], bound)
    return value


@compiled
def keyed_below(generator, bound):  # type: ignore[no-untyped-def]
    """`draw_below` for a generator with a key: by itself, so that the other way is short."""
    mask = mask_below(bound)
    while True:
        value = masked(next_word(generator), mask)
        if value < bound:
            return value


@compiled
def shuffle(items, count, generator):  # type: ignore[no-untyped-def]
    """Shuffle the first `count` items in place (Fisher and Yates)."""
    if is_keyed(generator):
        for last in range(count - 1, 0, -1):
            swap(items, last, keyed_below(generator, last + 1))
    else:
        word = generator[WORD]
        for last in range(count - 1, 0, -1):
            other, word = fast_below(word, last + 1)
            swap(items, last, other)
        generator[WORD] = word


@compiled
def draw_first(items, wanted, count, generator):  # type: ignore[no-untyped-def]
    """Draw the first `wanted` of `count` items anew from all of them, each order equally likely: what comes to the
    front changes places with what leaves it, and all others stay where they are.
    """
    for i in range(wanted):
        swap(items, i, i + draw_below(generator, count - i))


@inlined
def swap(items, one, other):  # type: ignore[no-untyped-def]
    """Let two items change places."""
    held = items[one]
    items[one] = items[other]
    items[other] = held


@inlined
def is_keyed(generator):  # type: ignore[no-untyped-def]
    """Whether a generator has a key."""
    return (generator[0] | generator[1]) != _ZERO


@inlined
def fast_below(word, bound):  # type: ignore[no-untyped-def]
    """`draw_below` for a generator without a key that stands at `word`; also returns where it then stands."""
    mask = mask_below(bound)
    while True:
        word = xorshift(word)
        value = masked(word, mask)
        if value < bound:
            return value, word


@inlined
def mask_below(bound):  # type: ignore[no-untyped-def]
    """The least number of ones, in binary, that is at least bound - 1."""
    mask = bound - 1
    mask |= mask >> 1
    mask |= mask >> 2
    mask |= mask >> 4
    mask |= mask >> 8
    return mask


@inlined
def masked(word, mask):  # type: ignore[no-untyped-def]
    """The bits of a word that a draw goes by: from bit 40 upwards, as many as `mask` has."""
    return np.int64(word >> np.uint64(40)) & mask


@inlined
def xorshift(word):  # type: ignore[no-untyped-def]
    """The word after `word` in xorshift64, with shifts of 13, 7 and 17."""
    word ^= word << np.uint64(13)
    word ^= word >> np.uint64(7)
    word ^= word << np.uint64(17)
    return word


# SipHash-2-4

_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_TOP = np.uint64(1 << 63)
_REST = np.uint64((1 << 63) - 1)
_STARTS = tuple(
    np.uint64(int.from_bytes(b"somepseudorandomlygeneratedbytes"[i : i + 8], "big")) for i in range(0, 32, 8)
)
_LENGTH = np.uint64(8 << 56)
_END = np.uint64(0xFF)


@compiled
def siphash(low, high, message):  # type: ignore[no-untyped-def]
    """SipHash-2-4 of a message of 8 bytes, under a key of 16; all are words of little-endian bytes."""
    v0, v1, v2, v3 = low ^ _STARTS[0], high ^ _STARTS[1], low ^ _STARTS[2], high ^ _STARTS[3]
    for block in (message, _LENGTH):
        v3 ^= block
        v0, v1, v2, v3 = sip_round(v0, v1, v2, v3)
        v0, v1, v2, v3 = sip_round(v0, v1, v2, v3)
        v0 ^= block
    v2 ^= _END
    for _ in range(4):
        v0, v1, v2, v3 = sip_round(v0, v1, v2, v3)
    return v0 ^ v1 ^ v2 ^ v3


@inlined
def sip_round(v0, v1, v2, v3):  # type: ignore[no-untyped-def]
    """SipHash's round: four additions, four exclusive ors, six rotations."""
    v0, v2 = add(v0, v1), add(v2, v3)
    v1, v3 = rotate(v1, 13) ^ v0, rotate(v3, 16) ^ v2
    v0, v2 = add(rotate(v0, 32), v3), add(v2, v1)
    v3, v1 = rotate(v3, 21) ^ v0, rotate(v1, 17) ^ v2
    return v0, v1, rotate(v2, 32), v3


@inlined
def rotate(word, bits):  # type: ignore[no-untyped-def]
    """A word rotated to the left."""
    return word << np.uint64(bits) | word >> np.uint64(64 - bits)


@inlined
def add(one, other):  # type: ignore[no-untyped-def]
    """The sum modulo 2^64, without the overflow that NumPy warns of."""
    return ((one & _REST) + (other & _REST)) ^ ((one ^ other) & _TOP)
