"""What a seat's view shows as one array of numbers, and its actions as numbers, as state and moves are declared.

`Observation` lays out, for a game with so many players, an array in which each declared field has a place:

- **The viewer comes first.** An axis that counts seats begins with the viewer's and goes on clockwise; values that are
  seats, and bit sets of seats, are counted from the viewer in the same way. `seat` alone says which seat it is.
- **Nothing hidden, and what is hidden is said.** A field that views may hide has a second slice, `NAME known`: 1 where
  the view shows the value, else 0, and then the value is 0 too. As in a view, places of a hidden list that are not
  used may be as unknown as those that are.
- **Three forms.** `normalized` gives each value divided by the largest magnitude that its field declares, so that 0
  stays 0 and nothing declared leaves -1 to 1. `one-hot` gives a number for each value that a field can have, of which
  one is 1, where these are at most `MOST_VALUES`; flags and wider ranges stay as they are. Both are float32. `bytes`,
  int8, gives values as they are, and UNKNOWN where they are hidden instead of `NAME known`; values of two or four bytes
  take as many numbers, the lowest byte first. It is the smallest, and the quickest to make and to move.

- **Which rules are played.** After the fields, `option NAME` is 1 where an option that rules read is on, else 0.

All is a function of the view and of the options, which everybody knows; every byte of it obeys the law of what a seat
may know. It loses nothing either: two views of a seat that differ have observations that differ.

`observe` (`engine/observing.py`) is compiled and takes the view's record and the array to fill, so that loops over
many games, and players that have learnt, call it without Python:

    observe(view, observation.program, observation.factors, out)

`core/action_encoding.py` is the same for moves.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from atoll.core.exports import of_rules, some_states
from atoll.core.fields import UNKNOWN, Field
from atoll.core.forms import Named, Row, SeatSet
from atoll.core.game import Game
from atoll.engine.exports import Export
from atoll.engine.observing import (
    CODING,
    COLUMNS,
    COPY,
    COUNT,
    KNOWN,
    NUMBERS,
    ONE_HOT,
    OPTION,
    SEAT_BITS,
    SEATS,
    SEATS_ONE_HOT,
    SIGNED,
    SOURCE,
    TARGET,
    TARGET_STEP,
    WIDTH,
    observe,
)
from atoll.text.errors import AtollError
from atoll.text.messages import Message, quoted

if TYPE_CHECKING:
    from atoll.core.game import Position

FORMS = ("normalized", "one-hot", "bytes")
"""How values become numbers."""
MOST_VALUES = 128
"""A field with more possible values than these stays a number in the form `one-hot`."""
MOST_BYTE = 127
"""The most that int8 holds."""
UNBOUNDED = 127
"""What values are divided by whose field declares no maximum."""


@dataclass(frozen=True)
class Slice:
    """Where a field stands in an observation: numbers `start` to before `stop`, of the given shape.

    `field` is the state's; `known` marks the slice that says which of its values the view shows. `values` says how a
    value becomes numbers, `axes` what the axes of the shape count.
    """

    name: str
    start: int
    stop: int
    shape: tuple[int, ...]
    field: Field
    known: bool
    values: str
    axes: tuple[str, ...]

    @property
    def meaning(self) -> str:
        """What it says, with the unit."""
        return f"1 where {self.field.name} is known" if self.known else self.field.meaning


def observe_first(views, program, factors, out):  # type: ignore[no-untyped-def]
    """`observe` a view in an array."""
    observe(views[0], program, factors, out)


def _observing(name: str, dtype: Any) -> Export:
    def example(game: Game) -> tuple[Any, ...]:
        program, factors = np.zeros((1, 1, COLUMNS), np.int32), np.zeros(1, np.float32)
        return some_states(game), program, factors, np.zeros(1, dtype)

    return Export(name, lambda game: of_rules(game, observe_first), example, reads=(0, 1, 2))


OBSERVE = _observing("observe", np.float32)
OBSERVE_BYTES = _observing("observe_bytes", np.int8)


class Observation:
    """How views of a game with so many players become arrays: of shape (`size`,) and `dtype`, by the form.

    `program` tells of the game as it is played with `options`, each as it is by default if not said; the layout is the
    same with all. Raises AtollError for a form or option that does not exist or a wrong number of players.
    """

    def __init__(
        self,
        game: Game,
        players: int,
        form: str = "normalized",
        options: Mapping[str, bool] | None = None,
    ) -> None:
        game.check_players(players)
        if form not in FORMS:
            raise AtollError(
                Message(
                    "there is no form of observation %(name)s; there are: %(known)s",
                    name=quoted(form),
                    known=", ".join(FORMS),
                )
            )
        self.game = game
        self.players = players
        self.form = form
        self.dtype: np.dtype[Any] = np.dtype(np.int8 if form == "bytes" else np.float32)
        self.options = game.check_options(options or {})
        self.slices: tuple[Slice, ...] = ()
        self.size = 0
        """how many numbers it has"""
        rows: list[list[list[int]]] = [[] for _ in range(players)]
        lows: list[float] = []
        highs: list[float] = []
        scales: list[float] = []
        for field in game.declared.fields:
            if field.name not in ("generator", "players"):
                self._add(field, rows, lows, highs)
                scales += [self._coding(field)[3]] * (self.size - len(scales))
        for number, (name, meaning) in enumerate(_read_options(game).items()):
            for own in rows:
                own.insert(number, [0, 1, 1, 0, self.size, -1, OPTION, int(self.options[name]), 1, 1, 1])
            field = Field(meaning, "everybody", most=1, name=f"option {name}")
            self._note(field.name, self.size, (), field, False, "0 or 1", ())
            lows, highs, scales = [*lows, 0.0], [*highs, 1.0], [*scales, 1]
        self.program: NDArray[np.int32] = _padded([_joined(own) for own in rows])
        """what `observe` goes by: shape (players, runs, COLUMNS), int32, by the viewer's seat"""
        self.factors: NDArray[np.float32] = (1 / np.array(scales)).astype(np.float32)
        """what values are multiplied by, shape (size,), float32"""
        self.low, self.high = (np.array(bounds, dtype=self.dtype) for bounds in (lows, highs))
        """the least and the greatest that each number can be, shape (size,)"""

    def write(self, views: NDArray[Any], out: NDArray[Any]) -> None:
        """Write what a seat's view, an array of shape (1,), shows into `out`, shape (size,)."""
        export = OBSERVE_BYTES if self.form == "bytes" else OBSERVE
        self.game.fast_runner.call(export, views, self.program, self.factors, out)

    def of(self, position: "Position", seat: int) -> NDArray[Any]:
        """What `seat` may know of a position, as a new array; the options are the position's.

        Raises AtollError if the position is of another game or has another number of players.
        """
        if position.game is not self.game or position.players != self.players:
            raise AtollError(f"this observes {self.game.title} for {self.players} players")
        if not 0 <= seat < self.players:
            raise AtollError(f"there is no seat {seat}: seats are 0 to {self.players - 1}")
        own = observation_of(self.game, self.players, self.form, position.options)
        return own.of_view(position.view(seat).states)

    def of_view(self, views: NDArray[Any]) -> NDArray[Any]:
        """What a seat's view, an array of shape (1,), shows, as a new array."""
        out = np.empty(self.size, dtype=self.dtype)
        self.write(views, out)
        return out

    def _add(self, field: Field, rows: list[list[list[int]]], lows: list[float], highs: list[float]) -> None:
        coding, least, values, scale = self._coding(field)
        seats = [counts_seats(field, axis) for axis in range(len(field.shape))]
        shape = tuple(
            self.players if is_seats else places for is_seats, places in zip(seats, field.shape, strict=True)
        )
        axes = tuple("seats from the viewer" if is_seats else "places" for is_seats in seats)
        start, cells = self.size, prod(shape)
        hides = field.seen_by != "everybody"
        known = start + cells * values if hides and self.form != "bytes" else -1
        for viewer, own in enumerate(rows):
            own += self._runs(field, viewer, seats, shape, (start, known, coding, least, values))
        low, high = self._bounds(field, coding, scale, hides)
        lows += [low] * (cells * values)
        highs += [high] * (cells * values)
        kinds = shape if values == 1 else (*shape, values)
        axes_of = (
            axes if values == 1 else (*axes, "seats from the viewer" if coding == SEAT_BITS else "values")
        )
        self._note(
            field.name, start, kinds, field, False, _values_text(coding, field, least, values, scale), axes_of
        )
        if known >= 0:
            self._note(f"{field.name} known", known, shape, field, True, "0 or 1", axes)
            lows += [0.0] * cells
            highs += [1.0] * cells

    def _bounds(self, field: Field, coding: int, scale: int, hides: bool) -> tuple[float, float]:
        """The least and the greatest number that a value of a field becomes."""
        low, high = 0.0, 1.0
        if coding in (NUMBERS, SEATS):
            low, high = (bound / scale for bound in self._range(field))
            if self.form == "bytes":
                low = min(low, UNKNOWN) if hides else low
                whole = np.dtype(field.kind).itemsize == 1 and high <= MOST_BYTE
                return (low, high) if whole else (-MOST_BYTE - 1, MOST_BYTE)
        if self.form == "bytes":
            return UNKNOWN if hides else low, high
        return (min(low, 0.0), max(high, 0.0)) if hides else (low, high)

    def _note(
        self,
        name: str,
        start: int,
        shape: tuple[int, ...],
        field: Field,
        known: bool,
        values: str,
        axes: tuple[str, ...],
    ) -> None:
        self.size = start + prod(shape)
        self.slices += (Slice(name, start, self.size, shape, field, known, values, axes),)

    def _coding(self, field: Field) -> tuple[int, int, int, int]:
        """How a field's values become numbers: the coding, the least value, the numbers of one, and the scale."""
        if holds_seats(field):
            hides = self.form == "bytes" and field.seen_by != "everybody"
            return SEAT_BITS, UNKNOWN if hides else 0, self.players, 1
        least, most = self._range(field)
        is_seat = names_seats(field)
        if self.form == "bytes":
            return SEATS if is_seat else NUMBERS, least, np.dtype(field.kind).itemsize, 1
        count = most - least + 1
        if self.form == "one-hot" and 2 < count <= MOST_VALUES and declares_most(field):
            return SEATS_ONE_HOT if is_seat else ONE_HOT, least, count, 1
        scale = max(abs(least), abs(most), 1) if declares_most(field) or field.name == "seat" else UNBOUNDED
        return SEATS if is_seat else NUMBERS, least, 1, scale

    def _range(self, field: Field) -> tuple[int, int]:
        """The least and the most that a field can hold among so many players, what stands in unused places included."""
        if field.name == "seat":
            return 0, self.players - 1
        unused = [field.filler] if field.shape or field.empty is not None else []
        most = self.players - 1 if names_seats(field) else max(field.most, *unused, field.least)
        return min(field.least, *unused, most), most

    def _runs(
        self,
        field: Field,
        viewer: int,
        seats: Sequence[bool],
        shape: tuple[int, ...],
        how: tuple[int, int, int, int, int],
    ) -> Iterator[list[int]]:
        """The rows of the program for a field, as the viewer sees it."""
        start, known, coding, least, values = how
        copies = self.form == "bytes" and coding == NUMBERS
        kind, offset = self.game.declared.dtype.fields[field.name][:2]  # type: ignore[index]
        item = kind.base
        strides = [prod(field.shape[axis + 1 :]) for axis in range(len(field.shape))]
        outer, inner = shape[:-1], shape[-1] if shape else 1
        turned = bool(seats) and seats[-1]
        if copies and turned and item.itemsize == 1 and 2 * prod(outer) > inner and not any(seats[:-1]):
            for place in range(inner):  # a seat's column at a time: these are fewer than the pieces of rows
                source = offset + (place + viewer) % self.players
                yield [
                    source, prod(outer), 1, 1, start + place, -1, COPY, least, values, field.shape[-1], inner,
                ]  # fmt: skip
            return
        pieces = [(0, viewer, inner - viewer), (inner - viewer, 0, viewer)] if turned else [(0, 0, inner)]
        for at, index in enumerate(product(*map(range, outer))):
            first = sum(
                ((place + viewer) % self.players if is_seats else place) * stride
                for place, is_seats, stride in zip(index, seats, strides, strict=False)
            )
            for goal, place, count in pieces:
                if count:
                    cell = at * inner + goal
                    source = offset + (first + place) * item.itemsize
                    kinds = [count, item.itemsize, int(item.kind == "i")]
                    if copies:
                        kinds = [count * item.itemsize, 1, 1]
                    yield [
                        source, *kinds, start + cell * values,
                        known + cell if known >= 0 else -1, COPY if copies else coding, least, values, 1, 1,
                    ]  # fmt: skip


def observation_of(
    game: Game, players: int, form: str = "normalized", options: Mapping[str, bool] | None = None
) -> Observation:
    """The observation of a game with so many players under these options, made once."""
    return _made_once(game, players, form, tuple(sorted((options or {}).items())))


@cache
def _made_once(game: Game, players: int, form: str, options: tuple[tuple[str, bool], ...]) -> Observation:
    return Observation(game, players, form, dict(options))


def _read_options(game: Game) -> dict[str, str]:
    """The options that rules read, in the order of the parts, each with what its part says of it."""
    return {part.option: part.meaning for part in game.declared_parts.fields if part.option}


def _joined(rows: list[list[int]]) -> list[list[int]]:
    """Runs of numbers that go on where the one before ends, as one."""
    runs: list[list[int]] = []
    for row in rows:
        if runs and row[CODING] in (NUMBERS, COPY) and row[TARGET] == runs[-1][TARGET] + runs[-1][COUNT]:
            last, count = runs[-1], runs[-1][COUNT]
            known = row[KNOWN] == last[KNOWN] == -1 or row[KNOWN] == last[KNOWN] + count > count
            follows = row[SOURCE] == last[SOURCE] + count * last[WIDTH] and known
            alike = (WIDTH, SIGNED, CODING, TARGET_STEP)
            follows = follows and row[TARGET_STEP] == 1
            if follows and [row[column] for column in alike] == [last[column] for column in alike]:
                last[COUNT] += row[COUNT]
                continue
        runs.append(list(row))
    return runs


def _padded(rows: list[list[list[int]]]) -> NDArray[np.int32]:
    """The rows of each seat, as many as the most, the last of them empty runs."""
    longest = max(map(len, rows))
    blank = [0] * COLUMNS
    return np.array([own + [blank] * (longest - len(own)) for own in rows], dtype=np.int32)


def counts_seats(field: Field, axis: int) -> bool:
    """Whether an axis of a field counts seats: it is used as far as there are players, and its values are not
    themselves seats, as those of a turn order are, unless they are told among what belongs to each player.
    """
    if field.used[axis : axis + 1] != ("players",):
        return False
    own = field.seen_by == "owner" or (field.key or field.counts or "").startswith("players[]")
    return own or field.of != "seat"


def names_seats(field: Field) -> bool:
    """Whether the values of a field are seats, in one byte each."""
    return field.of == "seat" and np.dtype(field.kind).itemsize == 1


def declares_most(field: Field) -> bool:
    """Whether a field declares the most that it can hold, rather than leaving it to its dtype."""
    return field.most < np.iinfo(field.kind).max


def holds_seats(field: Field) -> bool:
    """Whether the values of a field are bit sets of seats."""
    form = field.form.form if isinstance(field.form, Row) else field.form
    return isinstance(form, SeatSet)


def _values_text(coding: int, field: Field, least: int, values: int, scale: int) -> str:
    if coding == SEAT_BITS:
        return "1 for each seat that is in it"
    seat = "seat counted from the viewer" if names_seats(field) else "value"
    if coding in (ONE_HOT, SEATS_ONE_HOT):
        names = field.form.names if isinstance(field.form, Named) else ()
        named = f": {', '.join(map(str, names))}" if names else ""
        return f"one-hot, {seat} {least} to {least + values - 1}{named}"
    if coding == NUMBERS and values > 1:
        return f"{seat} in {values} bytes, the lowest first"
    return seat if scale == 1 else f"{seat} / {scale}"
