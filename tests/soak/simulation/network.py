"""The simulated network: requests and sockets between browsers and the processes of a site, late, lost and doubled."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from atoll.web.bounds import ALONE
from atoll.web.people.outbound import PATIENCE, NotSent, OutboundReply, OutboundRequests
from atoll.web.serving.app import create_app
from atoll.web.serving.platform import Platform
from atoll.web.serving.site import Site
from tests.soak.simulation.database import Database, Feed, SimulatedStore, SimulatedTurns
from tests.soak.simulation.world import Machine, ThinkersInTurn, World, park

HOST = "atoll"
WEBHOOK = "https://hooks.example.org/{number}"
"""Somebody's address of a machine that answers, sometimes late, or hangs."""


class Lost(Exception):
    """The connection was lost, or never made; nobody knows whether what was asked has been done."""


@dataclass
class Answer:
    """An answer to a request."""

    status: int = 0
    headers: tuple[tuple[bytes, bytes], ...] = ()
    body: str = ""

    def header(self, name: bytes) -> str:
        """One of its headers; empty without it."""
        return next((value.decode() for key, value in self.headers if key.lower() == name), "")


class SimulatedOutbound(OutboundRequests):
    """What a process sends to webhooks: they prove themselves by their answers, fail, or hang."""

    def __init__(self, database: Database) -> None:
        super().__init__()
        self.database = database

    def post(self, address: str, body: bytes, headers: Mapping[str, str]) -> OutboundReply:
        """The answer, once it has come; raises NotSent."""
        database = self.database
        database.sent += 1
        self.check(address)
        if database.happens(database.faults.hanging):
            database.hung += 1
            park(PATIENCE)
            raise NotSent("nothing came")
        park(database.world.chance.uniform(0, 1))
        if database.happens(0.1):
            raise NotSent("the connection was refused")
        return OutboundReply(200, body)


class Process:
    """A process that serves the site."""

    def __init__(self, world: World, database: Database) -> None:
        self.machine = Machine()
        self.machine.die = self.kill
        self.database = database
        store = SimulatedStore(database, self.machine)
        platform = Platform(
            search_pool=lambda: ThinkersInTurn(world),
            leases=lambda engine: SimulatedTurns(database, self.machine),
            changes=lambda store, watched: Feed().hear(database, store, watched),
        )
        self.app = create_app(store, [HOST], ALONE, platform=platform)
        self.connections: dict[Socket, None] = {}
        self.ready = asyncio.Event()
        self.machine.begin(self._live())

    async def _live(self) -> None:
        async with self.app.router.lifespan_context(self.app):
            self.site.notifier.outbound = SimulatedOutbound(self.database)
            self.ready.set()
            await asyncio.Event().wait()

    @property
    def site(self) -> Site:
        """What its handlers share."""
        return self.app.state.site  # type: ignore[no-any-return]

    def kill(self) -> None:
        """End it as `kill -9` does."""
        self.machine.kill()
        for socket in list(self.connections):
            socket.cut()


def scope_of(kind: str, path: str, cookie: str, **more: Any) -> dict[str, Any]:
    """What the server tells the application of a connection."""
    path, _, query = path.partition("?")
    headers = [(b"host", HOST.encode()), *more.pop("headers", [])]
    return {
        "type": kind,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [*headers, (b"cookie", cookie.encode())] if cookie else headers,
        "client": ("10.0.0.1", 4000),
        "server": (HOST, 80),
        **more,
    }


class Network:
    """The way from browsers to processes; what it does to messages ends with the database's faults."""

    def __init__(self, world: World, database: Database) -> None:
        self.world = world
        self.database = database

    def late(self) -> float:
        """Seconds that a message is on its way."""
        chance = self.world.chance
        return chance.uniform(0, 8) if self.database.happens(0.05) else chance.uniform(0.001, 0.1)

    def lost(self, rate: float = 0.04) -> bool:
        """Whether this one does not arrive."""
        return self.database.happens(rate)

    async def ask(
        self, process: Process, method: str, path: str, cookie: str = "", form: Any = None
    ) -> Answer:
        """The answer of a process; raises Lost."""
        await asyncio.sleep(self.late())
        if self.lost():
            raise Lost
        task = self._deliver(process, method, path, cookie, form)
        if form is not None and self.database.happens(0.05):
            self.world.loop.call_later(
                self.late(),
                lambda: process.machine.dead or self._deliver(process, method, path, cookie, form),
            )
        await asyncio.wait([task])
        if process.machine.dead or task.cancelled() or self.lost():
            raise Lost
        await asyncio.sleep(self.late())
        return task.result()

    def _deliver(
        self, process: Process, method: str, path: str, cookie: str, form: Any
    ) -> "asyncio.Task[Answer]":
        if process.machine.dead:
            raise Lost
        body = urlencode(form or {}, doseq=True).encode()
        headers = [(b"atoll-fragment", b"0"), (b"content-type", b"application/x-www-form-urlencoded")]
        scope = scope_of("http", path, cookie, method=method, scheme="http", headers=headers)
        return process.machine.begin(self._answer(process, scope, body))

    async def _answer(self, process: Process, scope: dict[str, Any], body: bytes) -> Answer:
        answer, sent = Answer(), False

        async def receive() -> dict[str, Any]:
            nonlocal sent
            if sent:
                await asyncio.Event().wait()
            sent = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                answer.status, answer.headers = message["status"], tuple(message["headers"])
            else:
                answer.body += message.get("body", b"").decode()

        await process.app(scope, receive, send)
        return answer

    async def open(
        self, process: Process, path: str, cookie: str, sent: Callable[["Socket", str], None]
    ) -> "Socket":
        """A web socket; raises Lost. `sent` is told of each message when the process sends it."""
        await asyncio.sleep(self.late())
        if process.machine.dead or self.lost():
            raise Lost
        return Socket(self, process, scope_of("websocket", path, cookie, scheme="ws", subprotocols=[]), sent)


class Socket:
    """A web socket: in each direction messages come in order, each after a while, until it is lost."""

    def __init__(
        self, network: Network, process: Process, scope: dict[str, Any], sent: Callable[["Socket", str], None]
    ) -> None:
        self.network = network
        self.process = process
        self.told = sent
        self.gone = False
        self.code = 0
        self._up: asyncio.Queue[str | None] = asyncio.Queue()
        self._down: asyncio.Queue[str | None] = asyncio.Queue()
        self._arrives = [0.0, 0.0]
        self._connected = False
        process.connections[self] = None
        process.machine.begin(process.app(scope, self._receive, self._send))

    def say(self, text: str) -> None:
        """Send a message to the process, which may never arrive."""
        self._carry(0, self._up, text)

    async def hear(self) -> str | None:
        """The next message of the process; None once the connection is lost or closed."""
        return None if self.gone and self._down.empty() else await self._down.get()

    def cut(self) -> None:
        """The connection is lost: at once for both, with all that is on its way."""
        if not self.gone:
            self.gone = True
            self.process.connections.pop(self, None)
            for queue in (self._up, self._down):
                queue.put_nowait(None)

    def _carry(self, way: int, queue: asyncio.Queue[str | None], text: str) -> None:
        loop = self.network.world.loop
        if self.network.lost(0.01):
            loop.call_later(self.network.late(), self.cut)
        self._arrives[way] = max(self._arrives[way] + 1e-6, loop.time() + self.network.late())  # in order
        loop.call_at(self._arrives[way], lambda: None if self.gone else queue.put_nowait(text))

    async def _receive(self) -> dict[str, Any]:
        if not self._connected:
            self._connected = True
            return {"type": "websocket.connect"}
        text = await self._up.get()
        if text is None:
            return {"type": "websocket.disconnect", "code": 1006}
        return {"type": "websocket.receive", "text": text}

    async def _send(self, message: Any) -> None:
        if message["type"] == "websocket.close":
            self.code = message.get("code", 1000)
            self.cut()
        elif message["type"] == "websocket.send" and not self.gone and not self.process.machine.dead:
            self.told(self, message["text"])
            self._carry(1, self._down, message["text"])
