"""A site is backed up while it runs and restored as it was: tables, moves, and browsers' seats (docs/operate.md)."""

import errno
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from io import StringIO
from pathlib import Path
from shutil import rmtree
from types import SimpleNamespace
from zipfile import ZipFile

import pytest

from atoll.text import folders
from atoll.text.errors import AtollError
from atoll.web.pages.move_confirmation import AT_ONCE
from atoll.web.people.push import key_path, read_key
from atoll.web.serving import backup
from atoll.web.serving.backup import DATABASE, PUSH_KEY, SECRET, back_up, inspect_backup, restore
from atoll.web.store.database import open_store
from tests.conftest import Run
from tests.site import StartServer
from tests.web.conftest import Page
from tests.web.test_store import Visitor, lines_of_log


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A site of its own that has never been started."""
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "cache").symlink_to(folders.cache_folder().resolve(), target_is_directory=True)
    monkeypatch.setenv("ATOLL_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def everything(folder: Path) -> dict[str, bytes]:
    """Every file in a folder."""
    return {path.name: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def move(people: Sequence[Visitor], table: str) -> None:
    """Whoever may move does."""
    pages = [(who, Page(who.get(table))) for who in people]
    mover, form = next((who, page.moves[0]) for who, page in pages if page.moves)
    mover.post(table.partition("/tables/")[0] + form.action, form.data)


def test_the_drill(start_server: StartServer, home: Path, run: Run) -> None:
    """Back up while it runs, lose everything, restore, compare, play on in the same browser."""
    server = start_server(home, "costa-ruana")
    visitor, friend = people = Visitor(), Visitor()
    for who in people:
        who.get(server.address)
        who.get(f"{server.address}/pressing?to={AT_ONCE}")
    table = visitor.post(
        f"{server.address}/tables", {"game": "costa-ruana", "players": "2", "seat0": "me", "seat1": "friend"}
    )
    friend.post(f"{table}/seats", {"seat": "1"})
    for _ in range(3):
        move(people, table)
    shown = lines_of_log(visitor.get(table))
    read_key()  # the site may not have come to it yet
    push_key = key_path().read_bytes()
    kept = home.parent / "all.backup"
    status, said, _ = run("backup", kept)
    assert status == 0
    assert "1 table, 3 moves" in said
    assert kept.stat().st_mode & 0o077 == 0, "the secret is for its owner alone"

    status, _, complained = run("restore", kept, "--yes")
    assert (status, complained) == (2, "atoll: the site is running: stop it before a backup is restored.\n")
    assert lines_of_log(visitor.get(table)) == shown
    assert server.stop() == 0

    rmtree(home / "data")
    assert run("restore", kept, "--yes")[0] == 0
    assert key_path().read_bytes() == push_key, "whoever asked to be told would have to ask anew"
    assert key_path().stat().st_mode & 0o077 == 0
    again = start_server(home, "costa-ruana", port=server.port)
    assert lines_of_log(visitor.get(table)) == shown
    move(people, table)
    assert len(lines_of_log(visitor.get(table))) > len(shown)
    assert again.stop() == 0


def test_the_tables_that_were_there_are_kept(home: Path) -> None:
    """So is the key of Web Push, where the backup has none."""
    store = open_store()
    store.engine.dispose()
    kept = home.parent / "empty.backup"
    back_up(kept)
    key_path().write_text("a key")
    with closing(sqlite3.connect(home / "data" / "atoll.sqlite")) as connection:
        connection.execute("PRAGMA user_version = 77")
    _, before = restore(kept)
    assert key_path().read_text() == "a key"
    assert before is not None
    for path, version in ((before, 77), (home / "data" / "atoll.sqlite", 0)):
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("PRAGMA user_version").fetchone() == (version,)


def spoiled(kept: Path, how: str) -> None:
    """Spoil a backup."""
    whole = kept.read_bytes()
    match how:
        case "cut":
            kept.write_bytes(whole[: len(whole) // 2])
        case "bit":
            kept.write_bytes(bytes([*whole[:500], whole[500] ^ 4, *whole[501:]]))
        case "stream":  # its first byte names a kind of block that there is not (RFC 1951, 3.2.3)
            at = 30 + len(DATABASE)
            kept.write_bytes(whole[:at] + b"\xff" + whole[at + 1 :])
        case "other":
            kept.write_text("a letter")
        case "more":
            with ZipFile(kept, "a") as archive:
                archive.writestr("../elsewhere", "a letter")
        case "empty":
            with ZipFile(kept, "w") as archive:
                archive.writestr(DATABASE, b"")
                archive.writestr(SECRET, b"")
        case "secret" | "key" | "view" | "long":
            with ZipFile(kept) as archive:
                files = {name: archive.read(name) for name in archive.namelist()}
            match how:
                case "secret":
                    files[SECRET] = files[SECRET][:5]
                case "key":
                    files[PUSH_KEY] = files[PUSH_KEY][:100] + files[PUSH_KEY][-30:]
                case "long":
                    files[PUSH_KEY] = bytes(10**6)
                case "view":
                    database = kept.with_name("view.sqlite")
                    database.write_bytes(files[DATABASE])
                    with closing(sqlite3.connect(database)) as connection:
                        connection.execute("ALTER TABLE moves RENAME TO others")
                        connection.execute("CREATE VIEW moves AS SELECT * FROM others")
                        connection.commit()
                    files[DATABASE] = database.read_bytes()
            with ZipFile(kept, "w") as archive:
                for name, content in files.items():
                    archive.writestr(name, content)


@pytest.mark.parametrize(
    "how", ["cut", "bit", "stream", "other", "more", "empty", "secret", "key", "long", "view"]
)
def test_what_is_no_whole_backup_is_refused_and_nothing_changes(home: Path, how: str) -> None:
    """By `--check`, too, before anything is put in the place of something (docs/operate.md)."""
    open_store().engine.dispose()
    read_key()
    kept = home.parent / "a.backup"
    back_up(kept)
    spoiled(kept, how)
    before = everything(home / "data")
    with pytest.raises(AtollError, match=rf"^{kept} is not a whole backup"):
        inspect_backup(kept)
    with pytest.raises(AtollError, match=rf"^{kept} is not a whole backup"):
        restore(kept)
    assert everything(home / "data") == before


@pytest.mark.parametrize("at", [0, 100])
def test_a_damaged_database_is_named_when_it_is_to_be_backed_up(home: Path, at: int) -> None:
    """Damaged in its first bytes it cannot be copied, and after them the copy is found not to be whole."""
    open_store().engine.dispose()
    file = home / "data" / "atoll.sqlite"
    whole = file.read_bytes()
    file.write_bytes(whole[:at] + b"damaged" + whole[at + 7 :])
    with pytest.raises(AtollError, match=rf"^the database {file} is damaged"):
        back_up(home.parent / "a.backup")
    assert list(home.parent.glob("*.backup*")) == []


def test_a_backup_that_has_no_room_is_not_unpacked(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small file may say that it unpacks to more than the disk holds."""
    open_store().engine.dispose()
    kept = home.parent / "a.backup"
    back_up(kept)
    monkeypatch.setattr(backup, "disk_usage", lambda folder: SimpleNamespace(free=5000))
    with pytest.raises(AtollError, match=r"bytes, and .* has room for 5,000: make room first"):
        inspect_backup(kept)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_restore_that_is_stopped_leaves_nothing_behind(home: Path, number: signal.Signals) -> None:
    """While it asks, and while it unpacks: the folder is as before, and the status is that of Ctrl-C."""
    open_store().engine.dispose()
    kept = home.parent / "a.backup"
    back_up(kept)
    before = {path.name for path in (home / "data").iterdir()}
    script = (
        f"import os, signal, sys\nsignal.signal({number.value}, signal.SIG_DFL)\n"  # or it is as nohup has it
        "from atoll.web.serving import backup\nfrom atoll.commands.main import main\n"
        f"inspect, backup.fault_of = backup.inspect_backup, lambda name: os.kill(os.getpid(), {number.value})\n"
        "sys.argv = ['atoll', 'restore', sys.argv[1], '--yes']\nmain()"
    )
    temporary = home.parent / "temporary"
    temporary.mkdir()
    ended = subprocess.run(
        [sys.executable, "-c", script, kept],
        env=os.environ | {"TMPDIR": str(temporary)},
        capture_output=True,
        text=True,
    )
    assert (ended.returncode, ended.stderr) == (130, "")
    assert {path.name for path in (home / "data").iterdir()} == before
    assert not list(temporary.iterdir())


def test_a_restore_that_cannot_write_does_not_blame_the_backup(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_store().engine.dispose()
    kept = home.parent / "a.backup"
    back_up(kept)

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "link", refuse)
    database = home / "data" / "atoll.sqlite"
    with pytest.raises(AtollError, match=rf"^{database}: cannot be written: No space left"):
        restore(kept)


def test_a_backup_of_a_later_atoll_is_refused(home: Path) -> None:
    open_store().engine.dispose()
    with closing(sqlite3.connect(home / "data" / "atoll.sqlite")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(AtollError, match="later Atoll"):
        back_up(home.parent / "a.backup")
    assert list(home.parent.glob("*.backup*")) == []


def test_a_backup_never_replaces_a_file(home: Path) -> None:
    open_store().engine.dispose()
    kept = home.parent / "a.backup"
    kept.write_text("mine")
    with pytest.raises(AtollError, match="exists already"):
        back_up(kept)
    assert kept.read_text() == "mine"


def test_a_backup_says_what_it_holds_without_being_restored(home: Path, run: Run) -> None:
    open_store().engine.dispose()
    kept = home.parent / "a.backup"
    held = back_up(kept)
    assert inspect_backup(kept) == held
    before = everything(home / "data")
    assert "0 tables, 0 moves" in run("restore", kept, "--check")[1]
    assert everything(home / "data") == before


def test_where_nobody_can_be_asked_nothing_is_restored(
    home: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a script runs it: it ends with a sentence, and not as if by Ctrl-C."""
    open_store().engine.dispose()
    back_up(home.parent / "a.backup")
    before = everything(home / "data")
    monkeypatch.setattr("sys.stdin", StringIO())
    status, _, complained = run("restore", home.parent / "a.backup")
    assert status == 2
    assert "--yes" in complained
    assert everything(home / "data") == before


def test_where_there_is_no_database_there_is_nothing_to_back_up(home: Path, run: Run) -> None:
    status, _, complained = run("backup", home.parent / "a.backup")
    assert status == 2
    assert complained.startswith("atoll: there is no database yet")
