"""How long a machine that has never seen Atoll takes to a table on the screen: `python -m bench.fresh`.

Clones what is committed into an empty folder, with an empty `ATOLL_HOME`, starts it with the README's first command,
presses Play in Chromium, and prints the seconds to the served page and to the table; then, once every game and search
is ready, the same again, as on any later day. Packages come from wherever pip gets them, which counts.
"""

import argparse
import os
import re
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page

from atoll.core.catalogue import games
from bench.chromium import chromium

HERE = Path(__file__).parents[1]


def start(folder: Path, home: Path, game: str, page: Page) -> tuple[float, float]:
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
        address = next(found[0] for line in server.stdout if (found := re.search(r"http://\S+", line)))
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


def main() -> None:
    """Clone, start twice and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--game", choices=list(games()), default="costa-ruana", help="what is played")
    game = parser.parse_args().game
    with tempfile.TemporaryDirectory() as place, chromium() as browser:
        folder, home = Path(place, "atoll"), Path(place, "home")
        pages = [browser.new_context().new_page() for _ in range(2)]  # opening a window is not counted
        subprocess.run(["git", "clone", "--quiet", str(HERE), str(folder)], check=True)
        for name, page in zip(("first start", "second start"), pages, strict=True):
            served, seen = start(folder, home, game, page)
            page.close()
            print(
                f"{name}: page served after {served:.1f} s, a table of {game} after {seen:.1f} s", flush=True
            )


if __name__ == "__main__":
    main()
