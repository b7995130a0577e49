"""How soon a start shows something: `python -m bench.start`.

Starts the site with an empty cache, several times: seconds from the start of the process to the first page, which comes
while rules compile. The last one goes on until every game can be played, and starts once more with what is then cached.
"""

import tempfile
import time
import urllib.request
from statistics import median

from bench.site import serving

RUNS = 5


def start(home: str, *, ready: bool = False) -> tuple[float, float]:
    """Seconds to the first page, and to the end of compiling if that is waited for."""
    began = time.perf_counter()
    with serving(home) as address:
        urllib.request.urlopen(f"{address}/").read()
        first = time.perf_counter() - began
        while ready and b'data-ready="yes"' not in urllib.request.urlopen(f"{address}/progress").read():
            time.sleep(0.1)
        all_ready = time.perf_counter() - began
    return first, all_ready


def main() -> None:
    """Start and print."""
    pages = []
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as home:
            pages.append(start(home)[0])
    print(f"first page, nothing compiled: {median(pages):.2f} s (median of {RUNS})")
    with tempfile.TemporaryDirectory() as home:
        print(f"every game ready, nothing compiled: {start(home, ready=True)[1]:.1f} s")
        print(f"every game ready, from the cache: {start(home, ready=True)[1]:.1f} s")


if __name__ == "__main__":
    main()
