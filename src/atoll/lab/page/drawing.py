"""Plots as SVG that obeys the page's look: by day, by night and on paper, without a script.

Everything is drawn in units of a box that the browser scales; colours come from the page's stylesheet by class. Each
plot is hidden from screen readers, which read the table of its numbers instead.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

from atoll.lab.estimates import Bar, Estimate

WIDTH = 520
LABELS = 178
"""Width of the labels of rows."""
SHORT, LONGEST = 21, 54
"""Characters of a label that stands beside its row, and of one that stands over it, at most."""
Say = Callable[[float], str]
"""How a number stands at an axis."""


@dataclass(frozen=True)
class PlotRow:
    """A row of a plot: an estimate, and what is to be expected there if that is not the same for all."""

    label: str
    estimate: Estimate
    strong: bool = False


@dataclass(frozen=True)
class PlotLine:
    """A line of a plot over rounds."""

    label: str
    points: Sequence[tuple[float, Estimate]]


def short(text: str) -> str:
    """A number without decimals that are all 0, as it stands at an axis."""
    return re.sub(r"[.,]0{1,2}(?!\d)", "", text)


def ticks(low: float, high: float, count: int = 5) -> list[float]:
    """Round numbers from `low` to `high`, about `count` of them."""
    span = high - low or 1.0
    step = 10 ** floor(log10(span / count))
    step *= next((one for one in (1, 2, 5, 10) if span / (one * step) <= count), 10)
    first = ceil(low / step - 1e-9)
    return [number * step for number in range(first, floor(high / step + 1e-9) + 1)]


def _apart(heights: Sequence[float], lowest: float) -> list[float]:
    """Where names of lines stand: as near as there is room to where they are wanted, in the same order."""
    places = list(heights)
    for place in sorted(range(len(heights)), key=lambda place: -heights[place]):
        places[place] = min(places[place], lowest)
        lowest = places[place] - 17
    return places


def _svg(height: float, inside: str, label: str) -> str:
    """The picture, and below it what its axis counts."""
    box = f'class="plot" viewBox="0 0 {WIDTH} {height:.0f}" aria-hidden="true" focusable="false"'
    return f'<svg {box}>{inside}</svg><p class="axis-label" aria-hidden="true">{escape(label)}</p>'


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}">{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" class="{kind}"/>'


def histogram(bars: Sequence[Bar], mean: float, number_text: Say, label: str) -> str:
    """How often each value came, as the area of its bar, with a mark at the mean."""
    if len([bar for bar in bars if bar.count]) < 2:
        return ""
    left, right, top, bottom = 10.0, WIDTH - 10.0, 22.0, 190.0
    low, high = bars[0].low, bars[-1].high
    whole = all(float(bar.low).is_integer() and float(bar.high).is_integer() for bar in bars)
    more = 1.0 if whole else 0.0  # a whole number has a column of its own
    span = (high + more - low) or 1.0
    dense = [bar.count / (bar.high + more - bar.low) for bar in bars]
    most = max(dense)

    def at(value: float) -> float:
        return left + (right - left) * (value - low) / span

    parts = []
    for bar, one in zip(bars, dense, strict=True):
        x, end = at(bar.low), at(bar.high + more)
        height = (bottom - top) * one / most
        width = max(end - x - 1.5, 0.8)
        parts.append(
            f'<rect x="{x:.1f}" y="{bottom - height:.1f}" width="{width:.1f}" height="{height:.1f}" class="bar"/>'
        )
    parts.append(_line(left, bottom, right, bottom, "axis"))
    parts += [
        _text(at(tick + more / 2), bottom + 18, short(number_text(tick)), "tick")
        for tick in ticks(low, high, 6)
    ]
    x = at(mean + more / 2)
    parts += [
        _line(x, top - 4, x, bottom, "mean"),
        _text(min(max(x, 60), WIDTH - 60), 13, number_text(mean), "strong"),
    ]
    return _svg(bottom + 26, "".join(parts), label)


def dots(rows: Sequence[PlotRow], number_text: Say, label: str, expected: float | None = None) -> str:
    """A row for each estimate: a dot, its interval as a bar, and a line where all would be if nothing differed.

    Labels stand beside their rows, or, where one is too long for that, all over them.
    """
    if not rows:
        return ""
    marks = [] if expected is None else [expected]
    low = min([row.estimate.low for row in rows] + marks)
    high = max([row.estimate.high for row in rows] + marks)
    pad = (high - low) * 0.06 or max(abs(high) * 0.1, 0.05)
    low, high = low - pad, high + pad
    over = max(len(row.label) for row in rows) > SHORT
    left, right, step = 12.0 if over else LABELS + 10.0, WIDTH - 70.0, 46.0 if over else 30.0
    bottom = 10 + step * len(rows)

    def at(value: float) -> float:
        return left + (right - left) * (value - low) / (high - low)

    parts = [_line(at(tick), 6, at(tick), bottom, "grid") for tick in ticks(low, high)]
    parts += [_text(at(tick), bottom + 18, short(number_text(tick)), "tick") for tick in ticks(low, high)]
    if expected is not None:
        parts.append(_line(at(expected), 4, at(expected), bottom, "expected"))
    for number, row in enumerate(rows):
        y, one = 10 + step * (number + (0.74 if over else 0.5)), row.estimate
        kind = " sure" if row.strong else ""
        name = row.label if len(row.label) <= LONGEST else f"{row.label[: LONGEST - 1]}…"
        parts.append(
            _text(left, y - 14, name, "name", "start") if over else _text(LABELS, y + 5, name, "name", "end")
        )
        if one.high > one.low:
            width = max(at(one.high) - at(one.low), 1.5)
            parts.append(
                f'<rect x="{at(one.low):.1f}" y="{y - 5:.1f}" width="{width:.1f}" height="10" rx="5" '
                f'class="interval{kind}"/>'
            )
        parts.append(f'<circle cx="{at(one.value):.1f}" cy="{y:.1f}" r="5.5" class="dot{kind}"/>')
        parts.append(_text(WIDTH - 2, y + 5, number_text(one.value), "value", "end"))
    return _svg(bottom + 26, "".join(parts), label)


def lines(
    series: Sequence[PlotLine],
    number_text: Say,
    label: str,
    low: float | None = None,
    high: float | None = None,
) -> str:
    """Lines over rounds with their intervals as bands, each named at its end."""
    filled = [line for line in series if line.points]
    if not filled:
        return ""
    every = [one for line in filled for _, one in line.points]
    least = min(one.low for one in every) if low is None else low
    most = max(one.high for one in every) if high is None else high
    most = most if most > least else least + 1
    first, last = min(line.points[0][0] for line in filled), max(line.points[-1][0] for line in filled)
    last = last if last > first else first + 1
    left, right, top, bottom = 54.0, WIDTH - 158.0, 12.0, 220.0

    def x(number: float) -> float:
        return left + (right - left) * (number - first) / (last - first)

    def y(value: float) -> float:
        return bottom - (bottom - top) * (value - least) / (most - least)

    parts = [_line(left, y(tick), right, y(tick), "grid") for tick in ticks(least, most)]
    parts += [
        _text(left - 8, y(tick) + 5, short(number_text(tick)), "tick", "end") for tick in ticks(least, most)
    ]
    whole = [tick for tick in ticks(first, last, 10) if float(tick).is_integer()]
    parts += [_text(x(tick), bottom + 18, f"{tick:g}", "tick") for tick in whole]
    ends = _apart([y(line.points[-1][1].value) + 5 for line in filled], bottom + 5)
    for number, line in enumerate(filled):
        upper = [f"{x(at):.1f} {y(min(one.high, most)):.1f}" for at, one in line.points]
        lower = [f"{x(at):.1f} {y(max(one.low, least)):.1f}" for at, one in reversed(line.points)]
        middle = [f"{x(at):.1f} {y(one.value):.1f}" for at, one in line.points]
        parts.append(f'<path d="M{"L".join(upper + lower)}Z" class="band c{number % 6}"/>')
        parts.append(f'<path d="M{"L".join(middle)}" class="course c{number % 6} d{number % 6}"/>')
        parts.append(
            _text(x(line.points[-1][0]) + 8, ends[number], line.label, f"name t{number % 6}", "start")
        )
    return _svg(bottom + 26, "".join(parts), label)
