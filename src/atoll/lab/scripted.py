"""The loop of a report over games of trained players, which the loop of `lab/trained_games.py` plays: their moves are
written down there and played again here, counted.
"""

# mypy: disable-error-code="no-untyped-def"

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from atoll.bots.weights import Weights
from atoll.core.game import Game
from atoll.core.types import Components
from atoll.engine.compiling import inlined
from atoll.engine.derived import derive
from atoll.lab.counting import compiled_counting_by, count_games
from atoll.lab.trained_games import play_dealt


def play_on(loop, state, seen, game, seat, count):
    """`choose_move` of games whose moves are known: they stand in `loop.kept`, after how many of them were played."""
    loop.kept[0] += 1
    return loop.kept[loop.kept[0]]


@cache
def compiled_script_counting(game: Game) -> Callable[..., int]:
    """`count_games` with the moves in `kept`, compiled for one game."""
    return compiled_counting_by(game, derive(count_games, __name__, choose_move=inlined(play_on)))


def script(
    game: Game,
    components: Components,
    weights: Weights,
    who: NDArray[np.int8],
    chances: NDArray[np.uint64],
    own: NDArray[np.uint64],
) -> NDArray[np.int32]:
    """The moves of games between trained players and quick ones, in the order in which they are played, after a 0.

    `who` (n, players) are of `lab/trained_games.py`, `chances` (n, words) the generators of chance, `own` (n, players,
    words) those of the bots. Raises EndlessGame, and Stopped.
    """
    count, players = who.shape
    moves = np.zeros(1 + count * game.most_decisions(components, players), dtype=np.int32)
    mind = weights.mind(players, components)
    play_dealt(game, components, mind, who, np.concatenate([chances[:, None], own], axis=1), script=moves)
    moves[0] = 0
    return moves
