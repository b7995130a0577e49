"""A site on PostgreSQL, served by several processes (docs/operate.md)."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import make_url, text
from sqlalchemy.exc import DBAPIError
from websockets.sync.client import connect

import atoll.web.store.component_sets  # noqa: F401, its tables
from atoll.web.live.changes import changes
from atoll.web.live.watched_tables import WatchedTables
from atoll.web.pages.move_confirmation import AT_ONCE
from atoll.web.store import engine, migrations
from atoll.web.store.engine import open_engine, writing
from atoll.web.store.leases import leases_in
from atoll.web.store.migrations import migrate
from atoll.web.store.schema import metadata
from atoll.web.store.store import Answer, Overtaken, SeatRow, Store
from tests.postgresql import PostgreSQL
from tests.site import StartServer, free_port
from tests.web.conftest import Page
from tests.web.test_store import Visitor, lines_of_log, row


@pytest.fixture(scope="module")
def postgresql() -> Iterator[PostgreSQL]:
    """A server."""
    found = PostgreSQL()
    yield found
    found.close()


@pytest.fixture
def new_store(postgresql: PostgreSQL) -> Iterator[Callable[[], Store]]:
    """Opens stores of one new database, as processes do."""
    address = postgresql.new_database()
    opened: list[Store] = []

    def open_one() -> Store:
        opened.append(Store(open_engine(make_url(address))))
        migrate(opened[-1].engine)
        return opened[-1]

    yield open_one
    for store in opened:
        store.engine.dispose()


def test_migrations_lead_to_the_same_tables_as_on_sqlite(postgresql: PostgreSQL) -> None:
    """From the first revision to the last, one after another."""
    opened = open_engine(make_url(postgresql.new_database()))
    for revision in migrations.revisions():
        migrate(opened, revision)
    with opened.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    opened.dispose()


def test_of_two_moves_at_once_one_is_kept(new_store: Callable[[], Store]) -> None:
    one, other = new_store(), new_store()
    one.make_table(row(), [SeatRow(0, "me"), SeatRow(1, "you")])
    one.append("t", 0, 0, [Answer(0, 0, {"do": "this"})], 1)
    with pytest.raises(Overtaken):
        other.append("t", 0, 0, [Answer(1, 0, {"do": "that"})], 1)
    contents = other.read("t")
    assert contents is not None
    assert [answer.move["do"] for answer in contents.moves] == ["this"]


def test_a_change_is_told_to_every_process_as_soon_as_it_is_kept(new_store: Callable[[], Store]) -> None:
    """And what was kept while nobody listened is found out at the beginning; nobody is told of what was not kept."""
    here, there = new_store(), new_store()
    here.make_table(row(), [SeatRow(0, "me"), SeatRow(1, "you")])
    watched = WatchedTables()

    async def hear() -> list[dict[str, int]]:
        watched.watch("t", "me")
        told = changes(here, watched)
        first = await anext(told)
        with pytest.raises(Overtaken):
            await asyncio.to_thread(there.change, "t", 7, {"pace": "slow"})
        await asyncio.to_thread(there.change, "t", 0, {"pace": "fast"})
        second = await anext(told)
        await told.aclose()
        return [dict(first), dict(second)]

    assert asyncio.run(asyncio.wait_for(hear(), 60)) == [{"t": 0}, {"t": 1}]


def test_one_process_lets_the_bots_of_a_table_move_and_another_once_it_has_died(
    new_store: Callable[[], Store],
) -> None:
    one, other = (leases_in(new_store().engine) for _ in range(2))
    assert one.take("t")
    assert not other.take("t")
    assert other.take("another table")
    with new_store().engine.connect() as connection:  # all of both are killed
        connection.execute(text("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"))
    for turns in (one, other):
        with pytest.raises(DBAPIError):
            turns.take("t")
    assert other.take("t")
    assert not one.take("t")
    other.give_back("t")
    assert one.take("t")
    one.close()
    other.close()


def test_who_reads_begins_no_transaction(new_store: Callable[[], Store]) -> None:
    """Each statement is one round trip; who changes something does it in one transaction."""
    store = new_store()
    for opened, state in ((store.engine.connect(), "IDLE"), (writing(store.engine), "INTRANS")):
        with opened as connection:
            connection.execute(text("SELECT 1"))
            driver: Any = connection.connection.driver_connection
            assert driver.info.transaction_status.name == state


def test_a_connection_that_is_gone_is_replaced_before_it_is_used(
    new_store: Callable[[], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a restart of the database; it is tried if it has not been used for a moment."""
    monkeypatch.setattr(engine, "FRESH", 0.0)
    store, other = new_store(), new_store()
    store.make_table(row(), [SeatRow(0, "me"), SeatRow(1, "you")])
    with other.engine.connect() as connection:
        others = text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
        connection.execute(others)
    assert store.version("t") == 0


@pytest.fixture
def shared(postgresql: PostgreSQL, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home whose database is on PostgreSQL."""
    monkeypatch.setenv("ATOLL_DATABASE_URL", postgresql.new_database())
    return tmp_path


def test_people_and_bots_go_on_at_another_process_when_one_is_killed(
    start_server: StartServer, shared: Path
) -> None:
    """In the same browsers: they play in turns at two processes, then at the one that is left. So do the bots of a
    table that moved at the killed one.
    """
    servers = [start_server(shared, "costa-ruana"), start_server(shared, "costa-ruana")]
    first, last = (server.address for server in servers)
    people = Visitor(), Visitor()
    for who in people:
        who.get(first)
        who.get(f"{first}/pressing?to={AT_ONCE}")
    table = {"game": "costa-ruana", "players": "2"}
    path = people[0].post(f"{first}/tables", {**table, "seat0": "me", "seat1": "friend"})[len(first) :]
    people[1].post(f"{last}{path}/seats", {"seat": "1"})
    bots = people[0].post(f"{first}/tables", {**table, "pace": "calm"})[len(first) :]
    for number in range(4):
        if number == 2:
            hand = next(form for form in Page(people[0].get(first + bots)).forms if form.id == "change-0")
            people[0].post(first + hand.action, {**hand.data, "bot": "random"})
            servers[0].kill()
        here = last if number >= 2 else servers[number].address
        before = lines_of_log(people[0].get(here + path))
        pages = [(who, Page(who.get(here + path))) for who in people]
        mover, form = next((who, page.moves[0]) for who, page in pages if page.moves)
        mover.post(here + form.action, form.data)
        assert lines_of_log(people[0].get(here + path))[: len(before)] == before
        assert lines_of_log(people[0].get(here + path)) != before
    with connect(f"{(last + bots).replace('http', 'ws', 1)}/live?version=0") as socket:
        shown = [socket.recv(timeout=60) for _ in range(3)]
    assert len(set(shown)) == 3
    assert servers[1].stop() == 0


def test_several_processes_share_one_address_and_one_may_die(shared: Path, tmp_path: Path) -> None:
    """They log as they are told to."""
    start = "from atoll.commands.main import main; main()"
    command = [sys.executable, "-c", start, "serve", "--processes", "2", "--port", str(free_port())]
    command += ["--log", "json"]
    environment = dict(os.environ, ATOLL_HOME=str(shared), PYTHONUNBUFFERED="1")
    with (
        Path(tmp_path, "log").open("w+") as log,
        subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True
        ) as running,
    ):
        try:
            assert running.stdout is not None
            address = running.stdout.readline().split()[3].rstrip("/")
            assert answers(address)
            first = children(running.pid)
            assert len(first) == 2
            os.kill(first[0], signal.SIGKILL)
            for _ in range(5):
                assert answers(address)
            running.send_signal(signal.SIGINT)
            assert running.wait(100) == 0
            log.seek(0)
            lines = log.read().splitlines()
            assert [line for line in lines if not line.startswith("{")] == []
            assert {json.loads(line)["route"] for line in lines} == {"/healthz"}
        finally:
            with suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)


def answers(address: str) -> bool:
    """Whether the site answers: a connection waits until one of its processes takes it."""
    with urlopen(f"{address}/healthz", timeout=120) as answer:
        return bool(answer.read() == b"ok\n")


def children(process: int) -> list[int]:
    """The processes that serve, of those that a process has started."""
    found = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    serving = [int(child) for child in found if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]
    return sorted(serving)
