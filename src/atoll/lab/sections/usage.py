"""The section of a report on what every card, tile and other item of moves and events did."""

from collections.abc import Iterator, Sequence
from functools import partial

import msgspec
import numpy as np
from numpy.typing import NDArray

from atoll.lab import counts, estimates
from atoll.lab.chunks import Chunk
from atoll.lab.counts import MOST_SEATS, ROUNDS, WIN
from atoll.lab.estimates import Estimate
from atoll.lab.figures import WIN_MEASURE, Provenance, name_in
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
from atoll.lab.totals import Totals
from atoll.text.translation import Translator

WIDEST = 0.25
"""The widest interval in a picture of shares: what is known less well is in the table alone."""


class UseInRound(msgspec.Struct, frozen=True):
    """The share of the win of the seats that first used a thing in a round."""

    round: int
    win: Estimate


class ItemUsage(msgspec.Struct, frozen=True):
    """What a thing did. Seats in games are counted: `available`, the share of them that could use it at least once
    (None for events), `used`, the share that did, of those that could; `uses` how often in a game. `win` is the share
    of the win of the seats that used it, `without` of those that could and did not; `expected` what seats win that
    sit where these sat, `by_seat` which part of them sat in each seat.

    Biased: who is ahead can use what others cannot, long games see more of everything.
    """

    thing: NamedItem
    available: Estimate | None
    used: Estimate
    uses: Estimate
    win: Estimate | None
    without: Estimate | None
    expected: float
    by_seat: list[float]
    by_round: list[UseInRound]


class UsageStatistics(msgspec.Struct, frozen=True):
    """What every thing did."""

    things: list[ItemUsage]


def shapes(items: int) -> dict[str, tuple[int, ...]]:
    """The sums by name."""
    return {"usage": (items, counts.USAGE_COLUMNS)}


def add(totals: Totals, chunk: Chunk) -> None:
    """Add the games of a chunk."""
    totals.sums["usage"] += chunk.usage


def figures(
    totals: Totals, items: Sequence[NamedItem], there: Sequence[bool], players: int
) -> UsageStatistics:
    """What every move did that there can be, and every event that happened."""
    wins = totals.sums["shares"] / (WIN * totals.games)
    return UsageStatistics(
        [
            _usage_of(thing, row, totals.games, wins)
            for thing, exists, row in zip(items, there, totals.sums["usage"], strict=True)
            if row[counts.USES] or (thing.what == "move" and exists)
        ]
    )


def _usage_of(thing: NamedItem, row: NDArray[np.int64], games: int, wins: NDArray[np.float64]) -> ItemUsage:
    """The figures of a thing; `wins` is each seat's share of the win."""
    players = len(wins)
    own = {
        name: int(row[getattr(counts, name)])
        for name in ("A", "U", "W", "V", "AA", "AU", "UU", "UW", "WW", "NN", "NV", "VV")
    }
    is_move = thing.what == "move"
    seats = games * players
    unused = own["A"] - own["U"]
    share_of_users = (
        estimates.ratio_share(own["U"], own["A"], own["UU"], own["AU"], own["AA"], games)
        if is_move
        else estimates.mean_share(own["U"] / players, own["UU"] / players**2, games)
    )
    by_seat = row[counts.BY_SEAT : counts.BY_SEAT + MOST_SEATS][:players]
    by_seat = by_seat / max(1, by_seat.sum())
    return ItemUsage(
        thing=thing,
        available=estimates.mean_share(own["A"] / players, own["AA"] / players**2, games)
        if is_move
        else None,
        used=share_of_users,
        uses=estimates.mean(int(row[counts.USES]), int(row[counts.USES_SQUARED]), games),
        win=estimates.ratio_share(own["W"], own["U"], own["WW"], own["UW"], own["UU"], games, WIN)
        if own["U"]
        else None,
        without=estimates.ratio_share(own["V"], unused, own["VV"], own["NV"], own["NN"], games, WIN)
        if is_move and unused > 0
        else None,
        expected=float(by_seat @ wins) if own["U"] else 1 / players,
        by_seat=[float(part) for part in by_seat],
        by_round=_by_round(row, seats),
    )


def _by_round(row: NDArray[np.int64], seats: int) -> list[UseInRound]:
    table = row[counts.BY_ROUND :].reshape(ROUNDS, 5)
    return [
        UseInRound(number, estimates.ratio_share(shares, users, ww, uw, uu, users, WIN))
        for number, (users, shares, uu, uw, ww) in enumerate(table.tolist())
        if users * 2000 >= seats or users >= 100
    ]


def pictures(section: UsageStatistics, translator: Translator, about: Provenance) -> Iterator[Picture]:
    """The win rate of who used each thing, and the things used least."""
    share_text = partial(figure, unit="share", translator=translator)
    named = [one for one in section.things if name_in(one.thing.name, translator)]
    sure_items = [one for one in named if one.win is not None and is_known(one.win)]
    if not sure_items:
        return
    sure_items.sort(key=lambda one: -abs(_over(one)))
    rows_of_plot = sorted(sure_items[:SHOWN], key=lambda one: -_over(one))
    rows = [
        over_expected(name_in(one.thing.name, translator), one.win, one.expected)
        for one in rows_of_plot
        if one.win is not None
    ]
    table = [
        [
            name_in(one.thing.name, translator),
            share_text(one.available.value) if one.available is not None else "–",
            share_text(one.used.value),
            figure(one.uses.value, "", translator),
            share_text(one.win.value) if one.win is not None else "–",
            share_text(one.expected) if one.win is not None else "–",
            share_text(one.without.value) if one.without is not None else "–",
            " · ".join(whole(share, translator) for share in one.by_seat),
            " · ".join(f"{first.round}: {whole(first.win.value, translator)}" for first in one.by_round),
        ]
        for one in sorted(named, key=lambda one: -one.used.value)
    ]
    best = rows_of_plot[0]
    assert best.win is not None
    yield Picture(
        translator("Who used it, won"),
        dots(
            rows,
            share_text,
            told_by_range(
                translator("Share of the win of those who used it, above what their seats win"), translator
            ),
            0.0,
        ),
        translator(
            "Who used “%(thing)s” won %(share)s, where their seats win %(expected)s. This is not what it does: who is "
            "ahead can use what others cannot, and long games see more of everything.",
            thing=name_in(best.thing.name, translator),
            share=sure(best.win, "share", translator),
            expected=share_text(best.expected),
        ),
        NumberTable(
            [
                translator("What"),
                translator("Could use it"),
                translator("Did"),
                translator("Times in a game"),
                translator("Won with it"),
                translator("Their seats win"),
                translator("Won without"),
                translator("Used by seat 1, 2, …"),
                translator("Won with it, by round of the first use"),
            ],
            table,
        ),
        WIN_MEASURE.text(translator),
    )
    least: dict[tuple[str, str], ItemUsage] = {}
    for one in sorted((one for one in named if is_known(one.used)), key=lambda one: one.used.value):
        least.setdefault((one.thing.what, one.thing.kind), one)
    rare = list(least.values())[:SHOWN]
    rows = [PlotRow(name_in(one.thing.name, translator), one.used) for one in rare]
    yield Picture(
        translator("What is used least"),
        dots(
            rows, share_text, translator("Share of those who could that did; of each kind what is used least")
        ),
        translator(
            "“%(thing)s” is used least: by %(share)s of those who could.",
            thing=rows[0].label,
            share=sure(rows[0].estimate, "share", translator),
        ),
        NumberTable(
            heading(translator("What"), translator),
            [cells(row.label, row.estimate, "share", translator) for row in rows],
        ),
    )


def is_known(share: Estimate) -> bool:
    """Whether a share is known well enough for a picture."""
    return share.method != "none" and share.high - share.low <= WIDEST


def _over(one: ItemUsage) -> float:
    return one.win.value - one.expected if one.win is not None else 0.0
