"""Analysing finished games: on the cores of the page of who asked, else here, one at a time, behind everything else.

Analyses wait for their turn in the database (`web/store/analyses.py`): every process of the site shows how far they
are, and what was under way when the site stopped, when a page went away, or when nobody waited any more, goes on where
it was. A page that lends its cores is told tasks by its socket (`lab/remote_engine.py`); all else is done here.
"""

import asyncio
import contextlib
import logging
import secrets
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import anyio
import msgspec
from sqlalchemy.exc import DBAPIError
from starlette.concurrency import run_in_threadpool

from atoll.engine.stopping import Stopped
from atoll.lab.judge_engine import HERE, JudgeEngine
from atoll.lab.remote_engine import NotBelieved, RemoteEngine
from atoll.text.errors import AtollError
from atoll.web.bounds import ANALYSES, Bounds, Visitor
from atoll.web.refusal import Refusal
from atoll.web.store.analyses import PAGE, Analyses, StoredAnalysis
from atoll.web.store.backoff import Backoff
from atoll.web.table.search_pool import in_own_thread

BEAT = 3.0
"""Seconds between two words of what was found."""
LOOK = 3.0
"""Seconds between two looks for an analysis that another process could not begin or had to leave."""

WORLDS = 200
"""Worlds in which each position is judged."""
MOST_CORES = 8
"""Of a page that are used."""
AT_ONCE = 2
"""Decisions that are judged at once for each core of a page, so that it has something to do while an answer travels."""
MOST_LIED = 1000
"""Browsers that are remembered since they answered wrongly."""
GameRecord = Callable[[str], str]
"""The record of a finished game by what it is an analysis of; raises Refusal."""


class Loan(NamedTuple):
    """The cores that a page lends: how many; `about` the game, which it is told first; and whether it `searches`."""

    cores: int
    about: str
    searches: bool


class NotWaitedFor(Exception):
    """Nobody waits for the analysis any more, or the site is being stopped."""


class Analysing:
    """What this process of the site does about analyses: it takes what is asked for, and carries out one at a time
    itself, besides those for which pages do the work.
    """

    def __init__(self, analyses: Analyses, bounds: Bounds, record_of: GameRecord) -> None:
        self.analyses = analyses
        self.bounds = bounds
        self.worlds = WORLDS
        self._record_of = record_of
        self._name = secrets.token_urlsafe(9)
        self._asked = asyncio.Event()
        self._asking = threading.Lock()
        self._pages: set[str] = set()
        self._lied: deque[str] = deque(maxlen=MOST_LIED)
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
                    await in_own_thread(self._carry_out, stored, self._name, patient=True)
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
        for worker in (self._name, *self._pages):
            self.analyses.leave(worker)

    async def lend(
        self,
        game_of: str,
        browser: str,
        loan: Loan,
        send: Callable[[str], Awaitable[None]],
        receive: Callable[[], Awaitable[str | None]],
    ) -> None:
        """Carry an analysis out with the cores of a page of `browser`, until it is done or the page is closed: then
        `receive` gives None. Nothing if it is not for this page to do.
        """
        worker, stored = f"{PAGE}{secrets.token_urlsafe(9)}", None
        if browser not in self._lied:
            stored = await run_in_threadpool(self.analyses.take, game_of, worker, browser)
        if stored is None:
            return
        tasks: asyncio.Queue[str] = asyncio.Queue()
        tasks.put_nowait(loan.about)
        loop = asyncio.get_running_loop()
        engine = RemoteEngine(
            lambda task: loop.call_soon_threadsafe(tasks.put_nowait, task), searches=loan.searches
        )
        lanes = AT_ONCE * max(1, min(loan.cores, MOST_CORES))

        async def send_tasks() -> None:
            while True:
                await send(await tasks.get())

        async def take_answers() -> None:
            with contextlib.suppress(NotBelieved):
                while (answer := await receive()) is not None:
                    engine.take(answer)
            engine.stop()

        async def say_so() -> None:
            is_waited_for = True
            while is_waited_for:
                await anyio.sleep(BEAT)
                with contextlib.suppress(DBAPIError):
                    is_waited_for = await run_in_threadpool(self.analyses.beat, game_of, worker)
            engine.stop()

        self._pages.add(worker)
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(send_tasks)
                group.start_soon(take_answers)
                group.start_soon(say_so)
                carry_out = partial(self._carry_out, stored, worker, engine, lanes, engine.stop)
                if not await in_own_thread(carry_out):
                    self._lied.append(browser)
                group.cancel_scope.cancel()
        finally:
            engine.stop()
            self._pages.discard(worker)

    def _carry_out(
        self,
        stored: StoredAnalysis,
        worker: str,
        engine: JudgeEngine = HERE,
        lanes: int = 1,
        give_up: Callable[[], None] = lambda: None,
    ) -> bool:
        """Analyse a game to the end, or until nobody waits for it; False if what others found is not believed."""
        from atoll.core.records import read_records
        from atoll.lab.analysis import Finding, analyse

        noted = time.monotonic() - BEAT  # so that it is soon told how much there is

        def note(findings: Sequence[Finding], total: int) -> None:
            nonlocal noted
            is_waited_for = not self._stopped
            if is_waited_for and time.monotonic() - noted >= BEAT:
                noted = time.monotonic()
                with contextlib.suppress(DBAPIError):  # it is said again soon
                    text = encoded(findings)
                    is_waited_for = self.analyses.note(stored.game_of, worker, text, len(findings), total)
            if not is_waited_for:
                give_up()
                raise NotWaitedFor

        try:
            record = next(read_records(self._record_of(stored.game_of).splitlines()))
            known = msgspec.json.decode(stored.findings, type=list[Finding])
            found = analyse(
                record, worlds=self.worlds, workers=lanes, progress=note, known=known, engine=engine
            )
        except (NotWaitedFor, Stopped):
            self.analyses.leave(worker)
        except NotBelieved:
            logging.getLogger(__name__).warning(
                "a page answered wrongly: %s is analysed anew", stored.game_of
            )
            give_up()
            self.analyses.begin_anew(worker)
            return False
        except (AtollError, Refusal):
            self.analyses.finish(stored.game_of, worker, None)
        else:
            self.analyses.finish(stored.game_of, worker, encoded(found))
        return True


def encoded(findings: Any) -> str:
    """As JSON."""
    return msgspec.json.encode(findings).decode()
