"""Threads for bots and hints, and the fair queue for them."""

import asyncio
import os
import sys
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import TypeVar, TypeVarTuple, Unpack, cast

Result = TypeVar("Result")
Arguments = TypeVarTuple("Arguments")
Owner = tuple[str, ...]
"""For whom it is, from the general to the particular: address, browser, table."""


class FairQueue:
    """Lends a number of places to those who wait for one.

    Of the owners, at each level of their names, the one comes next that has the fewest places, and of those the one
    whose last turn is longest ago (fair queueing: J. Nagle, "On Packet Switches With Infinite Storage", RFC 970, 1985).
    Who comes anew counts as if its turn had been just before the latest. What one owner wants goes by its coming.

    When none is free, up to `spare` more are lent, to browsers that have none at all: these wait for nobody to end.
    """

    def __init__(self, places: int, spare: int = 0) -> None:
        self._free = places  # below 0 while spare places are lent
        self._spare = spare
        self._waiting: list[tuple[Owner, asyncio.Future[None]]] = []
        self._present: Counter[Owner] = Counter()  # who waits or has a place
        self._held: Counter[Owner] = Counter()
        self._last: dict[Owner, float] = {}  # the number of its last turn
        self._turn = 0

    @asynccontextmanager
    async def one(self, owner: Owner) -> AsyncIterator[None]:
        """A place, as soon as it is the owner's turn."""
        await self._take(owner)
        try:
            yield
        finally:
            self._give_back(owner)

    async def _take(self, owner: Owner) -> None:
        entry = owner, asyncio.get_running_loop().create_future()
        for part in levels(owner):
            self._present[part] += 1
            self._last.setdefault(part, self._turn - 0.5)
        self._waiting.append(entry)
        self._lend()
        try:
            await entry[1]
        except asyncio.CancelledError:
            if entry in self._waiting:
                self._waiting.remove(entry)
                self._leave(owner)
            else:
                self._give_back(owner)
            raise

    def _lend(self) -> None:
        while self._waiting:
            entry = min(self._waiting, key=self._rank)
            if not self._has_room(entry[0]):
                return
            self._waiting.remove(entry)
            self._free -= 1
            self._turn += 1
            for part in levels(entry[0]):
                self._held[part] += 1
                self._last[part] = self._turn
            if not entry[
                1
            ].done():  # else it was cancelled in this round of the loop, and gives its place back
                entry[1].set_result(None)

    def _has_room(self, owner: Owner) -> bool:
        browser = owner[:2]
        return self._free > 0 or (self._free > -self._spare and bool(browser) and not self._held[browser])

    def _rank(self, entry: tuple[Owner, asyncio.Future[None]]) -> list[tuple[int, float]]:
        return [(self._held[part], self._last[part]) for part in levels(entry[0])]

    def _give_back(self, owner: Owner) -> None:
        self._free += 1
        for part in levels(owner):
            self._held[part] -= 1
        self._leave(owner)
        self._lend()

    def _leave(self, owner: Owner) -> None:
        for part in levels(owner):
            self._present[part] -= 1
            if not self._present[part]:
                del self._present[part], self._held[part], self._last[part]


def levels(owner: Owner) -> list[Owner]:
    """The owner's name at each level, the most general first."""
    return [owner[: count + 1] for count in range(len(owner))]


class SearchPool:
    """Runs functions in threads of their own: as many searches at once as there are cores, in fair turns, as many again
    for browsers that have none, and what is quick beside them, so that it never waits for a search.

    The threads keep neither the event loop nor the process alive: a long search would hold up the end of the site.
    """

    def __init__(self) -> None:
        cores = os.cpu_count() or 1
        self._searches, self._quick = FairQueue(cores, spare=cores), FairQueue(cores)

    async def run(
        self,
        function: Callable[[Unpack[Arguments]], Result],
        *arguments: *Arguments,
        owner: Owner = (),
        searches: bool = True,
    ) -> Result:
        """What the function returns or raises. When this is cancelled, the function runs on and is not listened to."""
        async with (self._searches if searches else self._quick).one(owner):
            return await in_own_thread(function, *arguments, patient=True)


def in_own_thread(
    function: Callable[[Unpack[Arguments]], Result], *arguments: *Arguments, patient: bool = False
) -> asyncio.Future[Result]:
    """What the function returns or raises, in a thread of its own: what is slow, or waits for others, takes none of
    those in which pages are drawn. The thread does not keep the process alive, and runs on if this is cancelled.
    `patient`: it gives way to all else, as do the processes that it starts.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Result] = loop.create_future()

    def settle(result: Result | None, error: Exception | None) -> None:
        if answer.cancelled():
            return
        if error is not None:
            answer.set_exception(error)
        else:
            answer.set_result(cast("Result", result))

    def run() -> None:
        result, failed = None, None
        if patient:
            give_way()
        try:
            result = function(*arguments)
        except Exception as error:
            failed = error
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(settle, result, failed)

    threading.Thread(target=run, name=function_name(function), daemon=True).start()
    return answer


def function_name(function: Callable[..., object]) -> str:
    """The name of a thread that runs it."""
    return getattr(function, "__name__", type(function).__name__)


PATIENT = 10
"""How much nicer than the site a thread is that thinks: who waits for a page waits for a core, too."""


def give_way() -> None:
    """Let all else run before this thread. Only Linux has a priority for each thread."""
    if sys.platform == "linux":
        thread = threading.get_native_id()
        priority = os.getpriority(os.PRIO_PROCESS, thread)
        os.setpriority(os.PRIO_PROCESS, thread, min(19, priority + PATIENT))
