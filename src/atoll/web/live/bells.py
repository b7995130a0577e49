"""Telling those who watch a table that it has changed.

Level-triggered: who watches waits until the table's version is above the one that it has, and then takes the latest;
versions in between are skipped. There is one event a version, replaced and then set, so that no wake-up is lost.
"""

import asyncio
from collections import defaultdict
from collections.abc import Mapping


class Bell:
    """Rings when a table has changed. `version` is the last that was found in the store."""

    def __init__(self) -> None:
        self.event = asyncio.Event()
        self.listeners = 0
        self.version = -1

    def ring(self) -> None:
        """Wake all who listen."""
        rung, self.event = self.event, asyncio.Event()
        rung.set()


class Bells:
    """The bells of all tables at which somebody listens."""

    def __init__(self) -> None:
        self._bells: defaultdict[str, Bell] = defaultdict(Bell)

    def ring(self, table_id: str) -> None:
        """Tell those who watch the table."""
        if table_id in self._bells:
            self._bells[table_id].ring()

    def listen(self, table_id: str) -> Bell:
        """The table's bell, which stays until `leave`."""
        bell = self._bells[table_id]
        bell.listeners += 1
        return bell

    def leave(self, table_id: str) -> None:
        """One listener less."""
        self._bells[table_id].listeners -= 1
        if not self._bells[table_id].listeners:
            del self._bells[table_id]

    def found(self, versions: Mapping[str, int]) -> None:
        """Tell those who watch tables whose versions in the store have risen since the last time."""
        for table_id, version in versions.items():
            if table_id in self._bells and version > self._bells[table_id].version:
                self._bells[table_id].version = version
                self.ring(table_id)

    def is_watched(self, table_id: str) -> bool:
        """Whether somebody listens at the table."""
        return table_id in self._bells

    @property
    def watched(self) -> tuple[str, ...]:
        """Tables at which somebody listens."""
        return tuple(self._bells)
