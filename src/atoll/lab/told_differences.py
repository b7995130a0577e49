"""A comparison as tables for a person."""

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import RenderableType
from rich.table import Table

from atoll.core.words import Words
from atoll.lab.figures import Comparison, Difference
from atoll.lab.ratings import Estimate
from atoll.lab.report import number_text
from atoll.lab.standings import estimate_text


def tell_comparison(words: Words, found: Comparison) -> list[RenderableType]:
    """The differences, the largest effect first; those between searching bots; and where the two disagree."""

    def heading(bots: Sequence[str], games: int) -> str:
        names = words.both(list(dict.fromkeys(bots)))
        return words("Between %(bot)s, over %(games)s deals:", bot=names, games=number_text(words, games))

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
        change = Estimate(row.change.value, row.change.low, row.change.high)
        sure = (
            words("yes")
            if row.significant
            else words("no larger than %(within)s", within=number_text(words, row.within, 3))
        )
        table.add_row(
            row.name[words.language],
            number_text(words, row.first.value, 3),
            number_text(words, row.second.value, 3),
            estimate_text(words, change, 3),
            number_text(words, row.effect, 2),
            sure,
        )
    return table
