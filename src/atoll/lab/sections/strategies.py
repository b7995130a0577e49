"""The section of a report on how games begin, and what styles of play and other restrictions cost."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import msgspec
import numpy as np
from numpy.typing import NDArray

from atoll.core.game import Game
from atoll.core.game_translator import GameTranslator
from atoll.core.types import Components
from atoll.lab import counts, estimates
from atoll.lab.chunks import Chunk
from atoll.lab.counts import PLAN, WIN
from atoll.lab.estimates import Estimate
from atoll.lab.figures import WIN_MEASURE, Measure, Names, Provenance, name_in
from atoll.lab.items import NamedItem
from atoll.lab.page.drawing import PlotRow, dots
from atoll.lab.page.numbers import figure, sure, whole
from atoll.lab.page.pictures import (
    SHOWN,
    NumberTable,
    Picture,
    cells,
    heading,
    over_expected,
    told_by_range,
)
from atoll.lab.totals import Totals, tally
from atoll.text.translation import LANGUAGES, Translator, texts

MOST_OPENINGS = 24
MOST_PLANS = 1_000_000
"""The kinds of the first choices are only counted where there are at most so many, by bot and seat."""
COST_MEASURE = Measure(
    *texts("A. Jaffe and others, Evaluating Competitive Game Balance with Restricted Play, 2012")
)


class Restriction(msgspec.Struct, frozen=True):
    """What it costs to be restricted: never to use a `thing`, or to keep to a style, which `about` tells in a sentence.
    `share` of the win of one such player against free ones, `free` that of a free one in the same seats of the same
    deals; `significant` after Benjamini and Hochberg over all restrictions of the report.
    """

    bot: str
    name: Names
    about: Names
    thing: NamedItem | None
    share: Estimate
    free: float
    cost: Estimate
    """what the free player wins more, game by game"""
    p_value: float
    significant: bool


class Opening(msgspec.Struct, frozen=True):
    """A way to begin: the first moves, or their kinds, how often it was taken, and its share of the win.

    Not every seat can take every opening, and not every bot would: `expected` is what the same bots win in the same
    seats however they begin, `by_seat` which part of the openings was taken in each seat.
    """

    name: Names
    moves: list[str]
    taken: Estimate
    win: Estimate
    expected: float
    by_seat: list[float]


class Strategies(msgspec.Struct, frozen=True):
    """Restricted players against free ones, those of a style first, and openings."""

    restrictions: list[Restriction]
    openings: list[Opening]


def shapes(game: Game, players: int, bots: int) -> dict[str, tuple[int, ...]]:
    """The sums by name: by bot, seat and opening."""
    plans = (len(game.moves.kinds) + 1) ** PLAN
    if bots * players * plans > MOST_PLANS:
        plans = 0
    return {"openings": (bots, players, len(game.moves) + 1, 3), "plans": (bots, players, plans, 3)}


def add(totals: Totals, chunk: Chunk) -> None:
    """Add the games of a chunk."""
    players, shares = chunk.players, chunk.shares.ravel()
    strata = chunk.played.bots.astype(np.int64) * players + np.arange(players)
    for name, column in (("openings", counts.FIRST_ACTION), ("plans", counts.FIRST_PLAN)):
        sums = totals.sums[name]
        if sums.size:
            taken = strata * sums.shape[2] + chunk.games[:, column : column + players]
            tally(sums.reshape(-1, 3), taken.ravel(), shares, shares * shares)


def openings(totals: Totals, game: Game, components: Components, items: Sequence[NamedItem]) -> list[Opening]:
    """The first choices of the seats by their moves, and the first three by their kinds, the commonest first."""
    first, plans = totals.sums["openings"], totals.sums["plans"]
    taken = first[..., 0].sum(axis=(0, 1))
    seats = int(taken.sum())
    move_texts = _move_texts(game, components)
    openings = []
    for action in np.argsort(-taken[1:], kind="stable")[:MOST_OPENINGS].tolist():
        if taken[action + 1] * 1000 >= seats:
            names = {language: move_text(action) for language, move_text in move_texts.items()}
            openings.append(_opening(names, [as_text(game, action)], first, action + 1))
    words = [kind.word for kind in game.moves.kinds]
    kinds_said = {thing.kind: thing.name for thing in items if thing.what == "move" and not thing.of}
    taken = plans[..., 0].sum(axis=(0, 1))
    for plan in np.argsort(-taken, kind="stable")[:MOST_OPENINGS].tolist():
        if plan and taken[plan] * 1000 >= seats:
            kinds = [words[number - 1] for number in _digits(plan, len(words) + 1)]
            names = {
                language: ", ".join(kinds_said[kind][language] for kind in kinds) for language in LANGUAGES
            }
            openings.append(_opening(names, kinds, plans, plan))
    return openings


def _move_texts(game: Game, components: Components) -> dict[str, Callable[[int], str]]:
    """What says a move in each language, as at the start of a game."""
    view = game.start(game.default_players, 1, components).view(0)
    names = [str(seat + 1) for seat in range(game.default_players)]

    def move_text(translator: Translator, action: int) -> str:
        move = game.notation.move_of(action)
        try:
            return game.messages.move_text(translator, names, move, view, 0)
        except (LookupError, TypeError, ValueError, AttributeError):  # not a move that can be told there
            return as_text(game, action)

    return {
        language: partial(
            move_text, GameTranslator(Translator(language).with_package(game.package), components)
        )
        for language in LANGUAGES
    }


def as_text(game: Game, action: int) -> str:
    """A move in the words of records."""
    return ", ".join(str(value) for value in game.moves.move_of(action).values())


def _digits(number: int, base: int) -> list[int]:
    """A number's digits, the highest first."""
    digits: list[int] = []
    while number:
        number, digit = divmod(number, base)
        digits.insert(0, digit)
    return digits


def _opening(names: Names, moves: list[str], sums: NDArray[np.int64], place: int) -> Opening:
    """The opening at a place of such sums by bot, seat and opening."""
    own, everything = sums[:, :, place], sums.sum(axis=2)
    count, shares, squares = own.sum(axis=(0, 1)).tolist()
    means = everything[..., 1] / np.maximum(1, everything[..., 0])
    return Opening(
        names,
        moves,
        estimates.share(count, int(everything[..., 0].sum())),
        estimates.mean_share(shares / WIN, squares / WIN**2, count),
        float((own[..., 0] * means).sum() / (WIN * count)),
        (own[..., 0].sum(axis=0) / count).tolist(),
    )


def pictures(section: Strategies, translator: Translator, about: Provenance) -> Iterator[Picture]:
    """What styles of play and other restrictions cost, and how games begin."""
    styles = [one for one in section.restrictions if one.thing is None]
    if styles:
        notes = [
            translator(
                "%(name)s: %(about)s",
                name=name_in(one.name, translator),
                about=name_in(one.about, translator),
            )
            for one in styles
        ]
        yield _costs(translator("What a style of play costs"), styles, notes, translator)
    if things := [one for one in section.restrictions if one.thing is not None]:
        yield _costs(translator("What it costs never to …"), things, [], translator)
    for title, openings in (
        (translator("Openings: the first choice"), [one for one in section.openings if len(one.moves) == 1]),
        (
            translator("Openings: the kinds of the first moves"),
            [one for one in section.openings if len(one.moves) > 1],
        ),
    ):
        if any(one.win.method != "none" for one in openings):
            yield _openings_picture(title, openings, translator)


def _costs(
    title: str, restrictions: Sequence[Restriction], notes: Sequence[str], translator: Translator
) -> Picture:
    """What restrictions cost, the dearest first, with further sentences on them."""
    ordered = sorted(restrictions, key=lambda one: -one.cost.value)
    rows = [PlotRow(name_in(one.name, translator), one.cost, one.significant) for one in ordered]
    most = {"name": rows[0].label, "cost": sure(rows[0].estimate, "share", translator)}
    sentences = [
        translator("“%(name)s” costs most: %(cost)s.", **most)
        if rows[0].strong and rows[0].estimate.value > 0
        else translator("Nothing is sure to cost anything; “%(name)s” cost most: %(cost)s.", **most)
    ]
    last = rows[-1]
    if last.strong and last.estimate.value < 0:
        cost = last.estimate
        gain_estimate = Estimate(-cost.value, -cost.high, -cost.low, cost.units, cost.method)
        gain = sure(gain_estimate, "share", translator)
        sentences.append(
            translator(
                "“%(name)s” even wins more than free players, by %(gain)s.", name=last.label, gain=gain
            )
        )
    return Picture(
        title,
        dots(
            rows[:SHOWN],
            partial(figure, unit="share", translator=translator),
            translator(
                "Share of the win that it costs against free players; red: sure, also after correcting for so "
                "many comparisons (Benjamini and Hochberg)"
            ),
            0.0,
        ),
        " ".join([*sentences, *notes]),
        NumberTable(
            [*heading("", translator), translator("sure")],
            [
                [
                    *cells(row.label, row.estimate, "share", translator),
                    translator("yes") if row.strong else translator("no"),
                ]
                for row in rows
            ],
        ),
        COST_MEASURE.text(translator),
    )


def _openings_picture(title: str, openings: Sequence[Opening], translator: Translator) -> Picture:
    """How much more than their seats the openings win that were taken most; the sentence is about the first of them.
    What too few took stands in the table alone.
    """
    share_text = partial(figure, unit="share", translator=translator)
    usual = sorted(openings, key=lambda one: -one.taken.value)
    known = [one for one in usual if one.win.method != "none"]
    rows_of_plot = sorted(known[:SHOWN], key=lambda one: one.expected - one.win.value)
    rows = [over_expected(name_in(one.name, translator), one.win, one.expected) for one in rows_of_plot]
    best = {
        "name": rows[0].label,
        "win": sure(rows_of_plot[0].win, "share", translator),
        "expected": share_text(rows_of_plot[0].expected),
    }
    return Picture(
        title,
        dots(
            rows,
            share_text,
            told_by_range(translator("Share of the win, above what the same seats win"), translator),
            0.0,
        ),
        translator(
            "“%(name)s” stands out most: who began so won %(win)s, where the same seats win %(expected)s.",
            **best,
        )
        if rows[0].estimate.low > 0
        else translator(
            "“%(name)s” stood out most: who began so won %(win)s, where the same seats win %(expected)s; "
            "that may be chance.",
            **best,
        ),
        NumberTable(
            [
                translator("Opening"),
                translator("Taken"),
                translator("Their seats win"),
                *heading("", translator)[1:],
                translator("Taken in seat 1, 2, …"),
            ],
            [
                [
                    name_in(one.name, translator),
                    share_text(one.taken.value),
                    share_text(one.expected),
                    *cells("", one.win, "share", translator)[1:],
                    " · ".join(whole(share, translator) for share in one.by_seat),
                ]
                for one in usual
            ],
        ),
        WIN_MEASURE.text(translator),
    )
