"""What came of many games, as tables for a person."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from rich.console import RenderableType
from rich.table import Table

from atoll.core.game import Game
from atoll.lab.estimates import Estimate
from atoll.lab.played import PlayedGames
from atoll.lab.ratings import share_estimate
from atoll.text.translation import Translator


def summary(translator: Translator, results: PlayedGames, seconds: float) -> list[RenderableType]:
    """Wins and points by bot and by seat, counted from who begins, lengths and speed."""
    shares = results.shares
    by_bot = _table(translator, translator("Bot"))
    for index in np.unique(results.bots):
        own = results.bots == index
        _row(translator, by_bot, results.names[index], shares[own], results.points[own])
    by_seat = _table(translator, translator("Seat, from who begins"))
    for seat, (share, points) in enumerate(
        zip(results.from_beginner(shares).T, results.from_beginner(results.points).T, strict=True)
    ):
        _row(translator, by_seat, str(seat + 1), share, points)
    games, decisions = len(results.lengths), int(results.lengths.sum())
    speed = translator(
        "Games: %(games)s, of %(shortest)s to %(longest)s decisions (mean %(mean)s), in %(seconds)s s: "
        "%(games_speed)s games and %(decisions_speed)s decisions a second.",
        games=translator.number(games),
        shortest=translator.number(int(results.lengths.min())),
        longest=translator.number(int(results.lengths.max())),
        mean=translator.number(results.lengths.mean(), 1),
        seconds=translator.number(seconds, 2),
        games_speed=translator.number(games / seconds),
        decisions_speed=translator.number(decisions / seconds),
    )
    return [by_bot, by_seat, *forfeited(translator, results.forfeits), speed]


def lengths(translator: Translator, game: Game, results: PlayedGames) -> list[RenderableType]:
    """How many games took so many rounds and ended so, if the game tells."""
    if game.endings is None:
        return []
    ways = np.unique(results.endings)
    said = translator.with_package(game.package)
    table = Table()
    table.add_column(translator("Rounds"), justify="right")
    for way in ways:
        ending = game.endings.ending_text(said, game.endings.ENDINGS[way])
        table.add_column(translator("Ended: %(how)s", how=ending), justify="right")
    table.add_column(translator("In all"), justify="right")

    def row(name: str, own: NDArray[np.bool_]) -> None:
        counts = [int((own & (results.endings == way)).sum()) for way in ways]
        table.add_row(name, *(_share(translator, count, len(own)) for count in (*counts, int(own.sum()))))

    for number in np.unique(results.rounds):
        row(translator.number(int(number)), results.rounds == number)
    row(translator("In all"), np.ones(len(results.rounds), dtype=bool))
    return [table]


def _share(translator: Translator, count: int, of: int) -> str:
    """A number of games and its share of all."""
    return f"{translator.number(count)} ({translator.number(100 * count / of, 1)} %)" if count else "–"


def forfeited(translator: Translator, forfeits: Mapping[str, Mapping[str, int]]) -> list[str]:
    """A sentence for each bot that failed to choose moves: how many, and why."""
    kinds = {
        "late": translator("late"),
        "illegal": translator("illegal"),
        "garbled": translator("garbled"),
        "gone": translator("program gone"),
    }
    return [
        translator.plural(
            "%(bot)s forfeited %(num)s move, which chance chose for it: %(kinds)s.",
            "%(bot)s forfeited %(num)s moves, which chance chose for it: %(kinds)s.",
            sum(counts.values()),
            bot=name,
            kinds=", ".join(f"{kinds[kind]} {translator.number(count)}" for kind, count in counts.items()),
        )
        for name, counts in forfeits.items()
        if sum(counts.values())
    ]


def _table(translator: Translator, subject: str) -> Table:
    table = Table()
    table.add_column(subject)
    table.add_column(translator("Games played"), justify="right")
    table.add_column(translator("Won, %"), justify="right")
    table.add_column(translator("Mean points"), justify="right")
    return table


def _row(
    translator: Translator, table: Table, name: str, shares: NDArray[np.float64], points: NDArray[np.int32]
) -> None:
    won = share_text(translator, share_estimate(shares))
    table.add_row(name, translator.number(len(shares)), won, translator.number(points.mean(), 2))


def share_text(translator: Translator, share: Estimate) -> str:
    """A share of the win in percent, with its interval."""
    percent = Estimate(100 * share.value, 100 * share.low, 100 * share.high)
    return estimate_text(translator, percent, 1)


def estimate_text(translator: Translator, estimate: Estimate, places: int = 0) -> str:
    """A value, and its interval in brackets."""
    value, low, high = (
        translator.number(part, places) for part in (estimate.value, estimate.low, estimate.high)
    )
    return f"{value} ({low}…{high})"
