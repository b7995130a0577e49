"""Notifying those who watch a table that it has changed.

Level-triggered: a watcher waits until the table's version is above the one that it has, and then takes the latest;
versions in between are skipped. There is one event a version, replaced and then set, so that no wake-up is lost.
"""

import asyncio
from collections import defaultdict
from collections.abc import Mapping


class Watched:
    """A table that somebody watches. `version` is the last that was found in the store."""

    def __init__(self) -> None:
        self.event = asyncio.Event()
        self.watchers = 0
        self.version = -1

    def notify(self) -> None:
        """Wake all who watch the table."""
        changed, self.event = self.event, asyncio.Event()
        changed.set()


class WatchedTables:
    """All tables that somebody watches."""

    def __init__(self) -> None:
        self._watched: defaultdict[str, Watched] = defaultdict(Watched)

    def notify(self, table_id: str) -> None:
        """Tell those who watch the table that it has changed."""
        if table_id in self._watched:
            self._watched[table_id].notify()

    def watch(self, table_id: str) -> Watched:
        """The table, watched by one more until `leave`."""
        watched = self._watched[table_id]
        watched.watchers += 1
        return watched

    def leave(self, table_id: str) -> None:
        """Count one watcher less."""
        self._watched[table_id].watchers -= 1
        if not self._watched[table_id].watchers:
            del self._watched[table_id]

    def notify_newer(self, versions: Mapping[str, int]) -> None:
        """Tell those who watch tables whose versions in the store have risen since the last time."""
        for table_id, version in versions.items():
            if table_id in self._watched and version > self._watched[table_id].version:
                self._watched[table_id].version = version
                self.notify(table_id)

    def is_watched(self, table_id: str) -> bool:
        """Whether somebody watches the table."""
        return table_id in self._watched

    @property
    def ids(self) -> tuple[str, ...]:
        """The tables that somebody watches."""
        return tuple(self._watched)
