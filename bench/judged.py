"""Are the losses that the judge of an analysis finds the exact ones, within their intervals?

`python -m bench.judged`: a few minutes on two cores.

In games so small that their whole tree is known, what each choice is worth is counted out: the mean, over the worlds
that the judge draws from, of the value of the position after it when both go on as the judge's policy does. The policy
is `greedy` in two small Costa Ruanas (`solvable.toml`, `solvable_small.toml`), whose advice says what it does, and
anything, equally likely, in the last rounds of Goofspiel, where `greedy` draws worlds of its own. Decisions are those
of games between players who do anything, in which anything hangs on the choice; what was played is judged against the
other move that the judge finds best.

Printed are the decisions whose interval has the exact loss in it, of all and of those that truly cost or gain
something, half of the interval, and by how much the judge's other move is worse than the best one, in points of 100.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import count, islice, permutations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from atoll.core.catalogue import find_game
from atoll.core.exports import ADVISE
from atoll.core.game import Position, View
from atoll.engine.chance import derive, draw_below, generator
from atoll.lab.analysis import WORLDS
from atoll.lab.estimates import Estimate, share
from atoll.lab.judge import Judge
from atoll.lab.solve import NOBODY, Floats, Tree, grow, matters, reach, worth
from bench.exploitability import GAME, deals

FOLDER = Path(__file__).parent
GOOFSPIEL = FOLDER.parent / "examples" / "goofspiel" / "src"
ENDINGS, CARDS_LEFT = 12, 4
"""Ends of Goofspiel that are solved, and the cards that each hand has left in them."""
NOTHING = 1e-9


@dataclass(frozen=True)
class Solved:
    """A game whose choices' worth is known between players of a policy, whose part of the tree is `strategy`."""

    name: str
    policy: str
    tree: Tree
    strategy: Floats

    @cached_property
    def worths(self) -> dict[tuple[bytes, int], float]:
        """By view and action, the share of the win that the choice is worth to the view's seat, less a half.

        Worlds that agree with a view are as likely as the judge draws them: as if everybody had done anything before,
        whatever the policy.
        """
        tree = self.tree
        after = slice(tree.levels[0].stop, None)
        value, actor = worth(tree, self.strategy)[after], tree.actor[tree.parent[after]]
        came = np.stack([reach(tree, tree.uniform, 1 - seat) for seat in (0, 1)])[:, after]
        weight = tree.chance[after] * came[actor, np.arange(len(actor))]
        keys = [one.tobytes() for one in tree.views]
        totals: dict[tuple[bytes, int], list[float]] = {}
        choices = zip(
            tree.choice[after].tolist(),
            (weight * value).tolist(),
            weight.tolist(),
            actor.tolist(),
            strict=True,
        )
        for choice, gain, weighs, seat in choices:
            key = keys[tree.set_of[choice]], int(tree.actions[choice])
            total = totals.setdefault(key, [0.0, 0.0])
            total[0] += -gain if seat else gain
            total[1] += weighs
        return {key: gain / weighs for key, (gain, weighs) in totals.items()}

    def decisions(self, seed: int) -> Iterator[tuple[View, int]]:
        """The decisions of games between players who do anything, one game after another without end: what a seat sees,
        and what it does.
        """
        tree, open_ends, chance = self.tree, matters(self.tree), generator(seed)
        children: dict[int, list[int]] = {}
        for place in range(tree.levels[0].stop, len(tree.parent)):
            children.setdefault(int(tree.parent[place]), []).append(place)
        numbers = np.random.default_rng(seed)
        first = tree.levels[0]
        while True:
            place = int(numbers.choice(np.arange(first.start, first.stop), p=tree.chance[first]))
            while tree.actor[place] != NOBODY:
                following = children[place]
                place = following[draw_below(chance, len(following))]
                choice = int(tree.choice[place])
                number = int(tree.set_of[choice])
                if open_ends[number]:
                    yield tree.view(number), int(tree.actions[choice])


def greedy_strategy(tree: Tree) -> Floats:
    """What `greedy` does in each information set: any of the moves that the advice rates highest."""
    strategy = tree.uniform.copy()
    known: dict[bytes, Floats] = {}
    for number in np.flatnonzero(tree.sizes > 1).tolist():
        places = tree.choices(np.array([number], np.int32))
        key = tree.views[number].tobytes()
        if key not in known:
            view, moves = tree.view(number), tree.actions[places]
            scores = np.zeros(len(moves), np.int32)
            view.game.runner.call(ADVISE, view.states, view.components.parts, moves, len(moves), scores)
            best = scores == scores.max()
            known[key] = best / best.sum()
        strategy[places] = known[key]
    return strategy


def costa_ruana(file: str) -> Solved:
    """A small Costa Ruana between greedy players."""
    game = find_game(GAME)
    tree = grow(deals(game, game.read_components(FOLDER / file)))
    return Solved(f"{game.title}, {file}", "greedy", tree, greedy_strategy(tree))


def goofspiel(seed: int) -> Solved:
    """The last rounds of a game of Goofspiel between players who do anything."""
    sys.path.append(str(GOOFSPIEL))
    from goofspiel import game

    position, chance = game.start(2, seed), generator(derive(seed, 1))
    while len(position.legal_moves(0)) > CARDS_LEFT:
        for seat in (0, 1):
            moves = position.legal_moves(seat).actions
            position.play_action(seat, int(moves[draw_below(chance, len(moves))]))

    def with_stock(stock: NDArray[np.int8]) -> Position:
        one = position.copy()
        one.states["stock"][0, : len(stock)] = stock
        return one

    left = int(position.state.left)
    orders = [with_stock(np.array(order, np.int8)) for order in permutations(position.state.stock[:left])]
    tree = grow([(1 / len(orders), one) for one in orders])
    return Solved(f"Goofspiel, last {CARDS_LEFT} rounds", "random", tree, tree.uniform)


@dataclass(frozen=True)
class Comparison:
    """A judged loss beside the exact one of the same two moves, and by how much the best other move is better than the
    one that the judge found.
    """

    loss: Estimate
    exact: float
    missed: float

    @property
    def is_covered(self) -> bool:
        """Whether the interval has the exact loss in it."""
        return self.loss.low - NOTHING <= self.exact <= self.loss.high + NOTHING


def compare(solved: Solved, decisions: int, worlds: int, seed: int) -> list[Comparison]:
    """So many judged decisions beside the exact ones."""
    found = []
    for number, (view, played) in zip(range(decisions), solved.decisions(seed), strict=False):
        judged = Judge(derive(seed, 2), solved.policy).judge(view, played, worlds, number)
        key = view.state.tobytes()
        worths = {int(move): solved.worths[key, int(move)] for move in view.legal_moves().actions}
        best = max(value for move, value in worths.items() if move != played)
        other = worths[judged.other]
        found.append(Comparison(judged.loss, other - worths[played], best - other))
    return found


def row(solved: Solved, found: list[Comparison]) -> tuple[str, ...]:
    """A line of the table."""

    def covered(some: list[Comparison]) -> str:
        inside = share(sum(one.is_covered for one in some), len(some))
        return f"{len(some)}: {100 * inside.value:.1f} % ({100 * inside.low:.1f} to {100 * inside.high:.1f})"

    half = np.mean([(one.loss.high - one.loss.low) / 2 for one in found])
    return (
        solved.name,
        solved.policy,
        covered(found),
        covered([one for one in found if abs(one.exact) > NOTHING]),
        f"{100 * half:.1f}",
        f"{100 * np.mean([one.missed for one in found]):.2f}",
    )


def main() -> None:
    """Compare and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.judged",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--decisions", type=int, default=600, help="of each game")
    parser.add_argument("--worlds", type=int, default=WORLDS, help="in which each is judged")
    parser.add_argument("--seed", type=int, default=1)
    settings = parser.parse_args()
    headings = ("Game", "Policy", "Exact one in the interval", "Where it is not 0", "Half", "Missed")
    print(" | ".join(headings), flush=True)
    each = settings.decisions // ENDINGS
    ends = (goofspiel(derive(settings.seed, number)) for number in count())
    endings = list(islice((one for one in ends if matters(one.tree).any()), ENDINGS))
    found = [
        one
        for number, solved in enumerate(endings)
        for one in compare(solved, each, settings.worlds, derive(settings.seed, number))
    ]
    print(" | ".join(row(endings[0], found)), flush=True)
    for file in ("solvable_small.toml", "solvable.toml"):
        solved = costa_ruana(file)
        found = compare(solved, settings.decisions, settings.worlds, settings.seed)
        print(" | ".join(row(solved, found)), flush=True)


if __name__ == "__main__":
    main()
