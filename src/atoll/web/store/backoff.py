"""Exponential backoff with jitter for what is retried until it succeeds."""

import logging
from asyncio import sleep
from random import uniform

from sqlalchemy.exc import DBAPIError

FIRST = 0.5
"""Seconds at most until what failed is tried again."""
LONGEST = 30.0
"""The same after many failures in a row; it doubles until then."""


class Backoff:
    """The waits between retries of something, with a line in the log for each failure.

    A wait is drawn between half of its limit and the whole ("equal jitter": M. Brooker, "Exponential Backoff And
    Jitter", AWS Architecture Blog, 2015), so that what failed together is not tried again together.
    """

    def __init__(self, what: str) -> None:
        self.what = what
        self._limit = FIRST

    def succeeded(self) -> None:
        """The next failure is a first one."""
        self._limit = FIRST

    async def wait(self, error: Exception) -> None:
        """Wait after a failure, the longer the more there were in a row.

        The first is logged with its traceback, unless it is the database's or the network's, whose message says all.
        """
        seconds = uniform(self._limit / 2, self._limit)
        logging.getLogger(__name__).error(
            "%s: %s: %s; tried again in %.1f s",
            self.what,
            type(error).__name__,
            str(error).partition("\n")[0],
            seconds,
            exc_info=error if self._limit == FIRST and not isinstance(error, DBAPIError | OSError) else None,
        )
        self._limit = min(LONGEST, 2 * self._limit)
        await sleep(seconds)
