"""Figures as people read them, in the language of a page."""

import re

from babel.numbers import format_decimal, format_percent

from atoll.core.words import Words
from atoll.lab.figures import Estimate


def figure(value: float, unit: str, words: Words) -> str:
    """A figure with as many digits as say something; `unit` "share" is told in percent, "count" as a whole number."""
    told = _digits(value, unit, words)
    if not re.search("[1-9]", told):
        told = told.removeprefix("-")  # what is rounded to 0 has no sign
    return told.replace("-", "\N{MINUS SIGN}")


def whole(share: float, words: Words) -> str:
    """A share in whole percent."""
    return str(format_percent(share, "0\u202f%" if words.language == "fr" else "0%", locale=words.locale))


def _digits(value: float, unit: str, words: Words) -> str:
    if unit == "share":
        pattern = "0.0\u202f%" if words.language == "fr" else "0.0%"
        return str(format_percent(value, pattern, locale=words.locale))
    if unit == "count":
        return str(format_decimal(round(value), "#,##0", locale=words.locale))
    digits = "#,##0" if abs(value) >= 100 else "#,##0.0" if abs(value) >= 10 else "#,##0.00"
    return str(format_decimal(value, digits, locale=words.locale))


def sure(estimate: Estimate, unit: str, words: Words) -> str:
    """An estimate and how sure it is, within a sentence."""
    value = figure(estimate.value, unit, words)
    if estimate.method == "none":
        return words("%(value)s (too few games to say how sure that is)", value=value)
    low, high = figure(estimate.low, unit, words), figure(estimate.high, unit, words)
    if low == high == value:
        return value
    return words("%(value)s (95%% sure: %(low)s to %(high)s)", value=value, low=low, high=high)
