"""A database that cannot be written to: everybody may look, and who decides is told that nothing was changed."""

import resource
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy.exc import (
    DatabaseError,
    DataError,
    IntegrityError,
    InterfaceError,
    InternalError,
    OperationalError,
    ProgrammingError,
)

from atoll.web.serving.site import Site, with_viewer
from atoll.web.store.engine import PATIENCE, aware
from atoll.web.store.store import Store, now
from atoll.web.store.write_errors import write_error
from atoll.web.table.move_choice import Fields, as_fields, fields_of
from atoll.web.table.table import Table
from tests.web.conftest import SCRIPT, Browser, QuietTable
from tests.web.refusing import impatient, locked, with_pragma


@pytest.fixture
def path(browser: Browser) -> str:
    """A table at which nobody has looked."""
    answer = browser.post(
        "/tables", {"game": "karuba", "players": "2", "seat1": "friend"}, follow_redirects=False
    )
    return str(answer.headers["location"])


def decide(browser: Browser, table: Table, path: str, **settings: Any) -> Any:
    """Choose a card."""
    move = fields_of(table.timeline.legal_moves(0)[0])
    return browser.post(f"{path}/moves", {"decision": "0", **move}, **settings)


def test_everybody_may_look_while_nothing_can_be_written(
    browser: Browser, site: Site, table_at: Callable[[str], Table], path: str
) -> None:
    """The page of a player, the record and the start page wait for nothing; a decision is refused in words."""
    with locked(site.store.engine):
        for address in (path, f"{path}/record", "/", path):
            began = time.monotonic()
            assert browser.get(address).status_code == 200
            assert time.monotonic() - began < PATIENCE
        table = table_at(path)
        with impatient(site.store.engine):
            for headers in ({}, SCRIPT):
                refused = decide(browser, table, path, headers=headers)
                assert refused.status_code == 503
                assert "Nothing was changed: another program is writing to Atoll’s database" in refused.text
                assert 'id="table"' in refused.text
            assert not table_at(path).timeline.choices
            move = {"decision": "0", **fields_of(table.timeline.legal_moves(0)[0])}
            assert "Nothing was changed" in browser.ask(path, "moves", move)
    assert decide(browser, table, path).status_code == 200
    assert list(table_at(path).timeline.choices) == [0]


def looks(table: Table) -> int:
    """Look at a table in a thread of its own, as everybody else does; returns its version then."""
    with ThreadPoolExecutor(1) as threads:
        looked = threads.submit(with_viewer, table, "somebody", lambda viewer: table.version)
        try:
            return looked.result(30)
        except TimeoutError:
            table.lock.release()  # or the thread would wait for ever
            raise


def choose(table: Table) -> Fields:
    """Choose the first seat's first card; returns the parts of the move."""
    fields: Fields = {name: (text,) for name, text in fields_of(table.timeline.legal_moves(0)[0]).items()}
    with table.lock:
        table.answer(0, 0, fields)
    return fields


def test_nobody_waits_behind_a_decision_that_waits_for_the_database(
    quiet_table: QuietTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who looks while it is being written sees the table before or after it, and it is carried out once."""
    table, versions = quiet_table("karuba"), []
    write = table.store.choose

    def choose_slowly(*given: Any) -> None:
        versions.append(looks(table))
        write(*given)
        versions.append(looks(table))

    monkeypatch.setattr(table.store, "choose", choose_slowly)
    fields = choose(table)
    assert versions == [0, 1]
    assert table.version == 1
    assert as_fields(fields_of(table.timeline.choices[0].move).items()) == fields


def test_who_overtakes_a_decision_that_waits_for_the_database_is_not_lost(
    quiet_table: QuietTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = quiet_table("karuba")
    write = table.store.choose

    def choose_late(name: str, version: int, *given: Any) -> None:
        if not version:
            table.store.change(name, version, {"pace": "slow"})
        write(name, version, *given)

    monkeypatch.setattr(table.store, "choose", choose_late)
    choose(table)
    assert (table.version, table.row.pace, list(table.timeline.choices)) == (2, "slow", [0])


def test_who_may_not_write_says_so(browser: Browser, site: Site, path: str) -> None:
    with with_pragma(site.store.engine, "query_only=ON"):
        assert browser.get(path).status_code == 200
        refused = browser.post("/tables", {"game": "karuba"})
    assert refused.status_code == 503
    assert "Nothing was changed: Atoll may not write to its database." in refused.text
    assert browser.post("/tables", {"game": "karuba"}).status_code == 200


def test_a_full_disk_is_called_so(browser: Browser, site: Site, path: str) -> None:
    """SQLite says the same of a file that may not grow."""

    def make() -> Any:
        return browser.post("/tables", {"game": "karuba"}, follow_redirects=False)

    with with_pragma(site.store.engine, "max_page_count=1"):
        refused = next(answer for answer in (make() for _ in range(200)) if answer.status_code != 303)
        assert refused.status_code == 503
        assert "the disk on which Atoll keeps its tables is full" in refused.text
        assert browser.get(path).status_code == 200
    assert make().status_code == 303


@contextmanager
def failing_writes() -> Iterator[None]:
    """The system fails every write to a file of this process, which SQLite takes for a broken disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_disk_that_fails_refuses_decisions_and_shows_all_that_it_has(
    browser: Browser, site: Site, table_at: Callable[[str], Table], path: str
) -> None:
    """By request and by socket; what was kept before stands, and the same decision is taken when it works again."""
    move = {"decision": "0", **fields_of(table_at(path).timeline.legal_moves(0)[0])}
    with failing_writes():
        for address in (path, f"{path}/record", "/", path):
            assert browser.get(address).status_code == 200
        for refused in (
            browser.post(f"{path}/moves", move, headers=SCRIPT),
            browser.post("/tables", {"game": "karuba"}),
        ):
            assert refused.status_code == 503
            assert (
                "Nothing was changed: the disk on which Atoll keeps its tables reports errors" in refused.text
            )
        assert "reports errors" in browser.ask(path, "moves", move)
        with pytest.raises(OperationalError):
            site.store.time.begin()
    assert not table_at(path).timeline.choices
    assert browser.post(f"{path}/moves", move).status_code == 200
    assert list(table_at(path).timeline.choices) == [0]
    with site.store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"


FULL = "Nothing was changed: the disk on which Atoll keeps its tables is full."
READ_ONLY = "Nothing was changed: Atoll may not write to its database."
BUSY = "Nothing was changed: another program is writing to Atoll’s database; try again in a moment."
FAILS = "Nothing was changed: the disk on which Atoll keeps its tables reports errors."
SILENT = "Atoll’s database does not answer; try again in a moment."


def failure(code: str, name: str) -> Exception:
    """What a database's own library raises, with a code under that name."""
    found = Exception("it went wrong")
    setattr(found, name, code)
    return found


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("sqlite_errorname", "SQLITE_FULL", FULL),
        ("sqlite_errorname", "SQLITE_READONLY_DBMOVED", READ_ONLY),
        ("sqlite_errorname", "SQLITE_BUSY", BUSY),
        ("sqlite_errorname", "SQLITE_IOERR_WRITE", FAILS),
        ("sqlite_errorname", "SQLITE_IOERR_FSYNC", SILENT),  # what it has changed is not known
        ("sqlite_errorname", "SQLITE_CANTOPEN", SILENT),
        ("sqlstate", "53100", FULL),
        ("sqlstate", "25006", READ_ONLY),
        ("sqlstate", "55P03", BUSY),
        ("sqlstate", "58030", FAILS),
        ("sqlstate", "57P01", SILENT),
        ("other", "SQLITE_FULL", SILENT),
    ],
)
def test_each_way_in_which_a_database_refuses_is_said(
    name: str, code: str, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    """By what SQLite's errors are called and by PostgreSQL's SQLSTATE; the log has the database's own words."""
    refusal = write_error(OperationalError("", {}, failure(code, name)))
    assert (refusal.status, refusal.text) == (503, said)
    assert [(line.name, line.getMessage()) for line in caplog.records] == [
        ("atoll.web.store.write_errors", "the database refuses: it went wrong")
    ]


def test_a_statement_that_is_wrong_is_no_refusal() -> None:
    """It is a mistake of ours; what a library says in general, or of its connection, is the database's state."""
    for kind in (OperationalError, InterfaceError, InternalError, DatabaseError):
        assert write_error(kind("", {}, failure("", "sqlstate"))).text == SILENT
    for mistake in (ProgrammingError, IntegrityError, DataError):
        with pytest.raises(mistake):
            write_error(mistake("", {}, failure("53100", "sqlstate")))


def test_what_looking_finds_out_is_kept_when_it_can_be(quiet_table: QuietTable) -> None:
    """Until then it is as if it were kept."""
    table = quiet_table("karuba")
    store, fresh = table.store, Store(table.store.engine)
    later, name = now() + timedelta(minutes=5), table.row.id

    def known(found: Store) -> tuple[datetime | None, int | None]:
        contents = found.read(name)
        assert contents is not None
        return contents.seats[1].seen_at, contents.row.to_act

    before = known(fresh)
    store.see(name, 1, later)
    assert known(store) == (later, 3)
    with locked(store.engine), impatient(store.engine), pytest.raises(OperationalError):
        store.keep_notes()
    assert known(store) == (later, 3)
    assert known(fresh) == before
    store.keep_notes()
    seen_at, to_act = known(fresh)
    assert (seen_at and aware(seen_at), to_act) == (later, 3)


def test_what_is_kept_while_somebody_reads_is_seen(
    quiet_table: QuietTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whose rows are from before it was kept."""
    store = quiet_table("karuba").store
    read = store._listed

    def kept_meanwhile(*rows: Any) -> Any:
        store.keep_notes()
        return read(*rows)

    monkeypatch.setattr(store, "_listed", kept_meanwhile)
    assert [found.row.to_act for found in store.tables_of("0")] == [3]
