"""Batches of games on the cores of this machine, or on a cluster; their results come back in order.

What is to be done is a function without arguments. It depends on nothing but what it carries along, so that it can be
done anywhere, and again. A cluster takes it as bytes: it is `functools.partial` of a function of a module.
"""

import copyreg
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from types import TracebackType
from typing import Generic, Protocol, Self, TypeVar

from atoll.core.catalogue import find_game
from atoll.core.game import Game
from atoll.engine.stopping import Stop

Result = TypeVar("Result")
WAITING = 3
"""Batches queued for each worker: none runs out, and memory does not grow with the number of games."""

# A game is sent as its name: its rules are compiled where it is played.
copyreg.pickle(Game, lambda game: (find_game, (game.name,)))


class Cluster(Protocol):
    """Other machines, such as `lab/ray_cluster.py`."""

    @property
    def lanes(self) -> int:
        """How many batches are given to it at a time."""

    def do(self, work: Callable[[], Result]) -> Result:
        """Do some work there, again as often as a machine is lost; raises what it raises, and Stopped."""


Workers = int | Cluster
"""So many cores of this machine, or a cluster."""


class Pool(Generic[Result]):
    """Work under way on `workers`; a context, at whose end what is still under way is given up."""

    def __init__(self, workers: Workers) -> None:
        self.lanes = workers if isinstance(workers, int) else workers.lanes
        self._cluster = None if isinstance(workers, int) else workers
        self._threads = ThreadPoolExecutor(self.lanes)
        self._stop = Stop()

    def submit(self, work: Callable[[], Result]) -> Future[Result]:
        """Begin some work as soon as there is room."""
        cluster = self._cluster
        return self._threads.submit(self._stop.run, work if cluster is None else lambda: cluster.do(work))

    def give_up(self) -> None:
        """Give up what is under way, and what has not begun."""
        self._stop.set()
        self._threads.shutdown(cancel_futures=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.give_up()


def in_order(work: Iterable[Callable[[], Result]], workers: Workers) -> Generator[Result, None, None]:
    """The results of some work, in order; given up when interrupted or no longer asked for."""
    todo = iter(work)
    under_way: deque[Future[Result]] = deque()
    with Pool[Result](workers) as pool:
        while True:
            under_way.extend(pool.submit(one) for one in islice(todo, WAITING * pool.lanes - len(under_way)))
            if not under_way:
                return
            yield under_way.popleft().result()
