"""The simulated database: SQLite itself, with faults before and after a commit, turns, and what processes are told."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.engine import URL, Connection
from sqlalchemy.exc import OperationalError

from atoll.web.live.changes import versions_now
from atoll.web.live.watched_tables import WatchedTables
from atoll.web.store.engine import open_engine
from atoll.web.store.leases import Leases
from atoll.web.store.site_time import SiteTime
from atoll.web.store.store import Store
from tests.soak.simulation.world import Machine, World, park


@dataclass
class Faults:
    """How often what goes wrong, of one; nothing while they are not `on`."""

    refused: float = 0.03
    """changes that the database refuses before it makes them"""
    unanswered: float = 0.03
    """changes that are made, and of which the process hears nothing"""
    slow: float = 0.2
    """changes that take up to seconds, before or after"""
    deaf: float = 0.02
    """changes after which a process is told nothing more until it connects anew"""
    deadly: float = 0.005
    """changes before or after which the process dies"""
    hanging: float = 0.3
    """webhooks that do not answer"""
    on: bool = True


class Database:
    """What all processes share."""

    def __init__(self, world: World, folder: Path, faults: Faults) -> None:
        self.world = world
        self.url = URL.create("sqlite", database=str(folder / "atoll.sqlite"))
        self.faults = faults
        self.holders: dict[str, Machine] = {}
        self.feeds: list[Feed] = []
        self.committed: Callable[[str], None] = lambda table_id: None
        """told of each table that was changed, at once"""
        self.sent = 0
        """to webhooks"""
        self.hung = 0
        """of those, how many did not answer"""
        self.full_until = 0.0
        """the disk is full so long, in seconds that only pass"""

    def engine(self) -> Engine:
        """Connections of one process; nothing is lost when this machine's own power is."""
        engine = open_engine(self.url)

        @event.listens_for(engine, "connect")
        def hurry(connection: Any, _: Any) -> None:
            connection.execute("PRAGMA synchronous=OFF")

        @event.listens_for(engine, "before_cursor_execute")
        def write(_: Any, __: Any, statement: str, *___: Any) -> None:
            is_full = self.faults.on and self.world.steady() < self.full_until
            if is_full and statement.lstrip()[:6].upper() in ("INSERT", "UPDATE", "DELETE"):
                raise problem("database or disk is full")

        return engine

    def happens(self, rate: float) -> bool:
        """Whether one of these faults happens now."""
        return self.faults.on and self.world.chance.random() < rate

    def wait(self) -> None:
        """Take a while, sometimes a long one."""
        chance = self.world.chance
        park(chance.uniform(0, 6) if self.happens(self.faults.slow) else chance.uniform(0, 0.02))

    def tell(self, table_id: str, version: int) -> None:
        """Tell all processes of a change, each in its time: late, twice, out of order."""
        for feed in list(self.feeds):
            for _ in range(2 if self.happens(0.1) else 1):
                late = self.world.chance.uniform(0, 5 if self.happens(0.2) else 0.05)
                self.world.loop.call_later(late, feed.put, {table_id: version})
            if self.happens(self.faults.deaf):
                feed.put(None)


def problem(said: str) -> OperationalError:
    """What SQLAlchemy raises where the database fails."""
    return OperationalError("a change", {}, Exception(said))


class SimulatedStore(Store):
    """The store of one process."""

    def __init__(self, database: Database, machine: Machine) -> None:
        super().__init__(database.engine())
        self.database = database
        self.machine = machine
        self.time = SiteTime(self.engine, database.world.wall, database.world.steady)

    @contextmanager
    def _changing(self, table_id: str, version: int, **values: Any) -> Iterator[Connection]:
        self._before()
        with super()._changing(table_id, version, **values) as connection:
            yield connection
        self._after(table_id, version + 1)

    def _before(self) -> None:
        self.database.wait()
        self._may_die()
        if self.machine.dead or self.database.happens(self.database.faults.refused):
            raise problem("database is locked")

    def _after(self, table_id: str, version: int) -> None:
        self.database.committed(table_id)
        self.database.tell(table_id, version)
        self._may_die()
        self.database.wait()
        if self.database.happens(self.database.faults.unanswered):
            raise problem("the connection was lost before the answer came")

    def _may_die(self) -> None:
        """Around a change the process may die."""
        if self.database.happens(self.database.faults.deadly):
            self.machine.die()


class SimulatedTurns(Leases):
    """A lock for each table, which goes with its process."""

    def __init__(self, database: Database, machine: Machine) -> None:
        self.database = database
        self.machine = machine

    def take(self, table_id: str) -> bool:
        """Whether this process lets the table's bots move from now on."""
        if self.database.happens(self.database.faults.refused):
            raise problem("the connection was lost")
        holder = self.database.holders.get(table_id)
        if holder is None or holder.dead:
            self.database.holders[table_id] = self.machine
        return self.database.holders[table_id] is self.machine

    def give_back(self, table_id: str) -> None:
        """Let another process."""
        if self.database.holders.get(table_id) is self.machine:
            del self.database.holders[table_id]


class Feed:
    """What a process is told of changes, until its connection is lost."""

    def __init__(self) -> None:
        self._told: asyncio.Queue[Mapping[str, int] | None] = asyncio.Queue()

    def put(self, told: Mapping[str, int] | None) -> None:
        """Tell of a change; None: the connection is lost."""
        self._told.put_nowait(told)

    async def hear(
        self, database: Database, store: Store, watched: WatchedTables
    ) -> AsyncGenerator[Mapping[str, int], None]:
        """What is told, as `changes` gives it."""
        database.feeds.append(self)
        try:
            yield await versions_now(store, watched)
            watched.is_notified = True
            while (told := await self._told.get()) is not None:
                yield told
        finally:
            watched.is_notified = False
            database.feeds.remove(self)
        raise ConnectionError("the connection was lost")
