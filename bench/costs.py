"""What do a move, and a watched table at which nobody moves, cost the site?

`python -m bench.costs`; `--idle` counts the tables at which nobody moves instead.

Four people play a random game of each game, all with their pages open. For each move counts for how long the site's
threads used a core, from the question on the mover's socket until all four pages have their answer, and prints how many
such moves a core carries in a second. `--against` is the folder of another commit's working tree: its site plays in
turns with this one's, a move here and a move there, and the ratio of both is printed.

With `--idle` it makes so many tables of two people instead, opens a page of each, and prints how much of a core the
server uses meanwhile. Needs Linux, which tells for how long a process has used cores.
"""

import argparse
import asyncio
import random
import tempfile
import time
from contextlib import ExitStack
from statistics import mean, median

from atoll.core.catalogue import games
from tests.site_process import cpu_seconds, server, threads_seconds
from tests.visitors import OpenPage, PeopleTable, Visitor

SETTLES = 0.02
"""Seconds for what a site still does after its answers."""
EACH = 50
"""Idle pages that one browser has open."""


class Measured(PeopleTable):
    """A table at a site of which it is counted how long its moves use a core."""

    def __init__(self, address: str, process: int, game: str) -> None:
        super().__init__(address, game, spectators=0)
        self.alone = False
        self.process = process
        self.costs: list[float] = []

    async def played(self, page: OpenPage, others: list[OpenPage], form: dict[str, list[str]]) -> None:
        """The same; the processor time is kept."""
        await asyncio.sleep(SETTLES)
        before = threads_seconds(self.process)
        await super().played(page, others, form)
        await asyncio.sleep(SETTLES)
        after = threads_seconds(self.process)
        self.costs.append(sum(used - before.get(thread, 0.0) for thread, used in after.items()))


async def play(sites: list[tuple[str, int]], game: str, moves: int) -> list[list[float]]:
    """The processor seconds of each move at the tables of all sites."""
    chance = random.Random(1)
    tables = [Measured(address, process, game) for address, process in sites]
    for table in tables:
        await table.open()
    for _ in range(moves):
        for table in tables:
            if not await table.move(chance):
                return [table.costs for table in tables]
    return [table.costs for table in tables]


def compare(against: str | None, names: list[str], moves: int) -> None:
    """Play and print what moves cost."""
    with ExitStack() as stack:
        sites = []
        for sources in (None, against) if against else (None,):
            home = stack.enter_context(tempfile.TemporaryDirectory())
            sites.append(stack.enter_context(server(home, cached=True, sources=sources)))
        for game in names:
            usage = asyncio.run(play(sites, game, moves))
            carried = [1 / mean(costs) for costs in usage]
            text = " and ".join(
                f"{rate:.0f} moves a second (median {1000 * median(costs):.1f} ms)"
                for rate, costs in zip(carried, usage, strict=True)
            )
            ratio = f": {carried[0] / carried[1]:.2f} times" if len(carried) > 1 else ""
            print(f"{game}: {text} a core, {len(usage[0])} moves{ratio}", flush=True)


def share(process: int, seconds: float) -> float:
    """How much of a core a process uses."""
    before = cpu_seconds(process)
    time.sleep(seconds)
    return (cpu_seconds(process) - before) / seconds


def idle(counts: list[int], seconds: float) -> None:
    """Print what so many watched tables cost at which nobody moves."""
    with (
        tempfile.TemporaryDirectory() as home,
        server(home, cached=True) as (address, process),
        ExitStack() as pages,
    ):
        visitor, opened = Visitor(address), 0
        for count in counts:
            while opened < count:
                if opened % EACH == EACH - 1:
                    visitor = Visitor(address)
                path = visitor.post("/tables", game="costa-ruana", players="2", seat1="friend")
                pages.enter_context(visitor.watch(path))
                opened += 1
            time.sleep(3)
            print(f"{count} tables watched: {share(process, seconds):.1%} of a core", flush=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.costs",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--against", metavar="FOLDER")
    parser.add_argument("--games", nargs="+", default=list(games()))
    parser.add_argument("--moves", type=int, default=80, help="of each game")
    parser.add_argument("--idle", type=int, nargs="*", metavar="TABLES", help="watched: 0, 190 and 300")
    parser.add_argument("--seconds", type=float, default=20, help="for which idle tables are watched")
    settings = parser.parse_args()
    if settings.idle is None:
        compare(settings.against, settings.games, settings.moves)
    else:
        idle(settings.idle or [0, 190, 300], settings.seconds)


if __name__ == "__main__":
    main()
