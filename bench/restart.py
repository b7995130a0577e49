"""How soon is everybody back after a restart of the site?

`python -m bench.restart`.

So many pages (1,000), each of a browser of its own, are open at tables of two people. The site is told to stop, and
started anew on the same port; the pages come back as the site's script does (`static/scripts/socket.js`). Then it is
killed as `kill -9` does, and all come back at once, in the moment in which it listens again; who is refused, since the
rules are still read, tries again as the script does. Everybody asks a question within 10 seconds of being back, as
people do who think for so long, or at once with `--think 0`.

Prints, in seconds from the new start, when the site listened and when half, 95 in 100 and all of the pages had their
socket, for which the site has found the table; how long the questions waited; and for how long the site used a core.
"""

import argparse
import asyncio
import os
import random
import resource
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from itsdangerous import Signer
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode

from atoll.core.catalogue import find_game
from atoll.web.serving.security import cookie_name, read_secret
from atoll.web.store.database import open_store
from atoll.web.store.store import SeatRow, Store, TableRow, now
from atoll.web.table.creation import new_table
from tests.site import Server
from tests.site_process import cpu_seconds
from tests.soak.chaos import Lost

SPREAD = 3.0
"""Seconds within which a page comes back that was told of the stop."""
LONGEST = 6.0
"""Seconds between two tries of a page."""
PATIENCE = 60.0
"""Seconds until somebody is not back."""
SEATS = 2


@dataclass
class Page:
    """An open page: its table, its browser's cookie, how many seconds at most somebody thinks there; when it was
    connected, and how long its last question waited."""

    address: str
    cookie: str
    think: float
    opened: float = 0.0
    waited: float = 0.0

    async def stay(self, shown: asyncio.Semaphore, listens: asyncio.Event) -> None:
        """Be connected for ever, and come back when it is lost, but not before the site is said to listen."""
        failed, code = 0, None
        headers = {"Cookie": self.cookie}
        while True:
            with suppress(*Lost):
                socket = await connect(self.address, additional_headers=headers, max_size=None)
                self.opened, failed = time.monotonic(), 0
                await asyncio.sleep(random.uniform(0, self.think))
                began = time.monotonic()
                await socket.send("1 0 ?")
                await self._answer(socket)
                self.waited = time.monotonic() - began
                shown.release()
                code = await lost(socket)
            failed += 1
            if listens.is_set():
                await asyncio.sleep(pause(failed, code))
            await listens.wait()
            code = None

    async def _answer(self, socket: ClientConnection) -> None:
        while not str(await socket.recv()).startswith("1\n"):
            pass


async def lost(socket: ClientConnection) -> int | None:
    """Wait until the connection is closed; gives the code."""
    with suppress(ConnectionClosed):
        while True:
            await socket.recv()
    return socket.close_code


def pause(failed: int, code: int | None) -> float:
    """How long the site's script waits."""
    if code == CloseCode.SERVICE_RESTART:
        return SPREAD * random.random()
    return float(min(LONGEST, 0.25 * 2**failed) * (0.5 + random.random()))


def tables_of(count: int, game: str) -> list[tuple[str, str]]:
    """Make tables for so many browsers; gives each one's table and cookie."""
    entries, store = [], open_store()
    for place in range(0, count, SEATS):
        browsers = [f"page-{place + seat}" for seat in range(SEATS)]
        row = table_of(store, game, browsers)
        entries += [(row.id, cookie_of(browser)) for browser in browsers]
    store.engine.dispose()
    return entries[:count]


def table_of(store: Store, game: str, browsers: Sequence[str]) -> TableRow:
    """Make a table at which each of these browsers has a seat."""
    row = new_table(find_game(game), len(browsers), {}, "fast", None, browsers[0], False, "alone")
    store.make_table(row, [SeatRow(seat, browser, None, now()) for seat, browser in enumerate(browsers)])
    return row


def cookie_of(browser: str) -> str:
    """What the browser of that name shows to the site."""
    return (
        f"{cookie_name(read_secret())}={Signer(read_secret(), salt='atoll.browser').sign(browser).decode()}"
    )


async def all_answered(shown: asyncio.Semaphore, pages: list[Page]) -> None:
    """Wait until each has had an answer once more."""
    async with asyncio.timeout(PATIENCE):
        for _ in pages:
            await shown.acquire()


async def restarted(
    server: Server, home: Path, pages: list[Page], shown: asyncio.Semaphore, listens: asyncio.Event
) -> Server:
    """Start a site that was ended anew, and print when it listened and when the pages were back."""
    began = time.monotonic()
    again = await asyncio.to_thread(Server, home, server.port, ())
    listened = time.monotonic()
    listens.set()
    await all_answered(shown, pages)
    times = sorted(page.opened - began for page in pages)
    waits = sorted(page.waited for page in pages)
    half, most = len(pages) // 2, len(pages) * 95 // 100
    print(
        f"listened after {listened - began:.1f} s; half of {len(pages)} pages back after {times[half]:.1f} s, "
        f"95 in 100 after {times[most]:.1f} s, all after {times[-1]:.1f} s; questions waited {waits[half]:.2f} s "
        f"(median), {waits[most]:.2f} s (95 in 100); the site used a core for "
        f"{cpu_seconds(again.process.pid):.1f} s"
    )
    return again


async def measure(home: Path, tables: list[tuple[str, str]], game: str, think: float) -> None:
    """Open all pages, end the site twice and print."""
    server = await asyncio.to_thread(Server, home, 0, ())
    tasks: list[asyncio.Task[None]] = []
    try:
        host = server.address.replace("http", "ws", 1)
        pages = [Page(f"{host}/tables/{table}/live?version=0", cookie, think) for table, cookie in tables]
        shown, listens = asyncio.Semaphore(0), asyncio.Event()
        listens.set()
        tasks = [asyncio.create_task(page.stay(shown, listens)) for page in pages]
        await all_answered(shown, pages)
        print("stopped, and back as pages do: ", end="", flush=True)
        await asyncio.to_thread(server.stop)
        server = await restarted(server, home, pages, shown, listens)
        print("killed, and back all at once: ", end="", flush=True)
        listens.clear()
        server.kill()
        server = await restarted(server, home, pages, shown, listens)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        server.kill()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.restart",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--game", default="costa-ruana")
    parser.add_argument(
        "--think", type=float, default=10.0, help="seconds within which everybody asks something"
    )
    settings = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder, "home")
        server = Server(home, packages=())  # makes the folders
        server.kill()
        with patch.dict(os.environ, ATOLL_HOME=str(home)):
            tables = tables_of(settings.pages, settings.game)
        asyncio.run(measure(home, tables, settings.game, settings.think))


if __name__ == "__main__":
    main()
