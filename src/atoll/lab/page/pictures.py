"""What a page shows of one figure: a picture, a sentence under it, and the table of its numbers."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from msgspec.structs import replace

from atoll.lab.estimates import Bar, Estimate
from atoll.lab.figures import Measure
from atoll.lab.page.drawing import PlotRow, dots
from atoll.lab.page.numbers import figure
from atoll.text.translation import Translator

SHOWN = 24
"""Things in a picture; the table has all."""


@dataclass(frozen=True)
class NumberTable:
    """The numbers of a picture."""

    heading: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Picture:
    """One figure of the page. `svg` may be empty: then the table stands open in its place."""

    title: str
    svg: str
    sentence: str
    table: NumberTable
    measure: str = ""
    """which published measure it is, and where it differs"""


@dataclass(frozen=True)
class PagePart:
    """A part of the page: figures that belong together."""

    key: str
    title: str
    pictures: Sequence[Picture] = field(default=())
    note: str = ""
    """what is missing"""


def over_expected(label: str, share: Estimate, expected: float) -> PlotRow:
    """A row of a picture of how far shares lie above what is to be expected of each."""
    over = replace(share, value=share.value - expected, low=share.low - expected, high=share.high - expected)
    return PlotRow(label, over, not over.low <= 0 <= over.high)


def told_by_range(label: str, translator: Translator) -> str:
    """What an axis counts, and what is red in a picture of rows with a line."""
    return translator("%(label)s; red: the range does not reach the line", label=label)


def cells(label: str, estimate: Estimate | None, unit: str, translator: Translator) -> list[str]:
    """A row of a table: the estimate, the ends of its interval, and what it comes from."""
    if estimate is None:
        return [label, "–", "–", "–", "–"]
    ends = ["–", "–"] if estimate.method == "none" else [
        figure(end, unit, translator) for end in (estimate.low, estimate.high)
    ]  # fmt: skip
    return [
        label,
        figure(estimate.value, unit, translator),
        *ends,
        figure(estimate.units, "count", translator),
    ]


def heading(first: str, translator: Translator) -> list[str]:
    """The heading of a table of `cells`."""
    return [
        first,
        translator("Value"),
        translator("at least"),
        translator("at most"),
        translator("measured on"),
    ]


def bars_table(bars: Sequence[Bar], what: str, translator: Translator) -> NumberTable:
    """A histogram in numbers."""
    rows = [
        [
            f"{bar.low:g}" if bar.high == bar.low else f"{bar.low:g}–{bar.high:g}",
            figure(bar.count, "count", translator),
        ]
        for bar in bars
    ]
    return NumberTable([what, translator("Games")], rows)


def middle_range(bars: Sequence[Bar], share: float = 0.9) -> tuple[float, float]:
    """Between which values that share of the counts lies, the same at both ends left out."""
    total = sum(bar.count for bar in bars)
    out, below, low, high = total * (1 - share) / 2, 0, bars[0].low, bars[-1].high
    for bar in bars:
        below += bar.count
        if below > out:
            low = bar.low
            break
    above = 0
    for bar in reversed(bars):
        above += bar.count
        if above > out:
            high = bar.high
            break
    return low, high


def dots_picture(
    title: str,
    rows: Sequence[PlotRow],
    unit: str,
    expected: float | None,
    label: str,
    sentence: str,
    measure: Measure,
    translator: Translator,
) -> Picture:
    """A dot with its interval for each row."""
    return Picture(
        title,
        dots(rows, partial(figure, unit=unit, translator=translator), label, expected),
        sentence,
        NumberTable(
            heading("", translator), [cells(row.label, row.estimate, unit, translator) for row in rows]
        ),
        measure.text(translator),
    )
