"""Random numbers: unbiased, the same everywhere, and unrelated where they should be."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from atoll.core.chance import derive, derive_each, draw_below, generator, mix, next_word, shuffle


def xorshift(word: int) -> int:
    """Marsaglia's xorshift64 with 13, 7 and 17, from the paper."""
    word ^= word << 13 & (1 << 64) - 1
    word ^= word >> 7
    return word ^ word << 17 & (1 << 64) - 1


def test_the_generator_is_marsaglias_xorshift() -> None:
    expected = word = 88172645463325252  # the paper's own seed
    for _ in range(100):
        word = int(next_word(np.uint64(word)))
        expected = xorshift(expected)
        assert word == expected


def test_mixing_is_splitmix64() -> None:
    """The first outputs for seed 1234567 that the generator's other implementations are tested with."""
    step = 0x9E3779B97F4A7C15
    outputs = [mix((1234567 + i * step) & (1 << 64) - 1) for i in range(3)]
    assert outputs == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@pytest.mark.parametrize("bound", [1, 2, 3, 5, 6, 7, 12, 64, 100, 257])
def test_numbers_below_a_bound_are_equally_likely(bound: int) -> None:
    """Chi-square over 400 draws a value, at six standard deviations."""
    word = np.uint64(derive(bound))
    found = np.zeros(bound)
    draws = 400 * bound
    for _ in range(draws):
        value, word = (np.uint64(number) for number in draw_below(word, bound))
        assert 0 <= value < bound
        found[int(value)] += 1
    chi_square = ((found - 400) ** 2 / 400).sum()
    assert chi_square < (bound - 1) + 6 * (2 * bound) ** 0.5


def test_every_order_of_a_shuffle_is_equally_likely() -> None:
    found: Counter[tuple[int, ...]] = Counter()
    word = np.uint64(derive(1))
    for _ in range(24 * 300):
        items = np.array([1, 2, 3, 4, 99], dtype=np.int8)
        word = np.uint64(shuffle(items, 4, word))
        assert items[4] == 99
        found[tuple(items[:4].tolist())] += 1
    assert set(found) == set(permutations([1, 2, 3, 4]))
    assert all(abs(count - 300) < 6 * 300**0.5 for count in found.values())


def test_shuffling_nothing_draws_nothing() -> None:
    items = np.array([7, 8], dtype=np.int8)
    assert int(shuffle(items, 1, np.uint64(5))) == int(shuffle(items, 0, np.uint64(5))) == 5
    assert items.tolist() == [7, 8]


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
        assert derive_each(seed, games[:, None], seats[None, :]).tolist() == [
            [derive(seed, game, seat) for seat in range(6)] for game in range(40)
        ]


def test_a_generator_of_ones_own_starts_from_the_derived_seed() -> None:
    assert generator(9).tolist() == [derive(9)]
    assert generator(9).dtype == np.uint64
    assert generator(9).shape == (1,)
