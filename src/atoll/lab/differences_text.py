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
from atoll.lab.aims import Reached
from atoll.lab.differences import Comparison, FigureDifference
from atoll.lab.estimates import FEWEST_DEALS
from atoll.lab.page.numbers import figure
from atoll.text.translation import Translator, texts

AIMS = {
    "seats": texts("The largest difference between seats, less what chance makes"),
    "rounds": texts("Rounds of a game"),
    "decisions": texts("Decisions in a game"),
    "first_action": texts("The win of the best first choice, in shares"),
}


def tell_comparison(translator: Translator, found: Comparison) -> list[RenderableType]:
    """The differences, the largest effect first; those between searching bots; and where the two disagree."""

    def heading(bots: Sequence[str], games: int) -> str:
        names = translator.both(list(dict.fromkeys(bots)))
        return translator.plural(
            "Between %(bot)s, over %(games)s deal:",
            "Between %(bot)s, over %(games)s deals:",
            games,
            bot=names,
            games=translator.number(games),
        )

    told: list[RenderableType] = [
        heading(found.first.bots, found.first.games),
        _table(translator, found.differences),
    ]
    if found.search_differences:
        told += [
            heading([found.search_bot], found.search_games),
            _table(translator, found.search_differences),
        ]
    if found.disagreements:
        figures = translator.both([row.name[translator.language] for row in found.disagreements])
        told.append(
            translator(
                "Between %(bot)s this changes otherwise: %(figures)s.", bot=found.search_bot, figures=figures
            )
        )
    return told


def _table(translator: Translator, rows: Sequence[FigureDifference]) -> Table:
    table = Table(box=SIMPLE_HEAD, collapse_padding=True, pad_edge=False)
    table.add_column(translator("Figure"), overflow="fold")
    for name in (
        translator("First"),
        translator("Second"),
        translator("Difference"),
        translator("Effect"),
        translator("Sure"),
    ):
        table.add_column(name, justify="right")
    for row in rows:
        say = partial(_told, share=row.unit == "share", translator=translator)
        change = f"{say(row.change.value)} ({say(row.change.low)} … {say(row.change.high)})"
        if row.significant:
            sure = translator("yes")
        elif row.change.units < FEWEST_DEALS:
            sure = translator("too few games")
        else:
            sure = translator("no larger than %(within)s", within=say(row.within))
        table.add_row(
            row.name[translator.language],
            say(row.first.value),
            say(row.second.value),
            change,
            translator("always")
            if row.is_constant
            else _told(row.effect, share=False, translator=translator),
            sure,
        )
    return table


def _told(value: float, *, share: bool, translator: Translator) -> str:
    """A share in percent, any other number with two decimal places, so that both sides and their difference agree."""
    if share:
        return figure(value, "share", translator)
    told = translator.number(value, 2)
    return (told if re.search("[1-9]", told) else told.removeprefix("-")).replace("-", "\N{MINUS SIGN}")


def tell_aims(
    translator: Translator,
    data: Json,
    numbers: Mapping[str, int],
    before: Sequence[Reached],
    after: Sequence[Reached],
) -> list[RenderableType]:
    """What is proposed, how far the old numbers and these are from each aim, and which aims are missed."""
    changes = Table(box=SIMPLE_HEAD, collapse_padding=True, pad_edge=False)
    changes.add_column(translator("Number in the file"), overflow="fold")
    changes.add_column(translator("Old"), justify="right")
    changes.add_column(translator("Proposed"), justify="right")
    for path, number in numbers.items():
        changes.add_row(path, str(value_at(data, path)), str(number))
    aims = Table(box=SIMPLE_HEAD, collapse_padding=True, pad_edge=False)
    aims.add_column(translator("Aim"), overflow="fold")
    for name in (translator("Wanted"), translator("Old"), translator("Proposed"), translator("Met")):
        aims.add_column(name, justify="right")
    old = {_aim_key(row): row for row in before}
    shown = [
        row
        for row in after
        if row.thing is None or row.miss or (_aim_key(row) in old and old[_aim_key(row)].miss)
    ]
    for row in shown:
        was = old.get(_aim_key(row))
        met = (
            translator("no")
            if row.miss
            else translator("yes")
            if not row.most_miss
            else translator("perhaps")
        )
        aims.add_row(
            _aim_text(translator, row),
            _wanted(translator, row),
            _value(translator, was) if was else "–",
            _value(translator, row),
            met,
        )
    used = [row for row in after if row.thing is not None]
    told: list[RenderableType] = [changes, aims]
    if used:
        told.append(
            translator(
                "Of %(all)s moves that should be used often enough, %(met)s are.",
                all=len(used),
                met=sum(row.miss == 0 for row in used),
            )
        )
    told.append(
        translator(
            "%(met)s of %(all)s aims are met.", met=sum(row.miss == 0 for row in after), all=len(after)
        )
    )
    return told


def _aim_key(row: Reached) -> tuple[str, int, str]:
    return row.aim, row.players, row.thing.key if row.thing is not None else ""


def _aim_text(translator: Translator, row: Reached) -> str:
    """An aim in a few words, with the number of players."""
    said = AIMS[row.aim][0] if row.aim in AIMS else row.aim
    name = (
        row.thing.name[translator.language]
        if row.thing is not None
        else translator(said)
        if row.aim in AIMS
        else said
    )
    return translator("%(aim)s, %(players)s players", aim=name, players=row.players)


def _wanted(translator: Translator, row: Reached) -> str:
    low = _aim_number(translator, row, row.least)
    if math.isinf(row.most):
        return translator("at least %(least)s", least=low)
    high = _aim_number(translator, row, row.most)
    return translator("at most %(most)s", most=high) if row.least <= 0 else f"{low} – {high}"


def _value(translator: Translator, row: Reached) -> str:
    value = row.value
    return (
        f"{_aim_number(translator, row, value.value)} "
        f"({_aim_number(translator, row, value.low)} … {_aim_number(translator, row, value.high)})"
    )


def _aim_number(translator: Translator, row: Reached, number: float) -> str:
    return figure(number, "share" if row.share else "number", translator)
