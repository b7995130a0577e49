"""Results of a comparison in sentences, and where on a line each change and its interval lie."""

from typing import Any

from atoll.lab.differences import Comparison, FigureDifference
from atoll.lab.page.numbers import figure
from atoll.text.translation import Translator


def findings(comparison: Comparison, translator: Translator) -> list[dict[str, Any]]:
    """Each figure of a comparison, the sure ones first: its name, values, a sentence, and percentages of the width for
    the picture.
    """
    ordered = sorted(comparison.differences, key=lambda one: not one.significant)
    return [_finding(one, translator) for one in ordered]


def _finding(one: FigureDifference, translator: Translator) -> dict[str, Any]:
    reach = max(abs(one.change.low), abs(one.change.high), 1e-12)
    if one.significant:
        sentence = (
            translator(
                "More: by %(change)s (95\u202f%% sure: %(low)s to %(high)s).", **_interval(one, translator)
            )
            if one.change.value > 0
            else translator(
                "Less: by %(change)s (95\u202f%% sure: %(low)s to %(high)s).", **_interval(one, translator)
            )
        )
    elif one.change.low == one.change.high == 0:
        sentence = translator("Not a single game differed in this.")
    else:
        sentence = translator(
            "No difference that shows; if there is one, it is no larger than %(within)s.",
            within=figure(one.within, one.unit, translator),
        )
    return {
        "name": one.name.get(translator.language, one.key),
        "first": figure(one.first.value, one.unit, translator),
        "second": figure(one.second.value, one.unit, translator),
        "sentence": sentence,
        "significant": one.significant,
        "up": one.change.value > 0,
        "left": 50 + 50 * one.change.low / reach,
        "width": 50 * (one.change.high - one.change.low) / reach,
        "middle": 50 + 50 * one.change.value / reach,
    }


def _interval(one: FigureDifference, translator: Translator) -> dict[str, str]:
    """Sizes of the change, without its sign, the smaller end of the interval first."""
    low, high = sorted((abs(one.change.low), abs(one.change.high)))
    values = {"change": abs(one.change.value), "low": low, "high": high}
    return {name: figure(value, one.unit, translator) for name, value in values.items()}
