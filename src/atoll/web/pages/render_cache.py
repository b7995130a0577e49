"""Render cache of a table: what its page need not draw again."""

from collections.abc import Callable
from weakref import WeakKeyDictionary

from atoll.core.types import Line
from atoll.web.pages.regions import Fragment, RegionCache, SharedRegions
from atoll.web.table.table import Table

FRAGMENTS_KEPT = 64


class RenderCache:
    """The live parts, the regions and the log entries that were drawn of one table."""

    def __init__(self) -> None:
        self.regions: dict[object, RegionCache] = {}
        """by viewer and language; each region is compared with what it was drawn from"""
        self.shared: dict[object, SharedRegions] = {}
        """by language, for one version of the table"""
        self._fragments: dict[object, Fragment] = {}
        self._lines: dict[object, list[Line]] = {}
        self._state: tuple[int, bool] | None = None
        self._undone = 0

    def bring_up_to_date(self, table: Table) -> None:
        """Drop the live parts if the table has changed or the next day tells more, and the log entries if moves were
        taken back.
        """
        state = table.version, table.tells_all
        if self._state != state:
            self._state = state
            self.forget_fragments()
        undone = len(table.timeline.lines) - len(table.timeline.answers)
        if self._undone != undone:
            self._undone = undone
            self._lines.clear()

    def fragment(self, key: object, draw: Callable[[], Fragment]) -> Fragment:
        """The live part of that key: all that it is drawn from besides the table's version."""
        if key not in self._fragments:
            if len(self._fragments) >= FRAGMENTS_KEPT:
                self._fragments.clear()
            self._fragments[key] = draw()
        return self._fragments[key]

    def lines(self, key: object, make: Callable[[], list[Line]], *, keep: bool) -> list[Line]:
        """The log entries of that key; `keep`: whether they are final."""
        lines = self._lines.get(key)
        if lines is None:
            lines = make()
            if keep:
                self._lines[key] = lines
        return lines

    def forget_fragments(self) -> None:
        """Drop the live parts."""
        self._fragments.clear()
        self.shared.clear()

    def clear(self) -> None:
        """Drop everything."""
        self.forget_fragments()
        self.regions.clear()
        self._lines.clear()


_CACHES: "WeakKeyDictionary[Table, RenderCache]" = WeakKeyDictionary()


def render_cache(table: Table) -> RenderCache:
    """The table's cache, up to date. The caller holds the table's lock."""
    cache = _CACHES.get(table)
    if cache is None:
        cache = _CACHES[table] = RenderCache()
    cache.bring_up_to_date(table)
    return cache
