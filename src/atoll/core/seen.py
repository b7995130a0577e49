"""A table as one viewer may know it: what a game's page is drawn from, and nothing else."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

if TYPE_CHECKING:
    from atoll.core.events import Event
    from atoll.core.game import View


class Tracker(Protocol):
    """What is followed from event to event, such as where each piece stands."""

    def follow(self, event: "Event") -> object:
        """Change as an event says."""

    def copy(self) -> Self:
        """An independent copy."""


Found = TypeVar("Found")
SomeTracker = TypeVar("SomeTracker", bound=Tracker)

Trackers = dict[type, tuple[int, Tracker]]
"""What a viewer's pages have followed, and after how many moves it stands so; nobody changes it."""


class ForAll:
    """What everybody sees of a position, and what was found of it."""

    def __init__(self, view: "View") -> None:
        self.view = view
        self._found: dict[object, Any] = {}

    def find(self, find: "Callable[[View], Found]") -> Found:
        """What a function finds; it is asked once."""
        if find not in self._found:
            self._found[find] = find(self.view)
        result: Found = self._found[find]
        return result


@dataclass(frozen=True)
class Seen:
    """What a viewer may know of a table. The position itself cannot be reached from it."""

    view: "View"
    """the position, with its components and, for who has to decide, the legal moves"""
    heard: "Sequence[Sequence[Event]]"
    """the events of every move since the start, redacted; those since the viewer's last look count as one move"""
    names: Sequence[str] = ()
    """what the seats are called"""
    kept: Trackers = field(default_factory=dict, repr=False)
    """what the viewer's earlier pages have followed"""
    all: ForAll | None = field(default=None, repr=False)
    """what the pages of all viewers have found of what everybody sees"""

    @property
    def latest(self) -> "Sequence[Event]":
        """What has happened since the viewer's last look."""
        return self.heard[-1] if self.heard else ()

    def for_all(self, find: "Callable[[View], Found]") -> Found:
        """What a function finds of what everybody sees, the view of who only watches: once for all pages of a position.
        Nobody changes it."""
        return find(self.view) if self.all is None else self.all.find(find)

    def followed(self, kind: type[SomeTracker], begin: Callable[[], SomeTracker]) -> SomeTracker:
        """Something as it was at the viewer's last look: as it began, and as the events until then say. Each event is
        followed once: where that was left is kept for the viewer's next page."""
        known, tracker = self.kept.get(kind, (0, None))
        before = max(0, len(self.heard) - 1)
        if tracker is None or known < before:
            tracker = begin() if tracker is None else tracker.copy()
            for events in self.heard[known:before]:
                for event in events:
                    tracker.follow(event)
            self.kept[kind] = before, tracker
        return tracker.copy()  # type: ignore[return-value]
