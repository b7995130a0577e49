"""People who play at the simulated site: they look, decide, lose their connections and ask again."""

import asyncio
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from atoll.core.types import Json
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table
from tests.soak.simulation.checks import Checks, form_of
from tests.soak.simulation.network import Answer, Lost, Network, Process, Socket
from tests.soak.simulation.page import ShownPage

if TYPE_CHECKING:
    from tests.soak.simulation.evening import Site

PATIENCE = 3.0
"""Seconds for a socket to answer, as pages have it."""


class Person:
    """Somebody with a browser of their own, with one table's page open."""

    def __init__(self, site: "Site", chance: Random) -> None:
        self.site = site
        self.chance = chance
        self.cookie = ""
        self.path = ""
        self.seat = 0
        self.socket: Socket | None = None
        self.shown = ShownPage()
        self.number = 0
        self.owed: dict[int, asyncio.Future[bool]] = {}
        self.busy = False
        """whether something is asked now that has not been answered"""

    @property
    def network(self) -> Network:
        """The way to the site."""
        return self.site.network

    @property
    def checks(self) -> Checks:
        """What must hold."""
        return self.site.checks

    @property
    def table_id(self) -> str:
        """The table whose page is open."""
        return self.path.rpartition("/")[2]

    def viewer(self, table: Table) -> Viewer:
        """What this person's browser is at a table."""
        found = table.seating.viewer(self.cookie.partition("=")[2].rpartition(".")[0])
        assert found.seat in (None, self.seat), f"{found} instead of seat {self.seat}"
        return found

    async def process(self) -> Process:
        """Any process that runs, as a proxy without sticky sessions chooses."""
        while not (running := self.site.running):
            await asyncio.sleep(0.5)
        return self.chance.choice(running)

    async def insist(self, method: str, path: str, form: Any = None) -> Answer:
        """Ask until the site answers."""
        while True:
            with suppress(Lost):
                answer = await self.network.ask(await self.process(), method, path, self.cookie, form)
                if given := answer.header(b"set-cookie"):
                    self.cookie = given.partition(";")[0]
                if answer.status < 500:
                    return answer
                if answer.status == 500:
                    raise self.checks.broken(f"{method} {path} was answered with 500")
            await asyncio.sleep(self.chance.uniform(0.2, 3))

    async def come_to(self, path: str, seat: int) -> None:
        """Open another table's page."""
        self.leave()
        self.path, self.seat = path, seat

    def leave(self) -> None:
        """Close the page."""
        if self.socket is not None:
            self.socket.cut()
        self.socket, self.shown = None, ShownPage()

    # The page that is open

    async def watch(self) -> None:
        """Keep the page's socket open for ever: open it anew whenever it is lost."""
        while True:
            path = self.path
            if path:
                await self._connect(path)
            await asyncio.sleep(self.chance.uniform(0.1, 6 if self.site.faults.on else 1))

    async def _connect(self, path: str) -> None:
        on_the_way = ShownPage()

        def sent(socket: Socket, text: str) -> None:
            head, _, html = text.partition("\n")
            if head == "talk":
                return
            on_the_way.show(html)
            table = socket.process.site.tables.find(path.rpartition("/")[2])
            self.checks.check_view(table, self.viewer(table), on_the_way)

        hidden = "&hidden" if self.chance.random() < 0.3 else ""  # who does not look is told elsewhere
        address = f"{path}/live?version=-1&rounds=0{hidden}"
        try:
            socket = await self.network.open(await self.process(), address, self.cookie, sent)
        except Lost:
            return
        if path != self.path:
            socket.cut()
            return
        self.socket, self.shown = socket, ShownPage()
        while (text := await socket.hear()) is not None:
            head, _, html = text.partition("\n")
            if head == "talk" or socket is not self.socket:
                continue
            self.shown.show(html)
            owed = self.owed.pop(int(head), None)
            if owed is not None and not owed.done():
                owed.set_result(not self.shown.refused)
        if self.socket is socket:
            self.socket = None

    # Deciding

    async def play(self) -> bool:
        """Decide, if it is this person's turn; whether the game is over."""
        contents = self.checks.store.read(self.table_id)
        assert contents is not None
        position = self.checks.position(contents)
        if position.is_over:
            return True
        if contents.seats[self.seat].bot is not None:
            await self.insist("POST", f"{self.path}/seats", {"seat": self.seat})
            return False
        decision = sum(line.seat == self.seat for line in contents.moves)
        chosen = any(choice.seat == self.seat for choice in contents.choices)
        if chosen or self.seat not in position.to_act:
            return False
        known = self.checks.asked.get((self.table_id, self.seat, decision))
        move = known or self.chance.choice(list(position.view(self.seat).legal_moves()))
        await self._decide(decision, move)
        return False

    async def _decide(self, decision: int, move: Json) -> None:
        """Ask for a move until the site says that it was made, or that it is not."""
        self.busy, table, form = True, self.table_id, form_of(decision, move)
        self.checks.ask(table, self.seat, decision, move)
        address = f"{self.path}/moves"
        if self.site.faults.on and self.chance.random() < 0.05:
            late = self._stray(address, form, self.chance.uniform(0, 60))
            self.site.strays.append(asyncio.get_running_loop().create_task(late))
        done = await self._by_socket(form)
        if not done:
            done = (await self.insist("POST", address, form)).status < 400
        if done:
            self.checks.acknowledge(table, self.seat, decision, move)
        self.busy = False

    async def _stray(self, address: str, form: dict[str, object], after: float) -> None:
        """A copy that arrives long after, by whatever way."""
        await asyncio.sleep(after)
        if running := self.site.running:
            with suppress(Lost):
                await self.network.ask(running[0], "POST", address, self.cookie, form)

    async def _by_socket(self, form: dict[str, object]) -> bool:
        """Whether the socket has said that it was done; it may have been done if not."""
        if self.socket is None or self.chance.random() < 0.3:
            return False
        self.number += 1
        answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.owed[self.number] = answer
        self.socket.say(f"{self.number} 0 moves?{urlencode(form, doseq=True)}")
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                return await answer
        return False
