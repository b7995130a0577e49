"""What a trained network is given: a seat's view, the number of players and the components, as rows with weights.

A network's first layer has a row of numbers for everything that may be so: that a field has a value at a place, or, of
a number, as often as it is worth. What is given to it is a short list of rows with weights, mostly 1; a value of 0,
mostly a place where nothing is, has none. `Inputs` lays the rows out once for a game:

- They are made from observations (`core/observation.py`), so that they follow from the view alone. One layout serves
all
  numbers of players: seats count from the viewer, and fewer players leave the rows of the others unused. The number of
  the viewer's own seat is left out: a player that plays seats differently makes a game look unfair that is not.
- A value among a few has a row of its own at each place; one that is no name, and one among many, also counts as a
  number. Of a list whose order nothing else refers to, such as a hand, the places share their rows.
- Of the components, what differs from the game's own set counts, by how much of it.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cache, cached_property
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from atoll.core.game import Game
from atoll.core.observation import Slice, observation_of
from atoll.core.types import Components

FORMAT = 2
"""Raised when the same declarations give other rows than before."""
MOST_VALUES = 64
"""Of a field with more possible values, those up to WIDEST have rows, and all count as numbers."""
MOST_SHARED_VALUES = 128
"""The same of a field whose places share their rows."""
WIDEST = 32
MOST_PLACES = 64
"""The places of longer lists share their rows."""
UNIT = 16.0
"""What numbers of wide ranges are divided by at most."""
MOST_PARTS = 256
"""Parts with more numbers, such as whole decks, are not given to the network."""
SEAT = "seat"
"""The field that says whose view it is."""
MOST_CHANGE = 3.0
"""A number of the components that is changed further counts as this much."""


class Plan(NamedTuple):
    """How the numbers of an observation become rows, arrays with an entry for each number of it.

    `number` is the row of the number itself, or -1, and `unit` what it is multiplied by; `value` is the row of its
    value `low`, or -1, `scale` what makes a whole number of it, and `high` the last value with a row.
    """

    number: NDArray[np.int32]
    unit: NDArray[np.float32]
    value: NDArray[np.int32]
    scale: NDArray[np.float32]
    low: NDArray[np.int32]
    high: NDArray[np.int32]


@dataclass(frozen=True)
class RowBlock:
    """The rows of a slice: at `number` one a place, or -1; at `value` so many `values` from `low` a place, or -1, which
    all places of the last axis share where they are `pooled`.
    """

    shape: tuple[int, ...]
    number: int
    unit: float
    value: int
    values: int
    low: int
    pooled: bool


class Inputs:
    """The rows of a game. Rows 0 to `count` - 1 are what an observation, the advice, the number of players, the
    components and the game's move features (`core/move_features.py`) can say.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.blocks: dict[str, RowBlock]
        """the rows of each slice of an observation that is given to the network, by its name"""
        self._observation = observation_of(game, game.seats[-1])
        self.count = 0
        alone = Counter(name for field in game.declared.fields for name in field.used)
        self.blocks = {
            one.name: self._block(one, alone) for one in self._observation.slices if one.name != SEAT
        }
        self.advice = self._take(2)
        """the rows of the highest and the lowest advice on the legal moves"""
        self._players = self._take(len(game.seats))
        self._parts = [
            field for field in game.declared_parts.fields
            if not (field.option or field.for_start) and prod(field.shape) <= MOST_PARTS
        ]  # fmt: skip
        self._first_part = self._take(sum(prod(field.shape) for field in self._parts))
        self.move_features = self._take(len(game.move_features))
        """the rows of the highest of each number that the game tells of the legal moves"""

    def plan(self, players: int) -> Plan:
        """For observations of so many players."""
        observation = observation_of(self.game, players)
        columns = np.zeros((len(Plan._fields), observation.size))
        plan = dict(zip(Plan._fields, columns, strict=True))
        plan["number"][:] = plan["value"][:] = -1
        scale = np.round(1 / observation.factors)
        for one in observation.slices:
            if (block := self.blocks.get(one.name)) is None:
                continue
            places = np.arange(prod(one.shape))
            at = np.zeros(len(places), dtype=int)
            if one.shape:
                at = np.ravel_multi_index(np.unravel_index(places, one.shape), block.shape)
            own = slice(one.start, one.stop)
            plan["scale"][own] = scale[own]
            if block.number >= 0:
                plan["number"][own] = block.number + at
                plan["unit"][own] = block.unit
            if block.value >= 0:
                place = at // block.shape[-1] if block.pooled else at
                plan["value"][own] = block.value + place * block.values
                plan["low"][own], plan["high"][own] = block.low, block.low + block.values - 1
        whole = {name: plan[name].astype(np.int32) for name in ("number", "value", "low", "high")}
        return Plan(**whole, unit=plan["unit"].astype(np.float32), scale=plan["scale"].astype(np.float32))

    def setting(self, players: int, components: Components) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """The rows and weights that are the same throughout a game."""
        rows, weights = [self._players + players - self.game.seats.start], [1.0]
        usual = self.usual[0]
        row = self._first_part
        for field in self._parts:
            now, then = (
                np.asarray(parts[field.name], dtype=np.float64).ravel()
                for parts in (components.parts[0], usual)
            )
            change = np.clip((now - then) / np.maximum(1, np.abs(then)), -MOST_CHANGE, MOST_CHANGE)
            for place in np.flatnonzero(change).tolist():
                rows.append(row + place)
                weights.append(float(change[place]))
            row += len(now)
        return np.array(rows, dtype=np.int32), np.array(weights, dtype=np.float32)

    @property
    def signature(self) -> list[Any]:
        """What tells these rows from others, for a digest."""
        blocks = {name: (*vars(block).values(),) for name, block in self.blocks.items()}
        parts = [(field.name, field.shape) for field in self._parts]
        move_features = [[one.name, one.scale] for one in self.game.move_features]
        return [
            FORMAT,
            self.count,
            blocks,
            list(self.game.seats),
            parts,
            *([move_features] if move_features else []),
        ]

    @cached_property
    def usual(self) -> NDArray[np.void]:
        """The parts of the game's own components."""
        return self.game.components().parts

    def _take(self, count: int) -> int:
        self.count += count
        return self.count - count

    def _block(self, one: Slice, alone: Counter[str]) -> RowBlock:
        observation, places = self._observation, prod(one.shape)
        scale = round(float(1 / observation.factors[one.start]))
        low, high = (
            round(float(bounds[one.start]) * scale) for bounds in (observation.low, observation.high)
        )
        field = one.field
        values = high - low + 1
        if one.known or values <= 2 or one.stop - one.start != places:
            return RowBlock(one.shape, self._take(places), 1.0, -1, 0, 0, pooled=False)
        last = len(field.shape) - 1
        list_of_its_own = 0 <= last < len(field.used) and alone[field.used[last]] == 1
        pooled = bool(one.shape) and (
            one.shape[-1] > MOST_PLACES or (list_of_its_own and one.axes[-1] == "places")
        )
        wide = values > (MOST_SHARED_VALUES if pooled else MOST_VALUES)
        number, unit = -1, 1.0
        if wide or (field.form is None and field.of is None):
            number, unit = self._take(places), scale / min(float(scale), UNIT)
        if wide:
            if pooled:
                return RowBlock(one.shape, number, unit, -1, 0, 0, pooled=False)
            low, values = max(low, -1), WIDEST + 1
        rows = places // one.shape[-1] if pooled else places
        return RowBlock(one.shape, number, unit, self._take(rows * values), values, low, pooled)


@cache
def inputs_of(game: Game) -> Inputs:
    """The rows of a game, made once."""
    return Inputs(game)
