"""This tree against another commit, measured in turns in one run: `python -m bench.ratios 145ab28`.

Random games a second, iterations of the search a second, seconds to compile from nothing and to load from the cache,
each the median of several rounds in which both sides take turns, so that a machine that slows down slows both. A
ratio above 1 says that this tree has more of it. With --click the time from a press to the painted board, too.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from atoll.core.catalogue import games

ROOT = Path(__file__).parents[1]

RATES = """
import time
from atoll.core.catalogue import find_game
from atoll.lab.simulate import compile_simulation, simulate_chunk
from atoll.bots import find_bot
from atoll.bots.search import compiled_search, evaluate
from atoll.core.chance import generator
game = find_game({name!r})
parts, bots = game.components(), [find_bot("random")]
compile_simulation(game, parts)
compiled_search(game)
def games(count):
    began = time.thread_time()
    simulate_chunk(game, parts, game.default_players, bots, 1, 0, count)
    return count / (time.thread_time() - began)
position = game.start(game.default_players, 1)
greedy = find_bot("greedy")
for step in range(40):
    seat = position.to_act[0]
    view = position.view(seat)
    if step >= 20 and len(view.legal_moves()) > 1:
        break
    position.play_action(seat, greedy.choose(view, seed=step))
def search(count):
    began = time.thread_time()
    evaluate(view, generator(1), count, None)
    return count / (time.thread_time() - began)
games(200); search(100)
print(games(max(500, int(0.3 * games(500)))), search(1000))
"""
READY = """
import time
began = time.perf_counter()
from atoll.core.catalogue import find_game
from atoll.bots.warm import warm, warm_bots
game = find_game({name!r})
warm(game)
warm_bots(game)
print(time.perf_counter() - began)
"""


def run(root: Path, home: str, program: str) -> list[float]:
    """The numbers that a program prints with the sources of `root` and its own cache."""
    environment = {**os.environ, "ATOLL_HOME": home, "PYTHONPATH": str(root / "src")}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=root, env=environment, capture_output=True, text=True, check=True
    )
    return [float(number) for number in done.stdout.split()]


def click(root: Path, home: str, game: str) -> list[float]:
    """The median and the 95th percentile of a game's clicks, in ms, as its own bench.click says them."""
    environment = {**os.environ, "ATOLL_HOME": home, "PYTHONPATH": str(root / "src")}
    command = [sys.executable, "-m", "bench.click", "--game", game, "--hand", "--games", "1"]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=True)
    found = re.search(r"until painted\D+([\d.]+)\D+([\d.]+)", done.stdout)
    if found is None:
        raise SystemExit(f"bench.click printed no times:\n{done.stdout}")
    return [float(number) for number in found.groups()]


def main() -> None:
    """Measure both and print the ratios."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.ratios",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("base", help="the commit to compare with")
    parser.add_argument("--game", action="append", choices=list(games()), help="which game; all if not said")
    parser.add_argument("--rounds", type=int, default=5, help="how often both are measured")
    parser.add_argument("--colds", type=int, default=1, help="how often both are compiled from nothing")
    parser.add_argument("--click", action="store_true", help="measure clicks in a browser as well")
    settings = parser.parse_args()
    names = settings.game or list(games())
    table = Table(title=f"This tree against {settings.base}, medians of {settings.rounds} rounds in turns")
    for heading in ("Game", "", settings.base, "This tree", "Ratio"):
        table.add_column(heading, justify="left" if heading in ("Game", "") else "right")
    with ExitStack() as stack:
        other = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "base"
        subprocess.run(
            ["git", "worktree", "add", "--detach", str(other), settings.base],
            cwd=ROOT,
            check=True,
            capture_output=True,
        )
        stack.callback(
            subprocess.run, ["git", "worktree", "remove", "--force", str(other)], cwd=ROOT, check=True
        )
        sides = {root: stack.enter_context(tempfile.TemporaryDirectory()) for root in (other, ROOT)}
        progress = stack.enter_context(Progress(transient=True))
        for name in progress.track(names, description="Measuring"):
            for what, ours in measured(name, sides, settings).items():
                before, now = (median(column) for column in ours)
                table.add_row(
                    games()[name].title, what, f"{before:,.2f}", f"{now:,.2f}", f"{now / before:.3f}"
                )
    Console(highlight=False).print(table)


def measured(
    name: str, sides: dict[Path, str], settings: argparse.Namespace
) -> dict[str, tuple[list[float], list[float]]]:
    """What was found for a game, by what it is: of the other commit, and of this tree."""
    found: dict[str, tuple[list[float], list[float]]] = {}

    def note(side: int, what: str, value: float) -> None:
        found.setdefault(what, ([], []))[side].append(value)

    for _ in range(settings.colds):
        for side, root in enumerate(sides):
            with tempfile.TemporaryDirectory() as home:
                note(side, "seconds to compile from nothing", run(root, home, READY.format(name=name))[0])
    for root, home in sides.items():
        run(root, home, RATES.format(name=name))  # compiles
    for _ in range(settings.rounds):
        for side, (root, home) in enumerate(sides.items()):
            note(side, "seconds to load from the cache", run(root, home, READY.format(name=name))[0])
            random_games, iterations = run(root, home, RATES.format(name=name))
            note(side, "random games a second", random_games)
            note(side, "search:1000, iterations a second", iterations)
            if settings.click:
                for what, value in zip(("p50", "p95"), click(root, home, name), strict=True):
                    note(side, f"click to new board, {what}, ms", value)
    return found


if __name__ == "__main__":
    main()
