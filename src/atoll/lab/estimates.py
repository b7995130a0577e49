"""Estimates from sums: shares, means and ratios with their 95 % intervals, and tests of many at once."""

import math
from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Z = 1.959964
"""The normal distribution's 97.5 % quantile."""
FEWEST = 5
"""Units from which on a mean has an interval."""
FEWEST_DEALS = 30
"""Deals from which on the normal approximation is trusted to call a difference significant."""
FALSE_RATE = 0.05
"""Of the differences that are called significant, so many are false on average."""
_DEVIATES = np.linspace(0, 8, 401)
"""Over which the range of normal deviates is integrated, on one of two equal sides."""


class Estimate(msgspec.Struct, frozen=True):
    """A value with its 95 % interval and the number of units (games, deals, decisions) that it comes from.

    `method` is how the interval was found: "wilson", "normal", "matched", "bootstrap", or "none" where there are too
    few.
    """

    value: float
    low: float
    high: float
    units: int = 0
    method: str = "wilson"


class Bar(msgspec.Struct, frozen=True):
    """A class of a histogram: values from `low` to `high`, both counted, came `count` times."""

    low: float
    high: float
    count: int


def _estimate(value: float, low: float, high: float, units: float, method: str) -> Estimate:
    """An estimate of Python's own numbers."""
    return Estimate(float(value), float(low), float(high), int(units), method)


def share(count: float, of: int) -> Estimate:
    """A share of independent units: Wilson's interval."""
    if of < 1:
        return _estimate(0.0, 0.0, 1.0, 0, "none")
    return _wilson(count / of, float(of), of)


def _wilson(value: float, size: float, units: int) -> Estimate:
    """Wilson's interval for a share as sure as that of `size` independent units would be."""
    spread = Z**2 / size
    middle = (value + spread / 2) / (1 + spread)
    half = math.sqrt(max(0.0, spread * value * (1 - value) + spread**2 / 4)) / (1 + spread)
    return _estimate(value, max(0.0, middle - half), min(1.0, middle + half), units, "wilson")


def mean_share(total: float, squares: float, units: int) -> Estimate:
    """The mean of a value from 0 to 1: Wilson's interval for as many units as would vary as these do."""
    if units < FEWEST:
        return _estimate(total / units if units else 0.0, 0.0, 1.0, units, "none")
    return _wilson(total / units, _size(total, squares, units), units)


def _size(total: float, squares: float, units: int) -> float:
    """How many independent units would vary as these values from 0 to 1 do."""
    value = total / units
    variance = max(0.0, squares / units - value**2) * units / (units - 1)
    plain = value * (1 - value)
    return units * plain / variance if variance > 0 and plain > 0 else units


def matched(differences: Floats) -> Estimate:
    """The mean of differences from -1 to 1 between two shares of the same units: the interval of A. Agresti and Y. Min
    ("Simple improved confidence intervals for comparing matched proportions", 2005), which counts two units more: one
    that is alike, and half a one that differs each way. A shared win is a fraction, and its smaller difference counts
    by its square: where none is shared, the interval is theirs.
    """
    return matched_sums(float(differences.sum()), float((differences**2).sum()), len(differences))


def matched_sums(total: float, squares: float, units: int) -> Estimate:
    """The same from the sum of the differences and that of their squares."""
    value = total / units if units else 0.0
    if units < FEWEST:
        return _estimate(value, -1.0, 1.0, units, "none")
    size = units + 2
    middle = total / size
    half = Z * math.sqrt((squares + 1) / size - middle**2) / math.sqrt(size)
    return _estimate(value, middle - half, middle + half, units, "matched")


def matched_p_value(differences: Floats) -> float:
    """That the mean of such differences is 0: Q. McNemar's test (1947)."""
    squares = (differences**2).sum()
    if len(differences) < FEWEST or not squares:
        return 1.0
    return normal_tail(differences.sum() / math.sqrt(squares))


def mean(total: float, squares: float, units: int, scale: float = 1.0) -> Estimate:
    """A mean over independent units by the normal approximation; sums are in parts of which `scale` make one."""
    if units < 1:
        return _estimate(0.0, 0.0, 0.0, 0, "none")
    value = total / units
    if units < FEWEST:
        return _estimate(value / scale, value / scale, value / scale, units, "none")
    half = Z * math.sqrt(max(0.0, squares / units - value**2) / (units - 1))
    return _estimate(value / scale, (value - half) / scale, (value + half) / scale, units, "normal")


def of_sums(sums: Integers, scale: float = 1.0) -> Estimate:
    """The mean of units whose number, sum and sum of squares these are."""
    units, total, squares = sums.tolist()
    return mean(total, squares, units, scale)


def ratio(
    numerator: float, denominator: float, nn: float, nd: float, dd: float, units: int, scale: float = 1.0
) -> Estimate:
    """A ratio of sums over independent units, by the normal approximation of W. Cochran (Sampling Techniques, 1977,
    chapter 6); `nn`, `nd` and `dd` are the sums of squares and products.
    """
    if denominator <= 0:
        return _estimate(0.0, 0.0, 0.0, 0, "none")
    value = numerator / denominator
    if units < FEWEST:
        return _estimate(value / scale, value / scale, value / scale, units, "none")
    residual = max(0.0, nn - 2 * value * nd + value**2 * dd)
    half = Z * math.sqrt(residual * units / (units - 1)) / denominator
    return _estimate(value / scale, (value - half) / scale, (value + half) / scale, units, "normal")


def ratio_share(
    numerator: float, denominator: float, nn: float, nd: float, dd: float, units: int, scale: float = 1.0
) -> Estimate:
    """A ratio that lies between 0 and 1: Wilson's interval for as many units as would vary as these do; `units` counts
    the denominator's.
    """
    if denominator <= 0:
        return _estimate(0.0, 0.0, 1.0, 0, "none")
    value = numerator / denominator / scale
    residual = max(0.0, nn / scale**2 - 2 * value * nd / scale + value**2 * dd)
    plain = value * (1 - value)
    variance = residual / denominator**2
    # Of few units that came out alike nothing is known of how they vary: count them as independent.
    size = plain / variance if variance > 0 and plain > 0 else float(denominator)
    return _wilson(min(1.0, value), size, units)


def normal_tail(z: float) -> float:
    """The two-sided probability of a normal deviate at least so large."""
    return math.erfc(abs(z) / math.sqrt(2))


def chi_squared_tail(value: float, freedom: int) -> float:
    """The probability that chi-squared with so many degrees of freedom is at least `value`: the regularised upper
    incomplete gamma function, by its finite sums (whole and half-whole orders).
    """
    half = max(0.0, value) / 2
    if freedom % 2 == 0:
        term = total = math.exp(-half)
        for k in range(1, freedom // 2):
            term *= half / k
            total += term
        return min(1.0, total)
    total = math.erfc(math.sqrt(half))
    term = math.sqrt(half) * math.exp(-half) / math.gamma(1.5)
    for k in range(1, (freedom + 1) // 2):
        total += term
        term *= half / (k + 0.5)
    return min(1.0, total)


def alike(total: Floats, products: Floats, units: int) -> float:
    """The p-value of Hotelling's test, by chi-squared, that the means of a vector whose entries add up to a constant
    are all equal; sums of the entries and of their products over the units.
    """
    entries = len(total)
    if units < FEWEST * entries:
        return 1.0
    means = total / units
    spread = (products / units - np.outer(means, means)) / (units - 1)
    off = (means - means.mean())[:-1]
    center = np.eye(entries) - 1 / entries
    own = (center @ spread @ center)[:-1, :-1]
    if np.linalg.matrix_rank(own) < entries - 1:
        return 1.0
    return chi_squared_tail(float(off @ np.linalg.solve(own, off)), entries - 1)


def expected_range(total: Floats, products: Floats, units: int) -> float:
    """How far apart the largest and the smallest mean of such a vector are on average if all are equal, between 0 and
    1: the range of as many normal deviates (L. Tippett, "On the extreme individuals and the range of samples taken
    from a normal population", 1925) of which each two differ as two entries do.
    """
    entries = len(total)
    if units < FEWEST:
        return 1.0
    means = total / units
    spread = (products / units - np.outer(means, means)) / (units - 1)
    variance = (np.trace(spread) - spread.sum() / entries) / (entries - 1)
    above = np.array([normal_tail(z) / 2 for z in _DEVIATES])
    between = 1 - above**entries - (1 - above) ** entries
    return min(1.0, 2 * float(np.trapezoid(between, _DEVIATES)) * math.sqrt(max(0.0, variance)))


def beyond_chance(difference: Estimate, expected: float) -> Estimate:
    """What of the largest difference between equal means, as of `expected_range`, chance does not account for: the root
    of the difference of their squares, since the spread of the true means and that of chance add up by their squares.
    """

    def beyond(value: float) -> float:
        return math.sqrt(value**2 - expected**2) if value > expected else 0.0

    value, low, high = (beyond(end) for end in (difference.value, difference.low, difference.high))
    return Estimate(value, low, high, difference.units, difference.method)


def discoveries(p_values: Sequence[float], rate: float) -> list[bool]:
    """Which of many tests are called significant so that at most `rate` of those are false on average (Y. Benjamini and
    Y. Hochberg, "Controlling the false discovery rate", 1995).
    """
    order = np.argsort(p_values, kind="stable")
    ascending = np.asarray(p_values, dtype=np.float64)[order]
    below = np.nonzero(ascending <= rate * np.arange(1, len(ascending) + 1) / max(1, len(ascending)))[0]
    flags = np.zeros(len(ascending), dtype=np.bool_)
    if len(below):
        flags[order[: below[-1] + 1]] = True
    return [bool(one) for one in flags]


def bars(counts: NDArray[np.int64], least: float = 0.0, width: float = 1.0, most: int = 60) -> list[Bar]:
    """A histogram of whole-number classes as at most `most` bars of equal width, without empty ones at the ends."""
    filled = np.nonzero(counts)[0]
    if not len(filled):
        return []
    first, last = int(filled[0]), int(filled[-1])
    step = max(1, math.ceil((last - first + 1) / most))
    return [
        Bar(
            least + width * at,
            least + width * (at + step - 1) + (width if width < 1 else 0),
            int(counts[at : at + step].sum()),
        )
        for at in range(first, last + 1, step)
    ]


def class_bars(counts: NDArray[np.int64]) -> list[Bar]:
    """A histogram of the classes 1, 2, 3 to 4, 5 to 8 and so on."""
    filled = np.nonzero(counts)[0]
    if not len(filled):
        return []
    return [
        Bar(float((1 << size >> 1) + 1), float(1 << size), int(counts[size]))
        for size in range(int(filled[0]), int(filled[-1]) + 1)
    ]
