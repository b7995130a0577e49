"""The parts of a report's page about single things: cards, tiles, places, strategies, games."""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from functools import partial

from markupsafe import Markup

from atoll.lab.figures import (
    Causes,
    Estimate,
    Examples,
    Opening,
    Restriction,
    Strategies,
    ThingFigures,
    Things,
)
from atoll.lab.page.drawing import Row, dots
from atoll.lab.page.numbers import figure, sure, whole
from atoll.lab.page.pictures import Picture, Table, cells, heading, measured_as, named, told_by_range
from atoll.text.translation import Translator

SHOWN = 24
"""Things in a picture; the table has all."""
WIDEST = 0.25
"""The widest interval in a picture of shares: what is known less well is in the table alone."""


def things(found: Things, translator: Translator) -> Iterator[Picture]:
    """What came of each thing that was used."""
    say = partial(figure, unit="share", translator=translator)
    known = [one for one in found.things if named(one.thing.name, translator)]
    used = [one for one in known if one.win is not None and is_known(one.win)]
    if not used:
        return
    used.sort(key=lambda one: -abs(_over(one)))
    shown = sorted(used[:SHOWN], key=lambda one: -_over(one))
    rows = [
        Row(named(one.thing.name, translator), one.win, not one.win.low <= one.expected <= one.win.high)
        for one in shown
        if one.win is not None
    ]
    table = [
        [named(one.thing.name, translator), say(one.available.value) if one.available is not None else "–",
         say(one.used.value), figure(one.uses.value, "", translator), say(one.win.value) if one.win is not None else "–",
         say(one.without.value) if one.without is not None else "–",
         " · ".join(whole(share, translator) for share in one.by_seat),
         " · ".join(f"{first.round}: {whole(first.win.value, translator)}" for first in one.by_round)]
        for one in sorted(known, key=lambda one: -one.used.value)
    ]  # fmt: skip
    best = rows[0]
    yield Picture(
        translator("Who used it, won"),
        dots(rows, say, told_by_range(translator("Share of the win of those who used it; the line is what a seat wins"),
             translator), shown[0].expected),
        translator("Who used “%(thing)s” won %(share)s. This is not what it does: who is ahead can use what others "
              "cannot, and long games see more of everything.", thing=best.label,
              share=sure(best.estimate, "share", translator)),
        Table([translator("What"), translator("Could use it"), translator("Did"), translator("Times in a game"), translator("Won with it"),
               translator("Won without"), translator("Used by seat 1, 2, …"), translator("Won with it, by round of the first use")],
              table),
        measured_as("things.win", translator),
    )  # fmt: skip
    possible = [one for one in known if is_known(one.used)]
    rare = sorted(possible, key=lambda one: one.used.value)[:SHOWN]
    rows = [Row(named(one.thing.name, translator), one.used) for one in rare]
    yield Picture(
        translator("What is used least"),
        dots(rows, say, translator("Share of those who could that did")),
        translator("“%(thing)s” is used least: by %(share)s of those who could.", thing=rows[0].label,
              share=sure(rows[0].estimate, "share", translator)),
        Table(heading(translator("What"), translator), [cells(row.label, row.estimate, "share", translator) for row in rows]),
    )  # fmt: skip


def is_known(share: Estimate) -> bool:
    """Whether a share is known well enough for a picture."""
    return share.method != "none" and share.high - share.low <= WIDEST


def _over(one: ThingFigures) -> float:
    return one.win.value - one.expected if one.win is not None else 0.0


def causes(found: Causes, translator: Translator) -> Iterator[Picture]:
    """What it does to take an option."""
    if not found.causes:
        return
    ordered = sorted(found.causes, key=lambda one: -abs(one.difference.value))[:SHOWN]
    rows = [
        Row(named(one.thing.name, translator), one.difference, one.significant)
        for one in sorted(ordered, key=lambda one: -one.difference.value)
    ]
    certain = sum(one.significant for one in found.causes)
    yield Picture(
        translator("What it does to take it"),
        dots(rows, partial(figure, unit="share", translator=translator),
             translator("Change of the share of the win when it is forced instead of forbidden; red: sure, also after "
                   "correcting for so many comparisons (Benjamini and Hochberg)"), 0.0),
        translator("None of %(all)s options is sure to do something.", all=len(found.causes)) if not certain else
        translator.plural("%(num)s of %(all)s options is sure to do something; of those called sure, at most %(rate)s are "
                     "false on average.",
                     "%(num)s of %(all)s options are sure to do something; of those called sure, at most %(rate)s "
                     "are false on average.", certain, all=len(found.causes), rate=figure(found.rate, "share", translator)),
        Table([*heading(translator("What"), translator), translator("sure")],
              [[*cells(named(one.thing.name, translator), one.difference, "share", translator),
                translator("yes") if one.significant else translator("no")]
               for one in sorted(found.causes, key=lambda one: -one.difference.value)]),
        measured_as("causes.difference", translator),
    )  # fmt: skip


def strategies(found: Strategies, players: int, translator: Translator) -> Iterator[Picture]:
    """What styles of play and other restrictions cost, and how games begin."""
    styles = [one for one in found.restrictions if one.thing is None]
    if styles:
        about = [
            translator(
                "%(name)s: %(about)s", name=named(one.name, translator), about=named(one.about, translator)
            )
            for one in styles
        ]
        yield _costs(translator("What a style of play costs"), styles, about, translator)
    if things := [one for one in found.restrictions if one.thing is not None]:
        yield _costs(translator("What it costs never to …"), things, [], translator)
    for title, openings in (
        (translator("Openings: the first choice"), [one for one in found.openings if len(one.moves) == 1]),
        (
            translator("Openings: the kinds of the first moves"),
            [one for one in found.openings if len(one.moves) > 1],
        ),
    ):
        if any(one.win.method != "none" for one in openings):
            yield _openings(title, openings, 1 / players, translator)


def _costs(title: str, held: Sequence[Restriction], about: Sequence[str], translator: Translator) -> Picture:
    """What restrictions cost, the dearest first, with further sentences on them."""
    ordered = sorted(held, key=lambda one: -one.cost.value)
    rows = [Row(named(one.name, translator), one.cost, one.significant) for one in ordered]
    most = {"name": rows[0].label, "cost": sure(rows[0].estimate, "share", translator)}
    said = [
        translator("“%(name)s” costs most: %(cost)s.", **most) if rows[0].strong and rows[0].estimate.value > 0 else
        translator("Nothing is sure to cost anything; “%(name)s” cost most: %(cost)s.", **most)
    ]  # fmt: skip
    last = rows[-1]
    if last.strong and last.estimate.value < 0:
        cost = last.estimate
        won = Estimate(-cost.value, -cost.high, -cost.low, cost.units, cost.method)
        gain = sure(won, "share", translator)
        said.append(
            translator(
                "“%(name)s” even wins more than free players, by %(gain)s.", name=last.label, gain=gain
            )
        )
    return Picture(
        title,
        dots(rows[:SHOWN], partial(figure, unit="share", translator=translator),
             translator("Share of the win that it costs against free players; red: sure, also after correcting for so "
                   "many comparisons (Benjamini and Hochberg)"), 0.0),
        " ".join([*said, *about]),
        Table([*heading("", translator), translator("sure")],
              [[*cells(row.label, row.estimate, "share", translator), translator("yes") if row.strong else translator("no")]
               for row in rows]),
        measured_as("strategies.cost", translator),
    )  # fmt: skip


def _openings(title: str, openings: Sequence[Opening], expected: float, translator: Translator) -> Picture:
    """What became of the openings that were taken most; the sentence tells the one that stands first. What too few
    took stands in the table alone.
    """
    usual = sorted(openings, key=lambda one: -one.taken.value)
    told = [one for one in usual if one.win.method != "none"]
    shown = sorted(told[:SHOWN], key=lambda one: -one.win.value)
    rows = [
        Row(named(one.name, translator), one.win, not one.win.low <= expected <= one.win.high)
        for one in shown
    ]
    best = {"name": rows[0].label, "win": sure(rows[0].estimate, "share", translator)}
    return Picture(
        title,
        dots(rows, partial(figure, unit="share", translator=translator),
             told_by_range(translator("Share of the win; the line is what a seat wins"), translator), expected),
        translator("“%(name)s” wins most: %(win)s.", **best) if rows[0].estimate.low > expected else
        translator("“%(name)s” won most: %(win)s; it is not sure to win more than a seat does.", **best),
        Table([translator("Opening"), translator("Taken"), *heading("", translator)[1:]],
              [[named(one.name, translator), figure(one.taken.value, "share", translator),
                *cells("", one.win, "share", translator)[1:]] for one in usual]),
    )  # fmt: skip


def examples(found: Examples, translator: Translator) -> Iterator[Picture]:
    """Games that stand out, each with its record as a file that the page holds."""
    why = {
        "closest": translator("the closest"),
        "longest": translator("the longest"),
        "oddest": translator("the oddest"),
        "comeback": translator("the greatest comeback"),
    }
    rows = [
        [why.get(one.why, one.why), str(one.game), " · ".join(map(str, one.points)),
         ", ".join(str(seat + 1) for seat in one.winners), file(f"{one.why}-{one.game}.jsonl", one.record)]
        for one in found.examples
    ]  # fmt: skip
    if rows:
        yield Picture(
            translator("Games that stand out"),
            "",
            translator(
                "Each record is in this page, to be saved; atoll replay shows it, and so does the site."
            ),
            Table(
                [
                    translator("Which"),
                    translator("Game"),
                    translator("Points, from who begins"),
                    translator("Winning seat"),
                    translator("Record"),
                ],
                rows,
            ),
        )


def file(name: str, text: str) -> Markup:
    """A link that saves a text under a name."""
    address = b64encode(text.encode()).decode()
    return Markup('<a download="{}" href="data:application/x-ndjson;base64,{}">{}</a>').format(
        name, address, name
    )
