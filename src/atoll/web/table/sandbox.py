"""Sandboxes: private copies of a table, made of one viewer's information set, on which one plays for everybody.

A sandbox is a determinization (`View.resample`), so it reveals nothing hidden. Each step is stored
(`store/sandboxes.py`), so that any process of the site goes on with it, until it is deleted.
"""

import secrets
import threading
import time
from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from atoll.bots import DEFAULT_BOT
from atoll.text.errors import IllegalMove
from atoll.web.refusal import Refusal
from atoll.web.store.sandboxes import SandboxStore, StoredSandbox
from atoll.web.store.store import Answer
from atoll.web.table.move_choice import Fields
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table
from atoll.web.table.timeline import Timeline
from atoll.web.table.undo import together

if TYPE_CHECKING:
    from atoll.core.game import Position, View

TRIES = 200
"""Sandboxes in memory; the least recently used goes."""
ME = "me"
"""Stands for the browser of who tries, wherever it has the move."""


def new_seed() -> int:
    """The seed of a determinization."""
    return secrets.randbits(63)


class SandboxTable(Table):
    """A copy of a table. Its person has the seat that moves next, and may undo any move.

    `start` is where it begins, after `of` lines of the table.
    """

    def __init__(self, table: Table, start: "Position", of: int) -> None:
        self.store = table.store
        self.allowance_of = table.allowance_of
        self.lock = threading.Lock()
        self.game, self.components = table.game, table.components
        self.hints = "never"
        self.of = of
        self.stamp = ""
        """of what is kept of it"""
        self.row = replace(
            table.row,
            version=int(time.time() * 10),  # above that of a copy before, which the page may show
            lesson=None,
            clock=None,
            undo_asked=None,
            next=None,
        )
        self.real = table.seating
        self.timeline = Timeline(start)
        self._sit_down()

    @classmethod
    def begin(cls, table: Table, view: "View") -> "SandboxTable":
        """A new copy, of what the viewer may know."""
        return cls(table, view.resample(new_seed()), len(table.timeline.lines))

    @classmethod
    def again(cls, table: Table, stored: StoredSandbox) -> "SandboxTable | None":
        """A stored sandbox; None if it cannot be replayed, since the rules have changed."""
        if stored.rules_version != table.game.rules_version:
            return None
        try:
            sandbox = cls(table, table.timeline.position.with_state(stored.start), stored.of)
            sandbox.timeline.catch_up(stored.lines, stored.choices)
        except (ValueError, IllegalMove):
            return None
        sandbox.stamp = stored.stamp
        sandbox._sit_down()
        return sandbox

    def kept(self) -> StoredSandbox:
        """What is stored of it."""
        timeline = self.timeline
        return StoredSandbox(
            self.stamp,
            self.of,
            self.game.rules_version,
            timeline.start.state.tobytes(),
            tuple(timeline.lines),
            tuple(timeline.choices.values()),
        )

    @property
    def address(self) -> str:
        """Where one tries."""
        return f"/tables/{self.row.id}/try"

    @property
    def viewer(self) -> Viewer:
        """The seat that moves next; nobody's once the game is over."""
        return Viewer(self.timeline.to_act[0] if self.timeline.to_act else None)

    def _sit_down(self) -> None:
        """Whoever tries sits where the next move is made."""
        seat = self.viewer.seat
        self.seating = replace(
            self.real,
            seats=tuple(
                replace(s, browser=ME, bot=None)
                if s.seat == seat
                else replace(s, bot=DEFAULT_BOT if s.browser is None else s.bot)
                for s in self.real.seats
            ),
        )

    def catch_up(self, told: int | None = None) -> bool:
        """Nobody else changes it."""
        return False

    def _change(self, change: object, *values: object, after: Timeline | None = None, **also: Any) -> bool:
        """Go on in memory."""
        assert after is not None
        self._go_on(after)
        self._sit_down()
        return True

    def play(self, decision: int, fields: Fields) -> None:
        """Carry out a move of the seat that moves next. Raises Refusal."""
        seat = self.viewer.seat
        if seat is None:
            raise Refusal(409, "The game is over.")
        self.answer(seat, decision, fields)

    def back(self) -> None:
        """Take the last move back, or the last choice. Raises Refusal."""
        after = self.timeline.copy(self.timeline.position.copy())
        if self.timeline.choices:
            after.choices = dict(list(self.timeline.choices.items())[:-1])
        elif self.timeline.answers:
            last, to = self.timeline.answers[-1].seat, together(self.timeline, len(self.timeline.answers) - 1)
            after.replay(Answer(last, self.timeline.decision(last), {"undo": to}))
        else:
            raise Refusal(409, "There is nothing that you can take back now.")
        self._change(None, after=after)


class Sandboxes:
    """All sandboxes, one for each browser and table."""

    def __init__(self, kept: SandboxStore) -> None:
        self._kept = kept
        self._read: OrderedDict[tuple[str, str], SandboxTable] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, browser: str, table: Table, viewer: Viewer, *, anew: bool = False) -> SandboxTable:
        """A browser's copy of a table, whose lock the caller holds; a new one if there is none. Raises Refusal."""
        if table.timeline.is_over:
            raise Refusal(409, "The game is over: look back at it, and play on from any position.")
        table.check_begun()
        key = browser, table.row.id
        stored = None if anew else self._kept.read(*key)
        with self._lock:
            sandbox = self._read.get(key)
        if stored is None or sandbox is None or sandbox.stamp != stored.stamp:
            sandbox = SandboxTable.again(table, stored) if stored is not None else None
        if sandbox is None:
            sandbox = SandboxTable.begin(table, table.timeline.view(viewer.seat))
            self.keep(browser, sandbox)
        with self._lock:
            self._read[key] = sandbox
            self._read.move_to_end(key)
            while len(self._read) > TRIES:
                self._read.popitem(last=False)
        return sandbox

    def keep(self, browser: str, sandbox: SandboxTable) -> None:
        """Keep a copy as it is after a step, for all processes of the site."""
        sandbox.stamp = secrets.token_urlsafe(9)
        self._kept.keep(browser, sandbox.row.id, sandbox.kept())

    def end(self, browser: str, table_id: str) -> None:
        """Throw a copy away."""
        self._kept.end(browser, table_id)
