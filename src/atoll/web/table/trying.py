"""Trying moves out: a private copy of a table, made of what one viewer may know, on which one plays for everybody.

What is hidden from the viewer is drawn anew (`View.resample`), so the copy never tells the truth. Each step is kept in
the database (`store/kept_tries.py`), so that any process of the site goes on with it, until it is thrown away.
"""

import secrets
import threading
import time
from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from atoll.bots import DEFAULT_BOT
from atoll.core.errors import IllegalMove
from atoll.web.refusal import Refusal
from atoll.web.store.kept_tries import KeptTries, KeptTry
from atoll.web.store.store import Answer
from atoll.web.table.choosing import Fields
from atoll.web.table.course import Course
from atoll.web.table.seating import Viewer
from atoll.web.table.table import Table
from atoll.web.table.undo import together

if TYPE_CHECKING:
    from atoll.core.position import Position, View

TRIES = 200
"""Copies that stay in memory; the one that was used longest ago goes."""
ME = "me"
"""Stands for the browser of who tries, wherever it has the move."""


def new_seed() -> int:
    """What hidden things are drawn anew with."""
    return secrets.randbits(63)


class TriedTable(Table):
    """A copy of a table. Whoever tries has the seat that moves next; undoing takes back any move.

    `start` is where it begins, after `of` lines of the table.
    """

    def __init__(self, table: Table, start: "Position", of: int) -> None:
        self.store = table.store
        self.allowance = table.allowance
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
        self.course = Course(start)
        self._sit_down()

    @classmethod
    def begin(cls, table: Table, view: "View") -> "TriedTable":
        """A new copy, of what the viewer may know."""
        return cls(table, view.resample(new_seed()), len(table.course.lines))

    @classmethod
    def again(cls, table: Table, kept: KeptTry) -> "TriedTable | None":
        """A copy as it was kept; None if it cannot be played any more, since the rules have changed."""
        if kept.rules_version != table.game.rules_version:
            return None
        try:
            tried = cls(table, table.course.position.with_state(kept.start), kept.of)
            tried.course.catch_up(kept.lines, kept.choices)
        except (ValueError, IllegalMove):
            return None
        tried.stamp = kept.stamp
        tried._sit_down()
        return tried

    def kept(self) -> KeptTry:
        """What is kept of it."""
        course = self.course
        return KeptTry(
            self.stamp,
            self.of,
            self.game.rules_version,
            course.start.state.tobytes(),
            tuple(course.lines),
            tuple(course.choices.values()),
        )

    @property
    def address(self) -> str:
        """Where one tries."""
        return f"/tables/{self.row.id}/try"

    @property
    def viewer(self) -> Viewer:
        """The seat that moves next; nobody's once the game is over."""
        return Viewer(self.course.to_act[0] if self.course.to_act else None)

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

    def _change(self, change: object, *values: object, after: Course | None = None, **also: Any) -> bool:
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
        after = self.course.copy(self.course.position.copy())
        if self.course.choices:
            after.choices = dict(list(self.course.choices.items())[:-1])
        elif self.course.answers:
            last, to = self.course.answers[-1].seat, together(self.course, len(self.course.answers) - 1)
            after.replay(Answer(last, self.course.decision(last), {"undo": to}))
        else:
            raise Refusal(409, "There is nothing that you can take back now.")
        self._change(None, after=after)


class Tries:
    """The copies on which browsers try, one for each browser and table."""

    def __init__(self, kept: KeptTries) -> None:
        self._kept = kept
        self._read: OrderedDict[tuple[str, str], TriedTable] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, browser: str, table: Table, viewer: Viewer, *, anew: bool = False) -> TriedTable:
        """A browser's copy of a table, whose lock the caller holds; a new one if there is none. Raises Refusal."""
        if table.course.is_over:
            raise Refusal(409, "The game is over: look back at it, and play on from any position.")
        table.check_begun()
        key = browser, table.row.id
        kept = None if anew else self._kept.read(*key)
        with self._lock:
            found = self._read.get(key)
        if kept is None or found is None or found.stamp != kept.stamp:
            found = TriedTable.again(table, kept) if kept is not None else None
        if found is None:
            found = TriedTable.begin(table, table.course.view(viewer.seat))
            self.keep(browser, found)
        with self._lock:
            self._read[key] = found
            self._read.move_to_end(key)
            while len(self._read) > TRIES:
                self._read.popitem(last=False)
        return found

    def keep(self, browser: str, tried: TriedTable) -> None:
        """Keep a copy as it is after a step, for all processes of the site."""
        tried.stamp = secrets.token_urlsafe(9)
        self._kept.keep(browser, tried.row.id, tried.kept())

    def end(self, browser: str, table_id: str) -> None:
        """Throw a copy away."""
        self._kept.end(browser, table_id)
