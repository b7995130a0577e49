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

advise: Any = None
MAX_LEGAL: Any = None


def choose(view, parts, moves, count, generator):
    """The move with the highest advice; among equals, any, equally likely."""
    scores = scratch(MAX_LEGAL, np.int32)
    advise(view, parts, moves, count, scores)
    return moves[draw_highest(scores, count, generator)]


@cache
def greedy(game: Game) -> Any:
    """What `greedy` does in a game: (view, parts, moves, count, generator) -> action; where the game gives no advice,
    it looks ahead.
    """
    if not game.has_advice:
        return look_ahead(game)
    bindings = {"advise": game.advise, "MAX_LEGAL": game.rules.MAX_LEGAL}
    return compiled(derive(choose, f"{game.package}.rules", **bindings))
