"""Figures as people read them, in the language of a page."""

import re

from babel.numbers import format_decimal, format_percent

from atoll.lab.estimates import Estimate
from atoll.text.translation import Translator

ENGLISH = Translator("en")
"""The language of what commands for programmers write."""


def figure(value: float, unit: str, translator: Translator) -> str:
    """A figure with as many digits as are meaningful; `unit`: "share" in percent, "count" as a whole number."""
    text = _digits(value, unit, translator)
    if not re.search("[1-9]", text):
        text = text.removeprefix("-")  # what is rounded to 0 has no sign
    return text.replace("-", "\N{MINUS SIGN}")


def whole(share: float, translator: Translator) -> str:
    """A share in whole percent."""
    return str(
        format_percent(share, "0\u202f%" if translator.language == "fr" else "0%", locale=translator.locale)
    )


def _digits(value: float, unit: str, translator: Translator) -> str:
    if unit == "share":
        pattern = "0.0\u202f%" if translator.language == "fr" else "0.0%"
        return str(format_percent(value, pattern, locale=translator.locale))
    if unit == "count":
        return str(format_decimal(round(value), "#,##0", locale=translator.locale))
    digits = "#,##0" if abs(value) >= 100 else "#,##0.0" if abs(value) >= 10 else "#,##0.00"
    return str(format_decimal(value, digits, locale=translator.locale))


def sure(estimate: Estimate, unit: str, translator: Translator) -> str:
    """An estimate and how sure it is, within a sentence."""
    value = figure(estimate.value, unit, translator)
    if estimate.method == "none":
        return translator("%(value)s (too few games to say how sure that is)", value=value)
    low, high = figure(estimate.low, unit, translator), figure(estimate.high, unit, translator)
    if low == high == value:
        return value
    return translator("%(value)s (95%% sure: %(low)s to %(high)s)", value=value, low=low, high=high)
