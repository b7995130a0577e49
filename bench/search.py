"""Iterations of the search a second, one tree on one thread, in seconds of that core: `python -m bench.search`.

In the first position of a game in which a seat has a choice, and halfway through a game of greedy bots; with playouts
that draw any move, and with those that the game's advice guides; and as it is, where a trained player guides it.
"""

import argparse
import time
from statistics import median

from rich.console import Console
from rich.progress import track
from rich.table import Table

from atoll.bots import find_bot
from atoll.bots.iteration import USUAL, Tuning
from atoll.bots.search import compiled_search, evaluate
from atoll.core.catalogue import games
from atoll.core.game import Game
from atoll.core.position import View
from atoll.engine.chance import generator

RUNS = 5
PLAYERS = (2, 4)
TUNINGS = {
    "Uniform playouts": USUAL._replace(guided=0.0, trained=0.0),
    "Guided playouts": USUAL._replace(trained=0.0),
    "As it is": USUAL,
}


def choices(game: Game, players: int, seed: int = 1) -> list[View]:
    """What the seats of a game of greedy bots see whenever they have a choice."""
    position, greedy, found = game.start(players, seed), find_bot("greedy"), []
    while not position.is_over:
        seat = position.to_act[0]
        view = position.view(seat)
        if len(view.legal_moves()) > 1:
            found.append(view)
        position.play_action(seat, greedy.choose(view, seed=len(found)))
    return found


def rate(view: View, tuning: Tuning, seconds: float) -> float:
    """Iterations a second, the median of several runs of about so many seconds."""

    def run(iterations: int, seed: int) -> float:
        began = time.thread_time()
        evaluate(view, generator(seed), iterations, None, tuning)
        return iterations / (time.thread_time() - began)

    iterations = max(100, int(seconds * run(100, 0)))
    return median(run(iterations, seed) for seed in range(RUNS))


def main() -> None:
    """Search and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.search", description=__doc__.partition(":")[0])
    parser.add_argument("--game", action="append", choices=list(games()), help="which game; all if not said")
    parser.add_argument("--seconds", type=float, default=0.5, help="about how long a run is")
    settings = parser.parse_args()
    table = Table(title=f"Iterations a second, one tree on one thread, median of {RUNS} runs")
    for heading in ("Game", "Players", "Position", *TUNINGS):
        table.add_column(heading, justify="right")
    wanted = [games()[name] for name in settings.game or games()]
    for game, players in track([(game, players) for game in wanted for players in PLAYERS], "Searching"):
        compiled_search(game)
        views = choices(game, players)
        for name, view in (("opening", views[0]), ("middle", views[len(views) // 2])):
            rates = [rate(view, tuning, settings.seconds) for tuning in TUNINGS.values()]
            table.add_row(game.title, str(players), name, *(f"{value:,.0f}" for value in rates))
    Console(highlight=False).print(table)


if __name__ == "__main__":
    main()
