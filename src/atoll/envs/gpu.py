"""Many games stepped on an NVIDIA GPU: a thread for each, from the same Python functions that run on the processor.

`Converter` takes a function that is compiled for the processor, and compiles its Python source, and that of all that it
calls, for the GPU with `numba.cuda`. Numbers are whole, and draws are made of 64-bit words, so that results are the
same bit for bit. With `NUMBA_ENABLE_CUDASIM=1` Numba's simulator runs the same functions without a GPU, slowly.
"""

from functools import cache
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
from numba import config, cuda, types
from numpy.typing import NDArray

from atoll.core.game import Game
from atoll.engine.compiling import is_compiled
from atoll.engine.native import module_cache
from atoll.envs import steps
from atoll.envs.steps import COUNT, SEAT, Games, Scratch
from atoll.text.errors import AtollError

BLOCK = 64
"""Threads of a block: rules branch, and hold much, so that more at once would not be quicker."""
OUTPUT_ARRAYS = (
    "notes",
    "observations",
    "final",
    "final_seats",
    "masks",
    "legal",
    "advised",
    "sampled",
    "rewards",
    "returns",
    "terminations",
    "illegal",
)
"""The arrays of `Games` that callers see."""


def on_device(function: Any) -> Any:
    """A function for the device, compiled once for signed integers of all widths and for all constants, as those of the
    processor are (`engine/linking.py`): Numba would compile it once for each combination.
    """
    function_on_device = cuda.jit(device=True)(function)
    if not config.ENABLE_CUDASIM:
        template_of = function_on_device.get_call_template
        function_on_device.get_call_template = lambda args, kws: template_of(tuple(map(widened, args)), kws)
    return function_on_device


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
        if not is_compiled(function):
            return function
        if id(function) not in self._made:
            source = function
            bindings = dict(source.__globals__)
            copy = FunctionType(
                source.__code__, bindings, source.__name__, source.__defaults__, source.__closure__
            )
            self._made[id(function)] = on_device(copy)  # before what it calls: that may call it, too
            for name in source.__code__.co_names:
                value = bindings.get(name)
                if isinstance(value, ModuleType) and value is not np:
                    bindings[name] = self._module(value, source.__code__.co_names)
                elif name in bindings:
                    bindings[name] = self.device(value)
        return self._made[id(function)]

    def _module(self, module: ModuleType, names: tuple[str, ...]) -> ModuleType:
        """A copy of a module in which the functions with these names are those of the device."""
        twin = ModuleType(module.__name__)
        members = {name: vars(module)[name] for name in names if name in vars(module)}
        vars(twin).update({**vars(module), **{name: self.device(value) for name, value in members.items()}})
        return twin


run_game: Any = None


def run_own(games, own, what, marks, actions, endless):  # type: ignore[no-untyped-def]
    """The kernel: the one game of this thread; `endless[0]` becomes 1 if it went on past its declared maximum."""
    i = cuda.grid(1)
    if i < marks.shape[0]:
        mine = Scratch(own.seat_view[i : i + 1], own.moves[i], own.events, own.points[i], own.chance[i])
        if run_game(games, mine, what, i, marks, actions):
            endless[0] = 1


@cache
def kernel(game: Game) -> Any:
    """`run_own`, for a game; compiled once for each form of observation, and kept on disk."""
    converter = Converter()
    bindings = {**run_own.__globals__, "run_game": converter.device(steps.stepping(game, steps.run_one))}
    entry = FunctionType(run_own.__code__, bindings, run_own.__name__)
    if config.ENABLE_CUDASIM:
        return cuda.jit(entry)
    from numba.cuda.core import config as cuda_config

    cuda_config.CACHE_DIR = str(module_cache(f"{game.package}.rules", __name__, steps.__name__))
    return cuda.jit(entry, lto=False, cache=True)


def rooms(game: Game, players: int, count: int) -> Scratch:
    """What the threads need for themselves, a row each."""
    one = Scratch.of(game, players)
    return Scratch(
        seat_view=np.zeros(count, dtype=one.seat_view.dtype),
        moves=np.zeros((count, *one.moves.shape), dtype=one.moves.dtype),
        events=one.events,
        points=np.zeros((count, *one.points.shape), dtype=one.points.dtype),
        chance=np.zeros((count, *one.chance.shape), dtype=one.chance.dtype),
    )


class GpuRunner:
    """Games whose arrays lie on a GPU, `games`; raises AtollError if there is none."""

    def __init__(self, game: Game, players: int, games: Games) -> None:
        if not cuda.is_available():
            raise AtollError("there is no NVIDIA GPU that Numba can use: device='cpu' steps on the processor")
        count = len(games.states)
        self.host = games
        self.games = Games(*map(cuda.to_device, games))
        self.seats, self.counts = (self.games.notes[:, column] for column in (SEAT, COUNT))  # slow: once
        self.none = cuda.to_device(np.zeros(count, dtype=np.bool_))
        self._own = Scratch(*map(cuda.to_device, rooms(game, players, count)))
        self._all = cuda.to_device(np.ones(count, dtype=np.uint8))
        self._actions = cuda.to_device(np.zeros(count, dtype=np.int64))
        self._endless = cuda.to_device(np.zeros(1, dtype=np.int64))
        self._threads = min(BLOCK, count)
        self._blocks = (count + self._threads - 1) // self._threads
        self._kernel = kernel(game)

    def push(self, *names: str) -> None:
        """Copy arrays of the host to the GPU."""
        for name in names:
            if getattr(self.host, name).size:
                getattr(self.games, name).copy_to_device(getattr(self.host, name))

    def pull(self, *names: str) -> None:
        """Copy arrays from the GPU to the host."""
        for name in names:
            if getattr(self.host, name).size:
                getattr(self.games, name).copy_to_host(getattr(self.host, name))

    def work(self, what: int, which: NDArray[np.uint8], actions: Any) -> int:
        """Step, begin or show games, as `steps.run_one`; returns whether one went on past its maximum.

        Actions may lie on either side.
        """
        marks = self._all if what == steps.STEP else cuda.to_device(which)
        self._actions.copy_to_device(actions)
        arguments = self.games, self._own, what, marks, self._actions, self._endless
        self._kernel[self._blocks, self._threads](*arguments)
        endless = int(self._endless.copy_to_host()[0])
        if endless:
            self._endless.copy_to_device(np.zeros(1, dtype=np.int64))
        return endless


def actions_on_device(actions: Any) -> Any:
    """An array of actions of another library that lies on the GPU, or None of one that does not."""
    if not hasattr(actions, "__cuda_array_interface__"):
        return None
    array = cuda.as_cuda_array(actions)
    if array.dtype != np.int64:
        raise AtollError(f"actions on a GPU are int64, not {array.dtype}")
    return array
