"""The platform of a site's process: search pool, leases and the stream of changes."""

from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass

from sqlalchemy import Engine

from atoll.web.live.changes import changes
from atoll.web.live.watched_tables import WatchedTables
from atoll.web.store.leases import Leases, leases_in
from atoll.web.store.store import Store
from atoll.web.table.search_pool import SearchPool


@dataclass(frozen=True)
class Platform:
    """How each of these is made for a process; a simulation makes others (`python -m tests.soak simulation`)."""

    search_pool: Callable[[], SearchPool] = SearchPool
    leases: Callable[[Engine], Leases] = leases_in
    changes: Callable[[Store, WatchedTables], AsyncGenerator[Mapping[str, int], None]] = changes
