"""A table that is in memory alone: a position that is shown, a record, a puzzle."""

import threading
from typing import TYPE_CHECKING

from atoll.web.bounds import alone
from atoll.web.store.store import TableRow, now
from atoll.web.table.seats import Seating
from atoll.web.table.table import Table
from atoll.web.table.timeline import Timeline

if TYPE_CHECKING:
    from atoll.core.game import Position


class MemoryTable(Table):
    """A table called `name` without a store: whatever would change it is not asked of it."""

    def __init__(self, name: str, start: "Position", seating: Seating, timeline: Timeline) -> None:
        self.game, self.components = start.game, start.components
        self.allowance_of, self.lock, self.hints = alone, threading.Lock(), "never"
        self.first = start
        self.row = TableRow(
            id=name,
            version=0,
            made_at=now(),
            maker="",
            game=start.game.name,
            rules_version=start.game.rules_version,
            components_name=start.components.name,
            components_sha256=start.components.sha256,
            components_data=None,
            options=dict(start.options),
            players=start.players,
            seed="",
            pace="at once",
        )
        self.seating = seating
        self.timeline = timeline

    def start(self) -> "Position":
        """The first position."""
        return self.first.copy()

    def catch_up(self, version: int | None = None) -> bool:
        """Nobody changes it."""
        return False
