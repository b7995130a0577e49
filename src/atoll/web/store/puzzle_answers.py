"""What a browser's person answered to puzzles, and when those that they missed come again."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta

from sqlalchemy import Engine, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from atoll.core.types import Json
from atoll.web.store.engine import writing
from atoll.web.store.schema import puzzle_answers
from atoll.web.store.store import now

AGAIN = (1, 3, 7, 21)
"""Days after which a puzzle that was missed comes again; after a wrong answer from the first on."""


@dataclass(frozen=True)
class PuzzleAnswer:
    """How somebody stands with a puzzle."""

    game: str
    puzzle: str
    answer: Json | str
    """a move, or that several are fine"""
    first_right: bool
    right: bool
    step: int
    due: str | None
    first_at: datetime

    def is_due(self, day: str) -> bool:
        """Whether it comes again by that day."""
        return self.due is not None and self.due <= day


def next_step(before: PuzzleAnswer | None, right: bool, day: str) -> tuple[int, str | None]:
    """How often a puzzle has come again after an answer on a day, and when it comes next; None: no more."""
    if before is None and right:
        return 0, None
    step = before.step + 1 if before is not None and right else 0
    if step >= len(AGAIN):
        return step, None
    return step, (date.fromisoformat(day) + timedelta(days=AGAIN[step])).isoformat()


class PuzzleAnswers:
    """All of them."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def of(self, browser: str) -> list[PuzzleAnswer]:
        """A person's, the first puzzle that was answered first."""
        query = (
            select(puzzle_answers)
            .where(puzzle_answers.c.browser == browser)
            .order_by(puzzle_answers.c.first_at)
        )
        with self.engine.connect() as connection:
            return [_answer(row) for row in connection.execute(query).mappings()]

    def keep(
        self, browser: str, game: str, puzzle: str, answer: Json | str, *, right: bool, day: str
    ) -> None:
        """Keep an answer on a day; nothing if the puzzle was answered and is not due again."""
        columns = puzzle_answers.c
        mine = (columns.browser == browser) & (columns.game == game) & (columns.puzzle == puzzle)
        try:
            with writing(self.engine) as connection:
                row = connection.execute(select(puzzle_answers).where(mine)).mappings().first()
                before = None if row is None else _answer(row)
                if before is not None and not before.is_due(day):
                    return
                step, due = next_step(before, right, day)
                values = {"answer": answer, "right": right, "step": step, "due": due}
                if before is None:
                    key = {"browser": browser, "game": game, "puzzle": puzzle}
                    first = {"first_right": right, "first_at": now()}
                    connection.execute(insert(puzzle_answers), [{**key, **values, **first}])
                else:
                    same = mine & (columns.due == before.due)
                    connection.execute(update(puzzle_answers).where(same).values(**values))
        except IntegrityError:  # the same was sent twice
            return

    def first_tries(self, game: str, puzzle: str) -> tuple[int, int]:
        """How many people's first answer to a puzzle was right, of how many; of nobody's name."""
        mine = (puzzle_answers.c.game == game) & (puzzle_answers.c.puzzle == puzzle)
        query = select(puzzle_answers.c.first_right, func.count()).where(mine)
        with self.engine.connect() as connection:
            counts = {
                bool(right): count
                for right, count in connection.execute(query.group_by(puzzle_answers.c.first_right))
            }
        return counts.get(True, 0), sum(counts.values())

    def export(self, browser: str) -> Sequence[Json]:
        """A person's, as JSON."""
        return [asdict(one) | {"first_at": one.first_at.isoformat()} for one in self.of(browser)]


def _answer(row: object) -> PuzzleAnswer:
    values = dict(row)  # type: ignore[call-overload]
    del values["browser"]
    return PuzzleAnswer(**values)
