"""Many games stepped on an NVIDIA GPU: a thread for each, from the same Python functions that run on the processor.

`on_device` takes a function that is compiled for the processor, and compiles its Python source, and that of all that it
calls, for the GPU with `numba.cuda`. Numbers are whole, and draws are made of 64-bit words, so that results are the
same bit for bit. With `NUMBA_ENABLE_CUDASIM=1` Numba's simulator runs the same functions without a GPU, slowly.
"""

from functools import cache
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
from numba import config, cuda, types
from numpy.typing import NDArray

from atoll.core.errors import AtollError
from atoll.core.game import Game
from atoll.envs import stepping
from atoll.envs.stepping import Games, Scratch

BLOCK = 64
"""Threads of a block: rules branch, and hold much, so that more at once would not be quicker."""
GIVEN = (
    "notes",
    "observations",
    "final",
    "masks",
    "legal",
    "advised",
    "sampled",
    "rewards",
    "returns",
    "terminations",
    "illegal",
)
"""The arrays of `Games` that callers see, copied from the GPU after every step."""


def on_device(function: Any) -> Any:
    """A function for the device, compiled once for signed integers of all widths and all constants, as the processor's
    are (`core/linking.py`): Numba would compile Cast Away's rules for hours.
    """
    made = cuda.jit(device=True)(function)
    if not config.ENABLE_CUDASIM:
        template_of = made.get_call_template
        made.get_call_template = lambda args, kws: template_of(tuple(map(widened, args)), kws)
    return made


def widened(kind: Any) -> Any:
    """The type as which a function takes an argument of this one."""
    kind = types.unliteral(kind)
    return types.intp if isinstance(kind, types.Integer) and kind.signed else kind


class Converter:
    """Functions that are compiled for the processor, as functions of the device; each once."""

    def __init__(self) -> None:
        self._made: dict[int, Any] = {}

    def device(self, function: Any) -> Any:
        """A compiled function for the device; anything else as it is."""
        if not isinstance(getattr(function, "py_func", None), FunctionType):
            return function
        if id(function) not in self._made:
            source = function.py_func
            known = dict(source.__globals__)
            copy = FunctionType(
                source.__code__, known, source.__name__, source.__defaults__, source.__closure__
            )
            self._made[id(function)] = on_device(copy)  # before what it calls: that may call it, too
            for name in source.__code__.co_names:
                value = known.get(name)
                if isinstance(value, ModuleType) and value is not np:
                    known[name] = self._module(value, source.__code__.co_names)
                elif name in known:
                    known[name] = self.device(value)
        return self._made[id(function)]

    def _module(self, module: ModuleType, names: tuple[str, ...]) -> ModuleType:
        """A copy of a module in which the functions with these names are those of the device."""
        made = ModuleType(module.__name__)
        found = {name: vars(module)[name] for name in names if name in vars(module)}
        vars(made).update({**vars(module), **{name: self.device(value) for name, value in found.items()}})
        return made


run_game: Any = None


def run_own(games, own, what, chosen, actions, endless):  # type: ignore[no-untyped-def]
    """The kernel: the one game of this thread."""
    i = cuda.grid(1)
    if i < chosen.shape[0]:
        mine = Scratch(own.seen[i : i + 1], own.moves[i], own.events, own.points[i], own.chance[i])
        endless[i] = run_game(games, mine, what, i, chosen, actions)


@cache
def kernel(game: Game) -> Any:
    """`run_own`, for a game."""
    converter = Converter()
    known = {**run_own.__globals__, "run_game": converter.device(stepping.stepper(game))}
    return cuda.jit(FunctionType(run_own.__code__, known, run_own.__name__))


class GpuRunner:
    """Games whose arrays lie on a GPU, copied from there after each step; raises AtollError if there is none."""

    def __init__(self, game: Game, players: int, games: Games) -> None:
        if not cuda.is_available():
            raise AtollError("there is no NVIDIA GPU that Numba can use: device='cpu' steps on the processor")
        count = len(games.states)
        self.count = count
        self.host = games
        self.games = Games(*map(cuda.to_device, games))
        one = Scratch.of(game, players)
        self.own = Scratch(
            seen=cuda.to_device(np.zeros(count, dtype=one.seen.dtype)),
            moves=cuda.to_device(np.zeros((count, *one.moves.shape), dtype=one.moves.dtype)),
            events=cuda.to_device(one.events),
            points=cuda.to_device(np.zeros((count, *one.points.shape), dtype=one.points.dtype)),
            chance=cuda.to_device(np.zeros((count, *one.chance.shape), dtype=one.chance.dtype)),
        )
        self._kernel = kernel(game)

    def push(self) -> None:
        """Copy what the host has to the GPU."""
        for name in Games._fields:
            if getattr(self.host, name).size:
                getattr(self.games, name).copy_to_device(getattr(self.host, name))

    def pull(self, *names: str) -> None:
        """Copy arrays from the GPU to the host."""
        for name in names:
            if getattr(self.host, name).size:
                getattr(self.games, name).copy_to_host(getattr(self.host, name))

    def work(self, what: int, which: NDArray[np.uint8], actions: NDArray[np.int64]) -> int:
        """Step, begin or show games, as `stepping.run_one`; returns how many went on past their maximum."""
        if what == stepping.BEGIN:
            for name in ("chances", "notes"):  # what dealing wrote
                getattr(self.games, name).copy_to_device(getattr(self.host, name))
        endless = cuda.to_device(np.zeros(self.count, dtype=np.int64))
        threads = min(BLOCK, self.count)
        blocks = (self.count + threads - 1) // threads
        given = cuda.to_device(which), cuda.to_device(actions)
        self._kernel[blocks, threads](self.games, self.own, what, *given, endless)
        self.pull(*GIVEN)
        return int(endless.copy_to_host().sum())
