"""The solver, on Kuhn poker, whose equilibria are known: the first player loses 1/18 a game."""

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from atoll.lab import solve as solving
from atoll.lab.solve import (
    Tree,
    best_response,
    expected,
    exploitability,
    grow,
    matters,
    solve,
    strategy_of,
    together,
)
from atoll.text.errors import AtollError

from .kuhn import components, deal, deals, kuhn

VALUE = -1 / 18
JACK, QUEEN, KING = range(3)


def written(tree: Tree, bets: dict[tuple[int, int, bool], float]) -> NDArray[np.float64]:
    """The strategy that bets or calls with these probabilities, by seat, card, and whether the other has bet."""
    strategy = tree.uniform.copy()
    for number in range(len(tree.sizes)):
        state = tree.view(number).state
        seat = int(state.seat)
        bet = bets[seat, int(state.card[seat]), bool(state.bet[1 - seat])]
        strategy[tree.choices(np.array([number]))] = (1 - bet, bet)
    return strategy


def equilibrium(tree: Tree, alpha: float) -> NDArray[np.float64]:
    """Kuhn's equilibria: alpha, from 0 to 1/3, is how often the first player bluffs with the jack."""
    first = {
        (0, JACK, False): alpha,
        (0, QUEEN, False): 0.0,
        (0, KING, False): 3 * alpha,
        (0, JACK, True): 0.0,
        (0, QUEEN, True): alpha + 1 / 3,
        (0, KING, True): 1.0,
    }
    second = {
        (1, JACK, False): 1 / 3,
        (1, QUEEN, False): 0.0,
        (1, KING, False): 1.0,
        (1, JACK, True): 0.0,
        (1, QUEEN, True): 1 / 3,
        (1, KING, True): 1.0,
    }
    return written(tree, first | second)


def test_the_tree_has_every_line_of_play_once() -> None:
    tree = kuhn()
    assert [level.stop - level.start for level in tree.levels] == [6, 12, 24, 12]
    assert (tree.actor == solving.NOBODY).sum() == 6 * 5
    assert len(tree.sizes) == 12
    assert tree.chance[tree.levels[0]].sum() == pytest.approx(1)


@pytest.mark.parametrize("alpha", [0, 0.2, 1 / 3])
def test_kuhns_equilibria_cannot_be_exploited(alpha: float) -> None:
    tree = kuhn()
    strategy = equilibrium(tree, alpha)
    assert expected(tree, strategy) == pytest.approx(VALUE)
    assert exploitability(tree, strategy) == pytest.approx(0, abs=1e-12)


def test_another_bluff_can_be_exploited() -> None:
    tree = kuhn()
    assert exploitability(tree, equilibrium(tree, 0.5)) > 0.01


@pytest.mark.parametrize("seat", [0, 1])
def test_no_pure_strategy_does_better_than_the_best_response(seat: int) -> None:
    tree = kuhn()
    chance = np.random.default_rng(3).random(len(tree.sizes))
    strategy = np.stack([1 - chance, chance], axis=1).reshape(-1)
    sign = 1 if seat == 0 else -1
    best = sign * expected(tree, best_response(tree, strategy, seat))
    found = []
    for bets in product([0.0, 1.0], repeat=int((tree.seat == seat).sum())):
        pure = strategy.copy()
        pure[tree.owner == seat] = np.array([(1 - bet, bet) for bet in bets]).reshape(-1)
        found.append(sign * expected(tree, pure))
    assert len(found) == 64
    assert best == pytest.approx(max(found))


@pytest.mark.parametrize("forgetful", [False, True])
def test_cfr_finds_the_value_even_where_a_view_forgets_what_was_seen(forgetful: bool) -> None:
    tree = kuhn(forgetful=forgetful)
    strategy = solve(tree, 400)
    assert exploitability(tree, strategy) < 0.001
    assert expected(tree, strategy) == pytest.approx(VALUE, abs=0.002)


def test_answers_learnt_from_another_strategy_win_less() -> None:
    tree = kuhn()
    strategy, other = tree.uniform, equilibrium(tree, 0.2)
    assert exploitability(tree, strategy, learnt_from=other) < exploitability(tree, strategy)
    mixed = together(tree, strategy, other)
    assert (mixed[tree.owner == 0] == 0.5).all()
    assert (mixed[tree.owner == 1] == other[tree.owner == 1]).all()


def test_a_player_is_asked_only_where_its_own_moves_lead() -> None:
    tree = kuhn()
    asked: list[int] = []

    def always_bet(sets: NDArray[np.int32]) -> NDArray[np.float64]:
        asked.extend(sets.tolist())
        return np.tile([0.0, 1.0], len(sets))

    strategy = strategy_of(tree, always_bet)
    states = [tree.view(number).state for number in asked]
    assert len(asked) == len(set(asked)) == 9  # never after the first player's own check
    assert not any(state.seat == 0 and state.decisions == 2 for state in states)
    assert (strategy[tree.choices(np.array(asked))] == np.tile([0.0, 1.0], 9)).all()
    assert np.count_nonzero(strategy == 0.5) == 6


def test_a_choice_matters_only_while_games_can_end_differently() -> None:
    plain = kuhn()
    assert matters(plain).all()
    indifferent = grow(deals(components()), lambda points, winners: np.zeros(len(points)))
    assert not matters(indifferent).any()


def test_what_cannot_be_solved_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AtollError, match="games of 2 players can be solved, not of 3"):
        grow([(1.0, deal(JACK, KING, components(), players=3))])
    with pytest.raises(AtollError, match="in Kuhn poker chance decides something after the start"):
        grow(deals(components(drawing=True)))
    monkeypatch.setattr(solving, "MOST_POSITIONS", 53)
    with pytest.raises(AtollError, match="more than 53 positions"):
        grow(deals(components()))
