"""Figures that are one number a game: what each is, how it is summed, what it is called and how it is drawn.

A share by seat or by item is no such figure: its sums stand in its section.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from atoll.lab import estimates
from atoll.lab.chunks import Chunk
from atoll.lab.estimates import Bar, Estimate
from atoll.lab.figures import NOT_PUBLISHED, Measure
from atoll.lab.page.drawing import histogram
from atoll.lab.page.numbers import figure
from atoll.lab.page.pictures import Picture, bars_table
from atoll.lab.totals import Integers, Totals, sums
from atoll.text.translation import Translator


class GameFigure(NamedTuple):
    """A number that every game has.

    `key` names it in files. `names` are what it is called and, if that is called otherwise, its picture. `values`
    gives those of a chunk's games, (n,), in parts of which `scale` make one. `classes`, of its histogram in a report, 0
    if it has none: one for each whole number, or, of a share of 1, so many equal ones. `measure` is the published one.
    """

    key: str
    names: tuple[str, ...]
    values: Callable[[Chunk], NDArray[Any]] = lambda chunk: np.zeros(len(chunk), dtype=np.int64)
    scale: int = 1
    is_share: bool = False
    classes: int = 0
    measure: Measure = NOT_PUBLISHED

    @property
    def name(self) -> str:
        """What it is called, in English."""
        return self.names[0]

    @property
    def histogram_key(self) -> str:
        """What its histogram is called among the sums."""
        return f"{self.key} histogram"

    @property
    def shapes(self) -> Mapping[str, tuple[int, ...]]:
        """Its sums in a report: games, sum and sum of squares, and the histogram."""
        histogram = {self.histogram_key: (self.classes,)} if self.classes else {}
        return {self.key: (3,), **histogram}

    def add(self, totals: Totals, chunk: Chunk) -> None:
        """Add the games of a chunk."""
        values = self.values(chunk).astype(np.int64)
        totals.sums[self.key] += sums(values)
        if self.classes:
            classes = values * self.classes // self.scale if self.is_share else values
            classes = np.clip(classes, 0, self.classes - 1)
            totals.sums[self.histogram_key] += np.bincount(classes, minlength=self.classes)

    def mean(self, totals: Totals) -> Estimate:
        """Its mean over the games."""
        return estimates.of_sums(totals.sums[self.key], self.scale)

    def histogram(self, totals: Totals) -> list[Bar]:
        """How often each value came."""
        counts: Integers = totals.sums[self.histogram_key]
        return estimates.bars(counts, width=1 / self.classes if self.is_share else 1.0)

    def picture(self, bars: Sequence[Bar], mean: Estimate, sentence: str, translator: Translator) -> Picture:
        """Its histogram with the mean."""
        title = translator(self.names[-1])
        return histogram_picture(
            title, bars, mean, sentence, self.measure, translator, is_share=self.is_share
        )


def histogram_picture(
    title: str,
    bars: Sequence[Bar],
    mean: Estimate,
    sentence: str,
    measure: Measure,
    translator: Translator,
    *,
    is_share: bool = False,
) -> Picture:
    """A histogram with its mean."""
    number_text = partial(figure, unit="share" if is_share else "", translator=translator)

    def at_axis(value: float) -> str:
        return f"{value:g}" if not is_share and float(value).is_integer() else number_text(value)

    return Picture(
        title,
        histogram(bars, mean.value, at_axis, title),
        sentence,
        bars_table(bars, title, translator),
        measure.text(translator),
    )


def is_constant(bars: Sequence[Bar]) -> bool:
    """Whether all games are in one class."""
    return sum(bar.count > 0 for bar in bars) == 1
