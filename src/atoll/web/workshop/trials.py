"""What a change of components does, found out in the background: one process at a time, behind everything else.

The process runs at a low priority, so that the site and the bots at its tables get the cores first; comparisons
wait for their turn, one of each browser, and one that is cancelled is ended with its process.
"""

import asyncio
import contextlib
import logging
import os
import secrets
import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

import msgspec
from sqlalchemy.exc import DBAPIError
from starlette.concurrency import run_in_threadpool

from atoll.core.game import Json
from atoll.web.refusal import Refusal
from atoll.web.store.component_sets import ComponentSets

BOT, SEED = "greedy", 0
"""Who plays in a comparison, and the seed of its deals: the same question has the same answer."""
MOST_WAITING = 20
"""Comparisons that wait on the whole site."""
NICENESS = 14
"""Of the process: behind the pages and the bots' searches (`web/table/thinking.py`), and not quite at a standstill."""


@dataclass(frozen=True)
class Question:
    """What is compared: two sets of a game's components with their names on the page."""

    game: str
    first: Json
    second: Json
    first_name: str
    second_name: str
    players: int
    games: int


@dataclass
class Running:
    """A comparison that waits or runs."""

    set_id: str
    browser: str
    question: Question
    state: str = "waiting"
    """or "compiling", "playing", "failed" """
    cancelled: bool = False
    done: int = 0
    id: str = field(default_factory=lambda: secrets.token_urlsafe(6))
    process: Any = None


class Trials:
    """All comparisons that wait or run; what came of those that are done is in the database."""

    def __init__(self, sets: ComponentSets) -> None:
        self._sets = sets
        self.niceness = NICENESS
        self._known: dict[str, Running] = {}  # by set: what waits or runs, and what failed last
        self._waiting: asyncio.Queue[Running] = asyncio.Queue()

    def ask(self, set_id: str, browser: str, question: Question) -> None:
        """Have something compared; raises Refusal if the browser's last comparison is not over, or too many wait."""
        active = [one for one in self._known.values() if one.state in ("waiting", "compiling", "playing")]
        if any(one.browser == browser for one in active):
            raise Refusal(429, "Your last comparison is still under way; wait for it, or cancel it.")
        if len(active) >= MOST_WAITING:
            raise Refusal(429, "Too many comparisons wait on this site; try again later.")
        running = self._known[set_id] = Running(set_id, browser, question)
        self._waiting.put_nowait(running)

    def of(self, set_id: str) -> Running | None:
        """What waits or runs for a set, or failed last."""
        return self._known.get(set_id)

    def cancel(self, set_id: str) -> None:
        """Give a comparison up, if there is one."""
        running = self._known.pop(set_id, None)
        if running is not None:
            running.cancelled = True
            _end_cancelled(running)

    async def run(self) -> None:
        """Compare whatever is asked for, one after another, until this is cancelled."""
        while True:
            running = await self._waiting.get()
            if running.cancelled:
                continue
            try:
                result = await run_in_threadpool(self._compare, running)
                if result is not None:
                    await run_in_threadpool(self._sets.note_trial, running.set_id, result)
                    if self._known.get(running.set_id) is running:
                        del self._known[running.set_id]
                elif not running.cancelled:
                    running.state = "failed"
            except DBAPIError as error:
                running.state = "failed"
                logging.getLogger(__name__).warning("a comparison could not be kept: %s", error.orig)

    def stop(self) -> None:
        """Give all of them up."""
        for set_id in list(self._known):
            self.cancel(set_id)

    def _compare(self, running: Running) -> Json | None:
        """What came of it; None if its process was ended or failed."""
        context = get_context("spawn")
        receiver, sender = context.Pipe(duplex=False)
        running.state = "compiling"
        process = context.Process(target=_work, args=(running.question, self.niceness, sender), daemon=True)
        process.start()
        sender.close()
        running.process = process
        _end_cancelled(running)  # if that was while it started
        result = None
        with contextlib.suppress(EOFError, OSError):
            while True:
                match receiver.recv():
                    case int() as done:
                        running.state, running.done = "playing", done
                    case dict() as found:
                        result = found
        process.join()
        return None if running.cancelled else result


def _end_cancelled(running: Running) -> None:
    if running.cancelled and running.process is not None:
        running.process.terminate()


def _work(question: Question, niceness: int, sender: Connection) -> None:
    """Compare, in a process of its own, and send what is done, then the result."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # its parent ends it
    with contextlib.suppress(OSError):
        os.nice(niceness)
    sender.send(compare(question, sender.send))


def compare(question: Question, progress: Callable[[int], None]) -> Json:
    """What differs between two sets, as `atoll.lab.figures.Comparison` in builtins, with the names on the page; calls
    `progress` with the number of deals played so far, 0 as soon as all is compiled.
    """
    from atoll.bots import find_bot
    from atoll.core.catalogue import find_game
    from atoll.lab import comparing, reporting
    from atoll.lab.collecting import Played

    game = find_game(question.game)
    first, second = (
        Played(
            game,
            game.components_from(str(data["name"]), data),
            question.players,
            [find_bot(BOT)],
            SEED,
        )
        for data in (question.first, question.second)
    )
    reporting.prepare(first)
    done = 0
    progress(done)

    def count(games: int) -> None:
        nonlocal done
        done += games
        progress(done)

    found = comparing.compare(first, second, question.games, progress=count)
    return {
        "names": [question.first_name, question.second_name],
        "comparison": msgspec.to_builtins(found),
    }
