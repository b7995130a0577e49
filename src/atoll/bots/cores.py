"""The machine's cores, which searches share."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition


class Cores:
    """Lends cores: one to each search, which waits for it, and further ones while nobody else waits."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._waiting = 0
        self._change = Condition()

    @property
    def wanted(self) -> bool:
        """Whether a search waits for a core."""
        return self._waiting > 0

    @contextmanager
    def one(self) -> Iterator[None]:
        """Lend a core: wait until one is free, and take it back at the end of the context."""
        with self._change:
            self._waiting += 1
            self._change.wait_for(lambda: self._free > 0)
            self._waiting -= 1
            self._free -= 1
        try:
            yield
        finally:
            self.give_back()

    def take_spare(self) -> bool:
        """Take another core if one is free and nobody waits; whoever takes it gives it back."""
        with self._change:
            spare = self._free > 0 and not self.wanted
            self._free -= spare
            return spare

    def give_back(self) -> None:
        """A core is free again."""
        with self._change:
            self._free += 1
            self._change.notify()


CORES = Cores(os.cpu_count() or 1)
"""Those of this machine."""
