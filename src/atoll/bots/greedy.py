"""The bot that takes its game's advice: the move that is rated highest now, without looking further ahead."""

# mypy: disable-error-code="no-untyped-def"

from functools import cache
from typing import Any

import numpy as np

from atoll.bots.lookahead import look_ahead
from atoll.bots.sampling import draw_highest
from atoll.core.game import Game
from atoll.engine.compiling import compiled
from atoll.engine.derived import derive
from atoll.engine.records import scratch


def choose(advise, view, parts, moves, count, generator):
    """The move with the highest advice; among equals, any, equally likely."""
    scores = np.empty(count, dtype=np.int32)
    advise(view, parts, moves, count, scores)
    return moves[draw_highest(scores, count, generator)]


advise: Any = None
MAX_LEGAL: Any = None


def best_advised(_, view, parts, moves, count, generator):
    """`choose` with the advice of one game and room of its own, for loops that call it often."""
    scores = scratch(MAX_LEGAL, np.int32)
    advise(view, parts, moves, count, scores)
    return moves[draw_highest(scores, count, generator)]


@cache
def greedy_in_loops(game: Game) -> Any:
    """What `greedy` does in a game, compiled to be called by other compiled functions:
    (_, view, parts, moves, count, generator) -> action.
    """
    if not game.has_advice:
        return compiled(look_ahead(game))
    bindings = {"advise": game.advise, "MAX_LEGAL": game.rules.MAX_LEGAL}
    return compiled(derive(best_advised, f"{game.package}.rules", **bindings))
