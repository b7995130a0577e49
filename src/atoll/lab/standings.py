"""What came of a match: each bot's share of the win, rating, points, forfeits and times, as numbers and as a table."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rich.box import SIMPLE_HEAD
from rich.console import RenderableType
from rich.table import Table

from atoll.lab.arena import Match, Played, Results, bucket_seconds
from atoll.lab.ratings import Estimate, rate, share_estimate
from atoll.lab.report import estimate_text, forfeited, share_text
from atoll.text.translation import Translator


@dataclass(frozen=True)
class Standing:
    """A bot's record in the whole deals of a match.

    `games` counts a game once for each seat that the bot had in it; `share` is its seats' mean share of the win,
    `points` their mean, `seconds` the median and the 95 % quantile of the time for a choice among several moves.
    """

    name: str
    games: int
    share: Estimate
    rating: Estimate
    points: float
    forfeits: Counter[str]
    seconds: tuple[float, float]


def standings(match: Match, results: Results) -> list[Standing]:
    """The bots in the order in which they were named; none before a deal is whole."""
    deals = results.whole_deals()
    if not deals:
        return []
    rows = match.seatings
    ratings = rate(
        len(match.names), [[(rows[played.seating], played.winners) for played in games] for games in deals]
    )
    return [_standing(match, deals, bot, rating) for bot, rating in enumerate(ratings)]


def bot_shares(match: Match, deals: Sequence[Sequence[Played]], bot: int) -> NDArray[np.float64]:
    """A bot's mean share of the win in each deal, over its seats and seatings."""
    own = _seats_of(match, bot)
    return np.array(
        [
            np.mean([played.shares[seat] for played in games for seat in own[played.seating]])
            for games in deals
        ]
    )


def _seats_of(match: Match, bot: int) -> list[list[int]]:
    return [[seat for seat, other in enumerate(row) if other == bot] for row in match.seatings]


def _standing(match: Match, deals: Sequence[Sequence[Played]], bot: int, rating: Estimate) -> Standing:
    own = _seats_of(match, bot)
    games = [(played, seat) for deal in deals for played in deal for seat in own[played.seating]]
    forfeits: Counter[str] = Counter()
    times: Counter[int] = Counter()
    for played, seat in games:
        forfeits.update(played.forfeits[seat])
        times.update(played.times[seat])
    return Standing(
        match.names[bot],
        len(games),
        share_estimate(bot_shares(match, deals, bot)),
        rating,
        float(np.mean([played.points[seat] for played, seat in games])),
        forfeits,
        (time_quantile(times, 0.5), time_quantile(times, 0.95)),
    )


def time_quantile(times: Counter[int], part: float) -> float:
    """The time in seconds that so large a part of the choices took at most."""
    seen = 0
    for number in sorted(times):
        seen += times[number]
        if seen >= part * times.total():
            return bucket_seconds(number)
    return 0.0


def tell_standings(
    translator: Translator, match: Match, results: Results, found: Sequence[Standing]
) -> list[RenderableType]:
    """The table of the standings, who forfeited moves, and how much was played."""
    deals = len(results.whole_deals())
    games = deals * len(match.seatings)
    said = translator.plural(
        "%(games)s games in %(deals)s deal, played in %(seatings)s seatings; in brackets 95 %% intervals.",
        "%(games)s games in %(deals)s deals, each played in %(seatings)s seatings; in brackets 95 %% intervals.",
        deals,
        games=translator.number(games),
        deals=translator.number(deals),
        seatings=len(match.seatings),
    )
    rest = len(results) - games
    if rest:
        more = translator.plural(
            "%(num)s game of unfinished deals is not counted yet.",
            "%(num)s games of unfinished deals are not counted yet.",
            rest,
        )
        said = f"{said} {more}"
    forfeits = forfeited(translator, {standing.name: standing.forfeits for standing in found})
    return [*([standings_table(translator, found)] if found else []), *forfeits, said]


def standings_table(translator: Translator, found: Sequence[Standing]) -> Table:
    """The standings for a person, the strongest first; intervals in brackets."""
    table = Table(box=SIMPLE_HEAD, collapse_padding=True, pad_edge=False)
    table.add_column(translator("Bot"), overflow="fold", min_width=10)
    for heading in (
        translator("Games"),
        translator("Won, %"),
        translator("Rating"),
        translator("Points"),
        translator("ms a move"),
    ):
        table.add_column(heading, justify="right", no_wrap=True)
    for standing in sorted(found, key=lambda standing: -standing.rating.value):
        median, slow = (milliseconds(translator, seconds) for seconds in standing.seconds)
        table.add_row(
            standing.name,
            translator.number(standing.games),
            share_text(translator, standing.share),
            estimate_text(translator, standing.rating),
            translator.number(standing.points, 2),
            f"{median} / {slow}",
        )
    return table


def milliseconds(translator: Translator, seconds: float) -> str:
    """A time in milliseconds, with a decimal place where it matters."""
    return translator.number(1000 * seconds, 1 if seconds < 0.01 else 0)
