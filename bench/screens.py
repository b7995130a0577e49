"""How long does a move take until it is on every screen?

`python -m bench.screens --spectators 50`.

Plays two games of four people in turns, and others when one is over. At one table everybody's page is open, and those
of so many spectators; at the other the page of who moves alone. What the first seat moves is pressed in Chromium, and
at the crowded table a spectator looks on in another page of it; all other pages are sockets, since so many browsers
would measure this machine's cores. Prints the milliseconds from the press, by the browser's own time stamp, until the
new position is painted: alone on the screen of who moved, else on everybody's, where the page that is told last is
taken to paint it as long after it was told as the spectator's does.
"""

import argparse
import asyncio
import random
import resource
import tempfile
import threading
import time
from collections.abc import Coroutine
from typing import Any

from playwright.sync_api import Browser, Page, TimeoutError

from bench.click import CONTROLS
from bench.spectators import told
from tests.chromium import chromium
from tests.site_process import server
from tests.visitors import PLAYERS, PeopleTable, Visitor

NOTE = """() => {
  let last = -1;
  window.shown = [];
  const now = () => performance.timeOrigin + performance.now();
  document.addEventListener("click", (event) => {
    window.pressed = performance.timeOrigin + event.timeStamp;
  }, true);
  const look = () => {
    const version = Number(document.getElementById("table")?.dataset.version ?? -1);
    if (version <= last) return;
    last = version;
    const painted = () => window.shown.push([version, now()]);
    requestAnimationFrame(() => scheduler.postTask(painted, { priority: "user-blocking" }));
  };
  look();
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
}"""
HEAR = """
window.heard = [];
window.WebSocket = class extends WebSocket {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({ data }) => {
      const version = Number(/data-version="(\\d+)"/.exec(data)?.[1] ?? -1);
      window.heard.push([version, performance.timeOrigin + performance.now()]);
    });
  }
};"""
PRESSES = 40
"""after which a move has been made, or nothing can be pressed"""
SETTLED = 0.25
"""Seconds until the next press."""


class Sockets:
    """The loop in which pages are heard that no browser shows, in a thread of its own."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    def run(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        """What it gives."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result()


class Screens:
    """A table whose first seat plays in Chromium."""

    def __init__(self, browser: Browser, address: str, game: str, spectators: int, sockets: Sockets) -> None:
        self.table, self.sockets = PeopleTable(address, game, spectators), sockets
        self.mover = self.screen(browser, address, self.table.players[0])
        self.watcher = self.screen(browser, address, Visitor(address)) if spectators else None
        if spectators:
            self.table.spectators -= 1  # one of them has a screen
            sockets.run(self.table.open())
        self.milliseconds: list[float] = []

    def screen(self, browser: Browser, address: str, visitor: Visitor) -> Page:
        """The table's page as a visitor has it."""
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        context.add_cookies(
            [{"name": c.name, "value": str(c.value), "url": address} for c in visitor.cookies]
        )
        page = context.new_page()
        page.add_init_script(HEAR)
        page.goto(address + self.table.path)
        page.evaluate(NOTE)
        return page

    def play(self, chance: random.Random) -> bool:
        """Let the first seat move on its screen, if it is its turn, or another; False once the game is over."""
        if self.mover.locator("#table .bar.mine").count():
            return self.move_on_screen(chance)
        return bool(self.sockets.run(self.others_move(chance)))

    async def others_move(self, chance: random.Random) -> bool:
        """Let another seat move, of which no figure is kept."""
        for player in self.table.players[1:]:
            form = self.table.any_move(player, chance)
            if form is not None:
                player.post(f"{self.table.path}/moves", **{name: values[0] for name, values in form.items()})
                await asyncio.sleep(SETTLED)
                return True
        return False

    def move_on_screen(self, chance: random.Random) -> bool:
        """Press until a move is made; note how long it took from its press until all have it."""
        before = self.version(self.mover)
        arriving = asyncio.run_coroutine_threadsafe(self.all_newer(before), self.sockets.loop)
        for _ in range(PRESSES):
            try:
                chance.choice(self.mover.locator(CONTROLS).all()).click(timeout=1000)
            except (TimeoutError, IndexError):
                continue
            time.sleep(SETTLED)
            if self.version(self.mover) > before:
                pressed, painted = self.mover.evaluate("window.pressed"), self.painted(self.mover, before)
                if self.watcher:
                    seen, told_last = self.painted(self.watcher, before), arriving.result()
                    painted = max(painted, seen, told_last + seen - self.heard(self.watcher, before))
                self.milliseconds.append(painted - pressed)
                return True
        return False

    async def all_newer(self, before: int) -> float:
        """When every page without a screen has a later version, in milliseconds since 1970; 0 without any."""
        pages = [page for page in self.table.pages if page.version <= before]
        await asyncio.gather(*(page.await_newer() for page in pages))
        return 1000 * time.time() if pages else 0.0

    def close(self) -> None:
        """Close all pages."""
        for screen in filter(None, (self.mover, self.watcher)):
            screen.context.close()
        self.sockets.run(self.close_sockets())

    async def close_sockets(self) -> None:
        """Close the pages without a screen."""
        for page in self.table.pages:
            await page.close()

    def version(self, screen: Page) -> int:
        """Which version it shows."""
        return int(screen.evaluate("document.getElementById('table').dataset.version"))

    def heard(self, screen: Page, before: int) -> float:
        """When a version later than that was told it."""
        return float(
            screen.evaluate("(before) => window.heard.find(([version]) => version > before)[1]", before)
        )

    def painted(self, screen: Page, before: int) -> float:
        """When a version later than that was painted first."""
        screen.wait_for_function("(before) => window.shown.some(([version]) => version > before)", arg=before)
        return float(
            screen.evaluate("(before) => window.shown.find(([version]) => version > before)[1]", before)
        )


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.screens",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--game", default="costa-ruana")
    parser.add_argument("--spectators", type=int, default=50)
    parser.add_argument("--moves", type=int, default=40, help="on either screen, at least")
    parser.add_argument("--seed", type=int, default=1)
    settings = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    chance, sockets = random.Random(settings.seed), Sockets()
    with (
        tempfile.TemporaryDirectory() as home,
        server(home, cached=True) as (address, _),
        chromium() as browser,
    ):
        taken: tuple[list[float], list[float]] = [], []
        while min(map(len, taken)) < settings.moves:
            both = [
                Screens(browser, address, settings.game, count, sockets) for count in (settings.spectators, 0)
            ]
            while all(table.play(chance) for table in both) and min(map(len, taken)) < settings.moves:
                for milliseconds, table in zip(taken, both, strict=True):
                    milliseconds += table.milliseconds
                    table.milliseconds.clear()
            for table in both:
                table.close()
    last = told("on every screen", [one / 1000 for one in taken[0]])
    own = told(f"of {PLAYERS} people alone", [one / 1000 for one in taken[1]])
    print(f"{last / own:.2f} times")


if __name__ == "__main__":
    main()
