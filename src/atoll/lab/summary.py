"""The results of many games, as tables for a person."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from rich.console import RenderableType
from rich.table import Table

from atoll.core.game import Game
from atoll.lab.estimates import Estimate
from atoll.lab.page.numbers import ENGLISH
from atoll.lab.played import PlayedGames
from atoll.lab.ratings import share_estimate
from atoll.text.translation import Translator


def summary(results: PlayedGames, seconds: float) -> list[RenderableType]:
    """Wins and points by bot and by seat, counted from who begins, lengths and speed."""
    shares = results.shares
    by_bot = _table("Bot")
    for index in np.unique(results.bots):
        own = results.bots == index
        _row(by_bot, results.names[index], shares[own], results.points[own])
    by_seat = _table("Seat, from who begins")
    for seat, (share, points) in enumerate(
        zip(results.from_beginner(shares).T, results.from_beginner(results.points).T, strict=True)
    ):
        _row(by_seat, str(seat + 1), share, points)
    games, decisions, number = len(results.lengths), int(results.lengths.sum()), ENGLISH.number
    shortest, longest = int(results.lengths.min()), int(results.lengths.max())
    speed = (
        f"Games: {number(games)}, of {number(shortest)} to {number(longest)} decisions "
        f"(mean {number(results.lengths.mean(), 1)}), in {number(seconds, 2)} s: "
        f"{number(games / seconds)} games and {number(decisions / seconds)} decisions a second."
    )
    return [by_bot, by_seat, *forfeited(ENGLISH, results.forfeits), speed]


def lengths(game: Game, results: PlayedGames) -> list[RenderableType]:
    """The number of games by rounds and by ending, if the game declares endings."""
    if game.endings is None:
        return []
    ways = np.unique(results.endings)
    translator = ENGLISH.with_package(game.package)
    table = Table()
    table.add_column("Rounds", justify="right")
    for way in ways:
        ending = game.endings.ending_text(translator, game.endings.ENDINGS[way])
        table.add_column(f"Ended: {ending}", justify="right")
    table.add_column("In all", justify="right")

    def row(name: str, own: NDArray[np.bool_]) -> None:
        counts = [int((own & (results.endings == way)).sum()) for way in ways]
        table.add_row(name, *(_share(count, len(own)) for count in (*counts, int(own.sum()))))

    for number in np.unique(results.rounds):
        row(ENGLISH.number(int(number)), results.rounds == number)
    row("In all", np.ones(len(results.rounds), dtype=bool))
    return [table]


def _share(count: int, of: int) -> str:
    """A number of games and its share of all."""
    return f"{ENGLISH.number(count)} ({ENGLISH.number(100 * count / of, 1)} %)" if count else "–"


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


def _table(subject: str) -> Table:
    table = Table()
    table.add_column(subject)
    for heading in ("Games played", "Won, %", "Mean points"):
        table.add_column(heading, justify="right")
    return table


def _row(table: Table, name: str, shares: NDArray[np.float64], points: NDArray[np.int32]) -> None:
    wins = share_text(share_estimate(shares))
    table.add_row(name, ENGLISH.number(len(shares)), wins, ENGLISH.number(points.mean(), 2))


def share_text(share: Estimate) -> str:
    """A share of the win in percent, with its interval."""
    percent = Estimate(100 * share.value, 100 * share.low, 100 * share.high)
    return estimate_text(percent, 1)


def estimate_text(estimate: Estimate, places: int = 0) -> str:
    """A value, and its interval in brackets."""
    value, low, high = (
        ENGLISH.number(part, places) for part in (estimate.value, estimate.low, estimate.high)
    )
    return f"{value} ({low}…{high})"
