"""What the states of all games have in common.

A state is one element of a NumPy array of a structured dtype of small integers; it holds everything, hidden cards
and the generator of chance included. A view is the same record with every byte that its seat cannot know set to 255,
which reads as `UNKNOWN`. A game declares its state as a class (`core/fields.py`).
"""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from atoll.core.fields import Field, Partition, check_name, everybody, fields_of, hidden_ranges, nobody
from atoll.core.forms import SeatSet
from atoll.engine.constants import GENERATOR_WORDS, REFEREE, SPECTATOR, UNKNOWN

MOST_SEATS = 8
"""Seats that a bit set holds."""

__all__ = ["MOST_SEATS", "REFEREE", "SPECTATOR", "UNKNOWN", "State", "record_dtype", "seats_in"]

_SEATS = tuple(tuple(seat for seat in range(8) if bits >> seat & 1) for bits in range(256))


def seats_in(bits: int) -> tuple[int, ...]:
    """The seats of a set, ascending, for Python."""
    return _SEATS[bits & 255]


def record_dtype(fields: list[tuple[Any, ...]]) -> np.dtype[Any]:
    """The dtype of a record whose fields can be read as attributes, compiled and uncompiled alike; raises AtollError
    for a name that NumPy's records have themselves.

    Every number lies at a multiple of its width, since a GPU reads no other: before some, and at the end, come fields
    of bytes that are always 0. NumPy's own padding it would not copy.
    """
    laid: list[tuple[Any, ...]] = []
    end, widest = 0, 1
    for name, kind, *shape in fields:
        check_name(name)
        width = np.dtype(kind).itemsize
        widest = max(widest, width)
        end += _add_gap(laid, end, width)
        laid.append((name, kind, *shape))
        end += np.dtype(laid[-1:]).itemsize
    _add_gap(laid, end, widest)
    return np.dtype((np.record, np.dtype(laid, align=True)))


def _add_gap(laid: list[tuple[Any, ...]], end: int, width: int) -> int:
    """Let the next field begin at a multiple of `width`; returns the bytes that are left out."""
    gap = -end % width
    if gap:
        laid.append((f"gap_{end}", "u1", gap))
    return gap


class State:
    """What every state begins with; a game adds its own fields. Never instantiated: it tells editors and mypy what the
    records hold, and `dtype`, `fields` and `hidden` tell everything else.
    """

    generator: NDArray[np.uint64] = nobody(
        "the generator of chance (`engine/chance.py`)", "u8", GENERATOR_WORDS
    )
    players: int = everybody("how many play", least=1, most=MOST_SEATS, counts="players")
    seat: int = everybody(
        "whose view it is: a seat, SPECTATOR, or REFEREE for a full state",
        least=SPECTATOR,
        most=MOST_SEATS - 1,
    )
    to_act: int = everybody(
        "bit set of the seats that have to decide; 0 when the game is over",
        "u1",
        key="to_act",
        form=SeatSet(),
    )

    fields: ClassVar[tuple[Field, ...]]
    """In the order of the record."""
    dtype: ClassVar[np.dtype[Any]]
    """The record's, for NumPy and Numba."""
    hidden: ClassVar[NDArray[np.int64]]
    """The bytes that views may hide; see `hidden_ranges`."""
    blank: ClassVar[NDArray[Any]]
    """A record, shape (1,), in which no place is used: each field is `empty`, or 0."""
    partitions: ClassVar[tuple[Partition, ...]] = ()
    """Sets of pieces of which each is always in exactly one place."""

    @classmethod
    def field(cls, name: str) -> Field:
        """The declaration of a field."""
        return next(field for field in cls.fields if field.name == name)

    def __init_subclass__(cls) -> None:
        cls.fields = fields_of(cls, cls.__base__.fields)  # type: ignore[union-attr]
        cls.dtype = record_dtype([(field.name, field.kind, field.shape) for field in cls.fields])
        cls.hidden = hidden_ranges(cls.dtype, cls.fields)
        cls.blank = np.zeros(1, dtype=cls.dtype)
        for field in cls.fields:
            cls.blank[field.name] = field.filler


State.fields = fields_of(State, ())
