"""Results of the games that a browser's person has finished, and its uploaded records.

Results outlive their tables; whoever they belong to exports and deletes them. Nobody else is shown them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine, delete, func, insert, select

from atoll.web.store.engine import writing
from atoll.web.store.schema import analyses, puzzle_answers, results, tables, tries, uploads

LONGEST = 60_000
"""Bytes of a record that is watched; a game of the longest kind has fewer."""
MOST_UPLOADS = 20
"""Records that are kept for one browser; the oldest goes."""


@dataclass(frozen=True)
class Result:
    """How a game ended for one of its people."""

    browser: str
    table_id: str
    ended_at: datetime
    game: str
    players: int
    seat: int
    place: int
    """1 for who won, or shared the win"""
    points: list[int]
    """of every seat"""
    against: list[str]
    """the others: people's names, "bot: LEVEL", or a colour for a person without a name"""


@dataclass(frozen=True)
class Upload:
    """A record that somebody watches."""

    id: str
    browser: str
    made_at: datetime
    game: str
    text: str


def keep_results(connection: Connection, results_found: Iterable[Result]) -> None:
    """Keep how a game ended, in the transaction that ends it."""
    rows = [vars(result) for result in results_found]
    if rows:
        connection.execute(insert(results), rows)


class History:
    """All results and watched records."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def of(self, browser: str) -> list[Result]:
        """A browser's results, the latest first."""
        query = select(results).where(results.c.browser == browser).order_by(results.c.ended_at.desc())
        with self.engine.connect() as connection:
            return [Result(**row) for row in connection.execute(query).mappings()]

    def shown(self, of: Iterable[Result]) -> dict[str, str | None]:
        """Of the tables of these results, those that are still there, by id, with the lesson that each began with, if
        any.
        """
        ids = {result.table_id for result in of}
        query = select(tables.c.id, tables.c.lesson).where(tables.c.id.in_(ids))
        with self.engine.connect() as connection:
            return {row.id: row.lesson for row in connection.execute(query)}

    def forget(self, browser: str) -> None:
        """Delete all that is kept of a browser's games, what it tries out there, its watched records and its answers to
        puzzles.
        """
        with writing(self.engine) as connection:
            connection.execute(delete(results).where(results.c.browser == browser))
            mine = connection.scalars(select(uploads.c.id).where(uploads.c.browser == browser))
            _forget_uploads(connection, list(mine))
            connection.execute(delete(tries).where(tries.c.browser == browser))
            connection.execute(delete(puzzle_answers).where(puzzle_answers.c.browser == browser))

    def upload(self, upload: Upload) -> None:
        """Keep a record to be watched; too many of one browser push the oldest out."""
        mine = select(uploads.c.id).where(uploads.c.browser == upload.browser)
        with writing(self.engine) as connection:
            connection.execute(insert(uploads), [vars(upload)])
            old = list(connection.scalars(mine.order_by(uploads.c.made_at.desc()).offset(MOST_UPLOADS)))
            _forget_uploads(connection, old)

    def uploaded(self, upload_id: str) -> Upload | None:
        """A record that is watched; None if there is none of that name."""
        with self.engine.connect() as connection:
            row = connection.execute(select(uploads).where(uploads.c.id == upload_id)).mappings().first()
        return None if row is None else Upload(**row)

    def uploads_of(self, browser: str) -> Sequence[Any]:
        """A browser's watched records, without their texts, the latest first."""
        columns = uploads.c.id, uploads.c.made_at, uploads.c.game, func.length(uploads.c.text)
        query = select(*columns).where(uploads.c.browser == browser).order_by(uploads.c.made_at.desc())
        with self.engine.connect() as connection:
            return list(connection.execute(query).mappings())


def _forget_uploads(connection: Connection, ids: Sequence[str]) -> None:
    """Delete watched records, with what they were analysed to."""
    connection.execute(delete(uploads).where(uploads.c.id.in_(ids)))
    connection.execute(delete(analyses).where(analyses.c.game_of.in_([f"records/{name}" for name in ids])))
