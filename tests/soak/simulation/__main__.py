"""Does a site keep its promises whatever fails?

`python -m tests.soak simulation --days 1000`, or each night `--hours 8 --seed $(date +%Y%m%d)`.

A site of three processes runs in one thread on a virtual clock, with the tests' own game, a simulated network and a
store that refuses changes, is slow, or makes them and does not answer. People play there each evening, at a few tables
whose rows count as so many table-days, while processes die between any two of their waits, connections are lost,
messages come late and twice, webhooks hang, the disk fills, the machine's clock is set an hour forward and back, and
somebody sends what nobody may. After each change and each message is checked that every
acknowledged move stands once and in order, that nobody is out of time too early, and that no page shows more than its
seat's view; at the end of the evening, that every page shows the table as it is kept.

Prints how many table-days were simulated a minute, and what happened in them. What is broken is printed with its seed,
and repeats with `--seed`. Needs what `make test` installs.
"""

import argparse
import logging
import math
import sys
import time

from rich.console import Console
from rich.progress import track

from tests.soak.simulation.evening import Told, simulate

PARTIES = 4
"""Tables that are played at in an evening."""


def main() -> None:
    """Simulate and print."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak simulation",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--days", type=int, default=100, help="of tables, all told")
    parser.add_argument("--hours", type=float, help="instead of --days: so long")
    parser.add_argument("--seed", type=int, default=1, help="of the first evening; the next has the next")
    parser.add_argument("--processes", type=int, default=3, help="that serve the site")
    settings = parser.parse_args()
    logging.disable(logging.CRITICAL)
    told, began = Told(), time.monotonic()
    ends = began + 3600 * (settings.hours or math.inf)
    evenings = range(settings.seed, settings.seed + max(1, -(-settings.days // PARTIES)))
    if settings.hours is not None:
        evenings = range(settings.seed, sys.maxsize)
    for seed in track(evenings, "Evenings", console=Console(stderr=True)):
        try:
            told.add(simulate(seed, PARTIES, settings.processes))
        except Exception as error:
            print(f"broken with seed {seed}: {error}")
            print(f"repeat it: python -m tests.soak simulation --days {PARTIES} --seed {seed}")
            sys.exit(1)
        if time.monotonic() > ends:
            break
    minutes = (time.monotonic() - began) / 60
    print(
        f"{told.days} table-days in {minutes:.1f} minutes, {told.days / minutes:.0f} a minute; nothing was broken"
    )
    print(
        f"{told.acknowledged} moves acknowledged, {told.moves} made, {told.kills} processes died, the clock set "
        f"{told.clock_sets} times, the disk full {told.fills} times, {told.sent} messages to webhooks of which "
        f"{told.hung} hung, {told.lies} lies; {told.looks} looks at what is kept, {told.drawn} pages drawn again from "
        "views alone"
    )


if __name__ == "__main__":
    main()
