"""The deals of the day: one seed a day and game, and who has played it at which table.

How a game ended stands in its person's results alone; what is told of all is made of them.
"""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, insert, select
from sqlalchemy.exc import IntegrityError

from atoll.web.store.engine import writing
from atoll.web.store.schema import daily_deals, daily_games, results


@dataclass(frozen=True)
class DailyGame:
    """One's try at a day's deal; `points` and `place` once it is over."""

    day: str
    game: str
    table_id: str
    points: int | None = None
    place: int | None = None


class DailyDeals:
    """All deals of the day."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def seed(self, day: str, game: str, fresh: str) -> str:
        """The seed of a day's deal; `fresh` if nobody has asked for it before."""
        query = select(daily_deals.c.seed).where(daily_deals.c.day == day, daily_deals.c.game == game)
        with self.engine.connect() as connection:
            seed = connection.scalar(query)
        if seed is not None:
            return str(seed)
        try:
            with writing(self.engine) as connection:
                connection.execute(insert(daily_deals), [{"day": day, "game": game, "seed": fresh}])
        except IntegrityError:  # another process was first
            return self.seed(day, game, fresh)
        return fresh

    def of(self, browser: str) -> list[DailyGame]:
        """A person's tries, the latest day first."""
        ended = (results.c.table_id == daily_games.c.table_id) & (results.c.browser == daily_games.c.browser)
        query = (
            select(daily_games, results.c.points, results.c.place, results.c.seat)
            .outerjoin(results, ended)
            .where(daily_games.c.browser == browser)
            .order_by(daily_games.c.day.desc())
        )
        with self.engine.connect() as connection:
            return [_daily_game(row) for row in connection.execute(query)]

    def points(self, day: str, game: str) -> list[int]:
        """The points of all who have finished a day's deal, ascending, and of nobody's name."""
        ended = (results.c.table_id == daily_games.c.table_id) & (results.c.browser == daily_games.c.browser)
        query = (
            select(results.c.points, results.c.seat)
            .join(daily_games, ended)
            .where(daily_games.c.day == day, daily_games.c.game == game)
        )
        with self.engine.connect() as connection:
            return sorted(row.points[row.seat] for row in connection.execute(query))


def _daily_game(row: Any) -> DailyGame:
    points = None if row.points is None else row.points[row.seat]
    return DailyGame(row.day, row.game, row.table_id, points, row.place)
