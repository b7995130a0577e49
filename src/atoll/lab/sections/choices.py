"""The section of a report on what there is to choose."""

from collections.abc import Iterator, Sequence
from functools import partial

import msgspec
import numpy as np
from numpy.typing import NDArray

from atoll.lab import counts, estimates
from atoll.lab.chunks import Chunk
from atoll.lab.counts import ROUNDS
from atoll.lab.estimates import Bar, Estimate
from atoll.lab.figures import Measure, Provenance, name_in
from atoll.lab.game_figures import histogram_picture
from atoll.lab.items import NamedItem
from atoll.lab.page.drawing import PlotLine, lines
from atoll.lab.page.numbers import figure, sure
from atoll.lab.page.pictures import NumberTable, Picture, cells, heading, middle_range
from atoll.lab.totals import Totals
from atoll.text.translation import Translator, texts

DEAD = 0.001
"""An option is dead if fewer than this share of the seats in all games could ever take it."""
RARELY = 0.01
"""A dominated option is taken in less than this share of the times."""
LEGAL_MEASURE = Measure(*texts("Ludii, concept BranchingFactor; TAG, Action Space"))
SPREAD_MEASURE = Measure(
    *texts(
        "R. Gaina and others, TAG: a Tabletop Games Framework, 2020: Reward Sparsity and value spread",
        "standard deviation of the game's own advice",
    )
)


class ChoiceRound(msgspec.Struct, frozen=True):
    """Choices in a round: legal moves; how far their worth spreads (the mean standard deviation of the advice on the
    moves of a choice, over that of all choices of the report); the share of decisions that did not matter.
    """

    round: int
    legal: Estimate
    spread: Estimate | None
    indifferent: Estimate | None


class ProblemOption(msgspec.Struct, frozen=True):
    """An option: how often there was it, how often it was taken then, and how often the advice thought nothing better.

    `problem`: "dead", never or almost never legal; "dominated", legal and never thought best nor taken; "" if neither.
    """

    thing: NamedItem
    available: int
    taken: Estimate
    best: Estimate | None
    problem: str


class ChoiceFigures(msgspec.Struct, frozen=True):
    """The moves to choose from: by round, decisions that leave no choice, that do not matter, and problem options."""

    legal: Estimate
    legal_histogram: list[Bar]
    forced: Estimate
    indifferent: Estimate | None
    rounds: list[ChoiceRound]
    problems: list[ProblemOption]


def shapes() -> dict[str, tuple[int, ...]]:
    """The sums by name."""
    return {"rounds": (counts.ROUNDS, counts.ROUND_COLUMNS)}


def add(totals: Totals, chunk: Chunk) -> None:
    """Add the games of a chunk."""
    totals.sums["rounds"] += chunk.rounds


def figures(totals: Totals, items: Sequence[NamedItem], there: Sequence[bool], players: int) -> ChoiceFigures:
    """The figures of choices; `there` says which things exist."""
    rounds = totals.sums["rounds"]
    everything = RoundSums(rounds.sum(axis=0), totals.games)
    spread = everything.ratio(counts.STD, counts.LOOKED)
    looked = everything.total(counts.LOOKED) > 0
    forced = everything.total(counts.DECIDED) - everything.total(counts.CHOSEN)
    return ChoiceFigures(
        legal=everything.ratio(counts.LEGAL, counts.DECIDED),
        legal_histogram=estimates.class_bars(rounds[:, counts.ROUND_GAMES + 1 :].sum(axis=0)),
        forced=estimates.share(forced, everything.total(counts.DECIDED)),
        indifferent=everything.ratio_share(counts.INDIFFERENT, counts.LOOKED) if looked else None,
        rounds=[
            _choice_round(RoundSums(rounds[number], int(rounds[number, counts.ROUND_GAMES])), number, spread)
            for number in range(ROUNDS)
            if rounds[number, counts.ROUND_GAMES] * 100 >= totals.games
        ],
        problems=_problems(totals, items, there, players),
    )


class RoundSums:
    """The sums of the measures of a round, and ratios of two with their intervals; games are the units."""

    def __init__(self, row: NDArray[np.int64], games: int) -> None:
        self._row = row
        self._games = games

    def total(self, measure: int) -> int:
        """The sum of a measure."""
        return int(self._row[measure])

    def _product(self, one: int, other: int) -> int:
        low, high = min(one, other), max(one, other)
        width = counts.ROUND_MEASURES
        return int(self._row[width + low * width - low * (low - 1) // 2 + high - low])

    def _parts(self, measure: int, of: int) -> tuple[int, int, int, int, int, int]:
        return (
            self.total(measure),
            self.total(of),
            self._product(measure, measure),
            self._product(measure, of),
            self._product(of, of),
            self._games,
        )

    def ratio(self, measure: int, of: int, scale: float = 1.0) -> Estimate:
        """The mean of a measure over what `of` counts."""
        return estimates.ratio(*self._parts(measure, of), scale)

    def ratio_share(self, measure: int, of: int) -> Estimate:
        """The share of what `of` counts."""
        return estimates.ratio_share(*self._parts(measure, of))


def _choice_round(sums: RoundSums, number: int, spread: Estimate) -> ChoiceRound:
    looked = sums.total(counts.LOOKED) > 0
    return ChoiceRound(
        number,
        sums.ratio(counts.LEGAL, counts.DECIDED),
        sums.ratio(counts.STD, counts.LOOKED, spread.value) if looked and spread.value else None,
        sums.ratio_share(counts.INDIFFERENT, counts.LOOKED) if looked else None,
    )


def _problems(
    totals: Totals, items: Sequence[NamedItem], there: Sequence[bool], players: int
) -> list[ProblemOption]:
    """Options that nobody would take and then those that nobody can, most often there first; of a kind of moves that is
    such an option, none of its values.
    """
    problems: list[ProblemOption] = []
    kinds = set()
    for thing, exists, row in zip(items, there, totals.sums["usage"], strict=True):
        if thing.what != "move" or not exists or thing.kind in kinds:
            continue
        available, ratings, best = int(row[counts.OFFERS]), int(row[counts.RATED]), int(row[counts.BEST])
        use = estimates.share(int(row[counts.USES]), max(available, int(row[counts.USES])))
        problem = ""
        if row[counts.A] < DEAD * totals.games * players:
            problem = "dead"
        elif ratings >= 100 and not best and use.high < RARELY:
            problem = "dominated"
        if problem:
            if not thing.of:
                kinds.add(thing.kind)
            problems.append(
                ProblemOption(
                    thing, available, use, estimates.share(best, ratings) if ratings else None, problem
                )
            )
    return sorted(problems, key=lambda option: (option.problem == "dead", -option.available))


def pictures(section: ChoiceFigures, translator: Translator, about: Provenance) -> Iterator[Picture]:
    """The number of moves, how much the choice matters, and problem options."""
    if section.rounds:
        series = [PlotLine(translator("Legal moves"), [(one.round, one.legal) for one in section.rounds])]
        forced = sure(section.forced, "share", translator)
        yield Picture(
            translator("Moves to choose from"),
            lines(series, partial(figure, unit="", translator=translator), translator("Round"), low=0.0),
            translator(
                "A player chooses among %(legal)s moves on average; %(forced)s of the decisions leave no choice.",
                legal=sure(section.legal, "", translator),
                forced=forced,
            ),
            NumberTable(
                [translator("Round"), *heading("", translator)[1:]],
                [cells(str(one.round), one.legal, "", translator) for one in section.rounds],
            ),
            LEGAL_MEASURE.text(translator),
        )
        spread = [(one.round, one.spread) for one in section.rounds if one.spread is not None]
        if spread:
            yield Picture(
                translator("How much the choice matters"),
                lines(
                    [PlotLine(translator("Spread of worth"), spread)],
                    partial(figure, unit="", translator=translator),
                    translator("Round"),
                    low=0.0,
                ),
                translator(
                    "Where the line is high, moves differ much in worth. %(indifferent)s of the decisions did not "
                    "matter.",
                    indifferent=sure(section.indifferent, "share", translator),
                )
                if section.indifferent is not None
                else translator("Where the line is high, moves differ much in worth."),
                NumberTable(
                    [translator("Round"), *heading("", translator)[1:]],
                    [cells(str(at), one, "", translator) for at, one in spread],
                ),
                SPREAD_MEASURE.text(translator),
            )
    if section.legal_histogram:
        low, high = middle_range(section.legal_histogram)
        yield histogram_picture(
            translator("How many moves there are"),
            section.legal_histogram,
            section.legal,
            translator(
                "Nine of ten decisions offer %(low)s to %(high)s moves.", low=f"{low:g}", high=f"{high:g}"
            ),
            LEGAL_MEASURE,
            translator,
        )
    if section.problems:
        yield _unwanted(section.problems, translator)


def _unwanted(problems: Sequence[ProblemOption], translator: Translator) -> Picture:
    """The options that nobody wants, or can have."""
    rows = [
        [
            name_in(one.thing.name, translator),
            translator("dead") if one.problem == "dead" else translator("dominated"),
            figure(one.available, "count", translator),
            figure(one.taken.value, "share", translator),
        ]
        for one in problems
    ]
    sentence = translator.plural(
        "In these games %(num)s option was hardly ever there or hardly ever taken.",
        "In these games %(num)s options were hardly ever there or hardly ever taken.",
        len(rows),
    )
    if problems[0].problem == "dominated":
        option, _, times, _ = rows[0]
        sentence += " " + translator(
            "Passed over most: “%(option)s”, %(times)s times there.", option=option, times=times
        )
    return Picture(
        translator("Options that nobody wants"),
        "",
        sentence,
        NumberTable(
            [translator("Option"), translator("Why"), translator("Times there"), translator("Taken")], rows
        ),
    )
