"""What processes tell each other: which table has come to which version.

PostgreSQL tells all of them as soon as a change is committed (LISTEN, NOTIFY); from SQLite it is read as soon as its
log of changes is seen to have been written to, and every second.
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
"""Seconds between two glances at SQLite's log of changes, which cost next to nothing."""
WAL_POLLS = 10
"""of which the last is followed by a look at the versions whether something was written or not."""


def changes(store: Store, watched: WatchedTables) -> AsyncGenerator[Mapping[str, int], None]:
    """The versions of watched tables that have changed, or may have, as they become known; without end.

    Raises DBAPIError or ConnectionError when the database cannot be asked; whoever begins anew misses nothing.
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
    """What changes when any process writes to SQLite's log of changes; None where there is none."""
    with suppress(OSError):
        status = os.stat(f"{store.engine.url.database}-wal")
        return status.st_mtime_ns, status.st_size
    return None


async def _notifications(store: Store, watched: WatchedTables) -> AsyncGenerator[Mapping[str, int], None]:
    from psycopg import AsyncConnection, Error

    try:
        async with await AsyncConnection.connect(address(store.engine.url), autocommit=True) as connection:
            await connection.execute(f"LISTEN {CHANNEL}".encode())
            yield await versions_now(store, watched)  # what was told while nobody listened
            watched.is_notified = True
            async for notice in connection.notifies():
                table_id, _, version = notice.payload.partition(" ")
                yield {table_id: int(version)}
    except Error as error:
        raise ConnectionError(str(error)) from None
    finally:
        watched.is_notified = False


async def versions_now(store: Store, watched: WatchedTables) -> Mapping[str, int]:
    """The versions of all watched tables, as they are kept now."""
    return await run_in_threadpool(store.versions, watched.ids) if watched.ids else {}


def address(url: URL) -> str:
    """A database's address as PostgreSQL's own library takes it."""
    return url.set(drivername="postgresql").render_as_string(hide_password=False)
