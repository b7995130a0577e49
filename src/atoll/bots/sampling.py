"""Drawing a move by what each is worth, compiled."""

# mypy: disable-error-code="no-untyped-def"

from atoll.engine.chance import draw_below
from atoll.engine.compiling import compiled
from atoll.engine.real import exp

CHANCES = 1 << 16


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


@compiled
def draw_softmax(worths, count, generator):
    """The index of a move drawn with a probability in proportion to e to its worth."""
    highest = worths[0]
    for i in range(1, count):
        highest = max(highest, worths[i])
    total = 0.0
    for i in range(count):
        total += exp(worths[i] - highest)
    ticket = total * (draw_below(generator, CHANCES) + 0.5) / CHANCES
    for i in range(count):
        ticket -= exp(worths[i] - highest)
        if ticket < 0:
            return i
    return count - 1
