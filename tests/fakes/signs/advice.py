"""Advice on Signs: the higher the better."""

# mypy: disable-error-code="no-untyped-def"

from atoll.engine.compiling import compiled
from signs.state import CARDS


@compiled
def advise(view, parts, moves, count, scores):
    for i in range(count):
        scores[i] = moves[i] // CARDS + moves[i] % CARDS
