"""Ratings and intervals: right where the answer is known, and honest where games are few or go together."""

import numpy as np
import pytest

from atoll.lab.estimates import Z
from atoll.lab.ratings import fit, outcomes, rate, share_estimate, student_quantile


def of_two(won: int, lost: int, shared: int = 0):
    """A deal a game between bots 0 and 1."""
    return [[((0, 1), winners)] for winners in [(0,)] * won + [(1,)] * lost + [(0, 1)] * shared]


def test_of_two_bots_the_ratings_differ_by_the_logarithm_of_the_odds() -> None:
    """Bradley and Terry: 3 to 1 are 400 log10(3) = 191 points."""
    first, second = rate(2, of_two(3000, 1000))
    assert first.value - second.value == pytest.approx(400 * np.log10(3), abs=0.5)
    assert first.value == pytest.approx(-second.value)


def test_shared_wins_count_as_half_a_win_each() -> None:
    """In Davidson's model, too, the expected shares are those that were seen; here 7 of 10."""
    possible = outcomes(2, of_two(6000, 2000, 2000))
    found, _ = fit(possible, possible.counts.sum(axis=0), np.zeros(3))
    worth = np.exp(possible.features @ found)
    expected = worth / worth.sum() @ possible.features[:, 0]
    assert expected == pytest.approx(0.7, abs=1e-4)


def test_equal_bots_are_rated_equal_however_often_they_share() -> None:
    first, second = rate(2, of_two(50, 50, 200))
    assert first.value == pytest.approx(0, abs=1e-6)
    assert first.low < 0 < first.high
    assert second.low < 0 < second.high


def test_one_against_three_alike_is_equal_at_a_quarter() -> None:
    deals = [[((0, 1, 1, 1), (seat,)) for seat in range(4)] for _ in range(30)]
    first, second = rate(2, deals)
    assert first.value == pytest.approx(second.value, abs=1e-6)


def test_strengths_are_found_again_from_games_of_four_with_shared_wins() -> None:
    strengths = np.array([0.8, 0.3, 0.0, -0.4, -0.7])
    chance = np.random.default_rng(7)
    deals = []
    for _ in range(1500):
        row = tuple(map(int, chance.choice(5, size=4, replace=False)))
        sets = [(a,) for a in range(4)] + [(a, b) for a in range(4) for b in range(a)]
        worth = [
            np.exp(np.mean([strengths[row[seat]] for seat in seats]) - (len(seats) - 1)) for seats in sets
        ]
        deals.append([(row, sets[chance.choice(len(sets), p=np.array(worth) / sum(worth))])])
    ratings = rate(5, deals)
    truth = 400 / np.log(10) * (strengths - strengths.mean())
    for found, right in zip(ratings, truth, strict=True):
        assert found.value == pytest.approx(right, abs=0.8 * (found.high - found.low))
        assert found.high - found.low < 80


def test_a_bot_that_wins_everything_stands_far_above_but_not_without_end() -> None:
    few, many = (rate(2, of_two(games, 0))[0] for games in (20, 1000))
    assert 100 < few.value < many.value < 1500
    assert few.low < few.value < few.high
    assert few.high - few.low > 200


def test_games_of_one_deal_that_go_together_make_intervals_wider() -> None:
    """A hundred deals played twice with the same end tell no more than a hundred games."""
    ends = [(0,)] * 60 + [(1,)] * 40
    once = rate(2, [[((0, 1), end)] for end in ends])[0]
    twice = rate(2, [[((0, 1), end)] * 2 for end in ends])[0]
    apart = rate(2, [[((0, 1), end)] for end in ends * 2])[0]
    width, together, independent = (found.high - found.low for found in (once, twice, apart))
    assert together == pytest.approx(width, rel=0.1)
    assert independent < 0.8 * width


def test_the_same_games_give_the_same_intervals() -> None:
    assert rate(2, of_two(30, 20)) == rate(2, of_two(30, 20))


# Shares of the win


@pytest.mark.parametrize(("won", "games"), [(50, 100), (90, 100), (7, 400)])
def test_of_independent_games_the_interval_is_wilsons(won: int, games: int) -> None:
    """But for Student's quantile, and for the sample's variance."""
    found = share_estimate(np.array([1.0] * won + [0.0] * (games - won)))
    share, size = won / games, games - 1
    middle = (share + Z**2 / 2 / size) / (1 + Z**2 / size)
    half = Z * np.sqrt(share * (1 - share) / size + Z**2 / 4 / size**2) / (1 + Z**2 / size)
    assert found.value == pytest.approx(share)
    assert found.low == pytest.approx(middle - half, abs=2e-3)
    assert found.high == pytest.approx(middle + half, abs=2e-3)


def test_deals_that_are_always_shared_out_tell_more_than_games_apart() -> None:
    """When each seat's luck is given to both bots, less chance is left."""
    paired = share_estimate(np.array([0.5] * 80 + [1.0] * 20))
    apart = share_estimate(np.array([1.0] * 120 + [0.0] * 80))
    assert paired.value == apart.value
    assert paired.high - paired.low < 0.7 * (apart.high - apart.low)


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_no_interval_is_a_point_or_leaves_what_is_possible(share: float) -> None:
    found = share_estimate(np.full(20, share))
    assert 0 <= found.low <= share <= found.high <= 1
    assert found.high - found.low > 0.1


def test_one_deal_tells_nothing_of_the_interval() -> None:
    found = share_estimate(np.array([0.5]))
    assert (found.low, found.high) == (0, 1)


@pytest.mark.parametrize(("freedom", "right"), [(3, 3.182), (10, 2.228), (30, 2.042), (1000, 1.962)])
def test_students_quantile(freedom: int, right: float) -> None:
    assert student_quantile(freedom) == pytest.approx(right, rel=0.01)
