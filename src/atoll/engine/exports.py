"""What Python calls of a game's compiled code, and what carries it out.

An `Export` is a function with a game's own functions as its globals. A runner carries exports out: in a module that
runs anywhere (`module.py`), in machine code by Numba (`native.py`), or as the plain Python that they are, for a
debugger. All three give the same results.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import DTypeLike, NDArray


@dataclass(frozen=True, eq=False)
class Export:
    """A function that Python calls in compiled code.

    `bind` makes it for a game: a function, not compiled, of arrays, numbers and tuples of these, that returns a whole
    number or nothing. `example` gives arguments of the types that it takes; arrays are writable and C-contiguous.
    """

    name: str
    bind: Callable[[Any], Any]
    example: Callable[[Any], tuple[Any, ...]]
    reads: tuple[int, ...] = ()
    """places of arguments that it only reads, so that nothing comes back where a broken state has it write"""


class Room(Protocol):
    """Memory for arrays that live through many calls."""

    def zeros(self, shape: int | tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
        """An array of zeros that calls use where it lies."""

    def copy(self, array: NDArray[Any]) -> NDArray[Any]:
        """A copy of an array that calls use where it lies."""

    def prepare(self, export: Export, *first: Any) -> Callable[..., int]:
        """A call of which the first arguments are known; it takes the others, which are whole numbers."""


class Runner(Protocol):
    """Carries out the exports of one game, in any thread."""

    def call(self, export: Export, *arguments: Any) -> int:
        """Call an export: arrays among the arguments are written where it writes them. Raises AtollError where it
        cannot go on, as in a state that cannot be.
        """

    def room(self) -> Room:
        """Memory for a series of calls by one thread at a time."""

    def has(self, export: Export) -> bool:
        """Whether it can carry an export out."""


class HostRunner:
    """A runner whose functions use the memory of Python's arrays."""

    def __init__(self, game: Any) -> None:
        self._game = game
        self.functions: dict[str, Callable[..., int]] = {}
        """what was called so far, by the name of the export"""

    def function(self, export: Export) -> Callable[..., int]:
        """The function that it runs for an export: here the plain one."""
        return export.bind(self._game)  # type: ignore[no-any-return]

    def call(self, export: Export, *arguments: Any) -> int:
        function = self.functions.get(export.name)
        if function is None:
            function = self.functions[export.name] = self.function(export)
        return function(*arguments)

    def has(self, export: Export) -> bool:
        return True

    def room(self) -> Room:
        return self

    def zeros(self, shape: int | tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
        return np.zeros(shape, dtype)

    def copy(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy()

    def prepare(self, export: Export, *first: Any) -> Callable[..., int]:
        return partial(self.call, export, *first)
