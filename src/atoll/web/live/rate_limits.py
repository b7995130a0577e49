"""How much open pages of one browser may say: more than people ever do, less than would keep others waiting."""

import time
from collections import Counter
from collections.abc import Callable

BURST = 120
"""Messages that a page may send at once."""
PER_SECOND = 20.0
"""Messages that it may send on the average."""
MOST_SOCKETS = 60
"""Of one browser."""


class MessageRate:
    """A token bucket: each message takes one, and they come back at a steady rate."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._tokens = float(BURST)
        self._time = clock()

    def wait(self) -> float:
        """Count a message; the seconds after which the next is heard, 0 for who sends as people do."""
        now = self._clock()
        self._tokens = min(float(BURST), self._tokens + (now - self._time) * PER_SECOND) - 1
        self._time = now
        return max(0.0, -self._tokens / PER_SECOND)


class SocketCounts:
    """How many sockets each browser has open."""

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()

    @property
    def count(self) -> int:
        """How many are open, all told."""
        return self._open.total()

    def enter(self, browser: str) -> bool:
        """Count one more, unless the browser has as many as it may; whether it was counted."""
        if self._open[browser] >= MOST_SOCKETS:
            return False
        self._open[browser] += 1
        return True

    def leave(self, browser: str) -> None:
        """Count one less."""
        self._open[browser] -= 1
        if self._open[browser] <= 0:
            del self._open[browser]
