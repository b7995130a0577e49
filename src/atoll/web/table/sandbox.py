"""Sandboxes: private copies of a table, made of one viewer's information set, on which one plays for everybody.

A sandbox is a determinization (`View.resample`), so it reveals nothing hidden. Each step is stored
(`store/sandboxes.py`), so that any process of the site goes on with it, until it is deleted.
"""

import hashlib
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from atoll.bots import DEFAULT_BOT, find_bot
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

MOST_LINES = 600
"""Moves and undos in a sandbox, which are replayed whenever it is read."""
TRIES = 200
"""Sandboxes in memory; the least recently used goes."""
OTHERS = "greedy"
"""The bot that moves for the others here: it takes no core for long."""
ME = "me"
"""Stands for the browser of who tries, wherever it has the move."""


def first_seed(browser: str, table: Table) -> int:
    """The seed of a browser's first determinization after the table's last move: looking at a sandbox keeps nothing,
    and any process of the site makes the same."""
    subject = f"{browser} {table.row.id} {len(table.timeline.lines)}"
    return int.from_bytes(hashlib.sha256(subject.encode()).digest()[:8]) >> 1


class SandboxTable(Table):
    """A copy of a table. Its person sees it from their `own` seat, or from that of the next of the others while moving
    for them (`look_from`); without a seat, from whichever moves next. They may undo any move.

    `start` is where it begins, after `of` lines of the table.
    """

    def __init__(self, table: Table, start: "Position", of: int, own: int | None = None) -> None:
        self.store = table.store
        self.allowance_of = table.allowance_of
        self.lock = threading.Lock()
        self.game, self.components = table.game, table.components
        self.hints = "never"
        self.of, self.own = of, own
        self.for_others = False
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
    def begin(cls, table: Table, view: "View", seed: int) -> "SandboxTable":
        """A new copy, of what the viewer may know."""
        own = view.seat if 0 <= view.seat < view.players else None
        return cls(table, view.resample(seed), len(table.timeline.lines), own)

    @classmethod
    def at_start_of(cls, table: Table, stored: StoredSandbox, own: int | None) -> "SandboxTable | None":
        """A stored sandbox before its first move; None if the rules have changed."""
        if stored.rules_version != table.game.rules_version:
            return None
        try:
            return cls(table, table.timeline.position.with_state(stored.start), stored.of, own)
        except ValueError:
            return None

    def replay(self, stored: StoredSandbox) -> bool:
        """Carry out its moves; returns whether that was possible. Nothing of the table is needed for it."""
        try:
            self.timeline.catch_up(stored.lines, stored.choices)
        except (ValueError, IllegalMove):
            return False
        self.stamp = stored.stamp
        self._sit_down()
        return True

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
        """Where one tries, as seen from the seat from which it is seen now."""
        return self.address_of(self.moves_for_others)

    def address_of(self, for_others: bool) -> str:
        """Where one tries: as seen from the own seat, or to move for the others."""
        return f"/tables/{self.row.id}/try{'/others' if for_others else ''}"

    @property
    def waits_for_others(self) -> bool:
        """Whether only others have to move, and one has a seat."""
        to_act = self.timeline.to_act
        return self.own is not None and bool(to_act) and self.own not in to_act

    @property
    def moves_for_others(self) -> bool:
        """Whether the copy is seen from another's seat than the own one."""
        return self.for_others and self.waits_for_others

    def look_from(self, others: bool) -> None:
        """See it from the next of the others, wherever only they have to move; or from the own seat."""
        self.for_others = others
        self._sit_down()

    @property
    def viewer(self) -> Viewer:
        """From which seat it is seen."""
        to_act = self.timeline.to_act
        follows = self.moves_for_others or (self.own is None and bool(to_act))
        return Viewer(to_act[0] if follows else self.own)

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
        self._check_length()
        self.answer(seat, decision, fields)

    def play_others(self) -> None:
        """Have bots, who know what the seats know in this copy, move for the others until the own seat has to move or
        the game is over. Raises Refusal."""
        if not self.waits_for_others:
            return  # as after a second press
        self._check_length()
        bot, after = find_bot(OTHERS), self.timeline
        while after.to_act and self.own not in after.to_act and len(after.lines) < MOST_LINES:
            seat = after.to_act[0]
            action = bot.choose(after.view(seat), secrets.randbits(63))
            after = after.after(Answer(seat, after.decision(seat), self.game.notation.move_of(action)))
        self._change(None, after=after)

    def _check_length(self) -> None:
        if len(self.timeline.lines) >= MOST_LINES:
            raise Refusal(
                409,
                "You have tried out %(count)s moves here, as many as are kept: begin again.",
                count=MOST_LINES,
            )

    def back(self) -> None:
        """Take the last move back, or the last choice. Raises Refusal."""
        self._check_length()
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

    def stored(self, browser: str, table: Table) -> StoredSandbox | None:
        """A browser's copy of a table as it is kept."""
        return self._kept.read(browser, table.row.id)

    def kept(self, names: Collection[str]) -> set[str]:
        """Those of some copies that are kept, by their names (`kept_name`)."""
        return self._kept.kept(names)

    def begin(
        self, browser: str, table: Table, viewer: Viewer, stored: StoredSandbox | None, *, anew: bool = False
    ) -> tuple[SandboxTable, SandboxTable | None]:
        """A new copy of a table, whose lock the caller holds, and the stored one before its first move. Raises Refusal.
        Neither is kept.
        """
        if table.timeline.is_over:
            raise Refusal(409, "The game is over: look back at it, and play on from any position.")
        table.check_begun()
        seed = secrets.randbits(63) if anew else first_seed(browser, table)
        new = SandboxTable.begin(table, table.timeline.view(viewer.seat), seed)
        return new, None if stored is None else SandboxTable.at_start_of(table, stored, viewer.seat)

    def of(
        self, browser: str, stored: StoredSandbox | None, new: SandboxTable, old: SandboxTable | None
    ) -> SandboxTable:
        """A browser's copy as it was left, `old` with the moves of `stored`, or else the new one. The caller holds no
        lock: what is slow about it holds nobody up."""
        if stored is None:
            return new
        key = browser, new.row.id
        with self._lock:
            sandbox = self._read.get(key)
        if sandbox is None or sandbox.stamp != stored.stamp:
            sandbox = old if old is not None and old.replay(stored) else new
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
