"""Opening the store: the database is checked, and brought up to date."""

import os
import sqlite3
from contextlib import closing
from urllib.parse import quote

from sqlalchemy.exc import DBAPIError, NoSuchModuleError

from atoll.text.errors import AtollError
from atoll.text.messages import Message
from atoll.text.translation import texts
from atoll.web.store.engine import database_url, open_engine
from atoll.web.store.schema import metadata
from atoll.web.store.store import Store

PROBLEMS = texts(
    "attempt to write a readonly database",
    "database disk image is malformed",
    "database is locked",
    "disk I/O error",
    "file is not a database",
    "unable to open database file",
)
"""What SQLite says most often, in the English that it speaks."""


def open_store(*, is_first: bool = True) -> Store:
    """The store, brought up to date; raises AtollError for a database that cannot be used, which is left as it is. One
    that is empty was never begun if `is_first`, and has lost everything else.
    """
    from atoll.web.store.migrations import migrate

    url = database_url()
    name = url.database or url.render_as_string()
    try:
        engine = open_engine(url)
        if engine.dialect.name == "sqlite" and not url.query and os.path.exists(name):
            check_file(name)
            if not is_first and not os.path.getsize(name):
                raise damaged(name, Message("it is empty"))
        try:
            migrate(engine)
        except BaseException:
            engine.dispose()
            raise
    except (DBAPIError, NoSuchModuleError, ImportError, sqlite3.OperationalError) as error:
        problem = getattr(error, "orig", error)
        why = first_line(problem)
        if isinstance(error, ImportError) and url.get_backend_name() == "postgresql":
            why = Message("what speaks to PostgreSQL is missing; make scale installs it")
        raise AtollError(
            Message("the database %(name)s cannot be used: %(why)s", name=name, why=why)
        ) from None
    return Store(engine)


def check_file(name: str) -> None:
    """Raise AtollError if a file is not a whole SQLite database, and sqlite3.OperationalError if it cannot be opened.
    Nothing is written.
    """
    problem = fault_of(name)
    if problem is not None:
        raise damaged(name, problem)


def fault_of(name: str) -> Message | None:
    """What is wrong with a file that is not a whole SQLite database; raises sqlite3.OperationalError if it cannot be
    opened. Nothing is written.
    """
    how = (
        "mode=ro" if os.path.exists(f"{name}-wal") else "immutable=1"
    )  # else reading makes one, and leaves it
    with closing(sqlite3.connect(f"file:{quote(name)}?{how}", uri=True)) as connection:
        try:
            (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            kinds = connection.execute(
                "SELECT name, type FROM sqlite_schema WHERE type != 'index'"
            ).fetchall()
        except UnicodeDecodeError:
            return Message("what it says of its tables cannot be read")
        except sqlite3.DatabaseError as error:
            return first_line(error)
    if verdict != "ok":
        return first_line(verdict)
    for entry, kind in kinds:
        if kind != "table" and entry in metadata.tables:
            return Message("%(name)s is no table", name=entry)
    return None


def damaged(name: str, problem: Message) -> AtollError:
    """The refusal of a database that is not whole."""
    return AtollError(
        Message(
            "the database %(name)s is damaged (%(problem)s): put the last backup back with `atoll restore FILE`, or "
            "move this one away and Atoll begins a new one",
            name=name,
            problem=problem,
        )
    )


def first_line(error: object) -> Message:
    """What a database says of itself, to be said in the reader's language if it stands in PROBLEMS."""
    return Message(str(error).splitlines()[0])
