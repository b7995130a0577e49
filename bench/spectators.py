"""What do spectators cost those who play?

`python -m bench.spectators --spectators 5000`.

Plays two games of four people in turns, a move here and a move there: at one table everybody's page is open, and those
of so many spectators, each with a browser of its own; at the other the page of who moves alone. Prints the milliseconds
from sending a move until it is answered at either table, and those until the last of all pages has it; and in how many
seconds all pages were open, and by what the site's process grew in memory.
"""

import argparse
import asyncio
import random
import resource
import tempfile
import time
from statistics import quantiles

from tests.site_process import resident, server
from tests.visitors import PeopleTable


async def play(
    address: str, process: int, game: str, spectators: int, moves: int
) -> tuple[PeopleTable, PeopleTable]:
    """Play at both tables."""
    chance = random.Random(1)
    crowded, alone = PeopleTable(address, game, spectators), PeopleTable(address, game, 0)
    before, began = resident(process), time.perf_counter()
    await crowded.open()
    took, grown = time.perf_counter() - began, resident(process) - before
    print(
        f"{len(crowded.pages)} pages open after {took:.1f} s, {grown / 2**20:.0f} MiB more in memory",
        flush=True,
    )
    for _ in range(moves):
        if not (await crowded.move(chance) and await alone.move(chance)):
            break
    return crowded, alone


def told(name: str, seconds: list[float]) -> float:
    """Print how long so many took; gives the 95th percentile in milliseconds."""
    cuts = quantiles([1000 * second for second in seconds], n=20)
    print(
        f"{name}: {len(seconds)} moves, median {cuts[9]:.1f} ms, 95th percentile {cuts[-1]:.1f} ms, "
        f"longest {1000 * max(seconds):.0f} ms"
    )
    return cuts[-1]


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.spectators",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--game", default="costa-ruana")
    parser.add_argument("--spectators", type=int, default=50)
    parser.add_argument("--moves", type=int, default=80, help="at each table")
    settings = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory() as home, server(home, cached=True) as (address, process):
        crowded, alone = asyncio.run(
            play(address, process, settings.game, settings.spectators, settings.moves)
        )
    seen = told("until the last page has it", crowded.seen)
    answered = told("answered with everybody there", crowded.answers)
    answered_alone = told("answered alone", alone.answers)
    print(
        f"95th percentiles are {answered / answered_alone:.2f} times that of who is alone until the answer, and "
        f"{seen / answered_alone:.2f} times until the last page"
    )


if __name__ == "__main__":
    main()
