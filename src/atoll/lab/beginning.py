"""Who begins a game: the lab counts seats from there, since where that is drawn a seat's number says nothing."""

# mypy: disable-error-code="no-untyped-def"

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from atoll.core.game import Game
from atoll.core.types import Components
from atoll.engine.compiling import compiled_as
from atoll.engine.derived import derive
from atoll.lab.loops import CHANCES, deal_generators


def write_beginners(start, states, parts, players, chances, beginners):
    """The seat that alone has to decide first in each game; the first seat where several have to."""
    for i in range(beginners.shape[0]):
        start(states[0], parts[0], players, chances[i])
        bits = states[0].to_act
        beginners[i] = 0
        if bits & (bits - 1) == 0:
            while not bits >> beginners[i] & 1:
                beginners[i] += 1


@cache
def compiled_beginners(game: Game) -> Callable[..., None]:
    """`write_beginners`, compiled for one game."""
    kinds = game.types
    signature = types.void(
        types.FunctionType(kinds.start),
        kinds.states,
        kinds.parts_array,
        types.intp,
        CHANCES,
        types.Array(types.int8, 1, "C"),
    )
    entry: Callable[..., None] = compiled_as(signature, derive(write_beginners, __name__))
    return entry


def beginners(
    game: Game, components: Components, players: int, seed: int, first: int, count: int
) -> NDArray[np.int8]:
    """Who begins games first to first + count - 1, as they are dealt with a seed: int8 (count,)."""
    found = np.zeros(count, dtype=np.int8)
    states = np.zeros(1, dtype=game.rules.STATE)
    chances = deal_generators(seed, first, count)
    compiled_beginners(game)(game.rules.start, states, components.parts, players, chances, found)
    return found


def counted_from(beginners: NDArray[np.integer[Any]], values: NDArray[Any]) -> NDArray[Any]:
    """Values (n, …, players) of n games by seats, in the order of the seats from who begins, clockwise."""
    players = values.shape[-1]
    seats = (beginners[:, None] + np.arange(players)) % players
    return np.take_along_axis(values, seats.reshape(len(seats), *[1] * (values.ndim - 2), players), axis=-1)
