"""Kuhn poker as the example plays it: its equilibria are known (H. W. Kuhn, 1950), and nobody gains against one."""

import numpy as np
import pytest
from kuhn_poker import game
from numpy.typing import NDArray

from atoll.bots import find_bot
from atoll.core.game import Position
from atoll.lab.judge import Judge
from atoll.lab.played import Setup
from atoll.lab.restrictions import restrictions, styles
from atoll.lab.solve import (
    Floats,
    Ints,
    Tree,
    expected,
    exploitability,
    grow,
    reach,
    share_of_the_win,
    solve,
    worth,
)

VALUE = -1 / 18
JACK, QUEEN, KING = range(3)


def deals() -> list[tuple[float, Position]]:
    """All six first positions, equally likely."""
    found: dict[bytes, Position] = {}
    seed = 0
    while len(found) < 6:
        position = game.start(2, seed)
        found.setdefault(position.state.card.tobytes(), position)
        seed += 1
    return [(1 / 6, position) for position in found.values()]


def won(points: Ints, winners: Ints) -> Floats:
    """What the first player wins."""
    return points[:, 0].astype(np.float64)


def equilibrium(tree: Tree, alpha: float) -> NDArray[np.float64]:
    """How often each card bets or calls in Kuhn's equilibria: alpha is how often the first player bluffs."""
    bets = {
        (0, False): (alpha, 0.0, 3 * alpha),
        (0, True): (0.0, alpha + 1 / 3, 1.0),
        (1, False): (1 / 3, 0.0, 1.0),
        (1, True): (0.0, 1 / 3, 1.0),
    }
    strategy = tree.uniform.copy()
    for number in range(len(tree.sizes)):
        state = tree.view(number).state
        seat = int(state.seat)
        facing = bool(state.chips[1 - seat] > state.chips[seat])
        bet = bets[seat, facing][int(state.card[seat])]
        strategy[tree.choices(np.array([number]))] = (1 - bet, bet)
    return strategy


@pytest.mark.parametrize("alpha", [0, 0.2, 1 / 3])
def test_kuhns_equilibria_cannot_be_exploited_and_cost_an_eighteenth(alpha: float) -> None:
    tree = grow(deals(), won)
    strategy = equilibrium(tree, alpha)
    assert expected(tree, strategy) == pytest.approx(VALUE)
    assert exploitability(tree, strategy) == pytest.approx(0, abs=1e-12)
    assert exploitability(tree, equilibrium(tree, 0.5)) > 0.01


def test_the_solver_finds_the_value_of_the_game() -> None:
    tree = grow(deals(), won)
    assert expected(tree, solve(tree, 2000)) == pytest.approx(VALUE, abs=1e-3)


def test_never_to_bluff_costs_a_random_player_what_the_tree_says() -> None:
    """The report's figure for the habit that the game declares against the exact one: who bets the jack at random wins
    when the other folds.
    """
    tree = grow(deals(), share_of_the_win)
    honest, bluffing = (
        [expected(tree, without_bluff(tree, seat)) for seat in (0, 1)],
        expected(tree, tree.uniform),
    )
    cost = ((bluffing - honest[0]) + (honest[1] - bluffing)) / 2
    assert cost > 0.03
    played = Setup(game, game.components(), 2, [find_bot("random")], 1)
    (held,) = [one for one in styles(played) if "bluff" in one.bot.name]
    (found,) = restrictions(played, [held], 4000, 2)
    assert found.significant
    assert found.cost.low < cost < found.cost.high
    assert (found.name["fr"], found.about["fr"]) == ("Sans bluff", "Miser avec le valet est un bluff.")


def without_bluff(tree: Tree, seat: int) -> NDArray[np.float64]:
    """Anything equally likely, but that this seat checks with the jack."""
    strategy = tree.uniform.copy()
    for number in range(len(tree.sizes)):
        state = tree.view(number).state
        own = int(state.seat)
        if own == seat and int(state.card[own]) == JACK and state.chips[1 - own] == state.chips[own]:
            strategy[tree.choices(np.array([number]))] = (1, 0)
    return strategy


def test_judged_losses_are_the_exact_ones_within_their_intervals() -> None:
    """Between players who do anything: the whole tree says what each choice of each information set is worth."""
    tree = grow(deals())
    value = worth(tree, tree.uniform)
    covered = judged = 0
    for number in range(len(tree.sizes)):
        seat, places = int(tree.seat[number]), tree.choices(np.array([number]))
        weight = tree.chance * reach(tree, tree.uniform, 1 - seat)
        worths = []
        for place in places:
            leads = tree.choice == place
            worths.append((weight * value)[leads].sum() / weight[leads].sum() * (1 - 2 * seat))
        played = int(tree.actions[places[0]])
        for seed in range(4):
            loss = Judge(seed, "random").judge(tree.view(number), played, 400).loss
            covered += loss.low - 1e-9 <= worths[1] - worths[0] <= loss.high + 1e-9
            judged += 1
            assert loss.value == pytest.approx(worths[1] - worths[0], abs=0.12)
    assert judged == 4 * 12
    assert covered / judged >= 0.93
