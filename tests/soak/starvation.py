"""Do bots reply in time while another browser lets many tables search?

`python -m tests.soak starvation`.

One browser makes tables of bots alone that search as long as is allowed, and keeps a page of each open. Then another
browser watches tables of one kind of bot after another. Prints the seconds from each move of those to the next, the
0.2 s in which a move is shown among them: the median, and the longest.
"""

import argparse
import re
import statistics
import tempfile
import time
from contextlib import ExitStack
from itertools import pairwise

from tests.site_process import serving
from tests.visitors import Visitor

GAME = "costa-ruana"


def all_bots(visitor: Visitor, bot: str) -> str:
    """A table of two bots."""
    return visitor.post(
        "/tables", game=GAME, players="2", pace="fast", seat0=f"bot:{bot}", seat1=f"bot:{bot}"
    )


def replies(visitor: Visitor, bot: str, count: int, patience: float) -> list[float]:
    """The seconds from opening a table to its bots' first move, and from each to the next; fewer after `patience`."""
    with visitor.watch(all_bots(visitor, bot)) as page:
        moments, version, began = [time.perf_counter()], -1, time.perf_counter()
        while len(moments) <= count and (left := began + patience - time.perf_counter()) > 0:
            try:
                found = re.search(r'data-version="(\d+)"', str(page.recv(timeout=left)))
            except TimeoutError:
                break
            if found and int(found[1]) > version:
                if version >= 0:
                    moments.append(time.perf_counter())
                version = int(found[1])
    return [after - before for before, after in pairwise(moments)]


def main() -> None:
    """Starve, measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak starvation",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--tables", type=int, default=26)
    parser.add_argument("--budget", default="search:10000ms", help="the bot that sits at these")
    parser.add_argument("--bots", nargs="+", default=["greedy", "easy", "search:500ms"])
    parser.add_argument("--replies", type=int, default=10)
    parser.add_argument("--patience", type=float, default=120, help="seconds for each of the bots")
    settings = parser.parse_args()
    with tempfile.TemporaryDirectory() as home, serving(home, cached=True) as address, ExitStack() as pages:
        wasteful, other = Visitor(address), Visitor(address)
        for count in (0, settings.tables):
            for _ in range(count):
                pages.enter_context(wasteful.watch(all_bots(wasteful, settings.budget)))
            for bot in settings.bots:
                found = replies(other, bot, settings.replies, settings.patience)
                told = (
                    f"median {statistics.median(found):.2f} s, longest {max(found):.2f} s"
                    if found
                    else "none"
                )
                print(
                    f"{count} tables of {settings.budget}: {len(found)} replies of {bot}: {told}", flush=True
                )


if __name__ == "__main__":
    main()
