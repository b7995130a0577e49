"""Rate limits of web sockets: messages of a page, and sockets of a browser."""

import time
from collections import Counter
from collections.abc import Callable

BURST = 120
"""Messages that a page may send at once."""
PER_SECOND = 20.0
"""Messages that it may send a second on average."""
MOST_SOCKETS = 60
"""Of one browser."""


class MessageRate:
    """A token bucket: each message takes a token, and tokens come back at a steady rate."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._tokens = float(BURST)
        self._time = clock()

    def wait(self) -> float:
        """Count a message; returns the seconds to wait before the next is read, 0 within the limit."""
        now = self._clock()
        self._tokens = min(float(BURST), self._tokens + (now - self._time) * PER_SECOND) - 1
        self._time = now
        return max(0.0, -self._tokens / PER_SECOND)


class SocketCounts:
    """The number of open sockets by browser."""

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()

    @property
    def count(self) -> int:
        """The number of all open sockets."""
        return self._open.total()

    def enter(self, browser: str) -> bool:
        """Count one more, unless the browser has MOST_SOCKETS; returns whether it was counted."""
        if self._open[browser] >= MOST_SOCKETS:
            return False
        self._open[browser] += 1
        return True

    def leave(self, browser: str) -> None:
        """Count one less."""
        self._open[browser] -= 1
        if self._open[browser] <= 0:
            del self._open[browser]
