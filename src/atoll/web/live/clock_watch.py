"""Clock watch: a bot takes over where a player is out of time, and games begin whose time has come."""

import asyncio
import logging

from starlette.concurrency import run_in_threadpool

from atoll.bots import DEFAULT_BOT
from atoll.web.live.bot_moves import BotMoves
from atoll.web.live.watched_tables import WatchedTables
from atoll.web.refusal import Refusal
from atoll.web.store.backoff import Backoff
from atoll.web.store.site_time import clocks_due, stop_clock
from atoll.web.store.store import Store
from atoll.web.table.table import Table
from atoll.web.table.tables import Tables

INTERVAL = 1.0
"""Seconds between two checks of the clocks."""


class ClockWatch:
    """Checks regularly, for all tables of the site, whether a player is out of time."""

    def __init__(self, store: Store, tables: Tables, watched: WatchedTables, bots: BotMoves) -> None:
        self.store = store
        self.tables = tables
        self.watched = watched
        self.bots = bots

    async def run(self) -> None:
        """Check for ever."""
        backoff = Backoff("the clocks could not be read")
        while True:
            await asyncio.sleep(INTERVAL)
            try:
                for table in await run_in_threadpool(self.check):
                    self.watched.notify(table.row.id, table.version)
                    self.bots.wake(table)
                backoff.succeeded()
            except Exception as error:
                await backoff.wait(error)

    def check(self) -> list[Table]:
        """Let bots take over for players who are out of time; returns the tables whose clocks changed."""
        moment = self.store.time.now()
        begun = [table for name in self.store.beginning(moment) if (table := self._begin(name)) is not None]
        due = clocks_due(self.store.engine, moment)
        if due is None:
            return begun
        self.store.time.beat()
        return begun + [table for table_id in due if (table := self._tick(table_id)) is not None]

    def _begin(self, table_id: str) -> Table | None:
        """Let the game begin whose time has come; a table where nobody waits any more is deleted."""
        table = self._find(table_id)
        if table is None:
            return None
        with table.lock:
            table.catch_up()
            somebody_sits = table.begin_by_itself(DEFAULT_BOT)
        if not somebody_sits:
            self.store.delete(table_id)
            self.watched.notify(table_id)
        return table if somebody_sits else None

    def _tick(self, table_id: str) -> Table | None:
        table = self._find(table_id)
        if table is not None:
            with table.lock:
                table.catch_up()
                table.tick()
        return table

    def _find(self, table_id: str) -> Table | None:
        try:
            return self.tables.find(table_id)
        except Refusal as refusal:  # its rules or components have gone
            logging.getLogger(__name__).debug("the clock of table %s stands: %s", table_id, refusal.text)
            stop_clock(self.store.engine, table_id)
            return None
