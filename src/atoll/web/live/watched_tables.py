"""Notifying those who watch a table that it has changed.

Level-triggered: a watcher waits until the table's version is above the one that it has, and then takes the latest;
versions in between are skipped. There is one event a version, replaced and then set, so that no wake-up is lost.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from atoll.web.table.seats import Seating

MOST_NEWS = 16
"""Messages that are kept for pages alike: who watches has the same page as others who do."""
PAUSE_PER_BROWSER = 0.002
"""Seconds for each browser there until the others are told that one has come or gone: else a crowd that comes would
have each of its pages told of each of the others."""
UNKNOWN = -1
"""A version below every table's."""


class WatchedTable:
    """A table that somebody watches. `version` is the last of which all its pages were told; `changes` counts how often
    they were told of one that was not known."""

    def __init__(self) -> None:
        self.event = asyncio.Event()
        self.watchers = 0
        self.browsers: Counter[str] = Counter()
        self.version = UNKNOWN
        self.changes = 0
        self.news: dict[object, News] = {}
        """what pages are sent, by what they have"""
        self.chat: dict[object, str] = {}
        """what is said, as those who watch are sent it"""
        self.drawing = asyncio.Lock()
        """held while something is drawn that others may be sent, too"""
        self._timer: asyncio.TimerHandle | None = None

    def keep(self, key: object, news: "News") -> None:
        """Keep what pages that have `key` are sent."""
        if len(self.news) >= MOST_NEWS:
            self.news.clear()
        self.news[key] = news

    def notify(self) -> None:
        """Wake all who watch the table."""
        event, self.event = self.event, asyncio.Event()
        event.set()

    def notify_soon(self) -> None:
        """The same in a moment, for all who come or go until then."""
        if self._timer is None:
            after = PAUSE_PER_BROWSER * len(self.browsers)
            self._timer = asyncio.get_running_loop().call_later(after, self._notify_now)

    def _notify_now(self) -> None:
        self._timer = None
        self.notify()


@dataclass(frozen=True)
class News:
    """A message with a newer live part, and what a page has then."""

    text: str
    version: int
    rounds: int
    regions: Mapping[str, str]


class WatchedTables:
    """All tables that somebody watches."""

    def __init__(self) -> None:
        self.is_notified = False
        """whether this process is told of every change as soon as others can read it"""
        self._watched: defaultdict[str, WatchedTable] = defaultdict(WatchedTable)

    def notify(self, table_id: str, version: int = UNKNOWN) -> None:
        """Tell those who watch the table that it has changed, to that version if it is known."""
        if table_id in self._watched:
            watched = self._watched[table_id]
            watched.version = max(watched.version, version)
            watched.changes += version == UNKNOWN
            watched.notify()

    def watch(self, table_id: str, browser: str, version: int = UNKNOWN) -> WatchedTable:
        """The table, watched by one more page of that browser until `leave`; the page looks whether it is later than
        `version`."""
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
        """How many browsers that do not play there have the table open, as far as this process knows."""
        if table_id not in self._watched:
            return 0
        browsers = self._watched[table_id].browsers
        return len(browsers) - len({sitting.browser for sitting in seating.seats} & browsers.keys())

    def notify_newer(self, versions: Mapping[str, int]) -> None:
        """Tell those who watch tables whose versions in the store have risen since the last time."""
        for table_id, version in versions.items():
            if table_id in self._watched and version > self._watched[table_id].version:
                self.notify(table_id, version)

    def is_watched(self, table_id: str) -> bool:
        """Whether somebody watches the table."""
        return table_id in self._watched

    @property
    def ids(self) -> tuple[str, ...]:
        """The tables that somebody watches."""
        return tuple(self._watched)
