"""How soon does a start show something?

`python -m bench.start`; `--fresh` starts on a machine that has never seen Atoll.

Starts the site with an empty home, several times: seconds from the start of the process to the first page. The last
time a table of each game is made, one after another: seconds until it is shown, and until its expert has moved, with
its thinking.

With `--fresh` it clones what is committed into an empty folder, with an empty `ATOLL_HOME`, starts it with the README's
first command, presses Play in Chromium, and prints the seconds to the served page and to the table; then the same
again, as on any later day. Packages come from wherever pip gets them, which counts.
"""

import argparse
import os
import re
import signal
import sqlite3
import subprocess
import tempfile
import time
import urllib.request
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from atoll.core.catalogue import games
from atoll.web.pages.move_confirmation import AT_ONCE
from tests.site_process import serving
from tests.visitors import Visitor
from tests.web.conftest import Page

if TYPE_CHECKING:
    from playwright.sync_api import Page as BrowserPage

HERE = Path(__file__).parents[1]
RUNS = 5
DECIDED = "SELECT seat FROM moves WHERE table_id = ? UNION ALL SELECT seat FROM choices WHERE table_id = ?"
"""The seats that have decided at a table."""


def start(home: str, *names: str) -> tuple[float, list[tuple[float, float]]]:
    """Seconds to the first page; and at a table of each of these games to its page and to its expert's move."""
    began = time.perf_counter()
    with serving(home) as address:
        urllib.request.urlopen(f"{address}/").read()
        first = time.perf_counter() - began
        visitor = Visitor(address)
        visitor.get(f"/pressing?to={AT_ONCE}")
        return first, [to_move(visitor, Path(home), name) for name in names]


def to_move(visitor: Visitor, home: Path, game: str) -> tuple[float, float]:
    """Seconds from making a table until it is shown, and until the expert there has moved."""
    began = time.perf_counter()
    path = visitor.post("/tables", game=game, players="2", seat1="bot:expert", pace="at once")
    shown = time.perf_counter() - began
    (file,) = home.rglob("*.sqlite")
    table = path.rpartition("/")[2]
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as store:
        while not (seats := [seat for (seat,) in store.execute(DECIDED, (table, table))]) or max(seats) < 1:
            moves = Page(visitor.get(path)).moves if not seats else []
            if moves:  # one's own turn
                visitor.post(moves[0].action, **dict(moves[0].fields))
            time.sleep(0.01)
    return shown, time.perf_counter() - began


def make_play(folder: Path, home: Path, game: str, page: "BrowserPage") -> tuple[float, float]:
    """Seconds from the command to the served page and to the table."""
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
        return served, time.perf_counter() - began
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


def empty_home() -> None:
    """Start with nothing kept, and print."""
    pages = []
    for number in range(RUNS):
        with tempfile.TemporaryDirectory() as home:
            first, tables = start(home, *(games() if number == RUNS - 1 else ()))
            pages.append(first)
    print(f"first page: {median(pages):.2f} s (median of {RUNS})")
    for name, (shown, moved) in zip(games(), tables, strict=True):
        print(f"{name}: table shown after {shown:.2f} s, its expert has moved after {moved:.2f} s")


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
        empty_home()


if __name__ == "__main__":
    main()
