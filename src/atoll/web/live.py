"""Telling those who watch a table that it has changed.

Level-triggered: who watches waits until the table's version is above the one that it has, and then takes the latest;
versions in between are skipped. There is one event a version, replaced and then set, so that no wake-up is lost.
"""

import asyncio
from collections import defaultdict


class Bell:
    """Rings when a table has changed."""

    def __init__(self) -> None:
        self.event = asyncio.Event()
        self.listeners = 0

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

    @property
    def watched(self) -> tuple[str, ...]:
        """Tables at which somebody listens."""
        return tuple(self._bells)
