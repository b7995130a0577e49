"""Two sets of components on the same deals: each figure's difference, game by game, with its interval and effect size.

Game i has the same seed under both, so that its difference has less spread than two games of their own. Intervals and
p-values take the differences of the games as independent, by the normal approximation; what is called significant is
corrected for how many figures are looked at (Benjamini and Hochberg).
"""

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import partial

import msgspec
import numpy as np
from numpy.typing import NDArray

from atoll.lab import counts, estimates
from atoll.lab.batches import Workers, in_order
from atoll.lab.chunks import Chunk, collect
from atoll.lab.differences import Comparison, Disagreement, FigureDifference
from atoll.lab.estimates import FALSE_RATE, FEWEST_DEALS, Estimate, Z
from atoll.lab.figures import FORMAT, Names
from atoll.lab.played import Setup
from atoll.lab.report_builder import provenance
from atoll.lab.sections import lead, length, seats
from atoll.lab.sections.seats import TIES
from atoll.lab.simulate import chunk_size
from atoll.text.errors import AtollError
from atoll.text.messages import Message
from atoll.text.translation import LANGUAGES, Translator

MOST_IN_CHUNK = 250
"""Deals that are played at a time; what a browser sends of so many is below what a request may have."""
ROUND_OF_CHUNKS = 8
"""Chunks after which it is asked whether it is enough."""
SEAT = "seat"
FIGURES = (length.DECISIONS, length.CHOICES, *seats.FIGURES, *lead.FIGURES, length.ROUNDS)
"""The figures of a game that are compared, besides the share of the win of each seat."""
SHARES = {row.key for row in FIGURES if row.is_share}


Values = dict[str, NDArray[np.float64]]
"""Each figure of some games, (n,)."""


def figure_values(setup: Setup, first: int, count: int) -> Values:
    """Each figure of games first to first + count - 1."""
    return chunk_values(setup, collect(setup, first, count))


def chunk_values(setup: Setup, chunk: Chunk) -> Values:
    """Each figure of a chunk's games; rounds only if the game tells them."""
    shares = chunk.shares / counts.WIN
    values = {
        row.key: row.values(chunk) / row.scale
        for row in FIGURES
        if row is not length.ROUNDS or setup.game.endings is not None
    }
    values |= {f"{SEAT} {seat + 1}": shares[:, seat] for seat in range(setup.players)}
    return {key: own.astype(np.float64) for key, own in values.items()}


NO_SUMS = ((0.0,) * 3,) * 3


class Paired:
    """The sums of a figure under both sets, and of their differences: number, sums, sums of squares."""

    def __init__(self, sums: Sequence[Sequence[float]] = NO_SUMS) -> None:
        self.sums = np.array(sums, dtype=np.float64)

    def add(self, first: NDArray[np.float64], second: NDArray[np.float64]) -> None:
        """Add games."""
        for row, values in zip(self.sums, (first, second, second - first), strict=True):
            row += (len(values), values.sum(), (values**2).sum())

    def estimate(self, place: int) -> Estimate:
        """The mean under the first set, under the second, or of the difference."""
        number, total, squares = self.sums[place].tolist()
        return estimates.mean(total, squares, int(number))

    @property
    def spread(self) -> float:
        """The standard deviation of the figure over both sets."""
        variances = [
            squares / number - (total / number) ** 2 for number, total, squares in self.sums[:2].tolist()
        ]
        return math.sqrt(max(0.0, sum(variances) / 2))

    @property
    def p_value(self) -> float:
        """That the mean difference is 0; 1 where there are too few deals to tell."""
        change = self.estimate(2)
        if change.units < FEWEST_DEALS:
            return 1.0
        half = change.high - change.value
        if half <= 0:
            return 1.0 if change.value == 0 else 0.0
        return estimates.normal_tail(Z * change.value / half)


def _change(key: str, paired: Paired) -> Estimate:
    """The difference of a figure. Of games with several winners there may be none, which says little of few games: its
    interval is that of matched pairs.
    """
    if key != TIES.key:
        return paired.estimate(2)
    number, total, squares = paired.sums[2].tolist()
    return estimates.matched_sums(total, squares, int(number))


def difference(key: str, paired: Paired, significant: bool) -> FigureDifference:
    """The row of a figure in a comparison."""
    change, spread = _change(key, paired), paired.spread
    return FigureDifference(
        key,
        _name(key),
        paired.estimate(0),
        paired.estimate(1),
        change,
        change.value / spread if spread > 0 else 0.0,
        paired.p_value,
        significant,
        max(abs(change.low), abs(change.high)),
        "share" if key in SHARES or key.startswith(SEAT) else "number",
    )


def _name(key: str) -> Names:
    translators = {language: Translator(language) for language in LANGUAGES}
    for row in FIGURES:
        if row.key == key:
            return {language: words(row.name) for language, words in translators.items()}
    seat = key.removeprefix(f"{SEAT} ")
    return {
        language: words("Share of the win of seat %(number)s, from who begins", number=seat)
        for language, words in translators.items()
    }


def differences(
    first: Setup,
    second: Setup,
    games: int,
    workers: Workers = 1,
    progress: Callable[[int], None] = lambda done: None,
    width: float | None = None,
) -> list[FigureDifference]:
    """What differs over so many deals, the largest effect first; fewer, if the difference of every seat's share of the
    win is known to within `width` before. Calls `progress` with the number of deals just played.
    """
    size = deals_at_a_time(first)
    figures: dict[str, Paired] = {}
    work = (partial(_both, first, second, start, min(size, games - start)) for start in range(0, games, size))
    with closing(in_order(work, workers)) as chunks:
        for number, (before, after) in enumerate(chunks, start=1):
            add_deals(figures, before, after)
            progress(len(after[length.DECISIONS.key]))
            if width is not None and number % ROUND_OF_CHUNKS == 0 and _is_known(figures, width):
                break
    return rows_of(figures)


def deals_at_a_time(setup: Setup) -> int:
    """How many deals are played and added up at a time."""
    return min(chunk_size(setup), MOST_IN_CHUNK)


def add_deals(figures: dict[str, Paired], before: Values, after: Values) -> None:
    """Add deals to the sums of each figure."""
    for key, values in before.items():
        figures.setdefault(key, Paired()).add(values, after[key])


def rows_of(figures: Mapping[str, Paired]) -> list[FigureDifference]:
    """What differs, the largest effect first."""
    significant = estimates.discoveries([paired.p_value for paired in figures.values()], FALSE_RATE)
    rows = [
        difference(key, paired, sure)
        for (key, paired), sure in zip(figures.items(), significant, strict=True)
    ]
    return sorted(rows, key=lambda row: -math.inf if row.is_constant else -abs(row.effect))


def _is_known(figures: Mapping[str, Paired], width: float) -> bool:
    """Whether the difference of every seat's share of the win is known to within `width`."""
    changes = [paired.estimate(2) for key, paired in figures.items() if key.startswith(SEAT)]
    return all((change.high - change.low) / 2 <= width for change in changes)


def _both(first: Setup, second: Setup, start: int, count: int) -> tuple[Values, Values]:
    return figure_values(first, start, count), figure_values(second, start, count)


def disagreements(quick: list[FigureDifference], search: list[FigureDifference]) -> list[Disagreement]:
    """The figures whose change is another between search bots, after correction for how many there are."""
    by_key = {row.key: row for row in search}
    pairs = [(row, by_key[row.key]) for row in quick if row.key in by_key]
    p_values = [_apart(one.change, other.change) for one, other in pairs]
    sure = estimates.discoveries(p_values, FALSE_RATE)
    return [
        Disagreement(one.key, one.name, one.change, other.change)
        for (one, other), differs in zip(pairs, sure, strict=True)
        if differs
    ]


def _apart(one: Estimate, other: Estimate) -> float:
    """The p-value that two estimates are of the same value."""
    if min(one.units, other.units) < FEWEST_DEALS:
        return 1.0
    error = math.hypot(one.high - one.low, other.high - other.low) / (2 * Z)
    if error <= 0:
        return 1.0 if one.value == other.value else 0.0
    return estimates.normal_tail((one.value - other.value) / error)


def comparison_of(first: Setup, second: Setup, rows: list[FigureDifference]) -> Comparison:
    """What came of two sets."""
    games = rows[0].change.units
    return Comparison(FORMAT, provenance(first, games), provenance(second, games), rows)


def compare(
    first: Setup,
    second: Setup,
    games: int,
    workers: Workers = 1,
    progress: Callable[[int], None] = lambda done: None,
    width: float | None = None,
    search: tuple[Setup, Setup, int] | None = None,
) -> Comparison:
    """Both sets on the same deals; with `search`, fewer games between searching bots, and where they disagree."""
    if (first.components.sha256, first.options) == (second.components.sha256, second.options):
        raise AtollError(Message("both sides are the same; change something in one"))
    rows = differences(first, second, games, workers, progress, width)
    comparison = comparison_of(first, second, rows)
    if search is None:
        return comparison
    before, after, number = search
    search_rows = differences(before, after, number, workers, progress)
    return msgspec.structs.replace(
        comparison,
        search_bot=before.bots[0].name,
        search_games=number,
        search_differences=search_rows,
        disagreements=disagreements(rows, search_rows),
    )
