"""What tables cost at which nobody moves: `python -m bench.watching`.

Makes tables of two persons, opens a page of each, and prints how much of a core the server uses meanwhile, with none
and with so many open. Needs Linux, which tells for how long a process has used cores.
"""

import argparse
import tempfile
import time
from contextlib import ExitStack

from bench.site import cpu_seconds, server
from bench.visitors import Visitor


def share(process: int, seconds: float) -> float:
    """How much of a core a process uses."""
    before = cpu_seconds(process)
    time.sleep(seconds)
    return (cpu_seconds(process) - before) / seconds


EACH = 50
"""Pages that one browser has open."""


def main() -> None:
    """Open, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, nargs="+", default=[0, 190, 300])
    parser.add_argument("--seconds", type=float, default=20)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as home, server(home, cached=True) as (address, process):
        visitor = Visitor(address)
        visitor.wait()
        with ExitStack() as pages:
            opened = 0
            for count in chosen.tables:
                while opened < count:
                    if opened % EACH == EACH - 1:
                        visitor = Visitor(address)
                    path = visitor.post("/tables", game="costa-ruana", players="2", seat1="friend")
                    pages.enter_context(visitor.watch(path))
                    opened += 1
                time.sleep(3)
                print(f"{count} tables watched: {share(process, chosen.seconds):.1%} of a core", flush=True)


if __name__ == "__main__":
    main()
