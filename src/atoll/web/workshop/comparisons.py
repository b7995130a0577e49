"""Comparisons of components, played in the background: one process at a time, behind everything else.

The process runs at a low priority, so that the site and the bots at its tables get the cores first. Comparisons wait
for their turn, one of each browser, in the database (`web/store/comparison_queue.py`): every process of the site
shows how far they are, and what was under way when the site stopped is begun anew.
"""

import asyncio
import contextlib
import os
import secrets
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess

import msgspec
from sqlalchemy.exc import DBAPIError
from starlette.concurrency import run_in_threadpool

from atoll.core.types import Json
from atoll.web.bounds import COMPARISONS, Bounds, Visitor
from atoll.web.store.backoff import Backoff
from atoll.web.store.comparison_queue import ComparisonQueue, QueuedComparison
from atoll.web.table.search_pool import in_own_thread

BOT, SEED = "greedy", 0
"""Who plays in a comparison, and the seed of its deals: the same question has the same answer."""
NICENESS = 14
"""Of the process: behind the pages and the bots' searches (`web/table/search_pool.py`), and not quite at a
standstill."""
BEAT = 1.0
"""Seconds between two words of how far a comparison is, and until a cancelled one is ended."""
LONGEST = 3600.0
"""Seconds after which a comparison is given up."""
LOOK = 3.0
"""Seconds between two looks for a comparison that another process could not begin or had to leave."""


@dataclass(frozen=True)
class ComparisonRequest:
    """What is compared: two sets of a game's components with their names on the page."""

    game: str
    first: Json
    second: Json
    first_name: str
    second_name: str
    players: int
    games: int


class Comparisons:
    """What this process of the site does about comparisons: it takes what is asked for, and plays one at a time."""

    def __init__(self, queue: ComparisonQueue, bounds: Bounds) -> None:
        self.queue = queue
        self.bounds = bounds
        self.niceness = NICENESS
        self._name = secrets.token_urlsafe(9)
        self._asked = asyncio.Event()
        self._asking = threading.Lock()
        self._process: SpawnProcess | None = None
        self._stopped = False

    async def ask(self, set_id: str, visitor: Visitor, question: ComparisonRequest) -> None:
        """Have something compared; raises Refusal if the browser's last comparison is not over, or too many wait."""

        def ask() -> None:
            with self._asking:  # or two in the same instant would both find room
                ask_alone()

        def ask_alone() -> None:
            asking, most = self.queue.asking(), COMPARISONS.everybody
            if visitor.browser in asking.values():  # in whichever process it was asked for
                raise COMPARISONS.refusal("browser", 1)
            if most is not None and len(asking) >= most:
                raise COMPARISONS.refusal("everybody", most)
            self.bounds.take(COMPARISONS, visitor, set_id, lambda ids: asking.keys() & set(ids))
            self.queue.ask(set_id, visitor.browser, msgspec.to_builtins(question))

        await run_in_threadpool(ask)
        self._asked.set()

    async def run(self) -> None:
        """Play whatever is asked for, one after another, until this is cancelled."""
        backoff = Backoff("comparisons could not be read or kept")
        while True:
            try:
                running = await run_in_threadpool(self.queue.claim, self._name)
                if running is not None:
                    await in_own_thread(self._play, running)
                else:
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(self._asked.wait(), LOOK)
                    self._asked.clear()
                backoff.succeeded()
            except Exception as error:  # such as no memory for its process: the next may have some
                await backoff.wait(error)

    def stop(self) -> None:
        """End what is played here; it is begun anew by another process, or when the site runs again. Raises DBAPIError
        if that cannot be said, and then it is taken for dead.
        """
        self._stopped = True
        if self._process is not None:
            self._process.terminate()
        self.queue.give_back(self._name)

    def _play(self, running: QueuedComparison) -> None:
        """Play a comparison to its end, or until it is cancelled, and keep what came of it."""
        context = get_context("spawn")
        receiver, sender = context.Pipe(duplex=False)
        question = msgspec.convert(running.question, ComparisonRequest)
        process = context.Process(target=_work, args=(question, self.niceness, sender), daemon=True)
        process.start()
        self._process = process
        sender.close()
        try:
            result = self._follow(running, receiver)
        finally:
            process.terminate()
            process.join()
            self._process = None
        if not self._stopped:
            self.queue.finish(running, self._name, result)

    def _follow(self, running: QueuedComparison, receiver: Connection) -> Json | None:
        """What the process found, and meanwhile how far it is is kept; None if it ended before, or is to end."""
        state, done, last_note = "compiling", 0, time.monotonic()
        ends_at = last_note + LONGEST
        with contextlib.suppress(EOFError, OSError):
            while not self._stopped and time.monotonic() < ends_at:
                if receiver.poll(BEAT):
                    match receiver.recv():
                        case int(done):
                            state = "playing"
                        case found:
                            return found  # type: ignore[no-any-return]
                if time.monotonic() - last_note >= BEAT:
                    last_note = time.monotonic()
                    with contextlib.suppress(DBAPIError):  # it is said again in a second
                        if not self.queue.note(running, self._name, state, done):
                            return None
        return None


def _work(question: ComparisonRequest, niceness: int, sender: Connection) -> None:
    """Compare, in a process of its own, and send what is done, then the result, while there is somebody to take it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # its parent ends it
    with contextlib.suppress(OSError):
        os.nice(niceness)
    with contextlib.suppress(BrokenPipeError):
        sender.send(compare(question, sender.send))


def compare(question: ComparisonRequest, progress: Callable[[int], None]) -> Json:
    """What differs between two sets, as `atoll.lab.differences.Comparison` in builtins, with the names on the page;
    calls `progress` with the number of deals played so far, 0 as soon as all is compiled.
    """
    from atoll.bots import find_bot
    from atoll.core.catalogue import find_game
    from atoll.lab import comparison, report_builder
    from atoll.lab.played import Setup

    game = find_game(question.game)
    first, second = (
        Setup(
            game,
            game.components_from(str(data["name"]), data),
            question.players,
            [find_bot(BOT)],
            SEED,
        )
        for data in (question.first, question.second)
    )
    report_builder.prepare(first)
    done = 0
    progress(done)

    def count(games: int) -> None:
        nonlocal done
        done += games
        progress(done)

    result = comparison.compare(first, second, question.games, progress=count)
    return {
        "names": [question.first_name, question.second_name],
        "comparison": msgspec.to_builtins(result),
    }
