"""Does every invariant hold after every decision of random games?

`python -m tests.soak invariants --game costa-ruana`.

The games are those of `atoll simulate GAME --players N --bots random --seed S`, stepped; the bits of a game's number
say which of the game's options are on, so that all combinations come up. A game's `check` looks at all of a position,
in Python: 10,000 games of each number of players take minutes.
"""

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from atoll.bots import find_bot
from atoll.core.catalogue import find_game, games
from atoll.lab.played import game_seed
from atoll.lab.simulate import seat_bots, step_game

CHUNK = 50
"""Games that a process plays at once."""


def check_games(name: str, players: int, seed: int, first: int, count: int) -> tuple[int, int]:
    """Play these games, checking every position; returns their decisions in all and the most in one game.

    Raises AssertionError, naming the game and the decision, if an invariant does not hold or a game is too long.
    """
    game, bots = find_game(name), [find_bot("random")]
    total = most = 0
    for index in range(first, first + count):
        options = {option.name: bool(index >> bit & 1) for bit, option in enumerate(game.options)}
        position = game.start(players, game_seed(seed, index), options=options)
        decisions = 0
        try:
            position.check()
            for decisions, _ in enumerate(step_game(position, seat_bots(bots, players, seed, index)), 1):
                position.check()
                assert decisions <= position.most_decisions, f"more than {position.most_decisions} decisions"
        except AssertionError as error:
            where = f"{players} players, seed {seed}, game {index}, after decision {decisions}"
            raise AssertionError(f"{where}: {error}") from None
        total += decisions
        most = max(most, decisions)
    return total, most


def main() -> None:
    """Check the games of each number of players; exit status 1 at the first invariant that does not hold."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak invariants",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--game", choices=sorted(games()), help="which game (all)")
    parser.add_argument("--games", type=int, default=10_000, help="games of each number of players")
    parser.add_argument("--seed", type=int, default=1)
    settings = parser.parse_args()
    console = Console(highlight=False)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with (
        Progress(*columns, console=console, transient=True) as progress,
        ProcessPoolExecutor(os.cpu_count()) as pool,
    ):
        for name in [settings.game] if settings.game else games():
            game = find_game(name)
            for players in game.seats:
                bar = progress.add_task(f"{game.title}, {players} players", total=settings.games)
                parts = {
                    pool.submit(check_games, name, players, settings.seed, first, count): count
                    for first in range(0, settings.games, CHUNK)
                    for count in [min(CHUNK, settings.games - first)]
                }
                total = most = 0
                for part in as_completed(parts):
                    try:
                        decisions, longest = part.result()
                    except AssertionError as error:
                        pool.shutdown(cancel_futures=True)
                        progress.stop()
                        sys.exit(f"{game.title}, {error}")
                    total, most = total + decisions, max(most, longest)
                    progress.advance(bar, parts[part])
                progress.remove_task(bar)
                every = game.under(game.components(), {option.name: True for option in game.options})
                bound = game.most_decisions(every, players)
                console.print(
                    f"{game.title}, {players} players: {settings.games:,} games, {total:,} decisions, every "
                    f"invariant held after each; the longest game took {most} of the {bound} decisions declared"
                )


if __name__ == "__main__":
    main()
