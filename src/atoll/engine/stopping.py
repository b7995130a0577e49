"""Giving up long work that runs in threads, as soon as whoever started it is interrupted.

Compiled loops and searches do not notice Ctrl-C, which the main thread alone gets; they look at the `Stop` under which
they run.
"""

from collections.abc import Callable
from contextvars import ContextVar
from typing import TypeVar

Result = TypeVar("Result")


class Stopped(Exception):
    """The work was given up, since its `Stop` was set."""


class Stop:
    """Whether the work that runs under it is to be given up; compiled loops read the only byte of `flag`."""

    def __init__(self) -> None:
        self.flag = bytearray(1)

    def set(self) -> None:
        """All that runs under it is given up."""
        self.flag[0] = 1

    def run(self, work: Callable[[], Result]) -> Result:
        """Do some work under this stop; raises Stopped."""
        before = _current.set(self)
        try:
            check_stop()
            return work()
        finally:
            _current.reset(before)


_current: ContextVar[Stop] = ContextVar("stop")


def current_stop() -> Stop:
    """The stop under which this thread works, or one that nobody sets."""
    return _current.get(None) or Stop()


def check_stop() -> None:
    """Raise Stopped if this thread's work is to be given up."""
    stop = _current.get(None)
    if stop is not None and stop.flag[0]:
        raise Stopped
