"""What every position is checked for as its fields are declared, and what the games' own checks share.

Compiled rules trust a state: an index out of it reads or writes other memory. So checks run before them, over Python's
own numbers and lists, which know their bounds; since a negative index counts from the end there too, the declared
ranges come first.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from atoll.core.fields import Field, Partition
from atoll.core.forms import Index, Row, SeatSet
from atoll.core.state import State
from atoll.core.types import plain


def require(holds: object, what: str) -> None:
    """Raise AssertionError, naming what is wrong, unless it holds; also where Python leaves `assert` out."""
    if not holds:
        raise AssertionError(what)


def numbers(value: Any) -> Sequence[int]:
    """Every number in nested lists."""
    if not isinstance(value, list):
        return (value,)
    if value and isinstance(value[0], list):
        return [number for row in value for number in numbers(row)]
    return value


def flagged(flags: Sequence[int]) -> list[int]:
    """The indices of those that are not 0."""
    return [index for index, flag in enumerate(flags) if flag]


def check_declared(state: Any, declared: type[State], parts: Any) -> None:
    """Raise AssertionError, naming the field, unless a full state is as its fields are declared.

    Each value is within its range, and at most the part that it is within; unused places hold the filler and places
    of a list hold values; lists declared so are ascending; seats are of those who play; each piece of a partition is in
    one place.
    """
    plain_state = plain(state)
    check_ranges(plain_state, declared.fields)
    for field in declared.fields:
        if field.shape:
            _check_lists(field, plain_state)
        _check_seats(field, numbers(getattr(plain_state, field.name)), plain_state.players)
        if field.within is not None:
            most = getattr(parts, field.within)
            require(
                np.all(getattr(state, field.name) <= most),
                f"{field.name} of at most {np.asarray(most).tolist()}",
            )
    for partition in declared.partitions:
        _check_partition(partition, declared, plain_state, parts)


def check_ranges(plain_state: Any, fields: Sequence[Field]) -> None:
    """Raise AssertionError, naming the field, unless each value of a state, as `plain` gives it, is within its declared
    range.
    """
    for field in fields:
        values = numbers(getattr(plain_state, field.name))
        if field.least <= min(values) and max(values) <= field.most:
            continue
        for value in values:
            if not field.least <= value <= field.most and value != field.empty:
                raise AssertionError(f"{field.name} is {value}, not from {field.least} to {field.most}")


def _lists(
    value: Any, used: tuple[str, ...], plain_state: Any, index: Index
) -> Iterator[tuple[Index, list[Any], list[Any]]]:
    """A list and, in turn, the lists in its used places: each with its index, its used places and the rest."""
    count = _entry(getattr(plain_state, used[0]), index) if used else len(value)
    yield index, value[:count], value[count:]
    if value and isinstance(value[0], list):
        for i, row in enumerate(value[:count]):
            yield from _lists(row, used[1:], plain_state, (*index, i))


def _entry(value: Any, index: Index) -> int:
    """The number at the index, or at as much of it as the nested lists go."""
    for i in index:
        if not isinstance(value, list):
            break
        value = value[i]
    return int(value)


def _check_lists(field: Field, plain_state: Any) -> None:
    for index, values, rest in _lists(getattr(plain_state, field.name), field.used, plain_state, ()):
        where = field.name + "".join(f"[{i}]" for i in index)
        require(all(number == field.filler for number in numbers(rest)), f"{where} beyond what is used")
        if len(index) < len(field.shape) - 1:
            continue
        if field.empty is not None and field.used[len(index) :] not in ((), ("players",)):
            require(field.empty not in values, f"{where} where places are used")
        if isinstance(field.form, Row) and field.form.ascending:
            require(values == sorted(values), f"{where} ascending")


def _check_seats(field: Field, values: Sequence[int], players: int) -> None:
    if isinstance(field.form, SeatSet):
        require(max(values) < 1 << players, f"{field.name} of who plays")
    elif field.of == "seat":
        require(max(values) < players, f"{field.name} of who plays")


def _values(field: Field, value: Any, used: tuple[str, ...], plain_state: Any, index: Index) -> list[int]:
    """The numbers in used places of a field, or of its row at the index, without those that are `empty`."""
    lists = (
        _lists(value, used, plain_state, index) if isinstance(value, list) else [(index[:-1], [value], [])]
    )
    deepest = [values for at, values, _ in lists if len(at) == len(field.shape) - 1]
    return [number for values in deepest for number in values if number != field.empty]


def row_of(field: Field, plain_state: Any, seat: int) -> list[int]:
    """The numbers in used places of a seat's row of a field."""
    return _values(field, getattr(plain_state, field.name)[seat], field.used[1:], plain_state, (seat,))


def _check_partition(partition: Partition, declared: type[State], plain_state: Any, parts: Any) -> None:
    whole = sorted(map(int, partition.whole(parts, plain_state.players)))
    for seat in range(plain_state.players) if partition.each_seat else (None,):
        held: list[int] = []
        for place in partition.places:
            if not isinstance(place, str):
                held += place(plain_state) if seat is None else place(plain_state, seat)
                continue
            field, value = declared.field(place), getattr(plain_state, place)
            if seat is None:
                held += _values(field, value, field.used, plain_state, ())
            else:
                held += row_of(field, plain_state, seat)
        of_seat = "" if seat is None else f" of seat {seat}"
        require(sorted(held) == whole, f"{partition.what}{of_seat}, each in one place")
