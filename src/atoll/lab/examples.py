"""Games of a report that stand out, as records that the site replays."""

import numpy as np

from atoll.lab.beginning import beginners, counted_from
from atoll.lab.collecting import Played
from atoll.lab.figures import Example, Examples
from atoll.lab.recording import record_game
from atoll.lab.totals import EXAMPLES, MILLION, Totals

CLOSEST = EXAMPLES.index("closest")


def examples(played: Played, totals: Totals) -> Examples:
    """The games that are the most of something, played once more for their records."""
    found = []
    for place, why in enumerate(EXAMPLES):
        figure, number = totals.best[place].tolist()
        if number < 0:
            continue
        text, results = record_game(
            played.game,
            played.components,
            played.players,
            played.bots,
            number,
            played.seed,
            played.options,
        )
        value = figure / MILLION
        beginner = beginners(played.game, played.components, played.players, played.seed, number, 1)
        (points,), (shares,) = (counted_from(beginner, told) for told in (results.points, results.shares))
        found.append(
            Example(
                why,
                number,
                points.tolist(),
                np.flatnonzero(shares).tolist(),
                MILLION - value if place == CLOSEST else value,
                text,
            )
        )
    return Examples(found)
