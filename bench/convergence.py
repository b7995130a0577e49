"""What more iterations change in the search's choices: `python -m bench.convergence`.

In positions of games of greedy bots for two, searches of several budgets choose, twice each with other random numbers.
Prints how often both take the same move, and the mean share of the win that a search expects of the move it takes.
"""

import argparse
from collections import defaultdict

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from atoll.bots.search import compiled_search, evaluate
from atoll.core.catalogue import games
from atoll.engine.chance import generator
from bench.search import choices

BUDGETS = (250, 1000, 4000, 16_000)
SEEDS = (1, 2)
APART = 5
"""One in so many choices of a game is looked at."""


def main() -> None:
    """Search and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.convergence", description=__doc__.partition(":")[0]
    )
    parser.add_argument("--game", action="append", choices=list(games()), help="which game; all if not said")
    parser.add_argument("--games", type=int, default=10, help="games of each")
    settings = parser.parse_args()
    table = Table(title="Choices for two")
    for heading in ("Game", "Iterations", "Choices", "Same move twice, %", "Expected of it, % of the win"):
        table.add_column(heading, justify="right")
    for game in (games()[name] for name in settings.game or games()):
        compiled_search(game)
        same, expected = defaultdict[int, list[bool]](list), defaultdict[int, list[float]](list)
        for number in track(range(settings.games), game.title):
            for view in choices(game, 2, number)[number % APART :: APART]:
                for budget in BUDGETS:
                    first, second = (evaluate(view, generator(seed), budget, None)[0] for seed in SEEDS)
                    same[budget].append(first.action == second.action)
                    expected[budget] += [first.wins, second.wins]
        for budget in BUDGETS:
            table.add_row(
                game.title,
                f"{budget:,}",
                str(len(same[budget])),
                f"{100 * np.mean(same[budget]):.0f}",
                f"{100 * np.mean(expected[budget]):.1f}",
            )
    Console(highlight=False).print(table)


if __name__ == "__main__":
    main()
