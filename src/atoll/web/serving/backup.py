"""Backups: one file with a snapshot of the database, the secret that signs cookies and, if there is one, the key of
Web Push.

The site may run meanwhile (SQLite's online backup). A backup is read back before it gets its name, and only its owner
may read it.
"""

import os
import secrets
import signal
import sqlite3
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from shutil import disk_usage
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

from sqlalchemy.engine import URL

from atoll.text.errors import AtollError
from atoll.text.files import open_file, reason_of, unreadable
from atoll.text.messages import Amount, Message
from atoll.text.platform import CREATING, HANGUP, hold_back, let_through
from atoll.web.people.push import is_key, key_path
from atoll.web.serving.security import is_secret, read_secret, secret_path
from atoll.web.store.database import damaged, fault_of, first_line
from atoll.web.store.engine import database_url
from atoll.web.store.migrations import revisions
from atoll.web.store.store import now

DATABASE, SECRET, PUSH_KEY = "atoll.sqlite", "cookie-secret", "push-key.pem"
"""Files in a backup; the last only of a site with Web Push."""
MOST_KEY = 64 * 1024
"""Bytes of a secret or a key that is read."""
PAGES = 4096
"""Pages that are copied at a time."""

Progress = Callable[[int, int], None]
"""Takes the number of pages that are copied, and of all."""


@dataclass(frozen=True)
class ArchiveEntry:
    """Figures of a backup."""

    tables: int
    moves: int
    size: int
    """Bytes of the file."""


def own_database() -> Path:
    """The file of this site's database; raises AtollError if another server keeps it."""
    url: URL = database_url()
    if url.get_backend_name() != "sqlite" or not url.database or url.query:
        raise AtollError(
            Message(
                "the database is kept by another server (%(address)s): its own tools copy it, such as pg_dump",
                address=url.render_as_string(),
            )
        )
    return Path(url.database)


def back_up(to: Path, progress: Progress | None = None) -> ArchiveEntry:
    """Copy the database, the secret and the key of Web Push into a new file.

    Raises AtollError if there is nothing to copy, the file exists or cannot be written, or the copy is not whole;
    then there is no such file.
    """
    database = own_database()
    if not database.is_file():
        raise AtollError(Message("there is no database yet (%(file)s): nothing to back up", file=database))
    if to.exists():
        raise AtollError(Message("%(file)s exists already: name a new file", file=to))
    fresh = to.with_name(f"{to.name}.{secrets.token_hex(4)}")
    try:
        with _scratch(to.parent) as copy:
            _copy(database, copy, progress)
            if fault := fault_of(str(copy)):
                raise damaged(str(database), fault)
            with open(os.open(fresh, CREATING, 0o600), "wb") as file:
                with ZipFile(file, "w", ZIP_DEFLATED) as archive:
                    archive.write(copy, DATABASE)
                    archive.writestr(SECRET, read_secret())
                    if key_path().exists():
                        archive.writestr(PUSH_KEY, _push_key())
                file.flush()
                os.fsync(file.fileno())
            entry = inspect_backup(fresh)
            os.link(fresh, to)  # whole or not at all, and never over another file
            return entry
    except (OSError, sqlite3.OperationalError) as error:
        why = reason_of(error)
        raise AtollError(Message("%(file)s: cannot be written: %(why)s", file=to, why=why)) from None
    except sqlite3.DatabaseError as error:
        raise damaged(str(database), first_line(error)) from None
    finally:
        fresh.unlink(missing_ok=True)


def _push_key() -> bytes:
    """The content of the key of Web Push; raises AtollError for one that is not whole."""
    content = key_path().read_bytes()
    if not is_key(content):
        raise AtollError(
            Message(
                "the key of Web Push %(file)s is damaged: delete it, and who wants to be told asks once more",
                file=key_path(),
            )
        )
    return content


def inspect_backup(backup: Path) -> ArchiveEntry:
    """What a backup holds; raises AtollError if it is none, is damaged, or comes from a later version."""
    with _extract(backup, Path(tempfile.gettempdir())) as (_, entry):
        return entry


def restore(backup: Path) -> tuple[ArchiveEntry, Path | None]:
    """Replace the site's database, secret and key of Web Push by a backup's; returns its figures, and the new path of
    the previous database, if there was one. A backup without a key leaves the site's own.

    Raises AtollError, and changes nothing, if the backup is not whole or something else has the database open.
    """
    database = own_database()
    database.parent.mkdir(parents=True, exist_ok=True)
    before = None
    with _extract(backup, database.parent) as (fresh, entry):
        try:
            with _exclusive(database) as exists, _undisturbed():
                if exists:
                    before = _free_name(database)
                    os.link(database, before)
                os.replace(fresh.with_name(SECRET), secret_path())
                with suppress(FileNotFoundError):
                    os.replace(fresh.with_name(PUSH_KEY), key_path())
                os.replace(fresh, database)
                for rest in ("-wal", "-shm"):
                    Path(f"{database}{rest}").unlink(missing_ok=True)
                _sync(database.parent)
        except (OSError, sqlite3.Error) as error:
            why = reason_of(error)
            raise AtollError(
                Message("%(file)s: cannot be written: %(why)s", file=database, why=why)
            ) from None
    return entry, before


def _count(database: Path, backup: Path) -> ArchiveEntry:
    with closing(sqlite3.connect(f"file:{database}?mode=ro&immutable=1", uri=True)) as connection:
        (revision,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        if revision not in revisions():
            raise AtollError(
                Message("%(file)s was made by a later Atoll: install that one first", file=backup)
            )
        tables, moves = (
            connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in ("tables", "moves")
        )
    return ArchiveEntry(tables, moves, backup.stat().st_size)


def _copy(database: Path, to: Path, progress: Progress | None) -> None:
    def report(_status: int, remaining: int, total: int) -> None:
        if progress:
            progress(total - remaining, total)

    with (
        closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as source,
        closing(sqlite3.connect(to)) as target,
    ):
        source.backup(target, pages=PAGES, progress=report, sleep=0)


@contextmanager
def _scratch(folder: Path) -> Iterator[Path]:
    """A path in a temporary folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".atoll-", dir=folder) as scratch:
        yield Path(scratch) / DATABASE


@contextmanager
def _extract(backup: Path, folder: Path) -> Iterator[tuple[Path, ArchiveEntry]]:
    """The checked database of a backup as a file, with the other files that it holds beside it, and its figures."""
    not_one = Message(
        "%(file)s is not a whole backup of Atoll: name a file that atoll backup wrote", file=backup
    )
    with _scratch(folder) as database:
        try:
            if not _unpack(backup, database):
                raise AtollError(not_one)
            entry = _count(database, backup)
        except (BadZipFile, zlib.error, RuntimeError, sqlite3.Error, EOFError):  # the third if encrypted
            raise AtollError(not_one) from None
        except OSError as error:
            raise AtollError(unreadable(backup, error)) from None
        yield database, entry


def _unpack(backup: Path, database: Path) -> bool:
    """Unpack a backup; returns whether it is whole."""
    with open_file(backup) as stream, ZipFile(stream) as archive:
        sizes = {entry.filename: entry.file_size for entry in archive.infolist()}
        names = sorted(archive.namelist())
        if names not in (sorted((DATABASE, SECRET)), sorted((DATABASE, SECRET, PUSH_KEY))):
            return False
        if max(sizes[name] for name in names if name != DATABASE) > MOST_KEY:
            return False
        _check_space(backup, database.parent, sum(sizes.values()))
        for name, is_whole in ((SECRET, is_secret), (PUSH_KEY, is_key)):
            if name in sizes:
                content = archive.read(name)
                if not is_whole(content):
                    return False
                descriptor = os.open(database.with_name(name), os.O_WRONLY | os.O_CREAT, 0o600)
                with open(descriptor, "wb") as file:
                    file.write(content)
        archive.extract(DATABASE, database.parent)  # no more than it says, and refused if it is damaged
    return not fault_of(str(database))


def _check_space(backup: Path, folder: Path, size: int) -> None:
    """Raise AtollError if what a backup says that it unpacks to has no room in a folder."""
    free = disk_usage(folder).free
    if size > free:
        raise AtollError(
            Message(
                "%(file)s unpacks to %(size)s bytes, and %(folder)s has room for %(free)s: make room first",
                file=backup,
                size=Amount(size),
                folder=folder.parent,
                free=Amount(free),
            )
        )


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Whoever stops the program meanwhile stops it afterwards: what is replaced is replaced as a whole."""
    hangup = set() if HANGUP is None else {HANGUP}
    before = hold_back({signal.SIGINT, signal.SIGTERM} | hangup)
    try:
        yield
    finally:
        let_through(before)


@contextmanager
def _exclusive(database: Path) -> Iterator[bool]:
    """Holds the database open exclusively, its write-ahead log merged; False if there is no database."""
    if not database.is_file():
        yield False
        return
    with closing(sqlite3.connect(database, timeout=0, isolation_level=None)) as connection:
        try:
            connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.execute("PRAGMA journal_mode=DELETE")  # refused while anybody else has it open
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            raise AtollError(Message("the site is running: stop it before a backup is restored")) from None
        except sqlite3.DatabaseError:
            pass  # what is damaged is what is to be replaced
        yield True
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")


def _free_name(database: Path) -> Path:
    """An unused path beside the database for the previous one."""
    number = 1
    while (path := database.with_name(f"{database.name}.before-{number}")).exists():
        number += 1
    return path


def _sync(folder: Path) -> None:
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except PermissionError:  # Windows opens no folders
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def default_name() -> str:
    """A file name with the date and time in UTC."""
    return f"atoll-{now():%Y-%m-%d-%H%M%S}.backup"
