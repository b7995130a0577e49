"""Do acknowledged moves survive when processes are killed?

`python -m tests.soak chaos --minutes 10`.

Several web processes, each a server of its own behind a plain round-robin proxy, on PostgreSQL where it is installed
and on SQLite otherwise. People play over HTTP and sockets at tables with clocks, and ask again until they are answered,
while every few seconds one of the processes is killed as `kill -9` does, or a process of the database. Then everything
is compared: each acknowledged move must stand once, in the order in which it was made, and the rules must allow all.

Prints kills, acknowledged moves, and how long a move took; what is lost or doubled ends it with status 1. Needs what
`make test` installs.
"""

import argparse
import asyncio
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from unittest.mock import patch
from urllib.parse import urlencode

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from atoll.core.catalogue import games
from atoll.text import folders
from atoll.web.store.engine import database_url, open_engine
from atoll.web.store.store import Contents, Store
from tests.examples.packages import paths
from tests.postgresql import PostgreSQL, program
from tests.site import free_port
from tests.site_process import children
from tests.soak.round_robin import HOST, RoundRobin
from tests.soak.simulation.checks import Broken, Checks, form_of
from tests.soak.simulation.page import ShownPage

ROOT = Path(__file__).parents[2]
GAME, PROJECT = "goofspiel", ROOT / "examples" / "goofspiel"
"""A game whose page costs little, so that the moves are many."""
START = f"""
import sys
from atoll.core.catalogue import games
from {GAME} import game
games().clear()
games()[game.name] = game
from atoll.web.serving.server import serve
serve(port=int(sys.argv[1]), open_browser=False)
"""
MOST = 1_000_000
"""Kills: as many as there is time for."""
PATIENCE = 5.0
"""Seconds for an answer; then it is asked for again."""
Lost = (OSError, EOFError, TimeoutError, WebSocketException)
"""What a client hears of a process that is killed."""


@dataclass
class Told:
    """What happened."""

    kills: int = 0
    database_kills: int = 0
    games: int = 0
    """that were played to their end"""
    waits: list[float] = field(default_factory=list)
    """seconds from a move that was asked for to its acknowledgement"""
    asked_again: int = 0
    moved: asyncio.Event = field(default_factory=asyncio.Event)
    """set whenever a move is acknowledged"""


End = Callable[[Told], Coroutine[None, None, None]]
"""What is waited for until it is enough."""


class Fleet:
    """The web processes of a site."""

    def __init__(self, home: str, count: int) -> None:
        installed = paths([PROJECT], Path(home, "installed"))  # found by the processes that compile it, too
        self.environment = {**os.environ, "ATOLL_HOME": home}
        self.environment["PYTHONPATH"] = os.pathsep.join(
            filter(None, (*installed, os.environ.get("PYTHONPATH")))
        )
        self.ports = [free_port() for _ in range(count)]
        self.processes = [self._start(port) for port in self.ports]

    def _start(self, port: int) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-c", START, str(port)],
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    async def started(self) -> None:
        """Wait until all have said that they serve."""
        for process in self.processes:
            assert process.stdout is not None
            if not process.stdout.closed:
                with process.stdout as said:
                    await asyncio.to_thread(said.readline)

    def kill(self, place: int) -> None:
        """Kill one as `kill -9` does, and start another in its place."""
        end(self.processes[place])
        self.processes[place] = self._start(self.ports[place])

    def close(self) -> None:
        """Kill all."""
        for process in self.processes:
            end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process as `kill -9` does."""
    process.kill()
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


@dataclass
class Answer:
    """An answer to a request."""

    status: int
    headers: dict[str, str]


async def ask(port: int, method: str, path: str, cookie: str = "", form: object = None) -> Answer:
    """Ask for something on a connection of its own; raises one of Lost."""
    body = urlencode(form or {}, doseq=True).encode()  # type: ignore[arg-type]
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: {HOST}:{port}\r\nConnection: close\r\nCookie: {cookie}\r\n"
        f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    async with asyncio.timeout(PATIENCE):
        reader, writer = await asyncio.open_connection(HOST, port)
        try:
            writer.write(head.encode() + body)
            first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        finally:
            writer.close()
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    return Answer(int(first.split()[1]), headers)


class Person:
    """Somebody at a table, with a browser of their own."""

    def __init__(self, port: int, seat: int) -> None:
        self.port = port
        self.seat = seat
        self.cookie = ""
        self.socket: ClientConnection | None = None
        self.shown = ShownPage()
        self.number = 0

    async def insist(self, told: Told, method: str, path: str, form: object = None) -> Answer:
        """Ask until something else than a failure is answered."""
        while True:
            with suppress(*Lost):
                answer = await ask(self.port, method, path, self.cookie, form)
                if given := answer.headers.get("set-cookie"):
                    self.cookie = given.partition(";")[0]
                if answer.status == 500:
                    raise Broken(f"{method} {path} was answered with 500")
                if answer.status < 500:
                    return answer
            told.asked_again += 1
            await asyncio.sleep(random.uniform(0.05, 0.3))

    async def by_socket(self, path: str, form: dict[str, object]) -> bool:
        """Whether the table's socket says that a move was made; raises one of Lost."""
        async with asyncio.timeout(PATIENCE):
            if self.socket is None:
                address = f"ws://{HOST}:{self.port}{path}/live?version=-1"
                headers = {"Cookie": self.cookie}
                self.socket = await connect(
                    address, additional_headers=headers, max_size=None, compression=None
                )
                self.shown = ShownPage()
            self.number += 1
            await self.socket.send(f"{self.number} 0 moves?{urlencode(form, doseq=True)}")
            while True:
                head, _, html = str(await self.socket.recv()).partition("\n")
                if head != "talk":
                    self.shown.show(html)
                if head == str(self.number):
                    return not self.shown.refused

    async def leave(self) -> None:
        """Close the page."""
        if self.socket is not None:
            with suppress(*Lost):
                await self.socket.close()
            self.socket = None


class Table:
    """Two people who play one game after another."""

    def __init__(self, port: int, checks: Checks, told: Told, clock: str) -> None:
        self.people = [Person(port, seat) for seat in range(2)]
        self.checks = checks
        self.told = told
        self.clock = clock
        self.path = ""

    async def play(self) -> None:
        """Play for ever."""
        for person in self.people:
            await person.insist(self.told, "GET", "/")
        while True:
            await self._begin()
            while not await self._step():
                pass

    async def _begin(self) -> None:
        form = {"game": GAME, "players": "2", "seat1": "friend", "clock": self.clock}
        for person in self.people:
            await person.leave()
        self.path = (await self.people[0].insist(self.told, "POST", "/tables", form)).headers["location"]
        await self.people[1].insist(self.told, "POST", f"{self.path}/seats", {"seat": "1"})

    async def _kept(self) -> Contents:
        """What the database has of the table; asked until it answers."""
        while True:
            with suppress(Exception):
                found = await asyncio.to_thread(self.checks.store.read, self.path.rpartition("/")[2])
                assert found is not None
                return found
            await asyncio.sleep(0.1)

    async def _step(self) -> bool:
        """Let the next person decide; whether the game is over."""
        contents = self.checks.check(await self._kept())
        position = self.checks.position(contents)
        chosen = {choice.seat for choice in contents.choices}
        waiting = [seat for seat in position.to_act if seat not in chosen]
        if not waiting:
            self.told.games += position.is_over
            return position.is_over
        person = self.people[random.choice(waiting)]
        if contents.seats[person.seat].bot is not None:
            await person.insist(self.told, "POST", f"{self.path}/seats", {"seat": str(person.seat)})
            return False
        decision = sum(line.seat == person.seat for line in contents.moves)
        move = random.choice(list(position.view(person.seat).legal_moves()))
        self.checks.ask(contents.row.id, person.seat, decision, move)
        began = time.monotonic()
        if await self._decide(person, form_of(decision, move)):
            self.told.waits.append(time.monotonic() - began)
            self.told.moved.set()
            self.checks.acknowledged[contents.row.id][person.seat, decision] = move
        return False

    async def _decide(self, person: Person, form: dict[str, object]) -> bool:
        """Ask for a move until it is answered, by the socket or by a request; whether it was made."""
        if random.random() < 0.5:
            try:
                if await person.by_socket(self.path, form):
                    return True
            except Lost:
                self.told.asked_again += 1
                await person.leave()
        return (await person.insist(self.told, "POST", f"{self.path}/moves", form)).status == 303


@contextmanager
def database(home: str, postgresql: bool) -> Iterator[PostgreSQL | None]:
    """The database of a site with that home, in the environment of this process and its children."""
    Path(home, "cache").symlink_to(folders.cache_folder().resolve(), target_is_directory=True)
    with patch.dict(os.environ, ATOLL_HOME=home):
        os.environ.pop("ATOLL_DATABASE_URL", None)
        if not postgresql:
            yield None
            return
        with closing(PostgreSQL()) as server:
            os.environ["ATOLL_DATABASE_URL"] = server.new_database()
            yield server


def kill_in(server: PostgreSQL) -> None:
    """Kill one of the database's processes: all of them then end, and begin anew from what is on the disk."""
    with suppress(ProcessLookupError):
        os.kill(random.choice(children(server.process)), signal.SIGKILL)


@asynccontextmanager
async def killing(
    fleet: Fleet, server: PostgreSQL | None, told: Told, every: float, most: int
) -> AsyncIterator[None]:
    """Kill one process after another meanwhile, each when all serve."""

    async def kill() -> None:
        while told.kills + told.database_kills < most:
            await asyncio.sleep(random.uniform(0.5, 1.5) * every)
            await fleet.started()
            if server is not None and random.random() < 0.2:
                kill_in(server)
                told.database_kills += 1
            else:
                fleet.kill(random.randrange(len(fleet.processes)))
                told.kills += 1
            told.moved.set()

    task = asyncio.create_task(kill())
    try:
        yield
    finally:
        task.cancel()


async def until(told: Told, games: int, kills: int) -> None:
    """Wait for so many games played to their end, and kills."""
    while told.games < games or told.kills + told.database_kills < kills:
        await told.moved.wait()
        told.moved.clear()


async def play(
    fleet: Fleet, server: PostgreSQL | None, tables: int, every: float, most: int, enough: End
) -> Told:
    """Play and kill until it is enough, then compare; raises Broken."""
    told = Told()
    async with RoundRobin(fleet.ports) as proxy:
        await Person(proxy.port, 0).insist(told, "GET", "/readyz")
        checks = Checks(Store(open_engine(database_url())))
        clocks = ("none", "decision:60", "player:600+10")
        playing = [Table(proxy.port, checks, told, clocks[place % len(clocks)]) for place in range(tables)]
        tasks = [asyncio.create_task(table.play()) for table in playing]
        async with killing(fleet, server, told, every, most):
            tasks.append(asyncio.create_task(enough(told)))
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for task in done:
            task.result()
        for table in playing:
            for person in table.people:
                await person.leave()
        for table_id in list(checks.moves):
            await look_again(checks, table_id)
        checks.store.engine.dispose()
    return told


async def look_again(checks: Checks, table_id: str) -> None:
    """Compare a table once more, when the database answers again; raises Broken."""
    for _ in range(100):
        try:
            checks.look(table_id)
            return
        except Broken:
            raise
        except Exception:
            await asyncio.sleep(0.2)
    raise Broken("the database does not answer any more")


@contextmanager
def at_home(home: str, postgresql: bool) -> Iterator[PostgreSQL | None]:
    """The game in the catalogue, and the database, of a site with that home."""
    with (
        patch.object(sys, "path", [*sys.path, str(PROJECT / "src")]),
        patch.dict(games(), {}),
        database(home, postgresql) as server,
    ):
        games()[GAME] = import_module(GAME).game
        yield server


def chaos(postgresql: bool, processes: int, tables: int, every: float, most: int, enough: End) -> Told:
    """Chaos at a site of its own, until it is `enough`; raises Broken for what is lost or doubled."""
    with (
        tempfile.TemporaryDirectory(
            ignore_cleanup_errors=True
        ) as home,  # a process that was killed may yet end
        at_home(home, postgresql) as server,
        closing(Fleet(home, processes)) as fleet,
    ):
        return asyncio.run(play(fleet, server, tables, every, most, enough))


def has_postgresql() -> bool:
    """Whether PostgreSQL's programs are installed."""
    try:
        return bool(program("initdb"))
    except AssertionError:
        return False


def main() -> None:
    """Play, kill and print."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak chaos",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--every", type=float, default=8.0, help="seconds between two kills, on the average")
    parser.add_argument("--sqlite", action="store_true", help="although PostgreSQL is installed")
    parser.add_argument("--seed", type=int, help="of moves and of who is killed; not of when: time is real")
    settings = parser.parse_args()
    random.seed(settings.seed)
    postgresql = has_postgresql() and not settings.sqlite
    try:
        told = chaos(
            postgresql,
            settings.processes,
            settings.tables,
            settings.every,
            MOST,
            lambda _: asyncio.sleep(settings.minutes * 60),
        )
    except Broken as broken:
        print(f"broken: {broken}")
        sys.exit(1)
    waits = sorted(told.waits)
    print(
        f"{'PostgreSQL' if postgresql else 'SQLite'}, {settings.processes} web processes, {told.games} whole games"
    )
    print(f"{told.kills} web processes and {told.database_kills} of the database killed")
    print(f"{len(waits)} moves acknowledged, none lost or doubled; asked again {told.asked_again} times")
    print(
        f"from a move to its acknowledgement: median {statistics.median(waits) * 1000:.0f} ms, "
        f"p95 {waits[len(waits) * 95 // 100] * 1000:.0f} ms, longest {waits[-1]:.1f} s"
    )


if __name__ == "__main__":
    main()
