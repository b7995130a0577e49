"""Analysing finished games in the background, one at a time, behind everything else.

Analyses wait for their turn in the database (`web/store/analyses.py`): every process of the site shows how far they
are, and what was under way when the site stopped, or when nobody waited any more, goes on where it was.
"""

import asyncio
import contextlib
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from sqlalchemy.exc import DBAPIError
from starlette.concurrency import run_in_threadpool

from atoll.text.errors import AtollError
from atoll.web.bounds import ANALYSES, Bounds, Visitor
from atoll.web.refusal import Refusal
from atoll.web.store.analyses import Analyses, StoredAnalysis
from atoll.web.store.backoff import Backoff
from atoll.web.table.search_pool import in_own_thread

BEAT = 3.0
"""Seconds between two words of what was found."""
LOOK = 3.0
"""Seconds between two looks for an analysis that another process could not begin or had to leave."""

WORLDS = 200
"""Worlds in which each position is judged."""
GameRecord = Callable[[str], str]
"""The record of a finished game by what it is an analysis of; raises Refusal."""


class NotWaitedFor(Exception):
    """Nobody waits for the analysis any more, or the site is being stopped."""


class Analysing:
    """What this process of the site does about analyses: it takes what is asked for, and carries out one at a time."""

    def __init__(self, analyses: Analyses, bounds: Bounds, record_of: GameRecord) -> None:
        self.analyses = analyses
        self.bounds = bounds
        self.worlds = WORLDS
        self._record_of = record_of
        self._name = secrets.token_urlsafe(9)
        self._asked = asyncio.Event()
        self._asking = threading.Lock()
        self._stopped = False

    async def ask(self, game_of: str, visitor: Visitor) -> None:
        """Have a finished game analysed; raises Refusal if too many are under way."""

        def ask() -> None:
            with self._asking:  # or two in the same instant would both find room
                stored = self.analyses.of(game_of)
                if stored is None or stored.state != "done":
                    self.bounds.take(ANALYSES, visitor, game_of, self.analyses.asking)
                    self.analyses.ask(game_of, visitor.browser)

        await run_in_threadpool(ask)
        self._asked.set()

    async def run(self) -> None:
        """Carry out whatever is asked for, one after another, until this is cancelled."""
        backoff = Backoff("analyses could not be read or kept")
        while True:
            try:
                stored = await run_in_threadpool(self.analyses.claim, self._name)
                if stored is not None:
                    await in_own_thread(self._carry_out, stored, patient=True)
                else:
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(self._asked.wait(), LOOK)
                    self._asked.clear()
                backoff.succeeded()
            except Exception as error:  # such as a database that is away
                await backoff.wait(error)

    def stop(self) -> None:
        """Leave what is carried out here; raises DBAPIError if that cannot be said, and then this is taken for dead."""
        self._stopped = True
        self.analyses.leave(self._name)

    def _carry_out(self, stored: StoredAnalysis) -> None:
        """Analyse a game to the end, or until nobody waits for it."""
        from atoll.core.records import read_records
        from atoll.lab.analysis import Finding, analyse

        noted = time.monotonic()

        def note(findings: Sequence[Finding], total: int) -> None:
            nonlocal noted
            if self._stopped:
                raise NotWaitedFor
            if time.monotonic() - noted >= BEAT:
                noted = time.monotonic()
                with contextlib.suppress(DBAPIError):  # it is said again soon
                    if not self.analyses.note(
                        stored.game_of, self._name, encoded(findings), len(findings), total
                    ):
                        raise NotWaitedFor

        try:
            record = next(read_records(self._record_of(stored.game_of).splitlines()))
            known = msgspec.json.decode(stored.findings, type=list[Finding])
            found = analyse(record, worlds=self.worlds, progress=note, known=known)
        except NotWaitedFor:
            self.analyses.leave(self._name)
        except (AtollError, Refusal):
            self.analyses.finish(stored.game_of, self._name, None)
        else:
            self.analyses.finish(stored.game_of, self._name, encoded(found))


def encoded(findings: Any) -> str:
    """As JSON."""
    return msgspec.json.encode(findings).decode()
