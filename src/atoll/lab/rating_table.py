"""The results of a match, by bot: share of the win, rating, points, forfeits and times, as numbers and as a table."""

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
from atoll.lab.page.numbers import ENGLISH
from atoll.lab.ratings import rate, share_estimate
from atoll.lab.summary import estimate_text, forfeited, share_text


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
        len(match.names), [[(rows[game.seating], game.winners) for game in games] for games in deals]
    )
    return [_rated_bot(match, deals, bot, rating) for bot, rating in enumerate(ratings)]


def bot_shares(match: Match, deals: Sequence[Sequence[ArenaGame]], bot: int) -> NDArray[np.float64]:
    """A bot's mean share of the win in each deal, over its seats and seatings."""
    own = _seats_of(match, bot)
    return np.array(
        [np.mean([game.shares[seat] for game in games for seat in own[game.seating]]) for games in deals]
    )


def _seats_of(match: Match, bot: int) -> list[list[int]]:
    return [[seat for seat, other in enumerate(row) if other == bot] for row in match.seatings]


def _rated_bot(match: Match, deals: Sequence[Sequence[ArenaGame]], bot: int, rating: Estimate) -> RatedBot:
    own = _seats_of(match, bot)
    games = [(game, seat) for deal in deals for game in deal for seat in own[game.seating]]
    forfeits: Counter[str] = Counter()
    times: Counter[int] = Counter()
    for game, seat in games:
        forfeits.update(game.forfeits[seat])
        times.update(game.times[seat])
    return RatedBot(
        match.names[bot],
        len(games),
        share_estimate(bot_shares(match, deals, bot)),
        rating,
        float(np.mean([game.points[seat] for game, seat in games])),
        forfeits,
        (time_quantile(times, 0.5), time_quantile(times, 0.95)),
    )


def time_quantile(times: Counter[int], part: float) -> float:
    """The time in seconds that so large a part of the choices took at most."""
    count = 0
    for number in sorted(times):
        count += times[number]
        if count >= part * times.total():
            return bucket_seconds(number)
    return 0.0


def rating_text(match: Match, results: MatchGames, bots: Sequence[RatedBot]) -> list[RenderableType]:
    """The table of the bots, who forfeited moves, and how much was played."""
    number, deals = ENGLISH.number, len(results.whole_deals())
    games = deals * len(match.seatings)
    summary = (
        f"{number(games)} games in {number(deals)} {'deal,' if deals == 1 else 'deals, each'} "
        f"played in {len(match.seatings)} seatings; in brackets 95 % intervals."
    )
    rest = len(results) - games
    if rest:
        summary += (
            " 1 game of unfinished deals is not counted yet."
            if rest == 1
            else f" {rest} games of unfinished deals are not counted yet."
        )
    forfeits = forfeited(ENGLISH, {bot.name: bot.forfeits for bot in bots})
    return [*([rating_table(bots)] if bots else []), *forfeits, summary]


def rating_table(bots: Sequence[RatedBot]) -> Table:
    """The bots for a person, the strongest first; intervals in brackets."""
    table = Table(box=SIMPLE_HEAD, collapse_padding=True, pad_edge=False)
    table.add_column("Bot", overflow="fold", min_width=10)
    for heading in ("Games", "Won, %", "Rating", "Points", "ms a move"):
        table.add_column(heading, justify="right", no_wrap=True)
    for bot in sorted(bots, key=lambda bot: -bot.rating.value):
        median, slow = (milliseconds(seconds) for seconds in bot.seconds)
        table.add_row(
            bot.name,
            ENGLISH.number(bot.games),
            share_text(bot.share),
            estimate_text(bot.rating),
            ENGLISH.number(bot.points, 2),
            f"{median} / {slow}",
        )
    return table


def milliseconds(seconds: float) -> str:
    """A time in milliseconds, with a decimal place where it matters."""
    return ENGLISH.number(1000 * seconds, 1 if seconds < 0.01 else 0)
