"""How many iterations a second does the search make, and how soon does each level reply?

`python -m bench.search`; `--levels` times the replies instead.

Iterations are of one tree on one thread, in seconds of that core:
in the first position of a game in which a seat has a choice, and halfway through a game of greedy bots; with playouts
that draw any move, and with those that the game's advice guides; and as it is, where a trained player guides it.

With `--levels` it plays games at every level and player count in which one seat is that bot and the others are quick
ones, and times each choice among several moves from asking to answer, the wait for a free core included.
"""

import argparse
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from statistics import median

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from atoll.bots import LEVELS, Bot, find_bot
from atoll.bots.bot import QUICK_BOTS
from atoll.bots.iteration import USUAL, Tuning
from atoll.bots.search import evaluate
from atoll.core.catalogue import games
from atoll.core.game import Game, View
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
    position, greedy, views = game.start(players, seed), find_bot("greedy"), []
    while not position.is_over:
        seat = position.to_act[0]
        view = position.view(seat)
        if len(view.legal_moves()) > 1:
            views.append(view)
        position.play_action(seat, greedy.choose(view, seed=len(views)))
    return views


def rate(view: View, tuning: Tuning, seconds: float) -> float:
    """Iterations a second, the median of several runs of about so many seconds."""

    def run(iterations: int, seed: int) -> float:
        began = time.thread_time()
        evaluate(view, generator(seed), iterations, None, tuning)
        return iterations / (time.thread_time() - began)

    iterations = max(100, int(seconds * run(100, 0)))
    return median(run(iterations, seed) for seed in range(RUNS))


PROMISED = {"easy": 300, "normal": 300, "hard": 1000, "expert": 2000}
"""Milliseconds within which 95 of 100 replies come, on two cores."""


def replies(game: Game, players: int, bot: Bot, number: int) -> Iterator[float]:
    """Milliseconds of each of the bot's choices in one game; its seat and the deal go by the game's number."""
    position = game.start(players, number)
    for decision in count():
        if position.is_over:
            return
        seat = position.to_act[0]
        view = position.view(seat)
        timed = seat == number % players and len(view.legal_moves()) > 1
        began = time.perf_counter()
        action = (bot if timed else QUICK_BOTS[-1]).choose(view, seed=decision)
        if timed:
            yield (time.perf_counter() - began) * 1000
        position.play_action(seat, action)


def iterations_table(subjects: list[Game], seconds: float) -> Table:
    """Iterations a second in each game."""
    table = Table(title=f"Iterations a second, one tree on one thread, median of {RUNS} runs")
    for heading in ("Game", "Players", "Position", *TUNINGS):
        table.add_column(heading, justify="right")
    for game, players in track([(game, players) for game in subjects for players in PLAYERS], "Searching"):
        views = choices(game, players)
        for name, view in (("opening", views[0]), ("middle", views[len(views) // 2])):
            rates = [rate(view, tuning, seconds) for tuning in TUNINGS.values()]
            table.add_row(game.title, str(players), name, *(f"{value:,.0f}" for value in rates))
    return table


def levels_table(subjects: list[Game], number: int, tables: int) -> Table:
    """Milliseconds of each level's replies in so many games, so many at the same time."""
    lines = [(game, players, level) for game in subjects for players in PLAYERS for level in LEVELS]
    table = Table(title=f"Reply of each level in ms, {tables} at a time")
    for heading in ("Game", "Players", "Level", "Choices", "p50", "p95", "Longest", "Promised p95"):
        table.add_column(heading, justify="right")
    with ThreadPoolExecutor(tables) as threads:
        for game, players, level in track(lines, "Playing"):
            level.prepare(game)
            played = [
                threads.submit(lambda *of: list(replies(*of)), game, players, level, index)
                for index in range(number)
            ]
            times = np.concatenate([one.result() for one in played])
            p50, p95 = np.percentile(times, (50, 95))
            table.add_row(
                game.title,
                str(players),
                level.name,
                str(len(times)),
                *(f"{value:.0f}" for value in (p50, p95, times.max())),
                f"{PROMISED[level.name]} {'kept' if p95 <= PROMISED[level.name] else 'not kept'}",
            )
    return table


def main() -> None:
    """Search and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.search",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--game", action="append", choices=list(games()), help="which game; all if not said")
    parser.add_argument("--seconds", type=float, default=0.5, help="about how long a run is")
    parser.add_argument("--levels", action="store_true", help="time the replies of each level")
    parser.add_argument("--games", type=int, default=1, help="games of each level")
    parser.add_argument(
        "--tables", type=int, default=1, help="games of levels that are played at the same time"
    )
    settings = parser.parse_args()
    subjects = [games()[name] for name in settings.game or games()]
    Console(highlight=False).print(
        levels_table(subjects, settings.games, settings.tables)
        if settings.levels
        else iterations_table(subjects, settings.seconds)
    )


if __name__ == "__main__":
    main()
