"""Changes of tables by other processes: which table has which version.

PostgreSQL notifies all processes of a committed change (LISTEN, NOTIFY). With SQLite the versions are read when its
write-ahead log has changed, and every second.
"""

import asyncio
import os
from collections.abc import AsyncGenerator, Mapping
from contextlib import suppress

from sqlalchemy.engine import URL
from starlette.concurrency import run_in_threadpool

from atoll.web.live.watched_tables import WatchedTables
from atoll.web.store.store import CHANNEL, Store

WAL_POLL = 0.1
"""Seconds between two checks of SQLite's write-ahead log."""
WAL_POLLS = 10
"""Checks after which the versions are read in any case."""


def changes(store: Store, watched: WatchedTables) -> AsyncGenerator[Mapping[str, int], None]:
    """Versions of watched tables that have changed, or may have; an endless stream.

    Raises DBAPIError or ConnectionError when the database cannot be read; a new stream misses nothing.
    """
    return _notifications(store, watched) if store.tells else _polls(store, watched)


async def _polls(store: Store, watched: WatchedTables) -> AsyncGenerator[Mapping[str, int], None]:
    before = wal_state(store)
    while True:
        for _ in range(WAL_POLLS):
            await asyncio.sleep(WAL_POLL)
            if wal_state(store) != before:
                break
        before = wal_state(store)
        yield await versions_now(store, watched)


def wal_state(store: Store) -> object:
    """Time and size of SQLite's write-ahead log; None without one."""
    with suppress(OSError):
        status = os.stat(f"{store.engine.url.database}-wal")
        return status.st_mtime_ns, status.st_size
    return None


async def _notifications(store: Store, watched: WatchedTables) -> AsyncGenerator[Mapping[str, int], None]:
    from psycopg import AsyncConnection, Error

    try:
        async with await AsyncConnection.connect(address(store.engine.url), autocommit=True) as connection:
            await connection.execute(f"LISTEN {CHANNEL}".encode())
            yield await versions_now(store, watched)  # changes before LISTEN
            watched.is_notified = True
            async for notice in connection.notifies():
                table_id, _, version = notice.payload.partition(" ")
                yield {table_id: int(version)}
    except Error as error:
        raise ConnectionError(str(error)) from None
    finally:
        watched.is_notified = False


async def versions_now(store: Store, watched: WatchedTables) -> Mapping[str, int]:
    """The stored versions of all watched tables."""
    return await run_in_threadpool(store.versions, watched.ids) if watched.ids else {}


def address(url: URL) -> str:
    """A database's address in the form of libpq."""
    return url.set(drivername="postgresql").render_as_string(hide_password=False)
