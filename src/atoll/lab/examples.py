"""Games of a report that stand out, as records that the site replays."""

import numpy as np

from atoll.lab.figures import Example, Examples
from atoll.lab.played import Setup
from atoll.lab.recording import record_game
from atoll.lab.totals import EXAMPLES, MILLION, Totals

CLOSEST = EXAMPLES.index("closest")


def examples(setup: Setup, totals: Totals) -> Examples:
    """The games that are the most of something, played once more for their records."""
    found = []
    for place, why in enumerate(EXAMPLES):
        figure, number = totals.best[place].tolist()
        if number < 0:
            continue
        text, results = record_game(
            setup,
            number,
        )
        value = figure / MILLION
        (points,), (shares,) = (results.from_beginner(values) for values in (results.points, results.shares))
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
