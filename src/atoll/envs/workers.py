"""Threads that stay in compiled code between steps, since waking one takes as long as many a step.

Each has an order: a row of integers, of which one is changed atomically, its stage. A thread that has nothing to do
looks at it again and again for a short time (`PATIENCE`), then sleeps in Python until it is woken; so does the caller
while it waits for a thread.
"""

# mypy: disable-error-code="no-untyped-def"

import os
from collections.abc import Sequence
from threading import Lock, Thread, current_thread
from typing import Any, NamedTuple
from weakref import finalize

import numpy as np
from numba import types
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

from atoll.engine.compiling import compiled

FREE, ASLEEP, STOPPED, BUSY, AWAITED = range(5)
"""Stages of an order: there is nothing to do; nor is there, and the thread sleeps; the thread ends; there is something
to do; there is, and the caller sleeps until it is done."""
DONE = 5
"""What `next_order` returns where the caller is to be woken."""
STAGE, WHAT, FIRST, END, SAMPLES_TAKEN, ENDLESS_GAMES = range(6)
"""Columns of an order: its stage, what is done with games, the first of them, the one after the last, whether actions
are those in `sampled`, and how many games went on past their declared maximum."""
SPACING = 16
"""Integers from one order to the next: two threads' never lie in the same line of a cache."""
PATIENCE = 30_000
"""How often a stage is looked at before its thread, or the caller, sleeps: about twice as long as waking takes."""

_SWAPPING = Lock()
"""What makes `swap` atomic where it is not compiled."""


def swap(order, expected, stage):
    """Put a stage in the place of the one expected, if that is there, atomically; returns what was there."""
    with _SWAPPING:
        found = order[STAGE]
        if found == expected:
            order[STAGE] = stage
        return found


@intrinsic  # type: ignore[untyped-decorator]
def _swap(typing_context: Any, order: Any, expected: Any, stage: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        first = context.make_array(order)(context, builder, arguments[0]).data
        found = builder.cmpxchg(first, arguments[1], arguments[2], "seq_cst", "seq_cst")
        return builder.extract_value(found, 0)

    return types.int64(order, types.int64, types.int64), generate


@overload(swap)
def _compile_swap(order, expected, stage):
    return lambda order, expected, stage: _swap(order, expected, stage)


@compiled
def put(order, stage):
    """Put a stage in the place of any, atomically; returns what was there."""
    expected, found = FREE, swap(order, FREE, stage)
    while found != expected:
        expected, found = found, swap(order, found, stage)
    return found


@compiled
def wait(order, stage, patience, then):
    """Look for another stage than this, once and so many times more; if it is still there, put `then` in its place.

    Returns what was there.
    """
    found = swap(order, stage, stage)
    while found == stage and patience > 0:
        found = swap(order, stage, stage)
        patience -= 1
    return swap(order, stage, then) if found == stage else found


@compiled
def next_order(order, patience):
    """The last is done: returns DONE if the caller sleeps, else the stage after waiting, FREE if nothing came."""
    if swap(order, BUSY, FREE) == AWAITED:
        swap(order, AWAITED, FREE)
        return DONE
    return wait(order, FREE, patience, ASLEEP)


class Worker(NamedTuple):
    """A thread's order, and two locks that are held: one is released to wake the thread, the other the caller."""

    order: NDArray[np.int64]
    ordered: Any
    done: Any

    @classmethod
    def of(cls, order: NDArray[np.int64]) -> "Worker":
        """For an order."""
        worker = cls(order, Lock(), Lock())
        worker.ordered.acquire()
        worker.done.acquire()
        return worker


class Workers:
    """Runs `serve` (`stepping.server`) over all games, on as many threads as there are of `own`.

    The caller's is the first. The others begin when they are first needed, and end by `stop`, with the object, or with
    the program.
    """

    def __init__(self, serve: Any, games: Any, own: Sequence[Any]) -> None:
        count = len(games.states)
        self._chosen, self._actions = np.zeros(count, dtype=np.uint8), np.zeros(count, dtype=np.int64)
        self._serve, self._games, self._own = serve, games, own
        self._process = 0

    def work(self, what: int, chosen: NDArray[np.uint8], actions: NDArray[np.int64]) -> int:
        """Do what `run_games` does with every game; returns how many went on past their declared maximum."""
        if self._process != os.getpid():  # a process that was forked has no threads yet
            self._begin()
        sampled = actions is self._games.sampled
        if not sampled:  # else each thread has its part in its core's cache, and the caller leaves it there
            self._actions[:] = actions
        if (self._chosen != chosen).any():
            self._chosen[:] = chosen
        self._orders[:, WHAT], self._orders[:, SAMPLES_TAKEN] = what, sampled
        try:
            for worker in self._workers:
                if put(worker.order, BUSY) == ASLEEP:
                    worker.ordered.release()
            put(self._orders[0], BUSY)
            self._serve(self._games, self._own[0], self._orders[0], self._chosen, self._actions, 0)
            for worker in self._workers:
                if wait(worker.order, BUSY, PATIENCE, AWAITED) == BUSY:
                    worker.done.acquire()
            if self._errors:
                raise self._errors[0]
        except BaseException:  # Ctrl-C too: nothing is written once it has been raised
            self.stop()
            raise
        return int(self._orders[:, ENDLESS_GAMES].sum())

    def _begin(self) -> None:
        """Start the threads."""
        count = len(self._own)
        bounds = np.linspace(0, len(self._chosen), count + 1).astype(np.int64)
        self._orders = np.zeros((count, SPACING), dtype=np.int64)
        self._orders[:, FIRST], self._orders[:, END] = bounds[:-1], bounds[1:]
        self._workers = [Worker.of(order) for order in self._orders[1:]]
        self._errors: list[BaseException] = []
        threads: list[Thread] = []
        self._end = finalize(self, _stop, self._workers, threads)
        for worker, own in zip(self._workers, self._own[1:], strict=True):
            arguments = (self._games, own, worker.order, self._chosen, self._actions, PATIENCE)
            staying = (self._serve, arguments, worker, self._errors)
            thread = Thread(target=_stay, args=staying, daemon=True)
            thread.start()
            threads.append(thread)
        self._process = os.getpid()

    def stop(self) -> None:
        """End the threads, once what they are at is done; `work` begins others."""
        if self._process == os.getpid():
            self._process = 0
            self._end()


def _stay(serve: Any, arguments: tuple[Any, ...], worker: Worker, errors: list[BaseException]) -> None:
    """What a thread does. It knows nothing of `Workers`, whose last reference may go while it waits."""
    try:
        while (stage := serve(*arguments)) != STOPPED:
            if stage == DONE:
                worker.done.release()
            else:
                worker.ordered.acquire()
    except BaseException as error:
        errors.append(error)
        if put(worker.order, STOPPED) == AWAITED:
            worker.done.release()


def _stop(workers: Sequence[Worker], threads: Sequence[Thread]) -> None:
    for worker in workers:
        put(worker.order, STOPPED)
        if worker.ordered.locked():
            worker.ordered.release()
    for thread in threads:
        if thread is not current_thread():  # which may be the one that collects garbage
            thread.join()
