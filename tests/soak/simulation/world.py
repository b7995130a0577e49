"""The world that a simulated site lives in: time, chance and threads, which the operating system gives otherwise.

One thread does everything. Time passes only when nothing is left to do, and then at once. What the site does in
threads runs in greenlets, which give way only where the store is written to; so one seed leads to one course of things.
"""

import asyncio
import random
import secrets
import selectors
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from contextvars import Context, ContextVar, copy_context
from functools import partial
from itertools import count
from typing import Any, TypeVar
from unittest.mock import patch

import anyio
import anyio.to_thread
import numpy.random  # noqa: F401, draws from `secrets` when it is imported
from greenlet import GreenletExit, getcurrent, greenlet

from atoll.web.people import notifier
from atoll.web.store import backoff
from atoll.web.table.search_pool import SearchPool

Result = TypeVar("Result")
EPOCH = 1_900_000_000.0
"""Seconds since 1970 at which a simulation begins."""


class Instant(selectors.SelectSelector):
    """Waits for nothing: lets the time pass that would be waited."""

    loop: "VirtualLoop"

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """No input ever comes."""
        if timeout is None:
            raise RuntimeError("nothing is left that could ever happen")
        self.loop.passed += max(0.0, timeout)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose time passes only when nothing is left to do."""

    def __init__(self) -> None:
        selector = Instant()
        super().__init__(selector)
        selector.loop = self
        self.passed = 0.0
        self.numbers = count()
        self.machines: dict[Machine, None] = {}
        """every process that has run"""

    def time(self) -> float:
        """Seconds since it began."""
        return self.passed

    def call_soon(self, callback: Any, *args: Any, context: Context | None = None) -> asyncio.Handle:  # type: ignore[override]
        """Go on with a task between two of its waits; its process may die there."""
        home = HOME.get() if context is None else context.get(HOME)
        if home is not None:
            home.step()
        return super().call_soon(callback, *args, context=context)


HOME: ContextVar["Machine | None"] = ContextVar("HOME", default=None)
"""The process whose task runs."""


class Machine:
    """What runs a process: its tasks, which end with it."""

    def __init__(self) -> None:
        self.dead = False
        self.tasks: dict[asyncio.Task[Any], None] = {}
        self.failed: BaseException | None = None
        """what a task of it has raised"""
        self.dies_after = 0
        """steps between two waits of its tasks; 0: it lives on"""
        self.die: Callable[[], None] = self.kill
        """what else happens when it dies"""
        self.context: Context = copy_context()
        self.context.run(HOME.set, self)

    def step(self) -> None:
        """One of its tasks goes on."""
        if self.dies_after:
            self.dies_after -= 1
            if not self.dies_after:
                self.die()

    def begin(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        """Begin a task of this process."""
        return asyncio.get_running_loop().create_task(work, context=self.context.copy())

    def ended(self, task: asyncio.Task[Any]) -> None:
        """A task has ended."""
        self.tasks.pop(task, None)
        if not self.dead and not task.cancelled() and task.exception() is not None:
            self.failed = self.failed or task.exception()

    def kill(self) -> None:
        """End it as `kill -9` does: nothing that it still does reaches anybody."""
        self.dead = True
        for task in list(self.tasks):
            task.cancel()


class NumberedTask(asyncio.Task[Any]):
    """A task whose place in a set hangs on when it began, and not on where in memory it lies."""

    def __init__(self, work: Any, loop: Any, **settings: Any) -> None:
        self.number: int = next(loop.numbers)
        super().__init__(work, loop=loop, **settings)

    def __hash__(self) -> int:
        return self.number


def owned(loop: Any, work: Any, **settings: Any) -> asyncio.Task[Any]:
    """A task, counted among those of the process that begins it."""
    task: asyncio.Task[Any] = NumberedTask(work, loop, **settings)
    context = settings.get("context")
    home = HOME.get() if context is None else context.get(HOME)
    if home is not None:
        loop.machines[home] = None
        home.tasks[task] = None
        task.add_done_callback(home.ended)
    return task


class World:
    """Time and chance, from one seed."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.loop = VirtualLoop()
        self.loop.set_task_factory(owned)
        self.set_by = 0.0
        """seconds by which the machine's clock was set, and for which the machine slept"""

    def steady(self) -> float:
        """Seconds that only pass."""
        return self.loop.time()

    def wall(self) -> float:
        """Seconds since 1970, as the machine's clock has them."""
        return EPOCH + self.loop.time() + self.set_by

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Run it to its end, in this world."""
        bytes_of = self.chance.randbytes
        try:
            with (
                patch.object(time, "time", self.wall),
                patch.object(time, "monotonic", self.steady),
                patch.object(secrets, "token_bytes", lambda count=None: bytes_of(count or 32)),
                patch.object(secrets, "randbits", self.chance.getrandbits),
                patch.object(backoff, "uniform", self.chance.uniform),
                patch.object(anyio.to_thread, "run_sync", run_sync),
                patch.object(notifier, "in_own_thread", in_own_thread),
            ):
                return self.loop.run_until_complete(work)
        finally:
            self._close()

    def _close(self) -> None:
        tasks = asyncio.all_tasks(self.loop)
        for machine in self.loop.machines:
            machine.dead = True
        for task in tasks:
            task.cancel()
        ended = asyncio.wait(tasks, timeout=60) if tasks else asyncio.sleep(0)
        self.loop.run_until_complete(ended)
        self.loop.close()


# Threads


async def run_sync(function: Callable[..., Result], *given: Any, **_: Any) -> Result:
    """Run a function of a thread in a greenlet, instead of `anyio.to_thread.run_sync`."""
    worker = greenlet(partial(function, *given))
    worker.gr_context = copy_context()
    home = HOME.get()
    try:
        with anyio.CancelScope(shield=True):
            found = worker.switch()
            while not worker.dead:
                await asyncio.sleep(found)
                worker.parent = getcurrent()
                found = worker.switch()
    except asyncio.CancelledError:
        finish(worker, home is not None and home.dead)
        raise
    result: Result = found
    return result


def in_own_thread(function: Callable[..., Result], *given: Any, **_: Any) -> asyncio.Future[Result]:
    """The same for what waits for others, instead of `search_pool.in_own_thread`."""
    answer: asyncio.Future[Result] = asyncio.get_running_loop().create_future()

    async def settle() -> None:
        try:
            result = await run_sync(function, *given)
        except Exception as error:
            if not answer.done():
                answer.set_exception(error)
        else:
            if not answer.done():
                answer.set_result(result)

    asyncio.get_running_loop().create_task(settle())
    return answer


def finish(worker: greenlet, dead: bool) -> None:
    """End a function that nobody waits for any more: a thread runs on, unless its process is dead."""
    worker.parent = getcurrent()
    with suppress(Exception):  # nobody hears of it
        while not worker.dead:
            if dead:
                worker.throw(GreenletExit)
            else:
                worker.switch()


def park(seconds: float) -> None:
    """Let others go on for so long, in a function of a thread; elsewhere nothing."""
    current = getcurrent()
    if current.parent is not None:
        current.parent.switch(seconds)


class ThinkersInTurn(SearchPool):
    """Bots that think in this thread, for a while that passes at once."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self.world = world

    async def run(  # type: ignore[override]
        self, function: Any, *arguments: Any, owner: Any = (), searches: bool = True
    ) -> Any:
        """What the function returns or raises."""
        await asyncio.sleep(self.world.chance.uniform(0.01, 2))
        return await run_sync(function, *arguments)
