"""Threads for what takes long: bots that search, hints."""

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar, TypeVarTuple, Unpack, cast

from anyio import CapacityLimiter

Result = TypeVar("Result")
Arguments = TypeVarTuple("Arguments")


class Thinkers:
    """Runs as many functions at once as there are cores, each in a thread of its own.

    The threads keep neither the event loop nor the process alive: a search that is still being compiled would hold up
    the end of the site for as long as that takes.
    """

    def __init__(self) -> None:
        self._limiter = CapacityLimiter(os.cpu_count() or 1)

    async def run(self, function: Callable[[Unpack[Arguments]], Result], *arguments: *Arguments) -> Result:
        """What the function returns or raises. When this is cancelled, the function runs on and is not listened to."""
        async with self._limiter:
            loop = asyncio.get_running_loop()
            answer: asyncio.Future[Result] = loop.create_future()

            def settle(result: Result | None, error: Exception | None) -> None:
                if answer.cancelled():
                    return
                if error is not None:
                    answer.set_exception(error)
                else:
                    answer.set_result(cast("Result", result))

            def think() -> None:
                result, failed = None, None
                give_way()
                try:
                    result = function(*arguments)
                except Exception as error:
                    failed = error
                with suppress(RuntimeError):  # the loop has ended
                    loop.call_soon_threadsafe(settle, result, failed)

            threading.Thread(target=think, name="thinking", daemon=True).start()
            return await answer


PATIENT = 10
"""How much nicer than the site a thread is that thinks: who waits for a page waits for a core, too."""


def give_way() -> None:
    """Let all else run before this thread. Only Linux has a priority for each thread."""
    if sys.platform == "linux":
        thread = threading.get_native_id()
        priority = os.getpriority(os.PRIO_PROCESS, thread)
        os.setpriority(os.PRIO_PROCESS, thread, min(19, priority + PATIENT))
