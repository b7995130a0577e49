"""The bot that takes its game's advice: the move that is rated highest now, without looking further ahead."""

# mypy: disable-error-code="no-untyped-def"

from functools import cache
from typing import Any

import numpy as np

from atoll.core.game import Game
from atoll.engine.chance import draw_below
from atoll.engine.compiling import compiled
from atoll.engine.derived import derive
from atoll.engine.records import scratch


def choose(advise, view, parts, moves, count, generator):
    """The move with the highest advice; among equals, any, equally likely."""
    scores = np.empty(count, dtype=np.int32)
    advise(view, parts, moves, count, scores)
    return moves[draw_highest(scores, count, generator)]


@compiled
def draw_highest(scores, count, generator):
    """The index of the highest score, of equals any, equally likely."""
    best = 0
    equals = 1
    for i in range(1, count):
        if scores[i] > scores[best]:
            best = i
            equals = 1
        elif scores[i] == scores[best]:
            equals += 1
            if draw_below(generator, equals) == 0:
                best = i
    return best


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
    from atoll.bots.look_ahead import look_ahead

    if not game.has_advice:
        return compiled(look_ahead(game))
    known = {"advise": game.advise, "MAX_LEGAL": game.rules.MAX_LEGAL}
    return compiled(derive(best_advised, f"{game.package}.rules", **known))
