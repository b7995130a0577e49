"""Do the parts of luck and skill add up to each seat's result, in many games?

`python -m bench.sums --games 200`: 200 games of each game between quick bots, for all numbers of players by turns.

The budget is the smallest there is, and any other move stands for the best one, for the sum depends on neither: chance
is what the shares change besides decisions. Printed is the largest difference between the sum of the parts, and of the
luck of the rounds, and what they should give, in points of 100.
"""

import argparse
import os
from functools import partial

import numpy as np
from numpy.typing import NDArray

from atoll.bots import find_bot
from atoll.core.catalogue import find_game, games
from atoll.core.game import View
from atoll.core.records import read_records
from atoll.lab import judge
from atoll.lab.analysis import analyse
from atoll.lab.batches import in_order
from atoll.lab.played import Setup
from atoll.lab.recording import record_game

WORLDS = 2


def difference(name: str, index: int, seed: int) -> float:
    """By how much the parts of a game add up to something else than the results, at most."""
    game = find_game(name)
    players = game.seats[index % len(game.seats)]
    setup = Setup(game, game.components(), players, [find_bot("random"), find_bot("greedy")], seed)
    record = next(read_records(record_game(setup, index)[0].splitlines()))
    parts = analyse(record, seed=index, worlds=WORLDS).parts
    apart = [abs(sum(one.result for one in parts) - 1)]
    for one in parts:
        total = one.fair + one.deal.value + one.chance.value + one.own.value + one.others.value
        rounds = sum(luck.chance.value for luck in one.rounds)
        apart += [abs(total - one.result), abs(rounds - one.chance.value)]
    return max(apart)


def any_move(_: judge.Judge, view: View, moves: NDArray[np.int32], seed: int) -> int:
    """The first of some moves, in place of the best."""
    return int(moves[0])


def main() -> None:
    """Analyse games and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.sums",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--games", type=int, default=200, help="of each game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="cores to use")
    settings = parser.parse_args()
    judge.AGAIN = judge.SURE = 1
    judge.CONFIRMED = ()
    judge.Judge._best = any_move  # type: ignore[assignment, method-assign]
    for name in games():
        work = (partial(difference, name, index, settings.seed) for index in range(settings.games))
        apart = list(in_order(work, settings.workers))
        print(f"{name}: {len(apart)} games, at most {100 * max(apart):.1e} points apart", flush=True)


if __name__ == "__main__":
    main()
