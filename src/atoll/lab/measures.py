"""Which published measures the figures of a report are."""

from collections.abc import Mapping
from typing import NamedTuple

from atoll.text.translation import texts


class Measure(NamedTuple):
    """Which published measure a figure is: where it comes from, and where it differs."""

    source: str
    differs: str = ""


MEASURES: Mapping[str, Measure] = {
    "length.decisions": Measure(*texts("Ludii, concept DurationActions (E. Piette and others, 2021)")),
    "length.rounds": Measure(*texts("Ludii, concept DurationTurns", "rounds of the game's own, not turns")),
    "seats.share": Measure(
        *texts(
            "Ludii, concepts AdvantageP1 and Balance (C. Browne, 2009)",
            "a share of the win for each seat, not the largest difference alone",
        )
    ),
    "course.lead_changes": Measure(
        *texts(
            "C. Browne, Automatic Generation and Evaluation of Recombination Games, 2009: Lead Change",
            "points after a round and not an evaluation by search after every move; ties change nothing",
        )
    ),
    "course.drama": Measure(
        *texts(
            "C. Browne, 2009: Drama; Ludii, concept DramaAverage",
            "points after rounds and not an evaluation; linear, not the square root",
        )
    ),
    "course.decided": Measure(
        *texts(
            "C. Browne, 2009: Decisiveness and Killer Moves",
            "looks back from the end: the winner is never behind again; not a threshold of an evaluation",
        )
    ),
    "choice.legal": Measure(*texts("Ludii, concept BranchingFactor; TAG, Action Space")),
    "choice.spread": Measure(
        *texts(
            "R. Gaina and others, TAG: a Tabletop Games Framework, 2020: Reward Sparsity and value spread",
            "standard deviation of the game's own advice",
        )
    ),
    "luck.rungs": Measure(
        *texts(
            "F. Lantz, A. Isaksen, A. Jaffe, A. Nealen, J. Togelius, Depth in Strategic Games, 2017: the skill ladder",
            "rungs are doublings of a search's budget",
        )
    ),
    "luck.settled": Measure(
        *texts(
            "Intraclass correlation (R. Fisher, 1925), one-way, of the seat's share of the win over replays of a deal"
        )
    ),
    "luck.dealt": Measure(
        *texts(
            "T. Homma and A. Saltelli, Importance Measures in Global Sensitivity Analysis, 1996: the total index",
            "of the expected share of the win, by I. Sobol's estimator (2007); part of all variance, replays included",
        )
    ),
    "things.win": Measure(
        *texts("conditional win rate, as TAG and print-and-play trackers report it; not an effect")
    ),
    "causes.difference": Measure(
        *texts(
            "average effect of an intervention (J. Pearl, Causality, 2000), common random numbers",
            "the bot plays on; false discoveries after Y. Benjamini and Y. Hochberg, 1995",
        )
    ),
    "strategies.cost": Measure(
        *texts("A. Jaffe and others, Evaluating Competitive Game Balance with Restricted Play, 2012")
    ),
}
