"""Hints: the moves that a search from a seat's view visits most, each with its chance to win."""

from atoll.bots.search import Evaluation, evaluate
from atoll.bots.search_image import SearchImage, search_image
from atoll.core.game import View
from atoll.engine.chance import generator

MOST_MOVES = 3
ITERATIONS = 10_000
MILLISECONDS = 1000
"""The search of a hint ends after so many iterations or so much time, whichever comes first."""
TREES = 2
"""It grows so many trees if cores are free."""


def best_moves(view: View, seed: int) -> list[Evaluation]:
    """The moves that a search tried most often, the likeliest to win first; it waits for a free core."""
    evaluations = evaluate(view, generator(seed), ITERATIONS, MILLISECONDS, trees=TREES)
    return likeliest_first(evaluations[:MOST_MOVES])


def likeliest_first(evaluations: list[Evaluation]) -> list[Evaluation]:
    """The same, the likeliest to win first."""
    return sorted(evaluations, key=lambda move: move.wins, reverse=True)


def hint_image(view: View, seed: int) -> SearchImage:
    """The same search, to be carried out elsewhere."""
    return search_image(view, seed, ITERATIONS, MILLISECONDS, TREES)
