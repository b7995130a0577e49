"""Random numbers: unbiased, the same everywhere, unrelated where they should be, and with a key not to be foretold."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from numpy.typing import NDArray

from atoll.core.catalogue import find_game
from atoll.engine.chance import (
    WORD,
    derive,
    derive_each,
    draw_below,
    draw_first,
    fork_generator,
    generator,
    generators,
    keyed_generator,
    mix,
    next_word,
    shuffle,
)
from atoll.engine.seeds import KEY_BITS
from atoll.text.errors import AtollError
from tests.soak.prediction import chances, foretell, linear_complexity, stream


def chance(seed: int, *, keyed: bool) -> NDArray[np.uint64]:
    return keyed_generator(seed) if keyed else generator(seed)


def xorshift(word: int) -> int:
    """Marsaglia's xorshift64 with 13, 7 and 17, from the paper."""
    word ^= word << 13 & (1 << 64) - 1
    word ^= word >> 7
    return word ^ word << 17 & (1 << 64) - 1


def test_without_a_key_it_is_marsaglias_xorshift() -> None:
    expected = 88172645463325252  # the paper's own seed
    fast = generators(np.array(expected, dtype=np.uint64))
    for _ in range(100):
        expected = xorshift(expected)
        assert int(next_word(fast)) == expected
        assert fast.tolist() == [0, 0, expected]


def test_with_a_key_it_is_siphash_of_a_counter() -> None:
    """The paper's authors' value for the 8 bytes 00 to 07 under the key 00 to 0f; the next is of the next counter."""
    key, message = (int.from_bytes(bytes(range(size)), "little") for size in (16, 8))
    keyed = keyed_generator(key)
    keyed[WORD] = message
    assert int(next_word(keyed)) == 0x93F5F5799A932462
    assert keyed.tolist() == [key & (1 << 64) - 1, key >> 64, message + 1]


def test_the_counter_goes_round() -> None:
    keyed = keyed_generator(1)
    first = int(next_word(keyed))
    keyed[WORD] = (1 << 64) - 1
    next_word(keyed)
    assert int(keyed[WORD]) == 0
    assert int(next_word(keyed)) == first


def test_every_bit_of_a_key_and_of_the_counter_counts() -> None:
    """Each changes about half the bits of what is drawn."""
    key = derive(1) << 64 | derive(2)
    first = int(next_word(keyed_generator(key)))
    for bit in range(KEY_BITS):
        changed = int(next_word(keyed_generator(key ^ 1 << bit)))
        assert 12 < bin(first ^ changed).count("1") < 52
    for bit in range(64):
        keyed = keyed_generator(key)
        keyed[WORD] = 1 << bit
        assert 12 < bin(first ^ int(next_word(keyed))).count("1") < 52


@pytest.mark.parametrize("key", [0, -1, 1 << 128])
def test_a_key_that_is_none_is_refused(key: int) -> None:
    with pytest.raises(AtollError, match=r"from 1 to 2\^128 - 1"):
        keyed_generator(key)


def test_mixing_is_splitmix64() -> None:
    """The first outputs for seed 1234567 that the generator's other implementations are tested with."""
    step = 0x9E3779B97F4A7C15
    outputs = [mix((1234567 + i * step) & (1 << 64) - 1) for i in range(3)]
    assert outputs == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@pytest.mark.parametrize("keyed", [False, True])
@pytest.mark.parametrize("bound", [1, 2, 3, 5, 6, 7, 12, 64, 100, 257])
def test_numbers_below_a_bound_are_equally_likely(bound: int, keyed: bool) -> None:
    """Chi-square over 400 draws a value, at six standard deviations."""
    drawing = chance(bound, keyed=keyed)
    found = np.zeros(bound)
    draws = 400 * bound
    for _ in range(draws):
        value = draw_below(drawing, bound)
        assert 0 <= value < bound
        found[int(value)] += 1
    chi_square = ((found - 400) ** 2 / 400).sum()
    assert chi_square < (bound - 1) + 6 * (2 * bound) ** 0.5


@pytest.mark.parametrize("keyed", [False, True])
def test_every_order_of_a_shuffle_is_equally_likely(keyed: bool) -> None:
    found: Counter[tuple[int, ...]] = Counter()
    shuffling = chance(1, keyed=keyed)
    for _ in range(24 * 300):
        items = np.array([1, 2, 3, 4, 99], dtype=np.int8)
        shuffle(items, 4, shuffling)
        assert items[4] == 99
        found[tuple(items[:4].tolist())] += 1
    assert set(found) == set(permutations([1, 2, 3, 4]))
    assert all(abs(count - 300) < 6 * 300**0.5 for count in found.values())


@pytest.mark.parametrize("keyed", [False, True])
def test_the_first_of_some_items_are_drawn_anew_from_all_and_the_others_stay(keyed: bool) -> None:
    """Every order of two of five is equally likely; an item changes places with the one that it makes room for."""
    drawn = chance(5, keyed=keyed)
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(4000):
        items = np.arange(6)
        draw_first(items, 2, 5, drawn)
        assert sorted(items.tolist()) == list(range(6))
        counts[tuple(items[:2].tolist())] += 1
        moved = [place for place in range(2, 6) if items[place] != place]
        assert len(moved) == sum(item >= 2 for item in items[:2].tolist())
        assert {items[place] for place in moved} <= {0, 1}
        assert items[5] == 5
    assert set(counts) == set(permutations(range(5), 2))
    expected = 4000 / 20
    assert (
        sum((count - expected) ** 2 / expected for count in counts.values()) < 43.8
    )  # 0.1 % with 19 degrees


@pytest.mark.parametrize("keyed", [False, True])
def test_a_shuffle_draws_below_each_place_from_the_last(keyed: bool) -> None:
    """Fisher and Yates, so that stored seeds deal what they dealt."""
    items, other = np.arange(60, dtype=np.int8), np.arange(60, dtype=np.int8)
    shuffling, drawing = chance(3, keyed=keyed), chance(3, keyed=keyed)
    shuffle(items, 52, shuffling)
    for last in range(51, 0, -1):
        place = draw_below(drawing, last + 1)
        other[[last, place]] = other[[place, last]]
    assert items.tolist() == other.tolist()
    assert shuffling.tolist() == drawing.tolist()


@pytest.mark.parametrize("keyed", [False, True])
def test_shuffling_nothing_draws_nothing(keyed: bool) -> None:
    items, shuffling = np.array([7, 8], dtype=np.int8), chance(5, keyed=keyed)
    before = shuffling.tolist()
    shuffle(items, 1, shuffling)
    shuffle(items, 0, shuffling)
    assert shuffling.tolist() == before
    assert items.tolist() == [7, 8]


@pytest.mark.parametrize("keyed", [False, True])
def test_a_fork_is_fast_and_another_each_time(keyed: bool) -> None:
    """It has nothing of the key, and each fork draws."""
    forked, forks = chance(6, keyed=keyed), set()
    for _ in range(50):
        out = np.full(3, 7, dtype=np.uint64)
        fork_generator(forked, out)
        assert out[:WORD].tolist() == [0, 0]
        forks.add(int(out[WORD]))
    assert len(forks) == 50
    assert 0 not in forks


@pytest.mark.parametrize("keyed", [False, True])
def test_what_a_fork_draws_is_not_what_its_parent_or_another_fork_draws(keyed: bool) -> None:
    """What is drawn from one position after the other must not hang together."""
    parent, drawn = chance(6, keyed=keyed), list[int]()
    for _ in range(5):
        child = np.empty(3, dtype=np.uint64)
        fork_generator(parent, child)
        drawn += [int(next_word(child)) for _ in range(20)]
    drawn += [int(next_word(parent)) for _ in range(20)]
    assert len(set(drawn)) == len(drawn)


def test_a_derived_seed_depends_on_every_step() -> None:
    seeds = {derive(seed, *path) for seed in range(20) for path in ((), (0,), (1,), (0, 0), (0, 1), (1, 0))}
    assert len(seeds) == 20 * 6
    assert all(0 < seed < 1 << 64 for seed in seeds)


def test_no_game_of_one_seed_is_a_game_of_another() -> None:
    """Whatever is combined: neither order nor equal numbers cancel out."""
    games = {derive(seed, index) for seed in range(60) for index in range(60)}
    assert len(games) == 60 * 60
    bots = {derive(seed, index, seat) for seed in range(20) for index in range(20) for seat in range(6)}
    assert len(bots) == 20 * 20 * 6
    deals = {derive(game) for game in games}
    assert not deals & bots
    assert not deals & games


def test_seeds_may_be_any_whole_number() -> None:
    assert derive(-1) == derive((1 << 64) - 1)
    assert derive(0) != 0
    assert derive(1 << 64) == derive(0)


def test_neighbouring_seeds_share_half_their_bits() -> None:
    differing = [bin(derive(seed) ^ derive(seed + 1)).count("1") for seed in range(1000)]
    assert 31 < sum(differing) / 1000 < 33
    assert min(differing) > 8


def test_many_derived_at_once_are_those_derived_one_by_one() -> None:
    games, seats = np.arange(40, dtype=np.uint64), np.arange(6, dtype=np.uint64)
    for seed in (0, 7, 1 << 63):
        assert derive_each(seed, games).tolist() == [derive(seed, int(game)) for game in games]
        assert derive_each(games + np.uint64(seed)).tolist() == [derive(seed + int(game)) for game in games]
        assert derive_each(seed, games[:, None], seats[None, :]).tolist() == [
            [derive(seed, game, seat) for seat in range(6)] for game in range(40)
        ]


def test_a_generator_of_ones_own_starts_from_the_derived_seed() -> None:
    assert generator(9).tolist() == [0, 0, derive(9)]
    assert generator(9).dtype == np.uint64


# What linear algebra finds (`python -m tests.soak chance` looks further)


@pytest.mark.parametrize(("kind", "expected"), [("xorshift64", 64), ("SipHash-2-4", 300)])
def test_only_without_a_key_seen_bits_follow_a_short_recurrence(kind: str, expected: int) -> None:
    """Of 600 bits; of random ones half as many, within a few (R. Rueppel, "Linear Complexity and Random Sequences")."""
    chance = chances(kind, 1, range(1))[0]
    assert abs(linear_complexity(stream(chance, 600)) - expected) <= (0 if expected == 64 else 12)


@pytest.mark.parametrize(("kind", "foretold"), [("xorshift64", 3), ("SipHash-2-4", 0)])
def test_only_without_a_key_a_seat_foretells_the_others_cards(kind: str, foretold: int) -> None:
    """From the order of two of four piles."""
    found = [foretell(find_game("karuba"), chance) for chance in chances(kind, 1, range(3))]
    assert sum(one.right for one in found) == sum(one.fitting for one in found) == foretold
