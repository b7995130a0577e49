"""What a move costs the site: `python -m bench.moving [--against FOLDER]`.

Four people play a random game of each game, all with their pages open. For each move counts for how long the site's
threads used a core, from the question on the mover's socket until all four pages have their answer, and prints how many
such moves a core carries in a second. `--against` is the folder of another commit's working tree: its site plays in
turns with this one's, a move here and a move there, and the ratio of both is printed.
"""

import argparse
import asyncio
import random
import tempfile
from contextlib import ExitStack
from statistics import mean, median

from atoll.core.catalogue import games
from bench.site import server, threads_seconds
from bench.spectators import OpenPage, Table
from bench.visitors import Visitor

SETTLES = 0.02
"""Seconds for what a site still does after its answers."""


class Measured(Table):
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


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--against", metavar="FOLDER")
    parser.add_argument("--games", nargs="+", default=list(games()))
    parser.add_argument("--moves", type=int, default=80, help="of each game")
    chosen = parser.parse_args()
    with ExitStack() as stack:
        sites = []
        for sources in (None, chosen.against) if chosen.against else (None,):
            home = stack.enter_context(tempfile.TemporaryDirectory())
            sites.append(stack.enter_context(server(home, cached=True, sources=sources)))
            Visitor(sites[-1][0]).wait()
        for game in chosen.games:
            found = asyncio.run(play(sites, game, chosen.moves))
            carried = [1 / mean(costs) for costs in found]
            text = " and ".join(
                f"{rate:.0f} moves a second (median {1000 * median(costs):.1f} ms)"
                for rate, costs in zip(carried, found, strict=True)
            )
            ratio = f": {carried[0] / carried[1]:.2f} times" if len(carried) > 1 else ""
            print(f"{game}: {text} a core, {len(found[0])} moves{ratio}", flush=True)


if __name__ == "__main__":
    main()
