"""Is broken input always refused with a sentence, and what is accepted always playable?

`python -m tests.soak mutations --kind records --count 30000 --seed 1`.

Case i of a game depends on the seed and i alone. What is accepted is played at each number of players with checked
bounds (NUMBA_BOUNDSCHECK), mostly at random, now and then by the bot that goes by the game's advice. The first input
that gives a traceback, an access out of bounds or a game past its declared maximum is written out.
"""

import argparse
import faulthandler
import os
import random
import sys
import traceback
from collections.abc import Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import islice, product
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from atoll.core.catalogue import find_game, games

if TYPE_CHECKING:
    from atoll.core.game import Game

os.environ["NUMBA_BOUNDSCHECK"] = (
    "1"  # before anything imports Numba, here and in the processes that are started
)

CHUNK = 20
"""Cases that a process tries at once."""
PATIENCE = 300
"""Seconds after which a case that does not end ends its process."""


class Kind(Protocol):
    """A kind of input that is mutated: a module of this folder."""

    SUFFIX: str
    """Of the file in which a failing case is written."""

    def prepare(self, game: "Game") -> None:
        """Compile, or load, all that trying runs."""

    def mutated(self, game: "Game", chance: random.Random) -> bytes:
        """An input, most likely broken."""

    def accepted(self, game: "Game", content: bytes, folder: Path, chance: random.Random) -> bool:
        """Whether an input is accepted; what is accepted is used. Raises anything but AtollError if it should not."""


KINDS: Mapping[str, str] = {
    "records": "tests.soak.mutated_records",
    "positions": "tests.soak.mutated_positions",
    "components": "tests.soak.mutated_components",
}
"""The kinds by name, and their modules."""


@dataclass(frozen=True)
class Failure:
    """A case that failed: its file, and the traceback."""

    file: Path
    story: str


def case_file(folder: Path, kind: str, game: str, seed: int, index: int) -> Path:
    """Where a case is written."""
    return folder / f"{game}-{kind}-{seed}-{index}{find_kind(kind).SUFFIX}"


def find_kind(name: str) -> Kind:
    """The kind of that name."""
    return import_module(KINDS[name])


@cache
def prepared(kind: str, name: str) -> "tuple[Kind, Game]":
    """The kind and the game, ready for trying, whatever time that takes."""
    found, game = find_kind(kind), find_game(name)
    found.prepare(game)
    return found, game


def prepare(kind: str, name: str) -> None:
    """Compile in one process what the others then load."""
    prepared(kind, name)


def try_cases(kind: str, name: str, seed: int, first: int, count: int, folder: Path) -> "int | Failure":
    """Try cases first to first + count - 1; returns how many were accepted, or the first failure.

    A case's file is there while it is tried, so that it can be found even if it ends the process.
    """
    found, game = prepared(kind, name)
    accepted = 0
    for index in range(first, first + count):
        chance = random.Random(f"{kind} {name} {seed} {index}")
        file = case_file(folder, kind, name, seed, index)
        faulthandler.dump_traceback_later(PATIENCE, exit=True)
        content = found.mutated(game, chance)
        file.write_bytes(content)
        try:
            accepted += found.accepted(game, content, folder, chance)
        except BaseException:
            return Failure(file, traceback.format_exc())
        finally:
            faulthandler.cancel_dump_traceback_later()
        file.unlink()
    return accepted


def try_all(
    pool: ProcessPoolExecutor, kind: str, name: str, seed: int, count: int, folder: Path, progress: Progress
) -> "int | Failure":
    """Try cases 0 to count - 1 of a game; returns how many were accepted, or a failure."""
    bar = progress.add_task(find_game(name).title, total=count)
    chunks = ((first, min(CHUNK, count - first)) for first in range(0, count, CHUNK))
    running: dict[Future[int | Failure], int] = {}
    accepted = 0
    pool.submit(prepare, kind, name).result()
    while True:
        for first, size in islice(chunks, 4 * (os.cpu_count() or 1) - len(running)):
            running[pool.submit(try_cases, kind, name, seed, first, size, folder)] = size
        if not running:
            break
        for done in wait(running, return_when=FIRST_COMPLETED).done:
            try:
                found = done.result()
            except BrokenProcessPool:
                left = sorted(folder.glob(f"{name}-{kind}-{seed}-*"))
                found = Failure(left[0] if left else folder, "a process ended, or was ended as too slow")
            if isinstance(found, Failure):
                pool.shutdown(cancel_futures=True)
                return found
            accepted += found
            progress.advance(bar, running.pop(done))
    progress.remove_task(bar)
    return accepted


def main() -> None:
    """Try the cases of each game; exit status 1 at the first that fails."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak mutations",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--kind", choices=list(KINDS), help="what is mutated (all)")
    parser.add_argument("--game", choices=sorted(games()), help="which game (all)")
    parser.add_argument("--count", type=int, default=10_000, help="cases of each game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--folder", type=Path, default=Path("build/mutations"), help="where files are written"
    )
    settings = parser.parse_args()
    console = Console(highlight=False)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    settings.folder.mkdir(parents=True, exist_ok=True)
    kinds = [settings.kind] if settings.kind else list(KINDS)
    workers = min(os.cpu_count() or 1, -(-settings.count // CHUNK))
    with (
        Progress(*columns, console=console, transient=True) as progress,
        ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool,
    ):
        for kind, name in product(kinds, [settings.game] if settings.game else games()):
            for old in settings.folder.glob(f"{name}-{kind}-{settings.seed}-*"):
                old.unlink()
            found = try_all(pool, kind, name, settings.seed, settings.count, settings.folder, progress)
            if isinstance(found, Failure):
                progress.stop()
                sys.exit(f"{found.story}\n{found.file} is accepted or refused as it should not be")
            console.print(
                f"{find_game(name).title}: of {settings.count:,} {kind} {settings.count - found:,} were refused with "
                f"a sentence, {found:,} accepted and played to the end at each number of players",
                soft_wrap=True,
            )


if __name__ == "__main__":
    main()
