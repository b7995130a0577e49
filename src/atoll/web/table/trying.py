"""Trying moves out: a private copy of a table, made of what one viewer may know, on which one plays for everybody.

What is hidden from the viewer is drawn anew (`View.resample`), so the copy never tells the truth. It lives in memory
and is thrown away.
"""

import secrets
import threading
import time
from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from atoll.bots import DEFAULT_BOT
from atoll.web.refusal import Refusal
from atoll.web.store.store import Answer
from atoll.web.table.bots import Hints
from atoll.web.table.choosing import Fields
from atoll.web.table.course import Course
from atoll.web.table.seating import Viewer
from atoll.web.table.table import Table
from atoll.web.table.undo import together

if TYPE_CHECKING:
    from atoll.core.position import View

TRIES = 200
"""Copies that are kept; the one that was used longest ago goes."""
ME = "me"
"""Stands for the browser of who tries, wherever it has the move."""


def new_seed() -> int:
    """What hidden things are drawn anew with."""
    return secrets.randbits(63)


class TriedTable(Table):
    """A copy of a table in memory. Whoever tries has the seat that moves next; undoing takes back any move."""

    def __init__(self, table: Table, view: "View") -> None:
        self.store = table.store
        self.allowance = table.allowance
        self.lock = threading.Lock()
        self.game, self.components = table.game, table.components
        self.hints = Hints("never")
        self.of = len(table.course.lines)
        """how many lines the table had"""
        self.row = replace(
            table.row,
            version=int(time.time() * 10),  # above that of a copy before, which the page may show
            lesson=None,
            clock=None,
            undo_asked=None,
            next=None,
        )
        self.real = table.seating
        self.course = Course(view.resample(new_seed()))
        self._sit_down()

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

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], TriedTable] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, browser: str, table: Table, viewer: Viewer, *, anew: bool = False) -> TriedTable:
        """A browser's copy of a table, whose lock the caller holds; a new one if there is none. Raises Refusal."""
        if table.course.is_over:
            raise Refusal(409, "The game is over: look back at it, and play on from any position.")
        table.check_begun()
        key = browser, table.row.id
        with self._lock:
            found = None if anew else self._kept.get(key)
        found = found or TriedTable(table, table.course.view(viewer.seat))
        with self._lock:
            self._kept[key] = found
            self._kept.move_to_end(key)
            while len(self._kept) > TRIES:
                self._kept.popitem(last=False)
        return found

    def end(self, browser: str, table_id: str) -> None:
        """Throw a copy away."""
        with self._lock:
            self._kept.pop((browser, table_id), None)
