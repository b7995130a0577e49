"""The bot that takes its game's advice: the move that is rated highest now, without looking further ahead."""

# mypy: disable-error-code="no-untyped-def"

import numpy as np

from atoll.core.chance import draw_below
from atoll.core.compiling import compiled


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
