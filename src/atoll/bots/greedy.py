"""The bot that takes its game's advice: the move that is rated highest now, without looking further ahead."""

# mypy: disable-error-code="no-untyped-def"

import numpy as np

from atoll.core.chance import draw_below
from atoll.core.compiling import compiled


def choose(advise, view, parts, moves, count, generator):
    """The move with the highest advice; among equals, any, equally likely."""
    scores = np.empty(count, dtype=np.int32)
    advise(view, parts, moves, count, scores)
    best, generator[0] = draw_highest(scores, count, generator[0])
    return moves[best]


@compiled
def draw_highest(scores, count, word):
    """The index of the highest score, of equals any, equally likely; with the generator's next word."""
    best = 0
    equals = 1
    for i in range(1, count):
        if scores[i] > scores[best]:
            best = i
            equals = 1
        elif scores[i] == scores[best]:
            equals += 1
            pick, word = draw_below(word, equals)
            if pick == 0:
                best = i
    return best, word
