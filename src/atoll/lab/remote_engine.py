"""What a judge asks for, carried out elsewhere: by the page of a visitor, whose answers are read with care.

An answer has to be possible, and some are found out here once more, nobody knows beforehand which: who answers
otherwise is not believed in anything.
"""

import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from itertools import count
from threading import Lock
from typing import Annotated

import msgspec
import numpy as np
from numpy.typing import NDArray

from atoll.bots.search import Evaluation
from atoll.bots.search_image import SearchImage, search_image
from atoll.core.game import View
from atoll.engine.stopping import Stopped
from atoll.lab.continued import AS_IT_IS
from atoll.lab.judge_engine import HERE
from atoll.lab.played import shares_of

CHECKED = 50
"""One answer of so many is found out here, too."""
PATIENCE = 120.0
"""Seconds for an answer."""


class NotBelieved(Exception):
    """An answer is not what it has to be."""


class PlayOn(msgspec.Struct, frozen=True):
    """A task: play on from worlds of a view after each of some moves of its seat, -1 in place of none. `seed` is text,
    since scripts round large numbers.
    """

    id: int
    view: bytes
    seat: int
    moves: Sequence[int]
    seed: str
    worlds: int


class Search(msgspec.Struct, frozen=True):
    """A task: a search."""

    id: int
    search: SearchImage


Count = Annotated[int, msgspec.Meta(ge=0, le=1 << 31)]


class TaskAnswer(msgspec.Struct, frozen=True):
    """The answer to a task: the bit sets of the winners, the games of the first move before those of the next; or of
    each move that was tried the action, how often, and the share of the win.
    """

    id: Count
    winners: list[Count] = []
    moves: list[tuple[Count, Count, Annotated[float, msgspec.Meta(ge=0, le=1)]]] = []


class RemoteEngine:
    """A `JudgeEngine`; `send` takes tasks as JSON, from any thread, and `take` their answers.

    It plays on by the bot of the image that is there; without `searches` those are carried out here.
    """

    def __init__(self, send: Callable[[str], object], *, searches: bool) -> None:
        self._send = send
        self._searches = searches
        self._lock = Lock()
        self._numbers = count()
        self._waiting: dict[int, Future[TaskAnswer]] = {}
        self._stopped = False

    def take(self, text: str) -> None:
        """Take an answer; raises NotBelieved if it answers nothing."""
        try:
            answer = msgspec.json.decode(text, type=TaskAnswer)
        except msgspec.DecodeError:
            raise NotBelieved from None
        with self._lock:
            future = self._waiting.pop(answer.id, None)
        if future is None:
            raise NotBelieved
        if future.set_running_or_notify_cancel():
            future.set_result(answer)

    def stop(self) -> None:
        """Whoever waits for an answer, or asks for one, gets none: Stopped."""
        with self._lock:
            self._stopped = True
            waiting = list(self._waiting.values())
            self._waiting.clear()
        for future in waiting:
            future.cancel()

    def shares(
        self, view: View, bot: int, seed: int, worlds: int, firsts: Sequence[int] = (AS_IT_IS,)
    ) -> NDArray[np.float64]:
        games, players = len(firsts) * worlds, view.players
        answer = self._ask(
            lambda id: PlayOn(id, view.states.tobytes(), max(0, view.seat), firsts, str(seed), worlds)
        )
        winners = np.array(answer.winners, np.int64)
        if winners.shape != (games,) or (winners < 1).any() or (winners >= 1 << players).any():
            raise NotBelieved
        shares = shares_of(winners.astype(np.int32), players).reshape(len(firsts), worlds, players)
        if is_checked() and not np.array_equal(shares, HERE.shares(view, bot, seed, worlds, firsts)):
            raise NotBelieved
        return shares

    def search(self, view: View, seed: int, iterations: int) -> list[Evaluation]:
        if not self._searches:
            return HERE.search(view, seed, iterations)
        image = search_image(view, seed, iterations, None, 1)
        found = self._ask(lambda id: Search(id, image)).moves
        actions = {action for action, _, _ in found}
        legal = view.legal_moves().actions.tolist()
        if not actions <= set(legal) or len(actions) < len(found):
            raise NotBelieved
        if (
            min((visits for _, visits, _ in found), default=1) < 1
            or sum(one[1] for one in found) > iterations
        ):
            raise NotBelieved
        moves = sorted((Evaluation(*one) for one in found), key=lambda one: (-one.visits, one.action))
        if is_checked() and moves != HERE.search(view, seed, iterations):
            raise NotBelieved
        return moves

    def _ask(self, task: Callable[[int], PlayOn | Search]) -> TaskAnswer:
        """The answer to a task."""
        future: Future[TaskAnswer] = Future()
        with self._lock:
            if self._stopped:
                raise Stopped
            number = next(self._numbers)
            self._waiting[number] = future
        self._send(msgspec.json.encode(task(number)).decode())
        try:
            return future.result(PATIENCE)
        except (TimeoutError, CancelledError):
            raise Stopped from None


def is_checked() -> bool:
    """Whether an answer is found out here, too."""
    return secrets.randbelow(CHECKED) == 0
