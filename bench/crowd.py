"""How many tables that people play at can a site carry at once?

`python -m bench.crowd --tables 1000 --think 10 --processes 2`.

A site of so many processes, on PostgreSQL where it is installed and on SQLite otherwise. At each table sit two people,
each with a page open by a socket of its own; the games are somewhere between their starts and their ends. Whoever has
to decide thinks for a random time (exponentially distributed, with a mean of `--think` seconds) and plays a random
move; a table whose game has ended begins another. Counting begins when everybody has had so long to think once.

With `--attackers 50` so many others come after that, each with a fresh cookie for each request: they make tables that
all may join, try moves out, queue comparisons and test webhooks at names that do not exist. They come from this machine
itself, which no bound by address holds back. Moves are counted once more meanwhile, and compared.

Prints how many moves a second were made, how long they waited from being sent to being answered, how much memory the
site's processes had together, and for how much of a core they, the database and the clients worked.
"""

import argparse
import asyncio
import random
import resource
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from websockets.asyncio.client import ClientConnection, connect

from atoll.core.catalogue import find_game
from atoll.core.types import Json
from atoll.web.store.database import open_store
from atoll.web.store.store import Answer, Store
from atoll.web.table.table import bits
from bench.restart import SEATS, cookie_of, table_of
from tests.site_process import children, cpu_seconds, family_seconds, resident, server
from tests.soak.chaos import Lost, ask, database, has_postgresql
from tests.soak.simulation.checks import form_of
from tests.soak.simulation.page import NOTICE

if TYPE_CHECKING:
    from atoll.core.game import Position

AT_ONCE = 20
"""Tables whose pages are opened at the same time."""
PATIENCE = 60.0
"""Seconds for an answer."""
RESTS = 0.03
"""Seconds that the site uses a core at most in each of three when it has made everything ready."""


@dataclass
class Told:
    """What happened since it counts."""

    counts: bool = False
    waits: list[float] = field(default_factory=list)
    """seconds from each move's being sent to its answer"""
    games: int = 0
    """that were played to their end"""
    calm: list[float] = field(default_factory=list)
    """the same waits before attackers came"""
    attacks: Counter[str] = field(default_factory=Counter)
    """requests of attackers, by what they asked for and the status"""


class Person:
    """Somebody with a page open. What it is sent is read no further than needed: who plays knows the rules."""

    def __init__(self, browser: str, told: Told) -> None:
        self.browser = browser
        self.cookie = cookie_of(browser)
        self.told = told

    async def open(self, address: str, decisions: int) -> None:
        """Open the page of a table at which this person has decided so often, and hear what it is sent from now on."""
        self.decisions = decisions
        page = self._awaited("0")
        while True:
            with suppress(*Lost):
                self.socket: ClientConnection = await connect(
                    address, additional_headers={"Cookie": self.cookie}, max_size=None, compression=None
                )
                break
            await asyncio.sleep(1)
        self.hearing = asyncio.create_task(self._hear())
        await page

    def _awaited(self, number: str) -> asyncio.Future[str]:
        """The next message of that number."""
        self.number, self.answer = number, asyncio.get_running_loop().create_future()
        return self.answer

    async def _hear(self) -> None:
        async for text in self.socket:
            if str(text).startswith(f"{self.number}\n") and not self.answer.done():
                self.answer.set_result(str(text))

    async def decide(self, move: Json, think: float) -> None:
        """Think, and make a move."""
        await asyncio.sleep(random.expovariate(1 / think))
        answer, began = self._awaited("1"), time.perf_counter()
        await self.socket.send(f"1 0 moves?{urlencode(form_of(self.decisions, move), doseq=True)}")
        async with asyncio.timeout(PATIENCE):
            shown = await answer
        if self.told.counts:
            self.told.waits.append(time.perf_counter() - began)
        if NOTICE in shown:
            raise SystemExit(f"the move {move} was refused: {shown[shown.index(NOTICE) :][:200]}")
        self.decisions += 1

    async def close(self) -> None:
        """Close the page."""
        self.hearing.cancel()
        await self.socket.close()


class Table:
    """A table at which one game is played after another, and its position, which is known here as it is there."""

    def __init__(self, store: Store, game: str, number: int, told: Told) -> None:
        self.store = store
        self.game = game
        self.people = [Person(f"table-{number}-seat-{seat}", told) for seat in range(SEATS)]
        self.told = told
        self.make()
        self.play_some()

    def make(self) -> None:
        """Make the table."""
        row = table_of(self.store, self.game, [person.browser for person in self.people])
        self.id = row.id
        self.decisions = [0] * SEATS
        """that each seat has taken"""
        self.position: Position = find_game(self.game).start(
            row.players, int(row.seed, 16), None, row.options, keyed=row.keyed
        )

    def play_some(self) -> None:
        """Bring the game to somewhere between its start and its end."""
        turns, end = list[dict[int, Json]](), self.position.copy()
        while not end.is_over:
            turns.append(any_moves(end))
            carry_out(end, turns[-1])
        answers = []
        for moves in turns[: random.randrange(len(turns))]:
            answers += [Answer(seat, self.decisions[seat], move) for seat, move in moves.items()]
            carry_out(self.position, moves)
            for seat in moves:
                self.decisions[seat] += 1
        if answers:
            self.store.append(self.id, 0, 0, answers, bits(self.position.to_act))

    async def open(self, address: str) -> None:
        """Open everybody's page."""
        live = f"{address.replace('http', 'ws', 1)}/tables/{self.id}/live?version=-1"
        for person, decisions in zip(self.people, self.decisions, strict=True):
            await person.open(live, decisions)

    async def play(self, address: str, think: float) -> None:
        """Play for ever."""
        while True:
            while not self.position.is_over:
                moves = any_moves(self.position)
                await asyncio.gather(*(self.people[seat].decide(move, think) for seat, move in moves.items()))
                carry_out(self.position, moves)
            self.told.games += self.told.counts
            for person in self.people:
                await person.close()
            await asyncio.to_thread(self.make)
            await self.open(address)


async def attack(address: str, game: str, number: int, told: Told) -> None:
    """Ask for ever for what others have to wait for, with a fresh cookie each time."""
    port, asked = int(address.rpartition(":")[2]), 0
    while True:
        asked += 1
        cookie = cookie_of(f"attacker-{number}-{asked}")

        async def send(name: str, path: str, form: dict[str, str], cookie: str = cookie) -> str:
            try:
                answer = await ask(port, "POST", path, cookie, form)
            except Lost:
                told.attacks[f"{name} unanswered"] += 1
                return ""
            told.attacks[f"{name} {answer.status}"] += 1
            return answer.headers.get("location", "")

        await send("webhook", "/telling/webhook", {"webhook": f"https://hook-{number}-{asked}.invalid/"})
        shown = {"game": game, "players": "2", "seat1": "friend", "public": "yes"}
        if table := await send("table", "/tables", shown):
            await send("try", f"{table}/try/anew", {})
        if made := await send("set", f"/games/{game}/workshop", {"name": "A"}):
            await send("change", f"{made}/rename", {"revision": "0", "name": "B"})
            await send("comparison", f"{made}/trial", {"games": "1000", "players": "2"})


def any_moves(position: "Position") -> dict[int, Json]:
    """Random moves, by seat, of all who decide at once, or of the one who decides next."""
    seats = position.to_act
    if not position.game.rules.replaceable(position.state):
        seats = seats[:1]
    return {seat: random.choice(list(position.view(seat).legal_moves())) for seat in seats}


def carry_out(position: "Position", moves: dict[int, Json]) -> None:
    """Play them as the site does once it has them all."""
    for seat, move in moves.items():
        position.play(seat, move)


@dataclass
class Used:
    """For how many seconds the site's processes, the database's and this one have used a core."""

    site: list[float]
    database: float
    clients: float
    at: float

    @classmethod
    def now(cls, site: Sequence[int], database: int | None) -> "Used":
        """Until now."""
        used = [cpu_seconds(process) for process in site]
        database_seconds = 0.0 if database is None else family_seconds(database)
        return cls(used, database_seconds, time.process_time(), time.monotonic())

    def __str__(self) -> str:
        each = ", ".join(f"{seconds / self.at:.2f}" for seconds in self.site)
        return (
            f"cores: the site's processes {each}; the database {self.database / self.at:.2f}; "
            f"the clients {self.clients / self.at:.2f}"
        )

    def since(self, before: "Used") -> "Used":
        """From then to this."""
        site = [after - used for after, used in zip(self.site, before.site, strict=True)]
        return Used(site, self.database - before.database, self.clients - before.clients, self.at - before.at)


async def rests(processes: Sequence[int]) -> None:
    """Wait until the site has made everything ready."""
    quiet = 0
    while quiet < 3:
        used = Used.now(processes, None)
        await asyncio.sleep(1)
        quiet = quiet + 1 if sum(Used.now(processes, None).since(used).site) < RESTS else 0


async def play(
    address: str,
    tables: list[Table],
    told: Told,
    settings: argparse.Namespace,
    site: list[int],
    database: int | None,
) -> Used:
    """Open all pages and play; gives what was used while it was counted."""
    limit = asyncio.Semaphore(AT_ONCE)

    async def open(table: Table) -> None:
        async with limit:
            await table.open(address)

    await rests(site)
    began = time.monotonic()
    await asyncio.gather(*map(open, tables))
    print(f"{SEATS * len(tables)} pages open after {time.monotonic() - began:.1f} s", flush=True)
    tasks = [asyncio.create_task(table.play(address, settings.think)) for table in tables]
    await asyncio.wait(tasks, timeout=settings.think, return_when=asyncio.FIRST_COMPLETED)
    before, told.counts = Used.now(site, database), True
    done, _ = await asyncio.wait(tasks, timeout=settings.seconds, return_when=asyncio.FIRST_COMPLETED)
    used, told.counts = Used.now(site, database).since(before), False
    if settings.attackers and not done:
        told.calm, told.waits = told.waits, []
        attacks = (attack(address, settings.game, number, told) for number in range(settings.attackers))
        tasks += [asyncio.create_task(one) for one in attacks]
        await asyncio.wait(tasks, timeout=settings.think, return_when=asyncio.FIRST_COMPLETED)
        told.counts = True
        done, _ = await asyncio.wait(tasks, timeout=settings.seconds, return_when=asyncio.FIRST_COMPLETED)
        told.counts = False
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()
    return used


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.crowd",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--think", type=float, default=10.0, help="seconds, on the average")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=120.0, help="for which is counted")
    parser.add_argument("--attackers", type=int, default=0, help="who come after that, for as long")
    parser.add_argument("--game", default="costa-ruana")
    parser.add_argument("--sqlite", action="store_true", help="although PostgreSQL is installed")
    settings = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    told = Told()
    with (
        tempfile.TemporaryDirectory() as home,
        database(home, has_postgresql() and not settings.sqlite) as postgresql,
        server(home, processes=settings.processes) as (address, process),
    ):
        store = open_store()
        tables = [Table(store, settings.game, number, told) for number in range(settings.tables)]
        site = serving_in(process)
        kept = postgresql.process if postgresql else None
        used = asyncio.run(play(address, tables, told, settings, site, kept))
        memory = sum(map(resident, site))
        store.engine.dispose()
    waits = sorted(1000 * wait for wait in told.calm or told.waits)
    print(
        f"{'PostgreSQL' if postgresql else 'SQLite'}, {settings.processes} web processes, {settings.tables} tables of "
        f"{settings.game}: {len(waits)} moves, {len(waits) / settings.seconds:.1f} a second, {told.games} games ended"
    )
    print(in_short(waits))
    if told.calm:
        attacked = sorted(1000 * wait for wait in told.waits)
        print(f"with {settings.attackers} attackers: {len(attacked) / settings.seconds:.1f} moves a second")
        print(f"{in_short(attacked)}; p95 {late(attacked) / late(waits):.2f} times the former")
        print("attacks:", ", ".join(f"{what}: {count}" for what, count in sorted(told.attacks.items())))
    print(f"memory of the site's processes: {memory / 2**30:.2f} GiB")
    print(used)


def late(waits: list[float]) -> float:
    """The 95th percentile of sorted waits."""
    return waits[len(waits) * 95 // 100]


def in_short(waits: list[float]) -> str:
    """Sorted waits in milliseconds, in short."""
    return (
        f"from a move to its answer: median {statistics.median(waits):.1f} ms, p95 {late(waits):.1f} ms, "
        f"longest {waits[-1]:.0f} ms"
    )


def serving_in(process: int) -> list[int]:
    """A site's process and those that it has started."""
    return [process, *children(process)]


if __name__ == "__main__":
    main()
