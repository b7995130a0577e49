"""First games: lessons that a player plays on the real table, as a game's file `lessons.toml` has them.

A lesson is a game with a seed of its own, in which a few moves are asked for one after another, each with a sentence,
and the other seats move as the file says. Where a game stands in its lesson follows from the moves played so far and
from nothing else. After the last step the game is free.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta

from atoll.core.components import FileContent, read_toml
from atoll.core.game import Game
from atoll.core.types import Json
from atoll.text.errors import AtollError

if TYPE_CHECKING:
    from atoll.core.game import Position

FILE = "lessons.toml"

Text = Annotated[str, Meta(min_length=1, max_length=240)]
"""What is said: English, the message id of the game's catalogue."""
Name = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9-]{0,39}$")]
"""Of a lesson, or the id of an element of the game's table."""
Pattern = Annotated[dict[str, Any], Meta(min_length=1)]
"""Parts that a move must have, in the words of records."""


class WrongMoves(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Moves that somebody may try at a step, and why they are not made."""

    moves: list[Pattern]
    why: Text


class Reply(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A move of another seat, as records have it."""

    player: Annotated[int, Meta(ge=0)]
    move: Pattern


class LessonStep(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A decision of the learner."""

    ask: Text
    """what to do, and where"""
    why: Text
    """what it is good for: the rule that this step shows"""
    asks: Annotated[list[Pattern], Meta(min_length=1)]
    """the moves asked for: those that have all parts of one of these"""
    later: Text
    """why another move is not made now"""
    wrong: list[WrongMoves] = []
    look: list[Name] = []
    """elements of the table that the sentence is about, besides what is pressed"""
    others: list[Reply] = []
    """moves of the other seats from then on, each seat's in its order"""

    def asks_for(self, move: Mapping[str, Any]) -> bool:
        """Whether a move is one of those asked for."""
        return any(has(move, pattern) for pattern in self.asks)

    def reason(self, parts: Mapping[str, Any]) -> str:
        """Why a move with these parts, which is not asked for, is not made."""
        reasons = (wrong.why for wrong in self.wrong if any(has(parts, pattern) for pattern in wrong.moves))
        return next(reasons, self.later)

    def texts(self) -> Iterator[str]:
        """Everything that it says."""
        yield from (self.ask, self.why, self.later)
        yield from (wrong.why for wrong in self.wrong)


class Lesson(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A lesson as the file has it."""

    name: Name
    title: Text
    about: Text
    """what one learns in it"""
    players: int
    seed: Annotated[int, Meta(ge=0, lt=1 << 62)]
    end: Text
    """what is said when all is done that it asks for"""
    steps: Annotated[list[LessonStep], Meta(min_length=1)]
    after: Name | None = None
    """the lesson that it goes on from, whose moves are made before its own; players and seed are the same"""
    opening: list[Reply] = []
    """moves of the other seats before the learner's first decision"""

    def texts(self) -> Iterator[str]:
        """Everything that it says."""
        yield from (self.title, self.about, self.end)
        for step in self.steps:
            yield from step.texts()


class LessonsFile(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The whole file."""

    format: Literal[1]
    lessons: Annotated[list[Lesson], Meta(min_length=1)]


LEARNER = 0
"""The seat of who learns."""


@dataclass(frozen=True)
class Script:
    """A lesson with all that comes before it."""

    lesson: Lesson
    before: "Script | None" = None

    @cached_property
    def steps(self) -> tuple[LessonStep, ...]:
        """The learner's decisions from the start of the game."""
        return (*(self.before.steps if self.before else ()), *self.lesson.steps)

    @property
    def first(self) -> int:
        """The number of its own first step among them."""
        return len(self.before.steps) if self.before else 0

    @cached_property
    def replies(self) -> Mapping[int, Sequence[Json]]:
        """The moves of every other seat, in order, by seat."""
        replies = {seat: list(moves) for seat, moves in (self.before.replies if self.before else {}).items()}
        own = [*self.lesson.opening, *(reply for step in self.lesson.steps for reply in step.others)]
        for reply in own:
            replies.setdefault(reply.player, []).append(dict(reply.move))
        return replies

    def reply(self, seat: int, decision: int) -> Json | None:
        """What another seat does at its decision of that number; None where the script says nothing."""
        moves = self.replies.get(seat, ())
        return moves[decision] if decision < len(moves) else None

    def number(self, played: Sequence[tuple[int, Json]]) -> int | None:
        """The number of the step that comes after these moves, each with its seat; None if they are not the script's.

        `len(steps)` right after the last one.
        """
        counts: dict[int, int] = {}
        for seat, move in played:
            count = counts[seat] = counts.get(seat, -1) + 1
            if seat == LEARNER:
                if count >= len(self.steps) or not self.steps[count].asks_for(move):
                    return None
            elif counts.get(LEARNER, -1) < len(self.steps) - 1 and move != self.reply(seat, count):
                return None
        return counts.get(LEARNER, -1) + 1

    def next_moves(self, position: "Position", decided: Mapping[int, int]) -> tuple[int, list[Json]]:
        """The seat that decides next and what the script lets it do, when each seat has decided so often."""
        seat = position.to_act[0]
        return seat, self.moves_of(seat, position, decided)

    def moves_of(self, seat: int, position: "Position", decided: Mapping[int, int]) -> list[Json]:
        """What the script lets a seat do that has to decide, when each seat has decided so often.

        Raises AtollError, naming lesson and step, where that is no legal move, or nothing.
        """
        count, number = decided.get(seat, 0), decided.get(LEARNER, 0)
        legal = list(position.view(seat).legal_moves())
        if seat == LEARNER:
            moves = [move for move in legal if self.steps[count].asks_for(move)]
            wanted = "asks for no legal move"
        else:
            reply = self.reply(seat, count)
            moves = [move for move in legal if move == reply]
            wanted = (
                f"has player {seat} do {reply}, which is not legal"
                if reply
                else f"leaves player {seat} without a move"
            )
        if not moves:
            step = min(number, len(self.steps) - 1) - self.first + 1
            raise AtollError(f"lesson {self.lesson.name}, step {step}: {wanted}; legal are {legal[:40]}")
        return moves

    def opening(self, position: "Position") -> list[tuple[int, Json]]:
        """The moves before its own first step, which are carried out, each with its seat."""
        played: list[tuple[int, Json]] = []
        decided: dict[int, int] = {}
        while self.before and not (decided.get(LEARNER) == self.first and position.to_act[0] == LEARNER):
            seat, moves = self.next_moves(position, decided)
            position.play(seat, moves[0])
            played.append((seat, moves[0]))
            decided[seat] = decided.get(seat, 0) + 1
        return played


def has(move: Mapping[str, Any], pattern: Mapping[str, Any]) -> bool:
    """Whether a move has all parts of a pattern."""
    return all(name in move and move[name] == value for name, value in pattern.items())


@cache
def scripts_of(game: Game) -> Mapping[str, Script]:
    """A game's lessons by name, in their order; none if it has no file of them. Raises ComponentError."""
    if not (game.folder / FILE).is_file():
        return {}
    with resources.as_file(game.folder / FILE) as path:
        return scripts_from(game, FileContent(f"{game.name}: {FILE}", read_toml(path)))


def scripts_from(game: Game, content: FileContent) -> dict[str, Script]:
    """What a file of lessons says; raises ComponentError, which names entry and key."""
    scripts: dict[str, Script] = {}
    for number, lesson in enumerate(content.checked(LessonsFile).lessons):
        entry = f"lessons[{number}]"
        if lesson.name in scripts:
            raise content.fault(entry, f"there are two lessons {lesson.name!r}")
        if lesson.players not in game.seats:
            raise content.fault(entry, f"{game.title} is not for {lesson.players} players")
        before = scripts.get(lesson.after) if lesson.after else None
        if lesson.after and before is None:
            raise content.fault(entry, f"no lesson {lesson.after!r} stands before it")
        if before and (before.lesson.players, before.lesson.seed) != (lesson.players, lesson.seed):
            raise content.fault(
                entry, f"players and seed are not those of {lesson.after!r}, from which it goes on"
            )
        scripts[lesson.name] = Script(lesson, before)
    return scripts
