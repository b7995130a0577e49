"""The section of a report on fairness between seats, and how bots do."""

from collections.abc import Iterator, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from atoll.lab import estimates
from atoll.lab.chunks import Chunk
from atoll.lab.counts import WIN
from atoll.lab.estimates import Estimate
from atoll.lab.figures import Measure, Provenance
from atoll.lab.game_figures import GameFigure
from atoll.lab.page.drawing import PlotRow
from atoll.lab.page.numbers import figure, sure
from atoll.lab.page.pictures import NumberTable, Picture, cells, dots_picture, heading
from atoll.lab.totals import Totals, sums
from atoll.text.translation import Translator, texts

UNFAIR = 0.05
"""The p-value below which seats are said not to win alike."""


LEAST_CHANCE = 0.001
"""Below this it is not told how much a chance is."""
SHARE_MEASURE = Measure(
    *texts(
        "Ludii, concepts AdvantageP1 and Balance (C. Browne, 2009)",
        "a share of the win for each seat, not the largest difference alone",
    )
)
POINTS = GameFigure(
    "points.mean", texts("Points of a player"), values=lambda chunk: chunk.played.points.mean(axis=1)
)
WINNERS_POINTS = GameFigure(
    "points.winner", texts("Points of the winner"), values=lambda chunk: chunk.played.points.max(axis=1)
)
MARGIN = GameFigure(
    "points.margin", texts("Points from the first to the second"), values=lambda chunk: margin_of(chunk)
)
TIES = GameFigure(
    "ties",
    texts("Games with several winners"),
    values=lambda chunk: (chunk.shares > 0).sum(axis=1) > 1,
    is_share=True,
)
FIGURES = (POINTS, WINNERS_POINTS, MARGIN, TIES)
"""Figures of a comparison; a report has the points and shares of each seat."""


def margin_of(chunk: Chunk) -> NDArray[np.int32]:
    """How many points the first is ahead of the second; 0 of one player."""
    ordered = np.sort(chunk.played.points, axis=1)
    margin: NDArray[np.int32] = ordered[:, -1] - ordered[:, -min(2, chunk.players)]
    return margin


class Seat(msgspec.Struct, frozen=True):
    """How a seat does: its share of the win and its points; `expected` is its share if all seats were alike."""

    seat: int
    share: Estimate
    points: Estimate
    expected: float


class SeatsAt(msgspec.Struct, frozen=True):
    """The seats at a table of so many players; `p_value` of the test that all win alike (Hotelling's T²)."""

    players: int
    seats: list[Seat]
    p_value: float
    largest_difference: Estimate
    """between the two seats that differ most, as share of the win; its interval is for that pair chosen beforehand"""
    expected_difference: float
    """how large that is on average over so many games if all seats are alike"""


class SeatFairness(msgspec.Struct, frozen=True):
    """Fairness between seats, by number of players; every deal once, so games are the units."""

    tables: list[SeatsAt]
    by_bot: list["BotShare"]


class BotShare(msgspec.Struct, frozen=True):
    """A bot's share of the win over its seats, in units of a game."""

    bot: str
    share: Estimate
    points: Estimate


def shapes(players: int, bots: int) -> dict[str, tuple[int, ...]]:
    """The sums by name."""
    return {
        "shares": (players,),
        "share_products": (players, players),
        "points": (players, 3),
        "bots": (bots, 5),
        "bot_points": (bots, 5),
    }


def add(totals: Totals, chunk: Chunk) -> None:
    """Add the games of a chunk."""
    shares, points = chunk.shares, chunk.played.points.astype(np.int64)
    totals.sums["shares"] += shares.sum(axis=0)
    totals.sums["share_products"] += shares.T @ shares
    for seat in range(points.shape[1]):
        totals.sums["points"][seat] += sums(points[:, seat])
    for bot in range(len(totals.sums["bots"])):
        own = chunk.played.bots == bot
        seats = own.sum(axis=1)
        for name, values in (("bots", shares), ("bot_points", points)):
            got = (values * own).sum(axis=1)
            products = (seats, got, seats * seats, seats * got, got * got)
            totals.sums[name][bot] += np.array([part.sum() for part in products])


def figures(totals: Totals, bots: Sequence[str]) -> SeatFairness:
    """How the seats and the bots do."""
    games = totals.games
    shares, products = totals.sums["shares"] / WIN, totals.sums["share_products"] / WIN**2
    players = len(shares)
    order = np.argsort(shares)
    low, high = int(order[0]), int(order[-1])
    squares = products[high, high] + products[low, low] - 2 * products[low, high]
    table = SeatsAt(
        players,
        [
            Seat(
                seat + 1,
                estimates.mean_share(shares[seat], products[seat, seat], games),
                estimates.of_sums(totals.sums["points"][seat]),
                1 / players,
            )
            for seat in range(players)
        ],
        estimates.alike(shares, products, games),
        estimates.mean(float(shares[high] - shares[low]), float(squares), games),
        estimates.expected_range(shares, products, games),
    )
    return SeatFairness([table], [_bot(totals, place, bot) for place, bot in enumerate(bots)])


def _bot(totals: Totals, place: int, bot: str) -> BotShare:
    seats, shares, dd, nd, nn = totals.sums["bots"][place].tolist()
    share = estimates.ratio_share(shares, seats, nn, nd, dd, totals.games, WIN)
    seats, points, dd, nd, nn = totals.sums["bot_points"][place].tolist()
    return BotShare(bot, share, estimates.ratio(points, seats, nn, nd, dd, totals.games))


def pictures(section: SeatFairness, translator: Translator, about: Provenance) -> Iterator[Picture]:
    """Whether seats win alike, and how bots do."""
    for table in section.tables:
        yield _seats_at(table, translator)
    if len(section.by_bot) > 1:
        rows = [PlotRow(one.bot, one.share) for one in section.by_bot]
        best = max(section.by_bot, key=lambda one: one.share.value)
        yield dots_picture(
            translator("Bots"),
            rows,
            "share",
            None,
            translator("Share of the win of a seat"),
            translator(
                "%(bot)s wins most: %(share)s of a seat’s games.",
                bot=best.bot,
                share=sure(best.share, "share", translator),
            ),
            SHARE_MEASURE,
            translator,
        )


def _seats_at(table: SeatsAt, translator: Translator) -> Picture:
    label = translator("Seat %(number)s")
    rows = [PlotRow(label % {"number": seat.seat}, seat.share) for seat in table.seats]
    largest = sure(table.largest_difference, "share", translator)
    if table.p_value < UNFAIR:
        sentence = translator(
            "Seats do not win alike: the best wins more than the worst by %(largest)s of the games. If they did, such "
            "a difference would come by chance in %(chance)s of such reports.",
            largest=largest,
            chance=_chance(table.p_value, translator),
        )
    else:
        sentence = translator(
            "No seat is seen to be better: the largest difference is %(largest)s. Were all seats alike, chance alone "
            "would bring about %(expected)s.",
            largest=largest,
            expected=figure(table.expected_difference, "share", translator),
        )
    picture = dots_picture(
        translator("%(players)s players: share of the win by seat, from who begins", players=table.players),
        rows,
        "share",
        table.seats[0].expected if table.seats else None,
        translator("Share of the win; the line is where all seats would be if they were alike"),
        sentence,
        SHARE_MEASURE,
        translator,
    )
    points = [
        [*cells(row.label, row.estimate, "share", translator), figure(seat.points.value, "", translator)]
        for row, seat in zip(rows, table.seats, strict=True)
    ]
    return Picture(
        picture.title,
        picture.svg,
        sentence,
        NumberTable(
            [*heading(translator("Seat, from who begins"), translator), translator("Points")], points
        ),
        picture.measure,
    )


def _chance(p_value: float, translator: Translator) -> str:
    """How often something comes by chance."""
    if p_value >= LEAST_CHANCE:
        return figure(p_value, "share", translator)
    return translator("less than %(share)s", share=figure(LEAST_CHANCE, "share", translator))
