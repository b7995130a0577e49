"""Puzzles: positions as one seat may know them, with what each of its moves costs.

A game's puzzles lie beside it, one a line, made by `lab/puzzle_making.py`. A puzzle holds a view and never the position
it was taken from, so what its seat could not know is not in it.
"""

import gzip
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from atoll.core.game import Game, View
from atoll.core.types import Json
from atoll.text.errors import RecordError
from atoll.text.messages import Message

FILE = "puzzles.jsonl.gz"
"""What a game's puzzles are called in its folder."""
ONE, SEVERAL = "one", "several"
"""Kinds: one move is right; several are fine, and that is the answer."""
LEVELS = ("easy", "normal", "hard")
"""How hard a puzzle is, by the weakest level of bots that mostly finds a right move."""


class Choice(msgspec.Struct, frozen=True):
    """A legal move with what it costs against the best one, as a share of the win, and the 95 % interval of that."""

    move: Json
    loss: float
    low: float
    high: float

    @property
    def is_right(self) -> bool:
        """Whether it may be as good as the best: the interval covers 0."""
        return self.low <= 0


class Why(msgspec.Struct, frozen=True):
    """What the best move brings more than others, in points at the end: by a `part` of the score, named in English, or
    to another `seat`.
    """

    points: float
    part: str = ""
    seat: int = -1


class Puzzle(msgspec.Struct, frozen=True):
    """A puzzle. `view` has the fields of the seat's view, `choices` every legal move, the best first.

    `found` is how many of `tries` each level of bots chose a right move in; `origin` the seed, game and decision that
    it was taken from.
    """

    game: str
    rules_version: int
    components: str
    options: dict[str, bool]
    seat: int
    view: dict[str, Any]
    kind: str
    level: str
    choices: list[Choice]
    why: list[Why]
    found: dict[str, int]
    tries: int
    origin: tuple[int, int, int]

    @property
    def right(self) -> list[Json]:
        """The right moves, the best first."""
        return [choice.move for choice in self.choices if choice.is_right]

    def choice(self, move: Json) -> Choice | None:
        """What is known of a move; None if it is not legal here."""
        return next((choice for choice in self.choices if choice.move == move), None)


def view_fields(view: View) -> dict[str, Any]:
    """The declared fields of a view, as a puzzle has them."""
    state = view.states[0]
    return {field.name: state[field.name].tolist() for field in view.game.declared.fields}


def view_of(game: Game, puzzle: Puzzle) -> View:
    """The view that a puzzle shows; raises RecordError if it is not one of the game."""
    components = game.under(game.components(puzzle.components), puzzle.options)
    states = np.zeros(1, game.rules.STATE)
    try:
        for field in game.declared.fields:
            states[0][field.name] = puzzle.view[field.name]
    except (KeyError, ValueError, TypeError, OverflowError):
        raise RecordError(Message("a puzzle's view has not the fields that the game's states have")) from None
    view = View(game, components, components.options, states)
    if puzzle.game != game.name or puzzle.rules_version != game.rules_version or view.seat != puzzle.seat:
        raise RecordError(Message("a puzzle is not one of this game and these rules"))
    return view


def read_puzzles(path: Path) -> tuple[Puzzle, ...]:
    """The puzzles of a file, compressed if its name says so; raises RecordError for what is none."""
    content = path.read_bytes()
    lines = (gzip.decompress(content) if path.suffix == ".gz" else content).splitlines()
    try:
        return tuple(msgspec.json.decode(line, type=Puzzle) for line in lines)
    except msgspec.DecodeError as error:
        raise RecordError(Message("%(file)s: %(problem)s", file=path, problem=str(error))) from None


@cache
def shipped_puzzles(game: Game) -> tuple[Puzzle, ...]:
    """The puzzles that lie beside a game; none if there is no file, or if its rules have changed since."""
    path = Path(str(game.folder / FILE))
    if not path.is_file():
        return ()
    return tuple(one for one in read_puzzles(path) if one.rules_version == game.rules_version)
