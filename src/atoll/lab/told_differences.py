"""A comparison, and aims that were tuned for, as tables for a person."""

import math
import re
from collections.abc import Mapping, Sequence
from functools import partial

from rich.box import SIMPLE_HEAD
from rich.console import RenderableType
from rich.table import Table

from atoll.core.entries import value_at
from atoll.core.game import Json
from atoll.core.words import Words, texts
from atoll.lab.aims import Reached
from atoll.lab.comparing import FEWEST_DEALS
from atoll.lab.figures import Comparison, Difference
from atoll.lab.page.numbers import figure

AIMS = {
    "seats": texts("The largest difference between seats, less what chance makes"),
    "rounds": texts("Rounds of a game"),
    "decisions": texts("Decisions in a game"),
    "first_action": texts("The win of the best first choice, in shares"),
}


def tell_comparison(words: Words, found: Comparison) -> list[RenderableType]:
    """The differences, the largest effect first; those between searching bots; and where the two disagree."""

    def heading(bots: Sequence[str], games: int) -> str:
        names = words.both(list(dict.fromkeys(bots)))
        return words.plural(
            "Between %(bot)s, over %(games)s deal:",
            "Between %(bot)s, over %(games)s deals:",
            games,
            bot=names,
            games=words.number(games),
        )

    told: list[RenderableType] = [
        heading(found.first.bots, found.first.games),
        _table(words, found.differences),
    ]
    if found.search_differences:
        told += [heading([found.search_bot], found.search_games), _table(words, found.search_differences)]
    if found.disagreements:
        figures = words.both([row.name[words.language] for row in found.disagreements])
        told.append(
            words(
                "Between %(bot)s this changes otherwise: %(figures)s.", bot=found.search_bot, figures=figures
            )
        )
    return told


def _table(words: Words, rows: Sequence[Difference]) -> Table:
    table = Table(box=SIMPLE_HEAD, collapse_padding=True, pad_edge=False)
    table.add_column(words("Figure"), overflow="fold")
    for name in (words("First"), words("Second"), words("Difference"), words("Effect"), words("Sure")):
        table.add_column(name, justify="right")
    for row in rows:
        say = partial(_told, share=row.unit == "share", words=words)
        change = f"{say(row.change.value)} ({say(row.change.low)} … {say(row.change.high)})"
        if row.significant:
            sure = words("yes")
        elif row.change.units < FEWEST_DEALS:
            sure = words("too few games")
        else:
            sure = words("no larger than %(within)s", within=say(row.within))
        table.add_row(
            row.name[words.language],
            say(row.first.value),
            say(row.second.value),
            change,
            words("always") if row.is_constant else _told(row.effect, share=False, words=words),
            sure,
        )
    return table


def _told(value: float, *, share: bool, words: Words) -> str:
    """A share in percent, any other number with two decimal places, so that both sides and their difference agree."""
    if share:
        return figure(value, "share", words)
    told = words.number(value, 2)
    return (told if re.search("[1-9]", told) else told.removeprefix("-")).replace("-", "\N{MINUS SIGN}")


def tell_aims(
    words: Words, data: Json, numbers: Mapping[str, int], before: Sequence[Reached], after: Sequence[Reached]
) -> list[RenderableType]:
    """What is proposed, how far the old numbers and these are from each aim, and which aims are missed."""
    changes = Table(box=SIMPLE_HEAD, collapse_padding=True, pad_edge=False)
    changes.add_column(words("Number in the file"), overflow="fold")
    changes.add_column(words("Old"), justify="right")
    changes.add_column(words("Proposed"), justify="right")
    for path, number in numbers.items():
        changes.add_row(path, str(value_at(data, path)), str(number))
    aims = Table(box=SIMPLE_HEAD, collapse_padding=True, pad_edge=False)
    aims.add_column(words("Aim"), overflow="fold")
    for name in (words("Wanted"), words("Old"), words("Proposed"), words("Met")):
        aims.add_column(name, justify="right")
    old = {_aim_key(row): row for row in before}
    shown = [
        row
        for row in after
        if row.thing is None or row.miss or (_aim_key(row) in old and old[_aim_key(row)].miss)
    ]
    for row in shown:
        was = old.get(_aim_key(row))
        met = words("no") if row.miss else words("yes") if not row.most_miss else words("perhaps")
        aims.add_row(
            _aim_text(words, row),
            _wanted(words, row),
            _value(words, was) if was else "–",
            _value(words, row),
            met,
        )
    used = [row for row in after if row.thing is not None]
    told: list[RenderableType] = [changes, aims]
    if used:
        told.append(
            words(
                "Of %(all)s moves that should be used often enough, %(met)s are.",
                all=len(used),
                met=sum(row.miss == 0 for row in used),
            )
        )
    told.append(
        words("%(met)s of %(all)s aims are met.", met=sum(row.miss == 0 for row in after), all=len(after))
    )
    return told


def _aim_key(row: Reached) -> tuple[str, int, str]:
    return row.aim, row.players, row.thing.key if row.thing is not None else ""


def _aim_text(words: Words, row: Reached) -> str:
    """An aim in a few words, with the number of players."""
    said = AIMS[row.aim][0] if row.aim in AIMS else row.aim
    name = (
        row.thing.name[words.language] if row.thing is not None else words(said) if row.aim in AIMS else said
    )
    return words("%(aim)s, %(players)s players", aim=name, players=row.players)


def _wanted(words: Words, row: Reached) -> str:
    low = _aim_number(words, row, row.least)
    if math.isinf(row.most):
        return words("at least %(least)s", least=low)
    high = _aim_number(words, row, row.most)
    return words("at most %(most)s", most=high) if row.least <= 0 else f"{low} – {high}"


def _value(words: Words, row: Reached) -> str:
    value = row.value
    return (
        f"{_aim_number(words, row, value.value)} "
        f"({_aim_number(words, row, value.low)} … {_aim_number(words, row, value.high)})"
    )


def _aim_number(words: Words, row: Reached, number: float) -> str:
    return figure(number, "share" if row.share else "number", words)
