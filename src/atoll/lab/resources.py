"""The resources that a game's state declares (`core/fields.py`), as the loop of a report counts them."""

from functools import cache
from typing import NamedTuple

import numpy as np

from atoll.core.fields import Field, Resource
from atoll.core.game import Game
from atoll.core.state import MOST_SEATS
from atoll.lab.counts import ROUNDS
from atoll.lab.flow_counts import CLASSES, PLACE_COLUMNS, STREAMS, FlowArrays
from atoll.lab.totals import Integers


class CountedResource(NamedTuple):
    """A resource, the field that counts it, and its place in that field's second axis."""

    resource: Resource
    field: Field
    place: int


@cache
def resources_of(game: Game) -> tuple[CountedResource, ...]:
    """The resources of a game, in the order in which they are declared."""
    return tuple(
        CountedResource(resource, field, place)
        for field in game.declared.fields
        for place, resource in enumerate(field.resources)
    )


def shapes(game: Game, seats: int) -> dict[str, tuple[int, ...]]:
    """The sums by name."""
    count = len(resources_of(game))
    return {
        "flows": (ROUNDS, seats, count, STREAMS, 2),
        "whole": (seats, count, STREAMS + 1, 2),
        "spread": (ROUNDS, count, STREAMS, CLASSES),
        "reached": (ROUNDS,),
        "stuck": (ROUNDS, seats, 2),
        "only": (len(game.moves.kinds),),
    }


def flow_arrays(game: Game) -> FlowArrays:
    """Empty arrays."""
    resources = resources_of(game)
    lost_by = np.full(len(game.events.kinds), -1, dtype=np.int32)
    for number, (resource, _, _) in enumerate(resources):
        for kind in game.events.kinds:
            if kind.name == resource.lost_by:
                lost_by[kind.code] = number
    sums: dict[str, Integers] = {
        name: np.zeros(shape, dtype=np.int64) for name, shape in shapes(game, MOST_SEATS).items()
    }
    return FlowArrays(
        places=np.array([_place(game, one) for one in resources], dtype=np.int64).reshape(-1, PLACE_COLUMNS),
        lost_by=lost_by,
        held=np.zeros((MOST_SEATS, len(resources)), dtype=np.int64),
        losing=np.zeros((MOST_SEATS, len(resources)), dtype=np.int64),
        moved=np.zeros((ROUNDS, MOST_SEATS, len(resources), STREAMS), dtype=np.int64),
        turns=np.zeros((ROUNDS, MOST_SEATS, 2), dtype=np.int64),
        **sums,
    )


def _place(game: Game, one: CountedResource) -> tuple[int, int, int, bool]:
    """Where a resource lies in a state, as `flow_counts` reads it."""
    fields = game.declared.dtype.fields
    assert fields is not None
    kind, first = fields[one.field.name][:2]
    size = kind.base.itemsize
    return first + one.place * size, kind.itemsize // one.field.shape[0], size, kind.base.kind == "i"
