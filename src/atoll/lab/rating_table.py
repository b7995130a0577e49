"""What came of a match: each bot's share of the win, rating, points, forfeits and times, as numbers and as a table."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rich.box import SIMPLE_HEAD
from rich.console import RenderableType
from rich.table import Table

from atoll.lab.arena import ArenaGame, Match, MatchGames, bucket_seconds
from atoll.lab.estimates import Estimate
from atoll.lab.ratings import rate, share_estimate
from atoll.lab.summary import estimate_text, forfeited, share_text
from atoll.text.translation import Translator


@dataclass(frozen=True)
class RatedBot:
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


def rated_bots(match: Match, results: MatchGames) -> list[RatedBot]:
    """The bots in the order in which they were named; none before a deal is whole."""
    deals = results.whole_deals()
    if not deals:
        return []
    rows = match.seatings
    ratings = rate(
        len(match.names), [[(rows[played.seating], played.winners) for played in games] for games in deals]
    )
    return [_rated_bot(match, deals, bot, rating) for bot, rating in enumerate(ratings)]


def bot_shares(match: Match, deals: Sequence[Sequence[ArenaGame]], bot: int) -> NDArray[np.float64]:
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


def _rated_bot(match: Match, deals: Sequence[Sequence[ArenaGame]], bot: int, rating: Estimate) -> RatedBot:
    own = _seats_of(match, bot)
    games = [(played, seat) for deal in deals for played in deal for seat in own[played.seating]]
    forfeits: Counter[str] = Counter()
    times: Counter[int] = Counter()
    for played, seat in games:
        forfeits.update(played.forfeits[seat])
        times.update(played.times[seat])
    return RatedBot(
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


def rating_text(
    translator: Translator, match: Match, results: MatchGames, bots: Sequence[RatedBot]
) -> list[RenderableType]:
    """The table of the bots, who forfeited moves, and how much was played."""
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
    forfeits = forfeited(translator, {bot.name: bot.forfeits for bot in bots})
    return [*([rating_table(translator, bots)] if bots else []), *forfeits, said]


def rating_table(translator: Translator, bots: Sequence[RatedBot]) -> Table:
    """The bots for a person, the strongest first; intervals in brackets."""
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
    for bot in sorted(bots, key=lambda bot: -bot.rating.value):
        median, slow = (milliseconds(translator, seconds) for seconds in bot.seconds)
        table.add_row(
            bot.name,
            translator.number(bot.games),
            share_text(translator, bot.share),
            estimate_text(translator, bot.rating),
            translator.number(bot.points, 2),
            f"{median} / {slow}",
        )
    return table


def milliseconds(translator: Translator, seconds: float) -> str:
    """A time in milliseconds, with a decimal place where it matters."""
    return translator.number(1000 * seconds, 1 if seconds < 0.01 else 0)
