"""The deal of the day: the same first position for everybody who plays it that day, once, against the same bots.

Its key is random and lies in the database alone: its tables show no commitment, since the key that they would tell at
the end is that of whoever plays it later. For the same reason nothing of a table of today's deal is told before the day
is over that its player has not seen in their own seat.
"""

from dataclasses import replace
from datetime import timedelta

from atoll.bots import DEFAULT_BOT
from atoll.core.game import Game
from atoll.engine.commitments import written
from atoll.engine.seeds import new_key
from atoll.web.refusal import Refusal
from atoll.web.store.daily import DailyDeals
from atoll.web.store.store import SeatRow, TableRow, now
from atoll.web.table.creation import new_table

PLAYERS = 3
"""Who play, as far as the game has so many seats: one person, and bots."""
PACE = "fast"


def today() -> str:
    """The day whose deal is played now, such as 2026-08-31; days end at midnight in UTC."""
    return now().date().isoformat()


def seconds_left() -> float:
    """Until the next deal."""
    time = now()
    midnight = (time + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    return (midnight - time).total_seconds()


def is_todays(row: TableRow) -> bool:
    """Whether others play, or will play, the deal of this table."""
    return row.daily is not None and row.daily >= today()


def check_not_daily(row: TableRow) -> None:
    """Raise Refusal at a table of a day's deal, for what would make it another game than everybody's."""
    if row.daily is not None:
        raise Refusal(409, "The deal of the day is played alone, and by everybody in the same way.")


def players_of(game: Game) -> int:
    """How many play a game where nobody has said it: three, or as near to that as it allows."""
    return min(game.seats, key=lambda count: (abs(count - PLAYERS), count))


def daily_table(deals: DailyDeals, game: Game, browser: str) -> tuple[TableRow, list[SeatRow]]:
    """A table with today's deal of a game, for a browser's one try at it."""
    day, players = today(), players_of(game)
    row = new_table(game, players, {}, PACE, None, browser, False, "never")
    seed = deals.seed(day, game.name, written(new_key()))
    seats = [SeatRow(seat, None, DEFAULT_BOT) for seat in range(1, players)]
    row = replace(row, key=None, seed=seed, daily=day, watchable=False)
    return row, [SeatRow(0, browser, None, now()), *seats]
