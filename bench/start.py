"""How soon a start shows something: `python -m bench.start`.

Starts the site with an empty cache, several times: seconds from the start of the process to the first page, which comes
while rules compile. The last one goes on until every game can be played and every search is ready, and starts once more
with what is then cached.
"""

import argparse
import tempfile
import time
import urllib.request
from statistics import median

from bench.site import serving

RUNS = 5


def start(home: str, *signs: bytes) -> list[float]:
    """Seconds to the first page, and until the progress bar has each of these signs, one after another."""
    began = time.perf_counter()
    with serving(home) as address:
        urllib.request.urlopen(f"{address}/").read()
        seconds = [time.perf_counter() - began]
        for sign in signs:
            while sign not in urllib.request.urlopen(f"{address}/progress").read():
                time.sleep(0.1)
            seconds.append(time.perf_counter() - began)
    return seconds


def main() -> None:
    """Start and print."""
    argparse.ArgumentParser(prog="python -m bench.start", description=__doc__).parse_args()
    pages = []
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as home:
            pages.append(start(home)[0])
    print(f"first page, nothing compiled: {median(pages):.2f} s (median of {RUNS})")
    with tempfile.TemporaryDirectory() as home:
        for name in ("nothing compiled", "from the cache"):
            _, games, searches = start(home, b'data-ready="yes"', b'data-over="yes"')
            print(f"every game ready, {name}: {games:.1f} s")
            print(f"every search ready, {name}: {searches:.1f} s")


if __name__ == "__main__":
    main()
