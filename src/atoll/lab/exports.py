"""What a game's module holds: everything that site, terminal, arena and simulations ask for."""

from collections.abc import Iterator

import numpy as np

from atoll.bots import beliefs
from atoll.bots.bot import QUICK_BOTS, choosing
from atoll.bots.guidance import is_guided
from atoll.bots.network import CHOOSE, some_mind
from atoll.bots.restricted import POINTS
from atoll.bots.search import GUIDED_SEARCH, SEARCH
from atoll.core import exports
from atoll.core.exports import NUMBERS
from atoll.core.game import Game
from atoll.core.observation import OBSERVE, OBSERVE_BYTES
from atoll.engine.exports import Export
from atoll.lab.chunks import count_arrays
from atoll.lab.continued import CONTINUED, some_worlds
from atoll.lab.counts import counted_games
from atoll.lab.loop import (
    PLAIN_GAMES,
    SWAPS,
    PlayedMoves,
    choose_quickly,
    follow_script,
    loop_of,
    some_arrays,
    some_swaps,
)
from atoll.lab.played import Setup
from atoll.lab.trained_policy import trained_arrays, trained_games, trained_policy


def exports_of(game: Game) -> Iterator[Export]:
    """The exports of a game's module."""
    yield from exports.EXPORTS
    yield from game.exports
    yield from (OBSERVE, OBSERVE_BYTES, CHOOSE)
    yield from map(choosing, (*QUICK_BOTS, POINTS))
    if game.beliefs is not None:
        yield from beliefs.EXPORTS
    yield GUIDED_SEARCH if is_guided(game) else SEARCH
    yield loop_of(PLAIN_GAMES, QUICK_BOTS, some_arrays(game))
    trained = some_arrays(game, policy=trained_arrays(game, some_mind()))
    yield loop_of(trained_games(game), QUICK_BOTS, trained)
    yield loop_of(SWAPS, QUICK_BOTS, some_arrays(game, counts=some_swaps()))
    yield loop_of(CONTINUED, QUICK_BOTS, some_arrays(game, counts=some_worlds(game)))
    setup = Setup(game, game.components(), game.seats.start, QUICK_BOTS, 0)
    policies = {
        "quick bots": (choose_quickly, 0),
        "played moves": (follow_script, PlayedMoves(NUMBERS, np.zeros(1, np.int64))),
        "trained": (trained_policy(game), trained_arrays(game, some_mind())),
    }
    for name, (policy, arrays) in policies.items():
        counted = some_arrays(game, policy=arrays, counts=count_arrays(setup, 0, 1, 0))
        yield loop_of(counted_games(name, policy), QUICK_BOTS, counted)
