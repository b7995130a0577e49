"""Watched tables: wakes open pages when their table changes.

Level-triggered: a page waits until the table's version is above its own, and then gets the latest; versions in between
are skipped. Each notification replaces the event and sets the old one, so that no wake-up is lost.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from atoll.web.table.seats import Seating

MOST_NEWS = 16
"""Cached messages, which serve all spectators with the same page."""
PAUSE_PER_BROWSER = 0.002
"""Seconds, times the number of browsers, for which arrivals and departures are collected before pages are notified:
else a crowd would cause a quadratic number of messages."""
UNKNOWN = -1
"""A version below every table's."""


class WatchedTable:
    """A table with open pages. `version` is the last of which its pages were notified; `changes` counts notifications
    without a version."""

    def __init__(self) -> None:
        self.event = asyncio.Event()
        self.watchers = 0
        self.browsers: Counter[str] = Counter()
        self.version = UNKNOWN
        self.changes = 0
        self.news: dict[object, News] = {}
        """cached messages, by what a page has"""
        self.chat: dict[object, str] = {}
        """cached HTML of the chat for spectators"""
        self.drawing = asyncio.Lock()
        """held while something is rendered that others may get, too"""
        self._timer: asyncio.TimerHandle | None = None

    def keep(self, key: object, news: "News") -> None:
        """Cache the message for pages with `key`."""
        if len(self.news) >= MOST_NEWS:
            self.news.clear()
        self.news[key] = news

    def notify(self) -> None:
        """Wake all pages of the table."""
        event, self.event = self.event, asyncio.Event()
        event.set()

    def notify_soon(self) -> None:
        """The same a moment later, once for all arrivals and departures until then."""
        if self._timer is None:
            after = PAUSE_PER_BROWSER * len(self.browsers)
            self._timer = asyncio.get_running_loop().call_later(after, self._notify_now)

    def _notify_now(self) -> None:
        self._timer = None
        self.notify()


@dataclass(frozen=True)
class News:
    """A message with a newer live part, and what a page has after it."""

    text: str
    version: int
    rounds: int
    regions: Mapping[str, str]


class WatchedTables:
    """All tables with open pages."""

    def __init__(self) -> None:
        self.is_notified = False
        """whether the database notifies this process of every committed change"""
        self._watched: defaultdict[str, WatchedTable] = defaultdict(WatchedTable)

    def notify(self, table_id: str, version: int = UNKNOWN) -> None:
        """Notify a table's pages of a change, to that version if it is known."""
        if table_id in self._watched:
            watched = self._watched[table_id]
            watched.version = max(watched.version, version)
            watched.changes += version == UNKNOWN
            watched.notify()

    def watch(self, table_id: str, browser: str, version: int = UNKNOWN) -> WatchedTable:
        """Count one more page of a browser until `leave`; it has `version`."""
        watched = self._watched[table_id]
        if not watched.watchers:
            watched.version = version
        watched.watchers += 1
        watched.browsers[browser] += 1
        if watched.browsers[browser] == 1:
            watched.notify_soon()
        return watched

    def leave(self, table_id: str, browser: str) -> None:
        """Count one page less."""
        watched = self._watched[table_id]
        watched.watchers -= 1
        watched.browsers[browser] -= 1
        if not watched.browsers[browser]:
            del watched.browsers[browser]
            watched.notify_soon()
        if not watched.watchers:
            del self._watched[table_id]

    def watching(self, table_id: str, seating: Seating) -> int:
        """The number of browsers that have the table open in this process and do not play there."""
        if table_id not in self._watched:
            return 0
        browsers = self._watched[table_id].browsers
        return len(browsers) - len({sitting.browser for sitting in seating.seats} & browsers.keys())

    def notify_newer(self, versions: Mapping[str, int]) -> None:
        """Notify the pages of tables whose stored versions have risen."""
        for table_id, version in versions.items():
            if table_id in self._watched and version > self._watched[table_id].version:
                self.notify(table_id, version)

    def is_watched(self, table_id: str) -> bool:
        """Whether the table has open pages."""
        return table_id in self._watched

    @property
    def ids(self) -> tuple[str, ...]:
        """The tables with open pages."""
        return tuple(self._watched)
