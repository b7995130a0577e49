"""Games of a report that stand out, as records that the site replays."""

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
        winners = [seat for seat in range(played.players) if results.winners[0] >> seat & 1]
        found.append(
            Example(
                why,
                number,
                results.points[0].tolist(),
                winners,
                MILLION - value if place == CLOSEST else value,
                text,
            )
        )
    return Examples(found)
