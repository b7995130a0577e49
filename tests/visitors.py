"""Browsers without a screen: they make tables, watch them and play, for measurements and soak tests of a site."""

import asyncio
import random
import re
import time
import urllib.request
from contextlib import suppress
from http.cookiejar import CookieJar
from urllib.error import HTTPError
from urllib.parse import urlencode

from websockets.asyncio.client import ClientConnection, connect
from websockets.sync import client

from atoll.web.pages.move_confirmation import AT_ONCE
from tests.web.conftest import Page

PLAYERS = 4
OPENED = 50
"""Pages that are opened at the same time."""
_VERSION = re.compile(r'data-version="(\d+)"')


class Visitor:
    """A browser with cookies of its own."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.cookies = CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))
        self.get("/")

    def get(self, path: str) -> str:
        """A page."""
        with self.opener.open(self.address + path, timeout=60) as answer:
            return str(answer.read().decode())

    def post(self, path: str, **fields: str) -> str:
        """Send a form; gives the path to which it leads."""
        body = urlencode(fields).encode()
        with self.opener.open(self.address + path, body, timeout=60) as answer:
            return str(answer.url).removeprefix(self.address)

    def watch(self, path: str) -> client.ClientConnection:
        """The socket of a page of that table as it was when it was made."""
        cookie = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.cookies)
        address = self.address.replace("http", "ws", 1) + path
        return client.connect(
            f"{address}/live?version=0", additional_headers={"Cookie": cookie}, max_size=None
        )


class PeopleTable:
    """A table of four people, and the pages of it that are open."""

    def __init__(self, address: str, game: str, spectators: int) -> None:
        self.players = [Visitor(address) for _ in range(PLAYERS)]
        for player in self.players:
            with suppress(HTTPError):  # an older site plays at once
                player.get(f"/pressing?to={AT_ONCE}&back=/")
        friends = {f"seat{seat}": "friend" for seat in range(1, PLAYERS)}
        self.path = self.players[0].post("/tables", game=game, players=str(PLAYERS), seat0="me", **friends)
        for seat, player in enumerate(self.players[1:], start=1):
            player.post(f"{self.path}/seats", seat=str(seat))
        self.live = f"{address.replace('http', 'ws', 1)}{self.path}/live?version=-1"
        self.spectators = spectators
        self.pages: list[OpenPage] = []
        self.alone = spectators == 0
        self.answers: list[float] = []
        """seconds from sending each move to its answer"""
        self.seen: list[float] = []
        """and until every page has it"""

    async def open(self) -> None:
        """Open everybody's page, where others are there."""
        if self.alone:
            return
        limit = asyncio.Semaphore(OPENED)

        async def opened(cookies: str) -> OpenPage:
            async with limit:
                return await OpenPage.at(self.live, cookies)

        for player in self.players:
            self.pages.append(await opened(cookies_of(player)))
        watching = (
            opened("") for _ in range(self.spectators)
        )  # without a cookie each is a browser of its own
        self.pages += await asyncio.gather(*watching)

    async def move(self, chance: random.Random) -> bool:
        """Let somebody move; False once the game is over."""
        for seat, player in enumerate(self.players):
            form = await asyncio.to_thread(self.any_move, player, chance)
            if form is not None:
                await self.timed(seat, form)
                return True
        return False

    def any_move(self, player: Visitor, chance: random.Random) -> dict[str, list[str]] | None:
        """A move that somebody can make, part by part; None if it is not their turn."""
        page = Page(player.get(self.path))
        while not page.moves:
            if not page.choices:
                return None
            page = Page(player.get(f"{self.path}?{urlencode(chance.choice(page.choices).data, doseq=True)}"))
        return chance.choice(page.moves).data

    async def timed(self, seat: int, form: dict[str, list[str]]) -> None:
        """Make a move, and note how long it took."""
        if self.alone:
            page = await OpenPage.at(self.live, cookies_of(self.players[seat]))
            await self.played(page, [], form)
            await page.close()
        else:
            page = self.pages[seat]
            await self.played(page, [other for other in self.pages if other is not page], form)

    async def played(self, page: "OpenPage", others: "list[OpenPage]", form: dict[str, list[str]]) -> None:
        """The same, where all pages have what came before."""
        newer = [other.await_newer() for other in others]
        began = time.perf_counter()
        await page.ask(form)
        self.answers.append(time.perf_counter() - began)
        await asyncio.gather(*newer)
        self.seen.append(time.perf_counter() - began)


class OpenPage:
    """A page that is open, whose socket is heard until it is closed."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.version = -1
        self.answered: asyncio.Future[None] | None = None
        self.newer = asyncio.get_running_loop().create_future()
        self.hearing = asyncio.create_task(self._hear())

    @classmethod
    async def at(cls, live: str, cookies: str) -> "OpenPage":
        """The page of a table once it shows it."""
        headers = {"Cookie": cookies} if cookies else {}
        page = cls(await connect(live, additional_headers=headers, max_size=None, compression=None))
        await page.newer
        return page

    async def _hear(self) -> None:
        async for text in self.socket:
            head, _, html = str(text).partition("\n")
            found = _VERSION.search(html)
            if found and int(found[1]) > self.version:
                self.version = int(found[1])
                if not self.newer.done():
                    self.newer.set_result(None)
            if head == "7" and self.answered is not None:
                self.answered.set_result(None)

    def await_newer(self) -> "asyncio.Future[None]":
        """What is done when the page has a newer version than now."""
        self.newer = asyncio.get_running_loop().create_future()
        return self.newer

    async def ask(self, form: dict[str, list[str]]) -> None:
        """Make a move; wait for the answer."""
        self.answered = asyncio.get_running_loop().create_future()
        await self.socket.send(f"7 0 moves?{urlencode(form, doseq=True)}")
        await self.answered

    async def close(self) -> None:
        """Close it."""
        self.hearing.cancel()
        await self.socket.close()


def cookies_of(visitor: Visitor) -> str:
    """What a browser sends with each request."""
    return "; ".join(f"{cookie.name}={cookie.value}" for cookie in visitor.cookies)
