"""Comparisons that the workshop was asked for and that are not over: all processes of a site take from one queue.

Who plays one says so every second or two: a process of the site, or the browser that asked for it. One of whom nothing
was heard for a while has died, and its comparison is begun anew by a process.
"""

import secrets
import time
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Engine, and_, delete, insert, or_, select, update

from atoll.core.types import Json
from atoll.web.store.component_sets import keep_trial, running_trials
from atoll.web.store.engine import writing

LOST = 15.0
"""Seconds without a word after which whoever plays a comparison has died."""
BROWSER = "browser"
"""The worker that is the browser which asked."""
MOST_BEGUN = 2
"""Times that a comparison is begun: it may be what its processes die of."""
_COLUMNS = running_trials.c


@dataclass(frozen=True)
class QueuedComparison:
    """A comparison that waits, is played or came to nothing; `question` is as the workshop asked it."""

    set_id: str
    id: str
    question: Json
    state: str
    """"waiting", "compiling", "playing" or "failed" """
    done: int
    """deals that have been played"""
    by_browser: bool = False
    """whether the browser that asked plays it"""


class ComparisonQueue:
    """All of them, of each set one at most."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def ask(self, set_id: str, browser: str, question: Json, by_browser: bool = False) -> None:
        """Have something compared, in place of what came to nothing for that set; or the browser does so that asks."""
        row: dict[str, Any] = {"set_id": set_id, "id": secrets.token_urlsafe(9), "browser": browser}
        row |= {"question": question, "asked_at": time.time(), "state": "waiting", "done": 0, "begun": 0}
        if by_browser:
            row |= {"state": "playing", "worker": BROWSER, "beat_at": time.time()}
        with writing(self.engine) as connection:
            connection.execute(delete(running_trials).where(_COLUMNS.set_id == set_id))
            connection.execute(insert(running_trials), [row])

    def asking(self) -> dict[str, str]:
        """The sets whose comparisons wait or are played, with the browsers that asked."""
        query = select(_COLUMNS.set_id, _COLUMNS.browser).where(_COLUMNS.state != "failed")
        with self.engine.connect() as connection:
            return {row.set_id: row.browser for row in connection.execute(query)}

    def of(self, set_id: str) -> QueuedComparison | None:
        """What waits or is played for a set, or came to nothing last."""
        with self.engine.connect() as connection:
            row = connection.execute(select(running_trials).where(_COLUMNS.set_id == set_id)).first()
            return None if row is None else _running(row)

    def cancel(self, set_id: str) -> None:
        """Give a set's comparison up, if there is one; whoever plays it learns that from `note`."""
        with writing(self.engine) as connection:
            connection.execute(delete(running_trials).where(_COLUMNS.set_id == set_id))

    def claim(self, worker: str) -> QueuedComparison | None:
        """The one that `worker` plays next, and nobody else: of those that wait or whose player has died, the first
        that was asked for; None if there is none.
        """
        lost = and_(_COLUMNS.state.in_(("compiling", "playing")), _COLUMNS.beat_at < time.time() - LOST)
        free = or_(_COLUMNS.state == "waiting", lost)
        with self.engine.connect() as connection:
            row = connection.execute(
                select(running_trials).where(free).order_by(_COLUMNS.asked_at).limit(1)
            ).first()
        if row is None:
            return None
        values: dict[str, Any] = {"worker": worker, "beat_at": time.time(), "begun": row.begun + 1, "done": 0}
        values["state"] = "compiling" if row.begun < MOST_BEGUN else "failed"
        mine = update(running_trials).where(_COLUMNS.id == row.id, _COLUMNS.begun == row.begun)
        with writing(self.engine) as connection:
            claimed = connection.execute(mine.values(**values)).rowcount
        return _running(row) if claimed and values["state"] == "compiling" else None

    def note(self, running: QueuedComparison, worker: str, state: str, done: int) -> bool:
        """How far `worker` is; False if that comparison is not its any more, since it was cancelled, or taken by
        another that had heard nothing.
        """
        with writing(self.engine) as connection:
            query = update(running_trials).where(_played_by(running, worker))
            values = {"state": state, "done": done, "beat_at": time.time()}
            return bool(connection.execute(query.values(**values)).rowcount)

    def go_on(self, running: QueuedComparison, done: int, question: Json) -> bool:
        """The browser has come from `running` to so many deals, and its question says this now; False if it is not its
        any more, or was further already.
        """
        mine = update(running_trials).where(_played_by(running, BROWSER), _COLUMNS.done == running.done)
        with writing(self.engine) as connection:
            values = {"done": done, "question": question, "beat_at": time.time()}
            return bool(connection.execute(mine.values(**values)).rowcount)

    def give_back(self, worker: str) -> None:
        """What `worker` plays waits again, as if it had not been begun."""
        mine = (_COLUMNS.worker == worker) & _COLUMNS.state.in_(("compiling", "playing"))
        waits = {"state": "waiting", "done": 0, "begun": _COLUMNS.begun - 1, "worker": None}
        with writing(self.engine) as connection:
            connection.execute(update(running_trials).where(mine).values(**waits))

    def finish(self, running: QueuedComparison, worker: str, result: Json | None) -> None:
        """Keep what came of it, or that nothing did; nothing if it is not the worker's any more."""
        mine = _played_by(running, worker)
        with writing(self.engine) as connection:
            if result is None:
                connection.execute(update(running_trials).where(mine).values(state="failed"))
            elif connection.execute(delete(running_trials).where(mine)).rowcount:
                keep_trial(connection, running.set_id, result)


def _played_by(running: QueuedComparison, worker: str) -> ColumnElement[bool]:
    return and_(_COLUMNS.id == running.id, _COLUMNS.worker == worker)


def _running(row: Any) -> QueuedComparison:
    return QueuedComparison(row.set_id, row.id, row.question, row.state, row.done, row.worker == BROWSER)
