"""Is this tree faster or slower than another commit?

`python -m bench.ratios 145ab28` measures both in turns in one run.

Random games a second, iterations of the search a second, milliseconds from a press to the painted board, seconds of a
core to compile from nothing and to load from the cache: each the median of several rounds in which both sides take
turns, so that a machine that slows down slows both. A ratio above 1 says that this tree has more of it. The other
commit gets a worktree of its own, and runs in this environment. With --short there are fewer rounds.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from atoll.core.catalogue import games

ROOT = Path(__file__).parents[1]
Measurements = dict[tuple[str, str], tuple[list[float], list[float]]]
"""By game and what was measured: the values of the other commit, and those of this tree."""

FIND = r"""
import re, time
from importlib import import_module
from pathlib import Path
texts = {file: file.read_text("utf-8") for file in sorted(Path("src").glob("atoll/*/*.py"))}
def module_of(name):
    file = next(file for file, text in texts.items() if re.search(rf"^def {name}\(", text, re.M))
    return ".".join(file.relative_to("src").with_suffix("").parts)
NAMES = ("find_game", "find_bot", "compile_simulation", "simulate_chunk", "compiled_search",
    "evaluate", "generator")
MODULES = {name: module_of(name) for name in NAMES}
def find(*names):
    return [getattr(import_module(MODULES[name]), name) for name in names]
"""
"""Finds the functions that are measured, in whichever file a commit has them."""
RATES = """
find_game, find_bot, compile_simulation, simulate_chunk, compiled_search, evaluate, generator = find(
    "find_game", "find_bot", "compile_simulation", "simulate_chunk", "compiled_search", "evaluate", "generator")
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
began = time.process_time()
find_game, find_bot = find("find_game", "find_bot")
game = find_game({name!r})
position = game.start(game.default_players, 1)
find_bot("search:1").choose(position.view(position.to_act[0]), seed=1)
print(time.process_time() - began)
"""


@contextmanager
def worktree(commit: str) -> Iterator[Path]:
    """The folder of a worktree of a commit, which goes at the end. Exits where there is no such commit."""
    with tempfile.TemporaryDirectory() as folder:
        other = Path(folder) / "base"
        command = ["git", "worktree", "add", "--detach", str(other), commit]
        added = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        if added.returncode:
            raise SystemExit(f"There is no worktree of {commit!r}: {added.stderr.strip()}")
        try:
            yield other
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(other)], cwd=ROOT, check=True)


def environment_of(root: Path, home: str) -> dict[str, str]:
    """The environment of a process that runs the sources below `root`."""
    return {**os.environ, "ATOLL_HOME": home, "PYTHONPATH": str(root / "src")}


def output(root: Path, home: str, *command: str) -> str:
    """What Python prints for a command with the sources of `root` and its own cache."""
    process = subprocess.run(
        [sys.executable, *command], cwd=root, env=environment_of(root, home), capture_output=True, text=True
    )
    if process.returncode:
        raise SystemExit(f"{root} could not be measured:\n{process.stderr}")
    return process.stdout


def run(root: Path, home: str, program: str) -> list[float]:
    """The numbers that a program prints."""
    return [float(number) for number in output(root, home, "-c", FIND + program).split()]


def click(root: Path, home: str, game: str) -> list[float]:
    """The median and the 95th percentile of a game's clicks, in ms, as its own bench.click says them."""
    output_text = output(root, home, "-m", "bench.click", "--game", game, "--hand", "--games", "1")
    match = re.search(r"until painted\D+50\D+([\d.]+)\D+95\D+([\d.]+)", output_text)
    if match is None:
        raise SystemExit(f"bench.click of {root} printed no times:\n{output_text}")
    return [float(number) for number in match.groups()]


def main() -> None:
    """Measure both and print the ratios."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.ratios",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("base", help="the commit to compare with")
    parser.add_argument("--game", action="append", choices=list(games()), help="which game; all if not said")
    parser.add_argument("--rounds", type=int, help="how often both are measured: 5, or 2")
    parser.add_argument("--colds", type=int, default=1, help="how often both are compiled from nothing")
    parser.add_argument("--clicks", type=int, help="how often each game is clicked through: 2, or 1")
    parser.add_argument(
        "--short", action="store_true", help="two rounds, and one of clicks, if not said otherwise"
    )
    settings = parser.parse_args()
    if settings.rounds is None:
        settings.rounds = 2 if settings.short else 5
    if settings.clicks is None:
        settings.clicks = 1 if settings.short else 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # the worktree goes, too
    with ExitStack() as stack:
        other = stack.enter_context(worktree(settings.base))
        sides = {root: stack.enter_context(tempfile.TemporaryDirectory()) for root in (other, ROOT)}
        measurements: Measurements = {}
        try:
            measure(settings.game or list(games()), sides, settings, measurements)
        finally:  # stopped before the end, too
            Console(highlight=False).print(table(measurements, settings.base))


def measure(
    names: list[str], sides: dict[Path, str], settings: argparse.Namespace, measurements: Measurements
) -> None:
    """Note in `measurements`, by game and what it is, what was measured of the other commit, and of this tree."""

    def note(side: int, name: str, what: str, value: float) -> None:
        measurements.setdefault((name, what), ([], []))[side].append(value)

    rounds = {"compiled": settings.colds, "measured": settings.rounds, "clicked": settings.clicks}
    with Progress(transient=True) as progress:
        task = progress.add_task("", total=len(names) * len(sides) * sum(rounds.values()))
        for what, number in rounds.items():
            for turn in range(number):
                for name in names:
                    for side, (root, home) in enumerate(sides.items()):
                        progress.update(task, description=f"{games()[name].title}, {what}: {turn + 1}")
                        if what == "compiled":
                            with tempfile.TemporaryDirectory() as empty:
                                place = empty if turn else home
                                seconds = run(root, place, READY.format(name=name))[0]
                            note(side, name, "seconds of a core to compile from nothing", seconds)
                            if not turn:
                                run(root, home, RATES.format(name=name))  # compiles what only this needs
                        elif what == "measured":
                            seconds = run(root, home, READY.format(name=name))[0]
                            random_games, iterations = run(root, home, RATES.format(name=name))
                            note(side, name, "seconds of a core to load from the cache", seconds)
                            note(side, name, "random games a second", random_games)
                            note(side, name, "search:1000, iterations a second", iterations)
                        else:
                            for share, value in zip(("p50", "p95"), click(root, home, name), strict=True):
                                note(side, name, f"click to new board, {share}, ms", value)
                        progress.advance(task)


def table(measurements: Measurements, base: str) -> Table:
    """The medians and their ratios; how many were measured stands behind each."""
    result = Table(title=f"This tree against {base}: medians of rounds in turns")
    for heading in ("Game", "", base, "This tree", "Ratio", "Rounds"):
        result.add_column(heading, justify="left" if heading in ("Game", "") else "right")
    for name in dict.fromkeys(name for name, _ in measurements):
        for (whose, what), ours in measurements.items():
            if whose == name:
                if not all(ours):
                    continue
                before, now = (median(column) for column in ours)
                cells = (f"{before:,.2f}", f"{now:,.2f}", f"{now / before:.3f}", str(len(ours[0])))
                result.add_row(games()[name].title, what, *cells)
    return result


if __name__ == "__main__":
    main()
