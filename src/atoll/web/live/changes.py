"""What processes tell each other: which table has come to which version.

PostgreSQL tells all of them as soon as a change is committed (LISTEN, NOTIFY); from SQLite it is read every second.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping

from sqlalchemy.engine import URL
from starlette.concurrency import run_in_threadpool

from atoll.web.live.watched import WatchedTables
from atoll.web.store.store import CHANNEL, Store

EVERY = 1.0
"""Seconds between two looks where nobody tells."""


def changes(store: Store, watched: WatchedTables) -> AsyncGenerator[Mapping[str, int], None]:
    """The versions of watched tables that have changed, or may have, as they become known; without end.

    Raises DBAPIError or ConnectionError when the database cannot be asked; whoever begins anew misses nothing.
    """
    return _told(store, watched) if store.tells else _polled(store, watched)


async def _polled(store: Store, watched: WatchedTables) -> AsyncGenerator[Mapping[str, int], None]:
    while True:
        await asyncio.sleep(EVERY)
        yield await versions_now(store, watched)


async def _told(store: Store, watched: WatchedTables) -> AsyncGenerator[Mapping[str, int], None]:
    from psycopg import AsyncConnection, Error

    try:
        async with await AsyncConnection.connect(address(store.engine.url), autocommit=True) as connection:
            await connection.execute(f"LISTEN {CHANNEL}".encode())
            yield await versions_now(store, watched)  # what was told while nobody listened
            watched.is_told = True
            async for notice in connection.notifies():
                table_id, _, version = notice.payload.partition(" ")
                yield {table_id: int(version)}
    except Error as error:
        raise ConnectionError(str(error)) from None
    finally:
        watched.is_told = False


async def versions_now(store: Store, watched: WatchedTables) -> Mapping[str, int]:
    """The versions of all watched tables, as they are kept now."""
    return await run_in_threadpool(store.versions, watched.ids) if watched.ids else {}


def address(url: URL) -> str:
    """A database's address as PostgreSQL's own library takes it."""
    return url.set(drivername="postgresql").render_as_string(hide_password=False)
