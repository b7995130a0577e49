"""A table as one viewer may know it: what a game's page is drawn from, and nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from atoll.core.events import Event
    from atoll.core.position import View


@dataclass(frozen=True)
class Seen:
    """What a viewer may know of a table. The position itself cannot be reached from it."""

    view: "View"
    """the position, with its components and, for who has to decide, the legal moves"""
    heard: "Sequence[Sequence[Event]]"
    """the events of every move since the start, redacted; those since the viewer's last look count as one move"""
    names: Sequence[str] = ()
    """what the seats are called"""

    @property
    def latest(self) -> "Sequence[Event]":
        """What has happened since the viewer's last look."""
        return self.heard[-1] if self.heard else ()
