"""Games that are played on elsewhere, by the game's module in a browser: what its loop is called with.

Most of it is the same for all views of a game, and goes there once. A task adds a view, moves and a seed, from which
the browser makes the generators of each game.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np

from atoll.bots.bot import QUICK_BOTS
from atoll.core.game import View
from atoll.engine.module import ModuleRunner
from atoll.lab.continued import AS_IT_IS, CONTINUED, DRAWING, LATER, PLAYERS, continued_arrays
from atoll.lab.loop import loop_of


class Argument(msgspec.Struct, frozen=True, omit_defaults=True):
    """One of the loop's arguments: a `number`, or an array of items of so many bytes, 0 where nothing is said.

    An array that grows with the games has `more` rows than there are games, and `content` is that of each row.
    """

    name: str
    number: int = 0
    item: int = 0
    shape: tuple[int, ...] = ()
    content: bytes = b""
    more: int | None = None


class ContinuedImage(msgspec.Struct, frozen=True):
    """How games are played on by `export`, which returns 0 where it plays all. `steps` are those by which the seeds
    differ of what draws worlds, of later chance and of the players.
    """

    export: str
    players: int
    arguments: tuple[Argument, ...]
    steps: tuple[int, int, int] = (DRAWING, LATER, PLAYERS)


def continued_image(view: View, bot: int) -> ContinuedImage | None:
    """What is the same for all views of a game, by one of them, where a quick bot plays on; None where no module plays
    it here.
    """
    one, two = (continued_arrays(view, bot, 0, range(games), (AS_IT_IS,)) for games in (1, 2))
    loop, runner = loop_of(CONTINUED, QUICK_BOTS, one), view.game.runner
    if not isinstance(runner, ModuleRunner) or not runner.has(loop):
        return None
    both = zip(_leaves("", one), _leaves("", two), strict=True)
    arguments = (_argument(name, value, other) for (name, value), (_, other) in both)
    return ContinuedImage(loop.name, view.players, tuple(arguments))


def _leaves(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Numbers and arrays of nested tuples, with the names of their fields."""
    if not isinstance(value, tuple):
        yield name, value
        return
    for field, one in zip(value._fields, value, strict=True):  # type: ignore[attr-defined]
        yield from _leaves(field, one)


def _argument(name: str, one: Any, two: Any) -> Argument:
    """An argument, by what it is for one game and for two."""
    if not isinstance(one, np.ndarray):
        return Argument(name, number=int(one))
    more = None if one.shape == two.shape else one.shape[0] - 1
    content = (one if more is None else one[:1]).tobytes()
    return Argument(name, 0, one.itemsize, one.shape, content if any(content) else b"", more)
