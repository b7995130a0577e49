"""A game's rules with every draw of chance chosen from outside: how solvers see chance as moves of its own.

The rules are the same source, run uncompiled, with the functions of `engine/chance.py` that draw exchanged for ones
that read a script. Where the script ends, `NeedsDraw` says among how many outcomes, all equally likely, chance
chooses next; whoever catches it runs the rules again with a longer script.
"""

from collections.abc import Sequence
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.core.events import NO_EVENTS
from atoll.core.game import Game
from atoll.core.types import Components
from atoll.engine import chance
from atoll.text.errors import AtollError

STILL = chance.generators(np.array(1, dtype=np.uint64))
"""The generator in scripted states: it is never drawn from, and the same in all."""


class NeedsDraw(Exception):
    """The script has ended and chance chooses among `outcomes`."""

    def __init__(self, outcomes: int) -> None:
        super().__init__(outcomes)
        self.outcomes = outcomes


class ScriptedRules:
    """The functions `start` and `play` of a game, in which chance does what a script says."""

    def __init__(self, game: Game) -> None:
        self._dtype = game.rules.STATE
        self._script: Sequence[int] = ()
        self._read = 0
        self._done: dict[int, Any] = {}
        self._kept: list[Any] = []  # so that no other object takes the identity of one that was exchanged
        for exchanged, by in (
            (chance.draw_below, self._draw_below),
            (chance.keyed_below, self._draw_below),
            (chance.shuffle, self._shuffle),
            (chance.next_word, _refuse),
            (chance.fast_below, _refuse),
        ):
            self._done[id(exchanged)] = by
        self._start = self._exchanged(game.rules.start)
        self._play = self._exchanged(game.rules.play)

    def start(self, components: Components, players: int, script: Sequence[int]) -> NDArray[Any]:
        """The first position, shape (1,), that a script of draws deals; raises NeedsDraw where it is too short."""
        states = np.zeros(1, dtype=self._dtype)
        self._script, self._read = script, 0
        self._start(states[0], components.parts[0], players, STILL)
        return states

    def play(
        self, states: NDArray[Any], components: Components, seat: int, action: int, script: Sequence[int]
    ) -> NDArray[Any]:
        """The position, shape (1,), after a legal action; raises NeedsDraw where the script is too short."""
        after = states.copy()
        self._script, self._read = script, 0
        self._play(after[0], components.parts[0], seat, action, NO_EVENTS)
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
        if bound == 1:
            return 0
        if self._read == len(self._script):
            raise NeedsDraw(int(bound))
        self._read += 1
        return self._script[self._read - 1]

    def _shuffle(self, items: Any, count: int, generator: Any) -> None:
        for last in range(count - 1, 0, -1):
            other = self._draw_below(generator, last + 1)
            items[last], items[other] = int(items[other]), int(items[last])

    def _exchanged(self, found: Any) -> Any:
        """A compiled function uncompiled, with all that it calls exchanged; anything else as it is."""
        if id(found) in self._done:
            return self._done[id(found)]
        if isinstance(found, ModuleType) and not found.__name__.startswith(("numpy", "numba")):
            return _Exchanged(self, found)
        source = getattr(found, "py_func", found)
        if not isinstance(source, FunctionType) or source.__module__.startswith("atoll.engine.records"):
            return found
        if source is found and not _calls(source):
            return found
        known: dict[str, Any] = {"__builtins__": source.__globals__["__builtins__"]}
        made = FunctionType(source.__code__, known, source.__name__, source.__defaults__, source.__closure__)
        self._done[id(found)] = made
        self._kept.append(found)
        for name in _calls(source):
            known[name] = self._exchanged(source.__globals__[name])
        return made


class _Exchanged:
    """A module that rules read by its name, its functions exchanged."""

    def __init__(self, rules: ScriptedRules, module: ModuleType) -> None:
        self._rules, self._module = rules, module

    def __getattr__(self, name: str) -> Any:
        found = self._rules._exchanged(getattr(self._module, name))
        setattr(self, name, found)
        return found


def _calls(function: FunctionType) -> list[str]:
    """The globals that a function reads."""
    return [name for name in function.__code__.co_names if name in function.__globals__]


def _refuse(*_: Any) -> Any:
    raise AtollError("these rules draw whole words of chance, which cannot be listed as outcomes")
