"""Going on: bots and the watcher of other processes after a database error, and rest where nobody looks."""

import asyncio
import logging
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import URL, Engine, event
from sqlalchemy.exc import DBAPIError

from atoll.web.live import bot_moves, changes
from atoll.web.serving.site import Site
from atoll.web.serving.sockets import OpenPage
from atoll.web.store import backoff
from atoll.web.store.backoff import LONGEST, Backoff
from atoll.web.store.engine import open_engine
from atoll.web.store.migrations import migrate
from atoll.web.store.store import SeatRow, Store
from atoll.web.table import tables
from atoll.web.table.table import Table
from tests.web.conftest import Browser, QuietTable, within_a_minute
from tests.web.refusing import before_each_statement, impatient, locked
from tests.web.test_store import row

TableAt = Callable[[str], Table]
BOTS = {"game": "signs", "players": "2", "seat0": "bot:random", "seat1": "bot:random"}


class Failures(logging.Handler):
    """The log's lines about failures after which something goes on."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[logging.LogRecord] = []
        self.came = threading.Semaphore(0)

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record)
        self.came.release()

    def wait(self, count: int) -> None:
        """Wait for so many more."""
        for _ in range(count):
            assert self.came.acquire(timeout=60)


@pytest.fixture
def failures() -> Iterator[Failures]:
    """What is logged of failures while a test runs."""
    found = Failures()
    logging.getLogger(backoff.__name__).addHandler(found)
    yield found
    logging.getLogger(backoff.__name__).removeHandler(found)


@contextmanager
def locked_for_readers(engine: Engine) -> Iterator[None]:
    """Another program has the database to itself."""
    for _ in range(1000):
        engine.dispose()
        with closing(sqlite3.connect(str(engine.url.database), isolation_level=None)) as other:
            other.execute("PRAGMA locking_mode=EXCLUSIVE")
            try:
                other.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError:  # while somebody reads
                continue
            yield
            return
    raise AssertionError("somebody reads all the time")


@contextmanager
def unreadable(engine: Engine, table_id: str) -> Iterator[None]:
    """What is asked of that table alone fails."""

    def fail(_: object, statement: str, parameters: Any) -> None:
        if table_id in parameters and "IN (" not in statement:
            raise sqlite3.OperationalError("disk I/O error")

    with before_each_statement(engine, fail):
        yield


def quiet_path(browser: Browser, site: Site, **fields: str) -> str:
    """A table at which the bots still sit still."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(site.bots, "wake", lambda table: None)
        return browser.make_table(**fields)


def test_a_bot_goes_on_by_itself_once_the_database_can_be_written(
    site: Site, browser: Browser, table_at: TableAt, failures: Failures
) -> None:
    """Nobody looks meanwhile; the log has a line for each failure."""
    path = quiet_path(browser, site, **BOTS)
    table = table_at(path)
    with impatient(site.store.engine):
        with locked(site.store.engine):
            browser.get(path)
            failures.wait(2)
            assert not table.timeline.answers
        asyncio.run(within_a_minute(lambda: table.timeline.answers))
    mine = [line for line in failures.lines if table.row.id in line.getMessage()]
    assert all("database is locked" in line.getMessage() for line in mine)
    assert not any(line.exc_info for line in mine)


def test_what_fails_again_and_again_is_tried_ever_less_often(
    monkeypatch: pytest.MonkeyPatch, failures: Failures
) -> None:
    """Until something succeeds; the first time the log tells where it was.

    The bots of other tests' tables may fail meanwhile: they wait as ever, and what is logged of them is not counted.
    """
    waits: list[float] = []
    here = threading.current_thread()

    async def sleep(seconds: float) -> None:
        if threading.current_thread() is here:
            waits.append(seconds)
        else:
            await asyncio.sleep(seconds)

    monkeypatch.setattr(backoff, "sleep", sleep)

    async def fail(found: Backoff, times: int) -> None:
        for _ in range(times):
            await found.wait(ValueError("no\nmore"))

    tried = Backoff("it did not work")
    asyncio.run(fail(tried, 20))
    limits = [min(LONGEST, 0.5 * 2**number) for number in range(20)]
    assert all(limit / 2 <= seconds <= limit for seconds, limit in zip(waits, limits, strict=True))
    assert len({seconds / limit for seconds, limit in zip(waits, limits, strict=True)}) > 10
    tried.succeeded()
    asyncio.run(fail(tried, 1))
    assert waits[-1] <= 0.5
    lines = [
        line for line in failures.lines if "it did not work: ValueError: no; tried again" in line.getMessage()
    ]
    assert [bool(line.exc_info) for line in lines] == [True, *[False] * 19, True]


def test_an_open_page_is_told_once_the_database_can_be_read(
    site: Site, browser: Browser, table_at: TableAt, failures: Failures, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is asked meanwhile is not answered on the socket, so that the page asks in another way."""
    monkeypatch.setattr(backoff, "FIRST", 0.05)
    refused, reply = threading.Event(), OpenPage._reply

    async def noting(page: OpenPage, *asked: Any) -> None:
        try:
            await reply(page, *asked)
        except DBAPIError:
            refused.set()
            raise

    monkeypatch.setattr(OpenPage, "_reply", noting)
    path = quiet_path(browser, site, game="signs", players="2", seat1="friend")
    table = table_at(path)
    other = Store(open_engine(site.store.engine.url))
    with browser.client.websocket_connect(f"{path}/live?version={table.version}") as page:
        with unreadable(site.store.engine, table.row.id):
            other.change(table.row.id, table.version, {"pace": "fast"})
            page.send_text("7 0 ?")
            assert refused.wait(60)
            failures.wait(2)
        assert page.receive_text().startswith("0\n")
        page.send_text("8 0 ?")
        assert page.receive_text().startswith("8\n")
    other.engine.dispose()


# Other processes


@pytest.fixture
def quick_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    """The watcher looks often, and tries again soon."""
    monkeypatch.setattr(changes, "WAL_POLL", 0.01)
    monkeypatch.setattr(changes, "WAL_POLLS", 1)
    monkeypatch.setattr(backoff, "FIRST", 0.01)


@pytest.fixture
def of_two_processes(tmp_path: Path) -> tuple[Site, Store]:
    """A site with table "t", and the store of another process."""
    url = URL.create("sqlite", database=str(tmp_path / "atoll.sqlite"), query={"timeout": "0"})
    here, there = Store(open_engine(url)), Store(open_engine(url))
    migrate(here.engine)
    here.make_table(row(), [SeatRow(0, "me"), SeatRow(1, "you")])
    return Site(here), there


def test_what_another_process_writes_to_sqlite_is_seen_at_a_glance(
    of_two_processes: tuple[Site, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Long before the versions would be looked at anyway."""
    monkeypatch.setattr(changes, "WAL_POLL", 0.01)
    monkeypatch.setattr(changes, "WAL_POLLS", 100_000)
    found, there = of_two_processes

    async def watch() -> None:
        watched = found.watched.watch("t", "me")
        watching = asyncio.create_task(found.watch())
        await asyncio.sleep(0)
        await asyncio.to_thread(there.change, "t", 0, {"pace": "fast"})
        async with asyncio.timeout(20):
            while watched.version < 1:
                await watched.event.wait()
        watching.cancel()

    asyncio.run(watch())


def test_the_watcher_goes_on_once_the_database_can_be_read(
    of_two_processes: tuple[Site, Store], quick_watch: None, failures: Failures
) -> None:
    """And then tells of another process's move, even if somebody here has already seen it by looking."""
    found, there = of_two_processes

    async def watch() -> None:
        watched = found.watched.watch("t", "me")
        changed = watched.event
        watching = asyncio.create_task(found.watch())
        await asyncio.wait_for(changed.wait(), 60)
        with locked_for_readers(found.store.engine):
            await asyncio.to_thread(failures.wait, 3)
        changed = watched.event
        there.change("t", 0, {"pace": "fast"})
        await asyncio.wait_for(changed.wait(), 60)
        watching.cancel()

    asyncio.run(watch())
    assert all("database is locked" in line.getMessage() for line in failures.lines)


def test_watching_asks_for_versions_only(
    quiet_table: QuietTable, quick_watch: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """300 watched tables where nobody moves cost at most 5 % of a core (`bench.costs --idle`), also those that
    do not stay in memory."""
    monkeypatch.setattr(tables, "TABLES_KEPT", 2)
    watched = [quiet_table("signs") for _ in range(5)]
    store = watched[0].store
    statements: list[str] = []

    async def watch() -> None:
        found = Site(store)
        for table in watched:
            found.watched.watch(table.row.id, "me")
        event.listen(store.engine, "before_cursor_execute", lambda *given: statements.append(given[2]))
        watching = asyncio.create_task(found.watch())
        await within_a_minute(lambda: sum("IN (" in statement for statement in statements) > 3)
        watching.cancel()

    asyncio.run(watch())
    assert [statement for statement in statements if "IN (" not in statement and statement != "BEGIN"] == []


def test_a_table_that_is_used_is_the_same_for_all_who_use_it(
    quiet_table: QuietTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many others were looked at since; it is not read again."""
    monkeypatch.setattr(tables, "TABLES_KEPT", 1)
    used, other = quiet_table("signs"), quiet_table("signs")
    found = tables.Tables(used.store)
    held = found.find(used.row.id)
    found.find(other.row.id)
    statements: list[str] = []
    event.listen(used.store.engine, "before_cursor_execute", lambda *given: statements.append(given[2]))
    assert found.find(used.row.id) is held
    assert statements == []
    assert len(found._used) == 1


# Who waits for bots


def test_bots_rest_where_nobody_looks(
    site: Site, browser: Browser, table_at: TableAt, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their cores are for those who wait; they go on as soon as somebody looks, and where somebody plays."""
    monkeypatch.setattr(bot_moves, "LINGER", 0)
    path = quiet_path(browser, site, **BOTS, pace="fast")
    table = table_at(path)
    browser.get(path)
    assert browser.client.portal is not None
    browser.client.portal.call(within_a_minute, lambda: table.row.id not in site.bots._tasks)
    assert not table.timeline.answers
    with ExitStack() as open_pages:
        page = open_pages.enter_context(browser.client.websocket_connect(f"{path}/live?version=0"))
        while not table.timeline.answers:
            page.receive_text()
    played = table_at(quiet_path(browser, site, game="signs", players="2", seat1="bot:random"))
    browser.client.portal.call(site.bots.wake, played)
    asyncio.run(within_a_minute(lambda: 1 not in played.timeline.to_act))
