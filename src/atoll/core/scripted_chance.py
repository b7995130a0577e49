"""A game's rules with every draw of chance chosen from outside: how solvers see chance as moves of its own, and how
records say what it decided in a move.

The rules are the same functions, with those of `engine/chance.py` that draw exchanged for
ones that read a script. Where the script ends, `NeedsDraw` says among how many outcomes, all equally likely, chance
chooses next; whoever catches it runs the rules again with a longer script.
"""

from collections.abc import Iterator, Sequence
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.core.calls import Exchange, calls
from atoll.core.events import NO_EVENTS
from atoll.core.types import Components
from atoll.engine import chance
from atoll.text.errors import AtollError, RecordError
from atoll.text.messages import Message

STILL = chance.generators(np.array(1, dtype=np.uint64))
"""The generator in scripted states: it is never drawn from, and the same in all."""


class NeedsDraw(Exception):
    """The script has ended and chance chooses among `outcomes`."""

    def __init__(self, outcomes: int) -> None:
        super().__init__(outcomes)
        self.outcomes = outcomes


class ScriptedRules:
    """The functions `start` and `play` of a `Game`, in which chance does what a script says."""

    def __init__(self, game: Any) -> None:
        self._dtype = game.rules.STATE
        self._lock = Lock()
        self._script: Sequence[int] | None = ()
        """None: the generator draws, and `_drawn` has what"""
        self._read = 0
        self._drawn: list[int] = []
        scripted = Exchange(
            (
                (chance.draw_below, self._draw_below),
                (chance.keyed_below, self._draw_below),
                (chance.shuffle, self._shuffle),
                (chance.next_word, _refuse),
                (chance.fast_below, _refuse),
            )
        )
        self._start, self._play = scripted.of(game.rules.start), scripted.of(game.rules.play)

    def start(self, components: Components, players: int, script: Sequence[int]) -> NDArray[Any]:
        """The first position, shape (1,), that a script of draws deals; raises NeedsDraw where it is too short."""
        states = np.zeros(1, dtype=self._dtype)
        with self._lock:
            self._script, self._read = script, 0
            self._start(states[0], components.parts[0], players, STILL)
        return states

    def play(
        self, states: NDArray[Any], components: Components, seat: int, action: int, script: Sequence[int]
    ) -> NDArray[Any]:
        """The position, shape (1,), after a legal action; raises NeedsDraw where the script is too short."""
        after = states.copy()
        with self._lock:
            self._script, self._read = script, 0
            self._play(after[0], components.parts[0], seat, action, NO_EVENTS)
        return after

    def draws(
        self, states: NDArray[Any], components: Components, seat: int, action: int
    ) -> tuple[list[int], NDArray[Any]]:
        """What the generator of a position draws in a legal action, in order, and the position, shape (1,), after it;
        where there is nothing to choose, nothing is drawn.
        """
        after = states.copy()
        with self._lock:
            self._script, self._drawn = None, []
            self._play(after[0], components.parts[0], seat, action, NO_EVENTS)
            return self._drawn, after

    def replay(
        self,
        states: NDArray[Any],
        components: Components,
        seat: int,
        action: int,
        draws: Sequence[int],
        events: NDArray[np.int16],
    ) -> NDArray[Any]:
        """The position, shape (1,), after a legal action in which chance draws exactly this, its events written into
        the buffer; raises RecordError if chance cannot.
        """
        after = states.copy()
        with self._lock:
            self._script, self._read = draws, 0
            try:
                self._play(after[0], components.parts[0], seat, action, events)
            except NeedsDraw:
                raise _other_draws(len(draws) + 1, len(draws)) from None
            if self._read < len(draws):
                raise _other_draws(self._read, len(draws))
        return after

    def draws_of_start(self, components: Components, players: int, most: int) -> int | None:
        """How many draws a deal takes, if they are at most so many."""
        script: list[int] = []
        while len(script) <= most:
            try:
                self.start(components, players, script)
            except NeedsDraw:
                script.append(0)
            else:
                return len(script)
        return None

    def _draw_below(self, generator: Any, bound: int) -> int:
        if self._script is None:
            value = int(chance.draw_below(generator, bound))
            if bound > 1:
                self._drawn.append(value)
            return value
        if bound == 1:
            return 0
        if self._read == len(self._script):
            raise NeedsDraw(int(bound))
        value = self._script[self._read]
        if not 0 <= value < bound:
            last = int(bound) - 1
            raise RecordError(
                Message(
                    "chance draws 0 to %(last)s there in this move, not %(found)s", last=last, found=value
                )
            )
        self._read += 1
        return value

    def _shuffle(self, items: Any, count: int, generator: Any) -> None:
        for last in range(count - 1, 0, -1):
            other = self._draw_below(generator, last + 1)
            items[last], items[other] = int(items[other]), int(items[last])


def _other_draws(right: int, found: int) -> RecordError:
    more = right > found
    return RecordError(
        Message("chance draws more often than %(found)s in this move", found=found)
        if more
        else Message(
            "how often chance draws in this move: %(right)s, not %(found)s", right=right, found=found
        )
    )


def _refuse(*_: Any) -> Any:
    raise AtollError("these rules draw whole words of chance, which cannot be listed as outcomes")


# What records could not say

WORDS = (chance.next_word, chance.fast_below, chance.xorshift, chance.fork_generator)
"""What takes whole words from a generator."""
ELSEWHERE = ("random", "numpy.random")


def unscripted(package: str, play: Any) -> Iterator[str]:
    """What in `play` draws so that no script could say it, each in a sentence."""
    instead = "draw from state.generator with draw_below, shuffle or draw_first (engine/chance.py)"
    for function, name, found in calls(play):
        if function.__module__ == chance.__name__:
            continue
        where = f"{function.__module__.removeprefix(f'{package}.')}.{function.__name__}"
        if any(found is one for one in WORDS):
            yield f"{where} draws a whole word with {name}, so records could not say what chance decided: {instead}"
        elif getattr(found, "__name__", "") in ELSEWHERE:
            yield f"{where} draws with {name}, which neither a seed nor a record repeats: {instead}"
