"""Analyses of finished games, under way and over: all processes of a site take from one queue.

Who carries one out says so every few seconds, with what was found so far, so that another can go on with it. Nobody
carries on with one for which nobody waits. The page of who asked comes first, if its browser can do it.
"""

import time
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, and_, insert, or_, select, update

from atoll.web.store.engine import writing
from atoll.web.store.schema import analyses

LOST = 30.0
"""Seconds without a word after which whoever carries one out has died."""
WAITED_FOR = 30.0
"""Seconds after the last look at it for which somebody waits for an analysis."""
MOST_BEGUN = 3
"""Times in a row that one is begun without a finding: it may be what its processes die of."""
HEAD_START = 4.0
"""Seconds in which the page of who asked for an analysis may begin with it, before the site does."""
UNDER_WAY = ("waiting", "running")
PAGE = "page "
"""How the name of a worker begins that has a page's cores."""
_COLUMNS = analyses.c


@dataclass(frozen=True)
class StoredAnalysis:
    """An analysis of the game `game_of`, which is "tables/ID" or "records/ID"."""

    game_of: str
    state: str
    """"waiting", "running", "stopped", "failed" or "done" """
    begun: int
    done: int
    """findings so far"""
    total: int
    """findings there will be; 0 until that is known"""
    findings: str
    """them as JSON, or the whole analysis once it is done"""

    @property
    def is_under_way(self) -> bool:
        """Whether it waits for its turn or is carried out."""
        return self.state in UNDER_WAY


class Analyses:
    """All of them, one a game."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def ask(self, game_of: str, browser: str) -> None:
        """Have a game analysed, or go on with what was stopped; nothing if it is under way or done."""
        now = time.time()
        again = {"state": "waiting", "begun": 0, "browser": browser, "asked_at": now, "looked_at": now}
        kept = {"worker": None, "beat_at": None, "done": 0, "total": 0, "findings": "[]"}
        mine = _COLUMNS.game_of == game_of
        with writing(self.engine) as connection:
            state = connection.scalar(select(_COLUMNS.state).where(mine))
            if state is None:
                connection.execute(insert(analyses), [{"game_of": game_of, **again, **kept}])
            elif state in ("stopped", "failed"):
                connection.execute(update(analyses).where(mine).values(**again))

    def of(self, game_of: str) -> StoredAnalysis | None:
        """A game's analysis, as far as it is; None if nobody asked for one."""
        with self.engine.connect() as connection:
            row = connection.execute(select(analyses).where(_COLUMNS.game_of == game_of)).first()
        return None if row is None else _stored(row)

    def done(self, among: Collection[str]) -> set[str]:
        """Those of these games that are analysed to the end."""
        query = select(_COLUMNS.game_of).where(_COLUMNS.state == "done", _COLUMNS.game_of.in_(among))
        with self.engine.connect() as connection:
            return set(connection.scalars(query))

    def findings(self, of: Collection[str]) -> dict[str, str]:
        """What was found of these games, which are analysed to the end, by game."""
        query = select(_COLUMNS.game_of, _COLUMNS.findings).where(_COLUMNS.game_of.in_(of))
        with self.engine.connect() as connection:
            return {row.game_of: row.findings for row in connection.execute(query)}

    def look(self, game_of: str) -> None:
        """Somebody waits for it."""
        waiting = (_COLUMNS.game_of == game_of) & _COLUMNS.state.in_(UNDER_WAY)
        with writing(self.engine) as connection:
            connection.execute(update(analyses).where(waiting).values(looked_at=time.time()))

    def asking(self, among: Collection[str] | None = None) -> set[str]:
        """The games whose analyses somebody waits for."""
        query = select(_COLUMNS.game_of).where(_COLUMNS.state.in_(UNDER_WAY), _is_waited_for())
        if among is not None:
            query = query.where(_COLUMNS.game_of.in_(among))
        with self.engine.connect() as connection:
            return set(connection.scalars(query))

    def stop(self, game_of: str) -> None:
        """Give an analysis up; whoever carries it out learns that from `note`. What was found is kept."""
        mine = (_COLUMNS.game_of == game_of) & _COLUMNS.state.in_(UNDER_WAY)
        with writing(self.engine) as connection:
            connection.execute(update(analyses).where(mine).values(state="stopped", worker=None))

    def claim(self, worker: str) -> StoredAnalysis | None:
        """The one that `worker` carries out next, and nobody else: of those that are waited for and that nobody carries
        out, the first that was asked for; None if there is none.
        """
        waits = and_(_COLUMNS.state == "waiting", _COLUMNS.asked_at < time.time() - HEAD_START)
        free = and_(or_(waits, _is_lost()), _is_waited_for())
        with self.engine.connect() as connection:
            row = connection.execute(
                select(analyses).where(free).order_by(_COLUMNS.asked_at).limit(1)
            ).first()
        if row is None:
            return None
        state = "running" if row.begun < MOST_BEGUN else "failed"
        values = {"worker": worker, "beat_at": time.time(), "begun": row.begun + 1, "state": state}
        same = and_(_COLUMNS.game_of == row.game_of, _COLUMNS.begun == row.begun, free)
        with writing(self.engine) as connection:
            claimed = connection.execute(update(analyses).where(same).values(**values)).rowcount
        return _stored(row) if claimed and state == "running" else None

    def take(self, game_of: str, worker: str, browser: str) -> StoredAnalysis | None:
        """Let `worker` go on with the cores of the page of who asked, in place of the site's; None if it was another
        browser that asked, if another page does it, or if it is not under way.
        """
        by_site = and_(_COLUMNS.state == "running", _COLUMNS.worker.not_like(f"{PAGE}%"))
        free = or_(_COLUMNS.state == "waiting", by_site, _is_lost())
        mine = and_(_COLUMNS.game_of == game_of, _COLUMNS.browser == browser, free)
        now = time.time()
        values = {"worker": worker, "beat_at": now, "looked_at": now, "state": "running"}
        with writing(self.engine) as connection:
            if not connection.execute(update(analyses).where(mine).values(**values)).rowcount:
                return None
            return _stored(connection.execute(select(analyses).where(_COLUMNS.game_of == game_of)).one())

    def note(self, game_of: str, worker: str, findings: str, done: int, total: int) -> bool:
        """What `worker` has found; False if nobody waits for it any more, or if it is not its."""
        return self._hear(game_of, worker, findings=findings, done=done, total=total, begun=1)

    def beat(self, game_of: str, worker: str) -> bool:
        """The page that lends `worker` its cores is open, and so waits; False as for `note`."""
        return self._hear(game_of, worker, looked_at=time.time())

    def _hear(self, game_of: str, worker: str, **values: Any) -> bool:
        mine = and_(_COLUMNS.game_of == game_of, _COLUMNS.worker == worker, _COLUMNS.state == "running")
        with writing(self.engine) as connection:
            connection.execute(update(analyses).where(mine).values(beat_at=time.time(), **values))
            return connection.scalar(select(_COLUMNS.state).where(mine, _is_waited_for())) is not None

    def leave(self, worker: str) -> None:
        """What `worker` carries out waits for somebody who goes on with it."""
        self._let_wait(worker)

    def begin_anew(self, worker: str) -> None:
        """The same, and what was found is not believed."""
        self._let_wait(worker, findings="[]", done=0)

    def _let_wait(self, worker: str, **values: Any) -> None:
        mine = (_COLUMNS.worker == worker) & (_COLUMNS.state == "running")
        waits = {"state": "waiting", "worker": None, "begun": 0}
        with writing(self.engine) as connection:
            connection.execute(update(analyses).where(mine).values(**waits, **values))

    def finish(self, game_of: str, worker: str, analysis: str | None) -> None:
        """Keep an analysis, or that nothing came of it; nothing if it is not the worker's any more."""
        mine = (_COLUMNS.game_of == game_of) & (_COLUMNS.worker == worker)
        values = {"state": "failed"} if analysis is None else {"state": "done", "findings": analysis}
        with writing(self.engine) as connection:
            connection.execute(update(analyses).where(mine).values(worker=None, **values))


def _is_lost() -> Any:
    return and_(_COLUMNS.state == "running", _COLUMNS.beat_at < time.time() - LOST)


def _is_waited_for() -> Any:
    return _COLUMNS.looked_at > time.time() - WAITED_FOR


def _stored(row: Any) -> StoredAnalysis:
    return StoredAnalysis(row.game_of, row.state, row.begun, row.done, row.total, row.findings)
