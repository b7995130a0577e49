"""Puzzles of a person: that of the day, which is the same for everybody, and the next one, fit for their level."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from atoll.bots import DEFAULT_BOT
from atoll.core.catalogue import games
from atoll.core.game import Game, View
from atoll.core.types import Json
from atoll.lab.puzzles import LEVELS, SEVERAL, Choice, Puzzle, shipped_puzzles, view_of
from atoll.web.refusal import Refusal
from atoll.web.store.puzzle_answers import PuzzleAnswer
from atoll.web.store.store import SeatRow
from atoll.web.table.daily import today
from atoll.web.table.memory_table import MemoryTable
from atoll.web.table.move_choice import Fields
from atoll.web.table.seats import Seating
from atoll.web.table.timeline import Timeline

RECENT, NEEDED = 5, 3
"""A level is left behind by whom has answered so many of the last first tries at it rightly, or skipped it so."""
SOLVER = "solver"
"""Stands for the browser of whoever solves."""


@dataclass(frozen=True)
class NumberedPuzzle:
    """A puzzle of a game, with its number there, from 1."""

    game: Game
    number: int
    puzzle: Puzzle

    @property
    def name(self) -> str:
        """What answers are kept under; it stays when puzzles are added."""
        return "-".join(map(str, self.puzzle.origin))

    @property
    def address(self) -> str:
        """Where it is solved."""
        return f"/puzzles/{self.game.name}/{self.number}"

    def view(self) -> View:
        """What its seat may know."""
        return view_of(self.game, self.puzzle)


def puzzles_of(game: Game) -> list[NumberedPuzzle]:
    """A game's puzzles; often none."""
    return [NumberedPuzzle(game, number, one) for number, one in enumerate(shipped_puzzles(game), 1)]


def games_with_puzzles() -> list[Game]:
    """The games that have some, those for newcomers first."""
    found = [game for game in games().values() if shipped_puzzles(game)]
    return sorted(found, key=lambda game: not game.for_newcomers)


def puzzle_of_the_day(game: Game, day: str) -> NumberedPuzzle:
    """The one of a day, of a game that has puzzles."""
    known = puzzles_of(game)
    digest = hashlib.sha256(f"{game.name} {day}".encode()).digest()
    return known[int.from_bytes(digest[:8]) % len(known)]


def own_answers(game: Game, answers: Sequence[PuzzleAnswer]) -> dict[str, PuzzleAnswer]:
    """Those to a game's puzzles, by the puzzle's name, the first that was answered first."""
    return {one.puzzle: one for one in answers if one.game == game.name}


def solved(known: Sequence[NumberedPuzzle], answered: Mapping[str, PuzzleAnswer]) -> int:
    """How many of some puzzles a person has solved, be it at a later try."""
    return sum(one.name in answered and answered[one.name].right for one in known)


def level_of(known: Sequence[NumberedPuzzle], answered: Mapping[str, PuzzleAnswer]) -> str:
    """The level of a person: the lowest that they do not mostly solve at the first try."""
    levels = {one.name: one.puzzle.level for one in known}
    for level in LEVELS[:-1]:
        tries = [one.first_right for name, one in answered.items() if levels.get(name) == level]
        if sum(tries[-RECENT:]) < NEEDED:
            return level
    return LEVELS[-1]


def due_puzzles(game: Game, answers: Sequence[PuzzleAnswer]) -> list[NumberedPuzzle]:
    """Those that were missed and come again today."""
    answered, day = own_answers(game, answers), today()
    return [one for one in puzzles_of(game) if one.name in answered and answered[one.name].is_due(day)]


def next_puzzle(game: Game, answers: Sequence[PuzzleAnswer]) -> NumberedPuzzle | None:
    """What a person solves next: what comes again today, else the first new one of their level, or of one as near to
    it as there is; None if all are answered.
    """
    due = due_puzzles(game, answers)
    if due:
        return due[0]
    known, answered = puzzles_of(game), own_answers(game, answers)
    wanted = LEVELS.index(level_of(known, answered))
    new = [one for one in known if one.name not in answered]
    return min(new, key=lambda one: (abs(LEVELS.index(one.puzzle.level) - wanted), one.number), default=None)


def checked_answer(one: NumberedPuzzle, fields: Fields) -> tuple[Json | str, bool]:
    """The answer that a form gives, and whether it is right; raises Refusal."""
    if SEVERAL in fields:
        return SEVERAL, one.puzzle.kind == SEVERAL
    table = PuzzleTable(one)
    move = table.timeline.answer(one.puzzle.seat, 0, fields).move
    return move, choice_of(one, move).is_right


def choice_of(one: NumberedPuzzle, move: Json) -> Choice:
    """What is known of a legal move; raises Refusal."""
    choice = one.puzzle.choice(move)
    if choice is None:
        raise Refusal(422, "That move is not possible.")
    return choice


class PuzzleTable(MemoryTable):
    """A table as a puzzle shows it: dealt from the seat's view, so nothing else is there to be found."""

    def __init__(self, one: NumberedPuzzle) -> None:
        self.one = one
        view = one.view()
        position = view.resample(one.number)
        seats = tuple(
            SeatRow(seat, SOLVER) if seat == view.seat else SeatRow(seat, bot=DEFAULT_BOT)
            for seat in range(view.players)
        )
        super().__init__("puzzle", position, Seating("", False, seats), Timeline(position))

    @property
    def address(self) -> str:
        """Where it is solved."""
        return self.one.address
