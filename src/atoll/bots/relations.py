"""What a move refers to, as further inputs of a trained network: what the view and the components say of the very
things that the move's parts name.

A part that names an island refers to all that the state declares for each island: an axis of a field counts the same
things as a part if it has as many places as the part has words, or those of another part that names such things. What
stands there counts for the move, in rows that all islands share, so that what is learnt of one holds for the others.
Where parts and axes of as many places could mean several things, those whose names agree go before the others.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.bots.network_inputs import Inputs, Plan, inputs_of
from atoll.core.fields import Field
from atoll.core.game import Game
from atoll.core.moves import Kind
from atoll.core.observation import counts_seats, observation_of
from atoll.core.types import Components

MOST_CELLS = 16
"""A field that still has more places once the axes of a move's parts are fixed is not what the move refers to."""
MOST_PARTS = 16
SHORTEST_AXIS = 3
"""Shorter axes count too many different things."""


@dataclass(frozen=True)
class Relation:
    """That moves of a kind refer to a field: the `axes` of it that are fixed, each by which part of the move."""

    kind: Kind
    name: str
    axes: tuple[tuple[int, int], ...]


class Relations:
    """All relations of a game; rows 0 to `count` - 1 are what they can say, columns 0 to `printed` - 1 what the
    components can.
    """

    def __init__(self, game: Game, inputs: Inputs) -> None:
        self.game, self.inputs = game, inputs
        self.count = 0
        self._sizes = _sizes(game)
        self._fields = [
            (relation, field)
            for kind in game.moves.kinds
            for field in game.declared.fields
            if field.name in inputs.blocks and field.shape
            for relation in self._relations(kind, field.name, field.shape, field.used, _is_by_seat(field))
        ]
        self._parts = [
            (relation, part.shape)
            for kind in game.moves.kinds
            for part in game.declared_parts.fields
            if part.shape and not (part.option or part.for_start)
            for relation in self._relations(kind, part.name, part.shape, (), (False,) * len(part.shape))
            if _left(part.shape, relation) <= MOST_PARTS
        ]
        self.printed = sum(_left(shape, relation) for relation, shape in self._parts)
        self._starts = [self._rows(relation, field) for relation, field in self._fields]

    def columns(self, players: int, plan: Plan) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """For so many players: `ends` int32 (actions,), and entries int32 (n, 3), of which those before `ends[a]` are
        action a's: a number of the observation, the row of that number or -1, and the row of its value `plan.low` or
        -1.
        """
        slices = {one.name: one for one in observation_of(self.game, players).slices}
        blocks: list[NDArray[np.int64]] = [np.zeros((0, 4), dtype=np.int64)]
        for (relation, field), start in zip(self._fields, self._starts, strict=True):
            one, block = slices[field.name], self.inputs.blocks[field.name]
            actions, places, cells = _cells(relation, one.shape, block.shape)
            entries = np.full((*places.shape, 4), -1)
            entries[:, :, 0] = actions[:, None]
            entries[:, :, 1] = one.start + places
            if block.number >= 0:
                entries[:, :, 2] = start + cells
                start += _left(block.shape, relation)
            if block.value >= 0:
                entries[:, :, 3] = start + cells * block.values
            blocks.append(entries.reshape(-1, 4))
        every = np.concatenate(blocks)
        ordered = every[np.argsort(every[:, 0], kind="stable"), 1:].astype(np.int32)
        counts = np.bincount(every[:, 0], minlength=len(self.game.moves))
        return np.cumsum(counts).astype(np.int32), ordered

    def printed_on(self, components: Components) -> NDArray[np.float32]:
        """What the components say of each action's parts: shape (actions, `printed`), of the size of 1."""
        printed = np.zeros((len(self.game.moves), self.printed), dtype=np.float32)
        first = 0
        for relation, shape in self._parts:
            usual = np.abs(self.inputs.usual[0][relation.name].astype(np.float64))
            unit = max(1.0, float(usual.max()))
            values = np.clip(components.parts[0][relation.name] / unit, -2, 2)
            actions, places, cells = _cells(relation, shape, shape)
            printed[actions[:, None], first + cells] = values.ravel()[places]
            first += _left(shape, relation)
        return printed

    @property
    def signature(self) -> list[Any]:
        """What tells these relations from others, for a digest."""
        return [
            [relation.kind.word, relation.name, relation.axes]
            for relation in (*(one for one, _ in self._fields), *(one for one, _ in self._parts))
        ]

    def _relations(
        self, kind: Kind, name: str, shape: Sequence[int], used: Sequence[str], by_seat: Sequence[bool]
    ) -> Iterator[Relation]:
        """The relation of a kind of moves to a field, if there is one."""
        axes: list[tuple[int, int]] = []
        for axis, places in enumerate(shape):
            counter = used[axis] if axis < len(used) else ""
            for index, part in enumerate(kind.parts):
                if index in (other for _, other in axes):
                    continue
                if by_seat[axis] or part.of == "seat":
                    fits = by_seat[axis] and part.of == "seat"
                else:
                    fits = places >= SHORTEST_AXIS and places in self._sizes[part.of]
                    fits = fits and self._may_mean(part.of, counter, places)
                if fits:
                    axes.append((axis, index))
                    break
        if axes:
            relation = Relation(kind, name, tuple(axes))
            if _left(shape, relation) <= MOST_CELLS:
                yield relation

    def _may_mean(self, of: str, counter: str, places: int) -> bool:
        """Whether places counted by that field may be what a part names: not if another's name fits them."""
        if _alike(of, counter):
            return True
        others = (other for other, sizes in self._sizes.items() if other != of and places in sizes)
        return not counter or not any(_alike(other, counter) for other in others)

    def _rows(self, relation: Relation, field: Field) -> int:
        block = self.inputs.blocks[field.name]
        cells = _left(block.shape, relation)
        start = self.count
        self.count += cells * ((block.number >= 0) + block.values * (block.value >= 0))
        return start


def _sizes(game: Game) -> dict[str, set[int]]:
    """How many places an axis has that counts what parts name, by what they name."""
    sizes: dict[str, set[int]] = {}
    for kind in game.moves.kinds:
        for part in kind.parts:
            translator = [word for word in part.words if word is not None]
            sizes.setdefault(part.of, set()).update({len(translator), len(translator) + part.least})
    return sizes


def _is_by_seat(field: Field) -> tuple[bool, ...]:
    return tuple(counts_seats(field, axis) for axis in range(len(field.shape)))


def _alike(of: str, counter: str) -> bool:
    words = [word for word in of.split() if len(word) > 2]
    return any(word in counter or counter.partition("_")[0].rstrip("s") == word for word in words)


def _left(shape: Sequence[int], relation: Relation) -> int:
    """How many cells a field still has for one move."""
    fixed = {axis for axis, _ in relation.axes}
    return prod(places for axis, places in enumerate(shape) if axis not in fixed)


def _cells(
    relation: Relation, shape: Sequence[int], most: Sequence[int]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The actions of the relation's kind that refer to places of a field of that shape, shape (n,); of each the places,
    flat indices of shape (n, cells); and which cells they are among those of the shape `most`, which all numbers of
    players share, shape (cells,).
    """
    kind, fixed = relation.kind, dict(relation.axes)
    numbers = np.unravel_index(np.arange(kind.count), [len(part.words) for part in kind.parts])
    free = [axis for axis in range(len(shape)) if axis not in fixed]
    inside = np.indices([shape[axis] for axis in free]).reshape(len(free), _left(shape, relation))
    actions = np.arange(kind.first, kind.first + kind.count)
    fits = np.ones(kind.count, dtype=bool)
    places, cells = np.zeros((kind.count, 1), dtype=np.int64), np.zeros(inside.shape[1], dtype=np.int64)
    for axis, index in fixed.items():
        words = numbers[index] + kind.parts[index].least
        fits &= (words >= 0) & (words < shape[axis])
        places = places + words[:, None] * prod(shape[axis + 1 :])
    for axis, coordinates in zip(free, inside, strict=True):
        places = places + coordinates * prod(shape[axis + 1 :])
        cells = cells * most[axis] + coordinates
    return actions[fits], places[fits], cells


@cache
def relations_of(game: Game) -> Relations:
    """The relations of a game, found once."""
    return Relations(game, inputs_of(game))
