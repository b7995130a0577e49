"""Connections to the database, which `ATOLL_DATABASE_URL` names, or else is `atoll.sqlite` in the data folder."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DisconnectionError

from atoll.text import folders
from atoll.text.errors import AtollError
from atoll.text.messages import Message

POSTGRESQL = "postgresql+psycopg://user@host/name"

PATIENCE = 2.5
"""Seconds that a change waits while something else writes to SQLite's file."""

AT_ONCE = 64
"""Connections to SQLite's file: more than threads that use it, lest who reads waits for who waits to write."""

OF_A_PROCESS = 15
"""Connections of a process to PostgreSQL, which takes 100 of all if nothing else is set."""

FRESH = 1.0
"""Seconds for which a connection to PostgreSQL is believed to be as it was when it was last used."""


def database_url() -> URL:
    """The database's address; raises AtollError if the one that is named is none."""
    address = os.environ.get("ATOLL_DATABASE_URL")
    if not address:
        return URL.create("sqlite", database=str(folders.data_folder() / "atoll.sqlite"))
    try:
        return make_url(address)
    except ArgumentError:
        # Without what it is, in which there may be a password.
        raise AtollError(
            Message("ATOLL_DATABASE_URL is not like sqlite:///file or %(other)s", other=POSTGRESQL)
        ) from None


def open_engine(url: URL) -> Engine:
    """Connections. Who changes something asks for one with `writing`; others read, each statement by itself on
    PostgreSQL."""
    sqlite = url.get_backend_name() == "sqlite"
    pool = {"pool_size": AT_ONCE if sqlite else OF_A_PROCESS, "max_overflow": 0}
    reading = {} if sqlite else {"isolation_level": "AUTOCOMMIT"}
    # Errors are logged: they say no values.
    engine = create_engine(url, hide_parameters=True, **pool, **reading)
    (_prepare_sqlite if sqlite else _check_connections)(engine)
    return engine


def to_write(engine: Engine) -> Connection:
    """A connection whose transactions may change something."""
    isolation = {} if engine.dialect.name == "sqlite" else {"isolation_level": "READ COMMITTED"}
    return engine.connect().execution_options(writes=True, **isolation)


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that changes something."""
    with to_write(engine) as connection, connection.begin():
        yield connection


def _prepare_sqlite(engine: Engine) -> None:
    """With a write-ahead log, and what is acknowledged is on the disk."""

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # transactions begin where `begin` says so
        wait = f"busy_timeout={PATIENCE * 1000:.0f}"
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", wait):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _check_connections(engine: Engine) -> None:
    """A connection that has not been used for a moment is tried first: the database may have been started anew."""

    @event.listens_for(engine, "checkin")
    def note(_: Any, record: Any) -> None:
        record.info["used"] = time.monotonic()

    @event.listens_for(engine, "checkout")
    def check(connection: Any, record: Any, _: Any) -> None:
        used = record.info.get("used")
        if used is None or time.monotonic() - used < FRESH:
            return
        try:
            engine.dialect.do_ping(connection)
        except engine.dialect.loaded_dbapi.Error as error:
            raise DisconnectionError from error  # another takes its place


def aware(time: datetime) -> datetime:
    """A stored time with its zone, which SQLite leaves out."""
    return time if time.tzinfo else time.replace(tzinfo=UTC)
