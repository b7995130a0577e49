"""A comparison, and aims that were tuned for, as tables for a person."""

import math
import re
from collections.abc import Mapping, Sequence
from functools import partial

from rich.box import SIMPLE_HEAD
from rich.console import RenderableType
from rich.table import Table

from atoll.core.entries import value_at
from atoll.core.types import Json
from atoll.lab.aims import AimResult
from atoll.lab.differences import Comparison, FigureDifference
from atoll.lab.estimates import FEWEST_DEALS
from atoll.lab.page.numbers import ENGLISH, figure

AIMS = {
    "seats": "The largest difference between seats, less what chance makes",
    "rounds": "Rounds of a game",
    "decisions": "Decisions in a game",
    "first_action": "The win of the best first choice, in shares of its seats",
}


def comparison_tables(comparison: Comparison) -> list[RenderableType]:
    """The differences, the largest effect first; those between search bots; and where the two disagree."""
    parts: list[RenderableType] = [
        _heading(comparison.first.bots, comparison.first.games),
        _difference_table(comparison.differences),
    ]
    if comparison.search_differences:
        parts += [
            _heading([comparison.search_bot], comparison.search_games),
            _difference_table(comparison.search_differences),
        ]
    if comparison.disagreements:
        figures = ENGLISH.both([row.name["en"] for row in comparison.disagreements])
        parts.append(f"Between {comparison.search_bot} this changes otherwise: {figures}.")
    return parts


def _heading(bots: Sequence[str], games: int) -> str:
    """Which bots played, and how many deals."""
    names = ENGLISH.both(list(dict.fromkeys(bots)))
    return f"Between {names}, over {ENGLISH.number(games)} {'deal' if games == 1 else 'deals'}:"


def _table(first: str, *headings: str) -> Table:
    """A table with one column of text, which folds, and columns of numbers."""
    table = Table(box=SIMPLE_HEAD, collapse_padding=True, pad_edge=False)
    table.add_column(first, overflow="fold")
    for heading in headings:
        table.add_column(heading, justify="right")
    return table


def _difference_table(rows: Sequence[FigureDifference]) -> Table:
    table = _table("Figure", "First", "Second", "Difference", "Effect", "Sure")
    for row in rows:
        number = partial(_number, share=row.unit == "share")
        if row.significant:
            sure = "yes"
        elif row.change.units < FEWEST_DEALS:
            sure = "too few games"
        else:
            sure = f"no larger than {number(row.within)}"
        table.add_row(
            row.name["en"],
            number(row.first.value),
            number(row.second.value),
            f"{number(row.change.value)} ({number(row.change.low)} … {number(row.change.high)})",
            "always" if row.is_constant else _number(row.effect, share=False),
            sure,
        )
    return table


def _number(value: float, *, share: bool) -> str:
    """A share in percent, any other number with two decimal places, so that both sides and their difference agree."""
    if share:
        return figure(value, "share", ENGLISH)
    text = ENGLISH.number(value, 2)
    return (text if re.search("[1-9]", text) else text.removeprefix("-")).replace("-", "\N{MINUS SIGN}")


def aim_tables(
    data: Json,
    numbers: Mapping[str, int],
    before: Sequence[AimResult],
    after: Sequence[AimResult],
    trials: int = 1,
    times: int = 1,
) -> list[RenderableType]:
    """What is proposed, how far the old numbers and these are from each aim, which aims are missed, and how likely each
    would be met by luck alone: by the old numbers, in such games, and by all of so many trials of a part of the games.
    """
    changes = _table("Number in the file", "Old", "Proposed")
    for path, number in numbers.items():
        changes.add_row(path, str(value_at(data, path)), str(number))
    aims = _table("Aim", "Wanted", "Old", "Proposed", "Met", "By luck")
    old = {_aim_key(row): row for row in before}
    for row in after:
        earlier = old.get(_aim_key(row))
        if row.thing is None or row.miss or (earlier is not None and earlier.miss):
            aims.add_row(
                _aim_text(row),
                _aim_range(row),
                _value(earlier) if earlier else "–",
                _value(row),
                "no" if row.miss else "perhaps" if row.most_miss else "yes",
                _chance(earlier.luck()) if earlier else "–",
            )
    parts: list[RenderableType] = [changes, aims]
    if uses := [row for row in after if row.thing is not None]:
        met = sum(row.miss == 0 for row in uses)
        parts.append(f"Of {len(uses)} moves that should be used often enough, {met} are.")
    parts.append(f"{sum(row.miss == 0 for row in after)} of {len(after)} aims are met.")
    once = math.prod(row.luck(1 / times if row.aim in AIMS or row.thing is not None else 1) for row in before)
    parts.append(
        f"By luck alone, if no number mattered, all aims would be met in these games with a chance of "
        f"{_chance(math.prod(row.luck() for row in before))}, and in at least one of {trials} trials with "
        f"{_chance(1 - (1 - once) ** trials)}; their figures are taken as independent."
    )
    return parts


def _chance(chance: float) -> str:
    """A chance in percent."""
    return "< 0.1%" if 0 < chance < 0.001 else figure(chance, "share", ENGLISH)


def _aim_key(row: AimResult) -> tuple[str, int, str]:
    return row.aim, row.players, row.thing.key if row.thing is not None else ""


def _aim_text(row: AimResult) -> str:
    """An aim in a few words, with the number of players."""
    name = row.thing.name["en"] if row.thing is not None else AIMS.get(row.aim, row.aim)
    return f"{name}, {row.players} players"


def _aim_range(row: AimResult) -> str:
    low = _aim_number(row, row.least)
    if math.isinf(row.most):
        return f"at least {low}"
    high = _aim_number(row, row.most)
    return f"at most {high}" if row.least <= 0 else f"{low} – {high}"


def _value(row: AimResult) -> str:
    value, low, high = (
        _aim_number(row, number) for number in (row.value.value, row.value.low, row.value.high)
    )
    return f"{value} ({low} … {high})"


def _aim_number(row: AimResult, number: float) -> str:
    return figure(number, "share" if row.share else "number", ENGLISH)
