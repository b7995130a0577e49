"""How long each level takes to reply: `python -m bench.levels`.

At every level and player count it plays games in which one seat is that bot and the others are quick ones, and times
each choice among several moves from asking to answer, the wait for a free core included.
"""

import argparse
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from time import perf_counter

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from atoll.bots import LEVELS, Bot
from atoll.bots.bot import QUICK_BOTS
from atoll.core.catalogue import games
from atoll.core.game import Game

PROMISED = {"easy": 300, "normal": 300, "hard": 1000, "expert": 2000}
"""Milliseconds within which 95 of 100 replies come, on two cores."""
PLAYERS = (2, 4)


def replies(game: Game, players: int, bot: Bot, number: int) -> Iterator[float]:
    """Milliseconds of each of the bot's choices in one game; its seat and the deal go by the game's number."""
    position = game.start(players, number)
    for decision in count():
        if position.is_over:
            return
        seat = position.to_act[0]
        view = position.view(seat)
        timed = seat == number % players and len(view.legal_moves()) > 1
        began = perf_counter()
        action = (bot if timed else QUICK_BOTS[-1]).choose(view, seed=decision)
        if timed:
            yield (perf_counter() - began) * 1000
        position.play_action(seat, action)


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--game", action="append", choices=list(games()), help="which game; all if not said")
    parser.add_argument("--games", type=int, default=1, help="games of each line")
    parser.add_argument("--tables", type=int, default=1, help="games that are played at the same time")
    arguments = parser.parse_args()
    lines = [
        (game, players, level)
        for game in games().values()
        if game.name in (arguments.game or games())
        for players in PLAYERS
        for level in LEVELS
    ]
    table = Table(title=f"Reply of each level in ms, {arguments.tables} at a time")
    for heading in ("Game", "Players", "Level", "Choices", "p50", "p95", "Longest", "Promised p95"):
        table.add_column(heading, justify="right")
    with ThreadPoolExecutor(arguments.tables) as threads:
        for game, players, level in track(lines, "Playing"):
            level.prepare(game)
            played = [
                threads.submit(lambda *of: list(replies(*of)), game, players, level, number)
                for number in range(arguments.games)
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
    Console(highlight=False).print(table)


if __name__ == "__main__":
    main()
