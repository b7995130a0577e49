"""How soon does a start show something?

`python -m bench.start`; `--fresh` starts on a machine that has never seen Atoll.

Starts the site with an empty cache, several times: seconds from the start of the process to the first page, which comes
while rules compile. The last one goes on until every game can be played and every search is ready, and starts once more
with what is then cached.

With `--fresh` it clones what is committed into an empty folder, with an empty `ATOLL_HOME`, starts it with the README's
first command, presses Play in Chromium, and prints the seconds to the served page and to the table; then, once every
game and search is ready, the same again, as on any later day. Packages come from wherever pip gets them, which counts.
"""

import argparse
import os
import re
import signal
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from atoll.core.catalogue import games
from tests.site_process import serving

if TYPE_CHECKING:
    from playwright.sync_api import Page

HERE = Path(__file__).parents[1]
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


def make_play(folder: Path, home: Path, game: str, page: "Page") -> tuple[float, float]:
    """Seconds from the command to the served page and to the table; returns when everything is ready."""
    began = time.perf_counter()
    server = subprocess.Popen(
        ["make", "play", "ARGS=serve"],
        cwd=folder,
        env={**os.environ, "ATOLL_HOME": str(home)},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert server.stdout is not None
        address = next(match[0] for line in server.stdout if (match := re.search(r"http://\S+", line)))
        page.goto(address)
        served = time.perf_counter() - began
        page.locator(f"#play-{game}").click()
        page.wait_for_selector("#table .bar", timeout=300_000)
        seen = time.perf_counter() - began
        page.goto(address)
        page.wait_for_selector("#loading", state="detached", timeout=300_000)
        return served, seen
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait()


def fresh_machine(game: str) -> None:
    """Clone, start twice and print."""
    from tests.chromium import chromium

    with tempfile.TemporaryDirectory() as place, chromium() as browser:
        folder, home = Path(place, "atoll"), Path(place, "home")
        pages = [browser.new_context().new_page() for _ in range(2)]  # opening a window is not counted
        subprocess.run(["git", "clone", "--quiet", str(HERE), str(folder)], check=True)
        for name, page in zip(("first start", "second start"), pages, strict=True):
            served, seen = make_play(folder, home, game, page)
            page.close()
            print(
                f"{name}: page served after {served:.1f} s, a table of {game} after {seen:.1f} s", flush=True
            )


def empty_cache() -> None:
    """Start with nothing compiled, then from the cache, and print."""
    pages = []
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as home:
            pages.append(start(home)[0])
    print(f"first page, nothing compiled: {median(pages):.2f} s (median of {RUNS})")
    with tempfile.TemporaryDirectory() as home:
        for name in ("nothing compiled", "from the cache"):
            _, tables, searches = start(home, b'data-ready="yes"', b'data-over="yes"')
            print(f"every game ready, {name}: {tables:.1f} s")
            print(f"every search ready, {name}: {searches:.1f} s")


def main() -> None:
    """Start and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.start",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--fresh", action="store_true", help="from a clone, packages and all")
    parser.add_argument("--game", choices=list(games()), default="costa-ruana", help="what is played then")
    settings = parser.parse_args()
    if settings.fresh:
        fresh_machine(settings.game)
    else:
        empty_cache()


if __name__ == "__main__":
    main()
