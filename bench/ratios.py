"""Is this tree faster or slower than another commit?

`python -m bench.ratios 145ab28` measures both in turns in one run; `python -m bench.ratios native` measures what the
games' modules do against machine code of the same tree.

Random games a second, iterations of the search a second, milliseconds from a press to the painted board, seconds of a
core until a bot has moved, from nothing and from what the last start left: each the median of several rounds in which
both sides take turns, so that a machine that slows down slows both. A ratio above 1 says that this tree has more of it.
The other commit gets a worktree of its own, and runs in this environment. With --short there are fewer rounds.
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
from typing import NamedTuple

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from atoll.core.catalogue import games

ROOT = Path(__file__).parents[1]
NATIVE = "native"
"""What is named instead of a commit to compare the two runners of this tree."""
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
NAMES = ("find_game", "find_bot", "simulate_chunk", "evaluate", "generator")
MODULES = {name: module_of(name) for name in NAMES}
def find(*names):
    return [getattr(import_module(MODULES[name]), name) for name in names]
"""
"""Finds the functions that are measured, in whichever file a commit has them."""
RATES = """
find_game, find_bot, simulate_chunk, evaluate, generator = find(*NAMES)
game = find_game({name!r})
parts, bots = game.components(), [find_bot("random")]
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


class Side(NamedTuple):
    """Sources that are measured, with a home of their own; `runner` is the one that is used, if one is named."""

    root: Path
    home: str
    runner: str = ""


def output(side: Side, *command: str) -> str:
    """What Python prints for a command with the sources of a side."""
    environment = {
        **os.environ,
        "ATOLL_HOME": side.home,
        "ATOLL_RUNNER": side.runner,
        "PYTHONPATH": str(side.root / "src"),
    }
    process = subprocess.run(
        [sys.executable, *command], cwd=side.root, env=environment, capture_output=True, text=True
    )
    if process.returncode:
        raise SystemExit(f"{side.root} could not be measured:\n{process.stderr}")
    return process.stdout


def run(side: Side, program: str) -> list[float]:
    """The numbers that a program prints."""
    return [float(number) for number in output(side, "-c", FIND + program).split()]


def click(side: Side, game: str) -> list[float]:
    """The median and the 95th percentile of a game's clicks, in ms, as its own bench.click says them."""
    output_text = output(side, "-m", "bench.click", "--game", game, "--hand", "--games", "1")
    match = re.search(r"until painted\D+50\D+([\d.]+)\D+95\D+([\d.]+)", output_text)
    if match is None:
        raise SystemExit(f"bench.click of {side.root} printed no times:\n{output_text}")
    return [float(number) for number in match.groups()]


def main() -> None:
    """Measure both and print the ratios."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.ratios",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("base", help="the commit to compare with, or: native")
    parser.add_argument("--game", action="append", choices=list(games()), help="which game; all if not said")
    parser.add_argument("--rounds", type=int, help="how often both are measured: 5, or 2")
    parser.add_argument("--colds", type=int, default=1, help="how often both start from nothing")
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
        homes = [stack.enter_context(tempfile.TemporaryDirectory()) for _ in range(2)]
        if settings.base == NATIVE:
            sides = [Side(ROOT, homes[0], NATIVE), Side(ROOT, homes[1], "module")]
        else:
            sides = [Side(stack.enter_context(worktree(settings.base)), homes[0]), Side(ROOT, homes[1])]
        measurements: Measurements = {}
        try:
            measure(settings.game or list(games()), sides, settings, measurements)
        finally:  # stopped before the end, too
            Console(highlight=False).print(table(measurements, settings.base))


def measure(
    names: list[str], sides: list[Side], settings: argparse.Namespace, measurements: Measurements
) -> None:
    """Note in `measurements`, by game and what it is, what was measured of the other commit, and of this tree."""

    def note(side: int, name: str, what: str, value: float) -> None:
        measurements.setdefault((name, what), ([], []))[side].append(value)

    rounds = {"from nothing": settings.colds, "measured": settings.rounds, "clicked": settings.clicks}
    with Progress(transient=True) as progress:
        task = progress.add_task("", total=len(names) * len(sides) * sum(rounds.values()))
        for what, number in rounds.items():
            for turn in range(number):
                for name in names:
                    for place, side in enumerate(sides):
                        progress.update(task, description=f"{games()[name].title}, {what}: {turn + 1}")
                        if what == "from nothing":
                            with tempfile.TemporaryDirectory() as empty:
                                fresh = side._replace(home=empty) if turn else side
                                seconds = run(fresh, READY.format(name=name))[0]
                            note(place, name, "seconds of a core until a bot has moved, at first", seconds)
                            if not turn:
                                run(side, RATES.format(name=name))  # compiles what only this needs
                        elif what == "measured":
                            seconds = run(side, READY.format(name=name))[0]
                            random_games, iterations = run(side, RATES.format(name=name))
                            note(place, name, "seconds of a core until a bot has moved", seconds)
                            note(place, name, "random games a second", random_games)
                            note(place, name, "search:1000, iterations a second", iterations)
                        else:
                            for share, value in zip(("p50", "p95"), click(side, name), strict=True):
                                note(place, name, f"click to new board, {share}, ms", value)
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
