"""What a comparison found, in sentences, and where on a line each change and its interval lie."""

from typing import Any

from atoll.core.words import Words
from atoll.lab.figures import Comparison, Difference
from atoll.lab.page.numbers import figure


def findings(comparison: Comparison, words: Words) -> list[dict[str, Any]]:
    """Each figure of a comparison, the sure ones first: its name, values, a sentence, and percentages of the width for
    the picture.
    """
    ordered = sorted(comparison.differences, key=lambda one: not one.significant)
    return [_finding(one, words) for one in ordered]


def _finding(one: Difference, words: Words) -> dict[str, Any]:
    reach = max(abs(one.change.low), abs(one.change.high), 1e-12)
    if one.significant:
        sentence = (
            words("More: by %(change)s (95\u202f%% sure: %(low)s to %(high)s).", **_interval(one, words))
            if one.change.value > 0
            else words("Less: by %(change)s (95\u202f%% sure: %(low)s to %(high)s).", **_interval(one, words))
        )
    elif one.change.low == one.change.high == 0:
        sentence = words("Not a single game differed in this.")
    else:
        sentence = words(
            "No difference that shows; if there is one, it is no larger than %(within)s.",
            within=figure(one.within, one.unit, words),
        )
    return {
        "name": one.name.get(words.language, one.key),
        "first": figure(one.first.value, one.unit, words),
        "second": figure(one.second.value, one.unit, words),
        "sentence": sentence,
        "significant": one.significant,
        "up": one.change.value > 0,
        "left": 50 + 50 * one.change.low / reach,
        "width": 50 * (one.change.high - one.change.low) / reach,
        "middle": 50 + 50 * one.change.value / reach,
    }


def _interval(one: Difference, words: Words) -> dict[str, str]:
    """Sizes of the change, without its sign, the smaller end of the interval first."""
    low, high = sorted((abs(one.change.low), abs(one.change.high)))
    values = {"change": abs(one.change.value), "low": low, "high": high}
    return {name: figure(value, one.unit, words) for name, value in values.items()}
