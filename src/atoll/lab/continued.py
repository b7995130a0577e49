"""Games played on by a quick bot from drawn worlds, all of them in one call: how good a position is, and its moves."""

# mypy: disable-error-code="no-untyped-def"

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from atoll.bots.bot import QUICK_BOTS
from atoll.core.exports import NUMBERS
from atoll.core.game import Game, View
from atoll.engine.chance import derive, set_generator
from atoll.engine.compiling import inlined
from atoll.engine.stopping import Stopped, check_stop
from atoll.lab.loop import (
    ENDLESS,
    NO_CHANCES,
    STOPPED,
    GameArrays,
    Hooks,
    deal_chances,
    deal_generators,
    loop_of,
    seated_arrays,
)
from atoll.lab.played import BotSeats, shares_of

AS_IT_IS = -1
"""In place of a first move: the position is played on from."""
AT_ONCE = 50
"""Worlds that are played in one call, which so never takes long."""
DRAWING, LATER, PLAYERS = range(3)
"""Steps by which the seeds differ of what is drawn for different ends."""


class Worlds(NamedTuple):
    """Where n games go on from: the view `seen` that each world is drawn from, (1,), or none where their states are
    given; the generators that draw them, (n, words); and the move of `seat` that comes first, (n,), or AS_IT_IS.
    """

    seen: NDArray[Any]
    drawing: NDArray[np.uint64]
    seat: int
    firsts: NDArray[np.int32]


def some_worlds(game: Game) -> Worlds:
    """Worlds as an example of their type."""
    return Worlds(np.zeros(1, game.rules.STATE), NO_CHANCES, 0, NUMBERS)


@inlined
def deal_world(functions, arrays, game):
    """Draw a world, give it chance of its own to come, and make the first move."""
    worlds, state, part = arrays.counts, arrays.states[game], arrays.parts[0]
    if worlds.seen.shape[0]:
        functions.resample(worlds.seen[0], part, worlds.drawing[game], state)
    set_generator(state.generator, arrays.chances[game])
    if worlds.firsts[game] >= 0:
        functions.play(state, part, worlds.seat, worlds.firsts[game], arrays.events)
    return True


CONTINUED = Hooks("continued_games", deal=deal_world)


class Continued(NamedTuple):
    """Of each first move, in the same worlds with the same chance to come: the seats' shares of the win and their
    points, (moves, worlds, players), and the states at the end, (moves, worlds).
    """

    shares: NDArray[np.float64]
    points: NDArray[np.int32]
    ends: NDArray[Any]


def play_on(
    view: View,
    bot: int,
    seed: int,
    worlds: int,
    firsts: Sequence[int] = (AS_IT_IS,),
    states: NDArray[Any] | None = None,
) -> Continued:
    """Play on after each of some moves of the view's seat, in worlds that agree with the view, or in the one of
    `states`; `bot` is the place in QUICK_BOTS of who plays every seat. Raises EndlessGame, and Stopped.
    """
    parts = []
    for first in range(0, worlds, AT_ONCE):
        check_stop()
        parts.append(_play_on(view, bot, seed, range(first, min(worlds, first + AT_ONCE)), firsts, states))
    return Continued(*(np.concatenate(columns, axis=1) for columns in zip(*parts, strict=True)))


def _play_on(
    view: View, bot: int, seed: int, worlds: range, firsts: Sequence[int], states: NDArray[Any] | None
) -> Continued:
    """The same in some of the worlds, by their numbers, in one call."""
    game, players, moves = view.game, view.players, len(firsts)
    count = len(worlds) * moves
    arrays = continued_arrays(view, bot, seed, worlds, firsts, states)
    loop = loop_of(CONTINUED, QUICK_BOTS, arrays)
    end = (game.runner if game.runner.has(loop) else game.fast_runner).call(loop, arrays)
    if end == STOPPED:
        raise Stopped
    if end == ENDLESS:
        raise game.endless(view.components, players)
    shape = (moves, len(worlds), players)
    return Continued(
        shares_of(arrays.winners, players).reshape(shape),
        arrays.points.reshape(shape),
        arrays.states[:count].reshape(moves, len(worlds)),
    )


def continued_arrays(
    view: View, bot: int, seed: int, worlds: range, firsts: Sequence[int], states: NDArray[Any] | None = None
) -> GameArrays:
    """What the loop of `play_on` is called with: the games after the first of the moves, then those after the next."""
    game, players, moves = view.game, view.players, len(firsts)
    count = len(worlds) * moves
    own = deal_chances(derive(seed, PLAYERS), worlds.start, len(worlds), players)[1]
    later, drawing = (
        deal_generators(derive(seed, step), worlds.start, len(worlds)) for step in (LATER, DRAWING)
    )
    seats = BotSeats(
        QUICK_BOTS,
        np.full((count, players), bot, np.int8),
        np.zeros((1, len(game.moves)), np.int8),
        np.full((count, players), -1, np.int16),
    )
    return seated_arrays(
        game,
        view.components,
        seats,
        np.concatenate([own] * moves),
        np.concatenate([later] * moves),
        states=np.zeros(count + 1, game.rules.STATE) if states is None else np.repeat(states, count + 1),
        counts=Worlds(
            view.states if states is None else view.states[:0],
            np.concatenate([drawing] * moves),
            max(0, view.seat),
            np.repeat(np.array(firsts, np.int32), len(worlds)),
        ),
    )
