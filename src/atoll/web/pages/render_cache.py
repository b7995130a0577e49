"""Cache of what was drawn of a table."""

from collections.abc import Callable

from atoll.core.game import Line
from atoll.web.pages.regions import Fragment, RegionCache, SharedRegions

FRAGMENTS_KEPT = 64


class RenderCache:
    """The live parts, the regions and the lines of the log that were drawn of one course of a game."""

    def __init__(self) -> None:
        self.regions: dict[object, RegionCache] = {}
        """by viewer and language"""
        self.shared: dict[object, SharedRegions] = {}
        """by language, of this position alone"""
        self._fragments: dict[object, Fragment] = {}
        self._lines: dict[object, list[Line]] = {}

    def fragment(self, key: object, draw: Callable[[], Fragment]) -> Fragment:
        """The live part of that key: all that it is drawn from besides the course."""
        if key not in self._fragments:
            if len(self._fragments) >= FRAGMENTS_KEPT:
                self._fragments.clear()
            self._fragments[key] = draw()
        return self._fragments[key]

    def lines(self, key: object, tell: Callable[[], list[Line]], *, keep: bool) -> list[Line]:
        """The log's lines of that key; `keep`: whether they stay as they are."""
        lines = self._lines.get(key)
        if lines is None:
            lines = tell()
            if keep:
                self._lines[key] = lines
        return lines

    def forget_fragments(self) -> None:
        """Drop the live parts, after a change that is in no key."""
        self._fragments.clear()
        self.shared.clear()

    def forget_lines(self) -> None:
        """Drop the lines of the log, after moves were taken back."""
        self._lines.clear()

    def copy(self) -> "RenderCache":
        """What can be used again after one more move."""
        copied = RenderCache()
        copied.regions = {viewer: dict(kept) for viewer, kept in self.regions.items()}
        copied._lines = dict(self._lines)
        return copied
