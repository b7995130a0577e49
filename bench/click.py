"""How long a click takes until the new board is drawn, over a whole game in Chromium: `python -m bench.click`.

From the press of the mouse to the end of the first frame that shows the next position; prints the median and the 95th
percentile of moves (a POST) and of choices (a GET), in milliseconds.
"""

import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile

from playwright.sync_api import Page, sync_playwright

from atoll.core.catalogue import games

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

START = "from atoll.web.serve import serve; serve(open_browser=False)"

MEASURE = """() => {
  window.times = [];
  const state = () => `${document.getElementById("table")?.dataset.version} ${location.search}`;
  const painted = (then) => requestAnimationFrame(() => setTimeout(then, 0));
  document.addEventListener("click", (event) => {
    const before = state(), began = event.timeStamp;
    const post = event.target.closest("form")?.method === "post";
    const observer = new MutationObserver(() => {
      if (state() === before) return;
      observer.disconnect();
      painted(() => window.times.push([post, performance.now() - began]));
    });
    observer.observe(document.body, { subtree: true, childList: true, attributes: true });
  }, true);
}"""

CONTROLS = "#table button.press:not(.entry):not(.about):not([aria-pressed=true])"


def play(page: Page, address: str, game: str, seed: int) -> list[tuple[bool, float]]:
    """Play that game to its end at random and return (was it a POST, milliseconds) of every press."""
    chance = random.Random(seed)
    page.goto(address)
    form = page.locator(f"form.new-table:has(#play-{game})")
    form.locator("details summary").click()
    form.locator("select[name=pace]").select_option("fast")
    form.get_by_role("button", name="Make this table").click()
    page.wait_for_selector("#table .bar.mine")
    page.evaluate(MEASURE)
    while True:
        page.wait_for_selector("#table .bar.mine, #table.over")
        if page.locator("#table.over").count():
            return [tuple(time) for time in page.evaluate("window.times")]
        count = page.evaluate("window.times.length")
        confirm = page.locator("#confirm")
        found = confirm if confirm.count() else chance.choice(page.locator(CONTROLS).all())
        found.click()
        page.wait_for_function("count => window.times.length > count", arg=count)


def summary(times: list[float]) -> str:
    """Median and 95th percentile."""
    cuts = statistics.quantiles(times, n=20, method="inclusive")
    return f"p50 {cuts[9]:5.1f} ms   p95 {cuts[18]:5.1f} ms   of {len(times)}"


def main() -> None:
    """Start a server of its own, play and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--games", type=int, default=2, help="games to play")
    parser.add_argument("--game", default=next(iter(games())), choices=list(games()), help="which game")
    arguments = parser.parse_args()
    path = shutil.which(os.environ.get("CHROMIUM", "chromium"))
    times: list[tuple[bool, float]] = []
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        server = subprocess.Popen(
            [sys.executable, "-c", START],
            env={**os.environ, "ATOLL_HOME": home},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert server.stdout is not None
        address = server.stdout.readline().split()[3]
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(address)
        page.wait_for_selector("#loading", state="detached", timeout=120_000)
        for seed in range(arguments.games):
            times += play(page, address, arguments.game, seed)
        browser.close()
        server.terminate()
        server.wait()
    print("click to new board, moves  ", summary([time for post, time in times if post]))
    print("click to new board, choices", summary([time for post, time in times if not post]))


if __name__ == "__main__":
    main()
