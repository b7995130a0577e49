"""The store: migrations, moves that two processes make at once, and a server that is killed."""

import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Engine, event, inspect

from atoll.core.catalogue import games
from atoll.lab import modules
from atoll.text import folders
from atoll.web.pages.move_confirmation import AT_ONCE
from atoll.web.store import migrations
from atoll.web.store.database import open_store
from atoll.web.store.engine import open_engine
from atoll.web.store.migrations import migrate
from atoll.web.store.schema import metadata
from atoll.web.store.store import Answer, Overtaken, SeatRow, Store, TableRow, now
from tests.conftest import Run
from tests.site import StartServer
from tests.web.conftest import Page


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store of its own, brought up to date."""
    engine = empty(tmp_path)
    migrate(engine)
    return Store(engine)


def row(table_id: str = "t", **values: object) -> TableRow:
    """A table's row."""
    known: dict[str, object] = {
        "id": table_id,
        "version": 0,
        "made_at": now(),
        "maker": "me",
        "game": "costa-ruana",
        "rules_version": 1,
        "components_name": "reconstruction",
        "components_sha256": "0",
        "components_data": None,
        "options": {},
        "players": 2,
        "seed": "ff",
        "pace": "calm",
    }
    return TableRow(**{**known, **values})  # type: ignore[arg-type]


def empty(tmp_path: Path, name: str = "atoll") -> Engine:
    """An empty database."""
    return open_engine(URL.create("sqlite", database=str(tmp_path / f"{name}.sqlite")))


def described(engine: Engine) -> dict[str, object]:
    """What a database's tables are like."""
    found = inspect(engine)
    return {
        name: [
            sorted(
                (entry["name"], str(entry["type"]), entry["nullable"], entry["default"]) for entry in columns
            ),
            found.get_pk_constraint(name)["constrained_columns"],
            [(key["constrained_columns"], key["referred_table"]) for key in found.get_foreign_keys(name)],
            [unique["column_names"] for unique in found.get_unique_constraints(name)],
            sorted((index["name"] or "", index["column_names"]) for index in found.get_indexes(name)),
        ]
        for name in found.get_table_names()
        if (columns := found.get_columns(name))
    }


def test_migrations_lead_to_the_tables_that_the_code_expects(store: Store, tmp_path: Path) -> None:
    """An empty database gets those at once."""
    migrated = empty(tmp_path, "migrated")
    for revision in migrations.revisions():
        migrate(migrated, revision)
    assert described(migrated) == described(store.engine)
    with migrated.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_a_database_is_noted_to_be_at_the_last_migration(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Alembic would say so, but takes long to import: it is not asked for one that is there."""
    scripts = ScriptDirectory(str(migrations.HERE))
    with store.engine.connect() as connection:
        assert MigrationContext.configure(connection).get_current_heads() == tuple(scripts.get_heads())
    assert scripts.get_heads() == [migrations.newest()]
    monkeypatch.setattr("alembic.command.upgrade", None)
    migrate(store.engine)


def test_a_database_that_cannot_be_made_stays_empty(tmp_path: Path) -> None:
    engine = empty(tmp_path)

    @event.listens_for(engine, "before_cursor_execute")
    def fail(connection: object, cursor: object, statement: str, *_: object) -> None:
        if "INSERT INTO alembic_version" in statement:
            raise RuntimeError("no more room")

    with pytest.raises(RuntimeError):
        migrate(engine)
    assert inspect(engine).get_table_names() == []


def cut(file: Path) -> None:
    """The end of the file is missing."""
    with file.open("r+b") as opened:
        opened.truncate(file.stat().st_size // 2)


def overwrite(file: Path) -> None:
    """A page in its middle is something else."""
    with file.open("r+b") as opened:
        opened.seek(file.stat().st_size // 2 // 4096 * 4096)
        opened.write(b"\xa5" * 4096)


def replace_by_text(file: Path) -> None:
    """The file is no database."""
    file.write_text("Dear diary,\n" * 1000)


def make_later(file: Path) -> None:
    """A later Atoll has brought it up to date."""
    with closing(sqlite3.connect(file)) as opened, opened:
        opened.execute("UPDATE alembic_version SET version_num = '9999'")


def make_foreign(file: Path) -> None:
    """Another program keeps its own tables there."""
    with closing(sqlite3.connect(file)) as opened, opened:
        opened.execute("DROP TABLE alembic_version")


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (cut, "is damaged ("),
        (overwrite, "is damaged ("),
        (
            replace_by_text,
            "is damaged (file is not a database): put the last backup back with `atoll restore FILE`",
        ),
        (make_later, "was used by a later Atoll (its tables are of revision 9999, this one knows 00"),
        (make_foreign, "has tables of something else"),
    ],
)
def test_a_database_that_cannot_be_used_is_named_and_left_alone(
    home: Path,
    spoil: Callable[[Path], None],
    why: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    run: Run,
) -> None:
    """`atoll serve` ends with one sentence and status 2."""
    monkeypatch.setenv("ATOLL_HOME", str(tmp_path))
    monkeypatch.setattr(modules, "FORCED", "native")  # no game is built
    file = folders.data_folder() / "atoll.sqlite"
    store = open_store()
    for number in range(40):
        store.make_table(row(f"t{number}"), [SeatRow(0, "me"), SeatRow(1, "you")])
    store.engine.dispose()
    spoil(file)
    before = {path.name: path.read_bytes() for path in file.parent.iterdir()}
    status, said, complaint = run("serve", "--port", "0")
    assert (status, said) == (2, "")
    assert complaint.startswith(f"atoll: the database {file} {why}")
    assert complaint.count("\n") == 1
    assert {path.name: path.read_bytes() for path in file.parent.iterdir()} == before


@pytest.mark.parametrize(
    ("named", "why"),
    [
        ("a:secret@host", "ATOLL_DATABASE_URL is not like sqlite:///file or postgresql"),
        (
            "sqlite:////no/such/folder/file",
            "the database /no/such/folder/file cannot be used: unable to open",
        ),
        ("nodatabase://host/name", "the database name cannot be used: Can't load plugin"),
    ],
)
def test_a_database_that_is_named_wrongly_is_told(
    run: Run, monkeypatch: pytest.MonkeyPatch, named: str, why: str
) -> None:
    monkeypatch.delitem(games(), "signs", raising=False)  # the tests' own game, whose module would be built
    monkeypatch.setenv("ATOLL_DATABASE_URL", named)
    status, said, complaint = run("serve")
    assert (status, said) == (2, "")
    assert complaint.startswith(f"atoll: {why}")
    assert complaint.count("\n") == 1
    assert "secret" not in complaint


def test_what_speaks_to_postgresql_is_missed_by_the_command_that_installs_it(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATOLL_DATABASE_URL", "postgresql+psycopg://a@host/name")
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert run("serve")[2] == (
        "atoll: the database name cannot be used: what speaks to PostgreSQL is missing; make scale installs it.\n"
    )


def test_what_every_start_page_asks_reads_no_whole_table(store: Store) -> None:
    """A browser's tables, and how many of them are unfinished, are found by indexes."""
    asked: list[tuple[str, Any]] = []

    def note(connection: Any, cursor: Any, statement: str, values: Any, context: Any, many: bool) -> None:
        if statement.startswith("SELECT"):
            asked.append((statement, values))

    event.listen(store.engine, "before_cursor_execute", note)
    store.tables_of("somebody")
    store.unfinished_by("somebody", now())
    event.remove(store.engine, "before_cursor_execute", note)
    with store.engine.connect() as connection:
        plans = [
            [row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)]
            for statement, values in asked
        ]
    assert len(plans) == 4
    assert sum(any("ix_tables_maker" in step for step in plan) for plan in plans) == 2
    for plan in plans:
        assert not any(step.startswith(("SCAN tables", "SCAN seats", "SCAN archived")) for step in plan), plan


def test_of_two_moves_at_once_one_is_kept(store: Store) -> None:
    store.make_table(row(), [SeatRow(0, "me"), SeatRow(1, "you")])
    store.append("t", 0, 0, [Answer(0, 0, {"do": "this"})], 1)
    with pytest.raises(Overtaken):
        store.append("t", 0, 0, [Answer(1, 0, {"do": "that"})], 1)
    contents = store.read("t")
    assert contents is not None
    assert [answer.move["do"] for answer in contents.moves] == ["this"]
    assert contents.row.version == 1


def test_what_is_acknowledged_is_on_the_disk(store: Store) -> None:
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2


# A real server


class Visitor:
    """A browser without scripts, over the network."""

    def __init__(self) -> None:
        self.opener = build_opener(HTTPCookieProcessor(CookieJar()))

    def get(self, address: str) -> str:
        """A page."""
        with self.opener.open(address, timeout=20) as answer:
            return str(answer.read().decode())

    def post(self, address: str, data: object) -> str:
        """The address to which a form leads."""
        body = urlencode(data, doseq=True).encode()  # type: ignore[arg-type]
        with self.opener.open(Request(address, body), timeout=20) as answer:
            return str(answer.url)


def lines_of_log(html: str) -> list[str]:
    """The lines of the table's log."""
    return re.findall(r"<span>(.*?)</span></(?:li|summary)>", html[html.index('id="log"') :])


def test_a_game_survives_kill_9_in_the_same_browsers(start_server: StartServer, tmp_path: Path) -> None:
    server = start_server(tmp_path, "costa-ruana")
    host = server.address
    visitor, friend = Visitor(), Visitor()
    visitor.get(host)
    friend.get(host)
    for who in (visitor, friend):
        who.get(f"{host}/pressing?to={AT_ONCE}")
    table = visitor.post(
        f"{host}/tables", {"game": "costa-ruana", "players": "2", "seat0": "me", "seat1": "friend"}
    )
    friend.post(f"{table}/seats", {"seat": "1"})
    for number in range(2):
        page = {who: Page(who.get(table)) for who in (visitor, friend)}
        mover = next(who for who in page if page[who].moves)
        form = page[mover].moves[0]
        mover.post(host + form.action, form.data)
        shown = [lines_of_log(who.get(table)) for who in (visitor, friend)]
        server.kill()
        server = start_server(tmp_path, "costa-ruana", port=server.port)
        assert server.address == host
        assert [lines_of_log(who.get(table)) for who in (visitor, friend)] == shown, number
        mover.post(host + form.action, form.data)  # once more, as after a lost answer
        assert lines_of_log(visitor.get(table)) == shown[0]
        assert table.rpartition("/")[2] in visitor.get(host)
    assert server.stop() == 0


def test_a_bot_goes_on_playing_after_kill_9_and_gives_the_seat_back(
    start_server: StartServer, tmp_path: Path
) -> None:
    server = start_server(tmp_path, "signs")
    host = server.address
    visitor = Visitor()
    visitor.get(host)
    table = visitor.post(f"{host}/tables", {"game": "signs", "players": "2", "seat1": "friend"})
    hand = next(form for form in Page(visitor.get(table)).forms if form.id == "change-0")
    visitor.post(host + hand.action, {**hand.data, "bot": "random"})
    server.kill()
    server = start_server(tmp_path, "signs", port=server.port)
    shown = visitor.get(table)
    assert "A bot plays for you." in shown
    back = next(form for form in Page(shown).forms if form.label == "Play myself again")
    visitor.post(host + back.action, back.data)
    assert "plays for you" not in visitor.get(table)
    assert server.stop() == 0


def test_two_processes_serve_the_same_table(start_server: StartServer, tmp_path: Path) -> None:
    one = start_server(tmp_path, "signs")
    other = start_server(tmp_path, "signs")
    visitor = Visitor()
    visitor.get(one.address)
    table = visitor.post(f"{one.address}/tables", {"game": "signs", "players": "2"})
    there = table.replace(one.address, other.address)
    assert "Choose two cards" in visitor.get(there)
    form = next(form for form in Page(visitor.get(table)).choices if form.id.startswith("card-"))
    assert form.data in [f.data for f in Page(visitor.get(there)).choices]
    assert one.stop() == other.stop() == 0


def test_the_site_is_imported_without_what_only_others_need() -> None:
    """Which would take the time of its start: rules need Numba, the terminal Rich, Web Push cryptography."""
    code = "import sys, atoll.commands.main, atoll.web.serving.server; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert {"uvicorn", "sqlalchemy"} <= set(loaded.split())
    assert not {"numba", "rich", "cryptography"} & set(loaded.split())
