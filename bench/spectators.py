"""What spectators cost who plays: `python -m bench.spectators`.

Plays two games of four people in turns, a move here and a move there: at one table everybody's page is open, and those
of so many spectators; at the other the page of who moves alone. Prints the milliseconds from sending a move until every
other page has it, and at the other table until the answer has come, and the ratio of both.
"""

import argparse
import asyncio
import random
import tempfile
import time
from contextlib import suppress
from statistics import quantiles
from urllib.error import HTTPError
from urllib.parse import urlencode

from websockets.asyncio.client import ClientConnection, connect

from atoll.web.pages.pressing import AT_ONCE
from bench.site import serving
from bench.visitors import Visitor
from tests.web.conftest import Page

PLAYERS = 4


class Table:
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
        self.watchers = [Visitor(address) for _ in range(spectators)]
        self.sockets: list[ClientConnection] = []
        self.alone = spectators == 0

    async def open(self) -> None:
        """Open everybody's page, where others are there."""
        if not self.alone:
            for visitor in (*self.players, *self.watchers):
                self.sockets.append(await connected(visitor, self.path))

    async def move(self, chance: random.Random) -> float | None:
        """Let somebody move; gives the seconds until all others have it. None once the game is over."""
        for seat, player in enumerate(self.players):
            form = await asyncio.to_thread(self.any_move, player, chance)
            if form is not None:
                return await self.timed(seat, form)
        return None

    def any_move(self, player: Visitor, chance: random.Random) -> dict[str, list[str]] | None:
        """A move that somebody can make, part by part; None if it is not their turn."""
        page = Page(player.get(self.path))
        while not page.moves:
            if not page.choices:
                return None
            page = Page(player.get(f"{self.path}?{urlencode(chance.choice(page.choices).data, doseq=True)}"))
        return chance.choice(page.moves).data

    async def timed(self, seat: int, form: dict[str, list[str]]) -> float:
        """Seconds from sending a move until every other page, or without others the answer, has come."""
        socket = await connected(self.players[seat], self.path) if self.alone else self.sockets[seat]
        others = [other for place, other in enumerate(self.sockets) if place != seat]
        await asyncio.gather(*(drained(found) for found in (socket, *others)))
        seconds = await self.played(socket, others, form)
        if self.alone:
            await socket.close()
        return seconds

    async def played(
        self, socket: ClientConnection, others: list[ClientConnection], form: dict[str, list[str]]
    ) -> float:
        """The same, where all pages have what came before."""
        began = time.perf_counter()
        await socket.send(f"7 0 moves?{urlencode(form, doseq=True)}")
        await asyncio.gather(heard(socket, "7"), *(heard(other, "0") for other in others))
        return time.perf_counter() - began


async def connected(visitor: Visitor, path: str) -> ClientConnection:
    """The socket of a page that shows the table as it is."""
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in visitor.cookies)
    address = visitor.address.replace("http", "ws", 1) + path
    return await connect(f"{address}/live?version=0", additional_headers={"Cookie": cookies}, max_size=None)


async def drained(socket: ClientConnection) -> None:
    """Hear what the page had not yet heard: its answer to a question comes last."""
    await socket.send("6 0 ?")
    await heard(socket, "6")


async def heard(socket: ClientConnection, number: str) -> None:
    """Wait for a message of that number."""
    while str(await socket.recv()).partition("\n")[0] != number:
        pass


async def play(address: str, game: str, spectators: int, moves: int) -> tuple[list[float], list[float]]:
    """The seconds of the moves at both tables."""
    chance = random.Random(1)
    tables = Table(address, game, spectators), Table(address, game, 0)
    for table in tables:
        await table.open()
    found: tuple[list[float], list[float]] = [], []
    for _ in range(moves):
        for table, seconds in zip(tables, found, strict=True):
            took = await table.move(chance)
            if took is None:
                return found
            seconds.append(took)
    return found


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="costa-ruana")
    parser.add_argument("--spectators", type=int, default=50)
    parser.add_argument("--moves", type=int, default=80, help="at each table")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as home, serving(home, cached=True) as address:
        Visitor(address).wait()
        crowded, alone = asyncio.run(play(address, chosen.game, chosen.spectators, chosen.moves))
    last = []
    for name, seconds in (("with everybody", crowded), ("alone", alone)):
        cuts = quantiles([1000 * second for second in seconds], n=20)
        last.append(cuts[-1])
        print(f"{name}: {len(seconds)} moves, median {cuts[9]:.1f} ms, 95th percentile {cuts[-1]:.1f}")
    print(f"95th percentile {last[0] / last[1]:.2f} times that of who is alone")


if __name__ == "__main__":
    main()
