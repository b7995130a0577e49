"""Lessons at tables: where a table stands in its lesson, and what is said of a move that it does not ask for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import structs

from atoll.core.game import Game
from atoll.core.lessons import LEARNER, LessonStep, Script, scripts_of
from atoll.core.types import Json
from atoll.web.refusal import Refusal
from atoll.web.store.store import Answer, TableRow
from atoll.web.table.move_choice import Fields, find_move


class NotAsked(Refusal):
    """A move that the lesson does not ask for; why, in the words of the game's package."""

    def __init__(self, text: str, package: str) -> None:
        super().__init__(422, text)
        self.package = package


@dataclass(frozen=True)
class Place:
    """Where a table stands in its lesson, as the learner may know it: nothing of what others are going to do."""

    title: str
    end: str
    """what is said right after the last step"""
    step: LessonStep | None
    """None once all is done that the lesson asks for"""
    number: int
    """of the step, from 1"""
    count: int
    """how many steps the lesson has"""
    next: tuple[str, str] | None
    """name and title of the lesson that comes after this one"""


def script_of(game: Game, row: TableRow) -> Script | None:
    """The script of a table's lesson, if it has one that still exists."""
    return scripts_of(game).get(row.lesson) if row.lesson else None


def place_in(game: Game, row: TableRow, answers: Sequence[Answer]) -> Place | None:
    """Where the table stands after these answers; None where it has no lesson, or the game has become free."""
    script = script_of(game, row)
    if script is None:
        return None
    number = script.number([(answer.seat, answer.move) for answer in answers])
    if number is None:
        return None
    step = structs.replace(script.steps[number], others=[]) if number < len(script.steps) else None
    lesson, names = script.lesson, list(scripts_of(game))
    following = names[names.index(lesson.name) + 1 :]
    return Place(
        lesson.title,
        lesson.end,
        step,
        number - script.first + 1,
        len(lesson.steps),
        (following[0], scripts_of(game)[following[0]].lesson.title) if following else None,
    )


def check_asked(place: Place | None, game: Game, seat: int, legal: Sequence[Json], fields: Fields) -> None:
    """Raise NotAsked if the learner's move is not one that the step asks for."""
    if place is None or place.step is None or seat != LEARNER:
        return
    move = find_move(legal, fields)
    if move is None or not place.step.asks_for(move):
        raise NotAsked(place.step.reason(move or as_parts(fields)), game.package)


def as_parts(fields: Fields) -> Mapping[str, Any]:
    """The parts of something that is no legal move, as far as they are single texts."""
    return {name: values[0] for name, values in fields.items() if len(values) == 1}


def scripted_move(
    game: Game, row: TableRow, answers: Sequence[Answer], seat: int, decision: int
) -> Json | None:
    """What the lesson has another seat do; None where it says nothing any more."""
    place = place_in(game, row, answers)
    script = script_of(game, row)
    if place is None or script is None or seat == LEARNER:
        return None
    return script.reply(seat, decision)
