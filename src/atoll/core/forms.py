"""How values are said in the words of records: numbers, names, seats, lists, and forms of a game's own."""

from collections.abc import Sequence
from typing import Any, Protocol

from atoll.text.messages import Message, message_of

Index = tuple[int, ...]


class Limits(Protocol):
    """What a form asks of the field that it reads (`core/fields.py`)."""

    @property
    def least(self) -> int:
        """The least value."""

    @property
    def most(self) -> int:
        """The largest value."""

    @property
    def empty(self) -> int | None:
        """What stands in places that are not used, if that is no value."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The axes."""

    @property
    def filler(self) -> int:
        """What stands in places that are not used."""


MANY_NAMES = 20
"""So many are not all listed where one of them is missing."""


def a_list(least: int, most: int) -> Message:
    """A list of so many entries."""
    if least == most:
        return Message.counted("a list of %(num)s entry", "a list of %(num)s entries", least)
    if least:
        return Message("a list of %(least)s to %(most)s entries", least=least, most=most)
    return Message.counted("a list of at most %(num)s entry", "a list of at most %(num)s entries", most)


class Form:
    """How the value of a field, or one number of a list, is said; this one says numbers as they are."""

    def say(self, value: int) -> Any:
        """The words of a value."""
        return value

    def read(self, said: Any, field: Limits) -> int:
        """The value of these words; raises ValueError saying what would be right."""
        if type(said) is not int or not field.least <= said <= field.most:
            whole = Message("a whole number")
            raise ValueError(
                Message("%(what)s from %(least)s to %(most)s", what=whole, least=field.least, most=field.most)
            )
        return said


class Truth(Form):
    """0 or 1, said as false or true."""

    def say(self, value: int) -> Any:
        return bool(value)

    def read(self, said: Any, field: Limits) -> int:
        if type(said) is not bool:
            raise ValueError(Message("true or false"))
        return int(said)


class Named(Form):
    """A value said by a name, or by null: `names[value - least]`."""

    def __init__(self, names: Sequence[str | None], least: int = 0) -> None:
        self.names = tuple(names)
        self.least = least

    def say(self, value: int) -> Any:
        return self.names[value - self.least]

    def read(self, said: Any, field: Limits) -> int:
        if not (said is None or isinstance(said, str)) or said not in self.names:
            known = ", ".join("null" if name is None else name for name in self.names)
            raise ValueError(Message("one of %(words)s", words=known))
        return self.names.index(said) + self.least


class OrNull(Form):
    """A number, or null for `nothing`, which is what stands in places that are not used."""

    def __init__(self, nothing: int = -1) -> None:
        self.nothing = nothing

    def say(self, value: int) -> Any:
        return None if value < 0 or value == self.nothing else value

    def read(self, said: Any, field: Limits) -> int:
        if said is None and field.empty is not None:
            return field.empty
        return super().read(said, field)


class SeatSet(Form):
    """A bit set of seats, said as a list, ascending."""

    def say(self, value: int) -> Any:
        return [seat for seat in range(8) if value >> seat & 1]

    def read(self, said: Any, field: Limits) -> int:
        ascending = isinstance(said, list) and all(type(seat) is int and 0 <= seat < 8 for seat in said)
        if not ascending or sorted(set(said)) != said:
            raise ValueError(Message("a list of seats, ascending"))
        return sum(1 << seat for seat in said)


class Row:
    """How the numbers of one row are said: as a list of the first ones, each by its own form.

    `reverse` says the last one first, as the top of a pile; `ascending` lists are said in the order of their words
    and read in any order. `length` is the
    field that says how many there are, if none counts this list; without either all are said.
    """

    def __init__(
        self, form: Form | None = None, *, reverse: bool = False, ascending: bool = False, length: str = ""
    ) -> None:
        self.form = form or Form()
        self.reverse = reverse
        self.ascending = ascending
        self.length = length

    def say(self, values: list[int]) -> Any:
        """The words of the numbers that are used."""
        said = [self.form.say(value) for value in values]
        if self.ascending:
            said.sort()
        return said[::-1] if self.reverse else said

    def read(self, said: Any, field: Limits) -> list[int]:
        """The numbers; raises ValueError saying what would be right."""
        if not isinstance(said, list) or len(said) > field.shape[-1]:
            raise ValueError(a_list(0, field.shape[-1]))
        try:
            values = [self.form.read(one, field) for one in said]
        except ValueError as error:
            each = Message("a list, and each entry %(right)s", right=message_of(error))
            raise ValueError(each) from None
        if self.ascending:
            values.sort()
        return values[::-1] if self.reverse else values


class Amounts(Row):
    """A row with a number for each name, said as an object; `sparse` leaves out those that are 0, or `empty`."""

    def __init__(self, names: Sequence[str], *, sparse: bool = False) -> None:
        super().__init__()
        self.names = tuple(names)
        self.sparse = sparse

    def say(self, values: list[int]) -> Any:
        pairs = zip(self.names, values, strict=True)
        return {name: value for name, value in pairs if value or not self.sparse}

    def read(self, said: Any, field: Limits) -> list[int]:
        keys = ", ".join(
            self.names if len(self.names) < MANY_NAMES else (self.names[0], "...", self.names[-1])
        )
        if not isinstance(said, dict) or not (said.keys() <= set(self.names)):
            raise ValueError(Message("an object with the keys %(keys)s", keys=keys))
        if not self.sparse and len(said) < len(self.names):
            raise ValueError(Message("an object with all the keys %(keys)s", keys=keys))
        return [self.form.read(said[name], field) if name in said else field.filler for name in self.names]


class Subset(Row):
    """A row of 0 or 1 for each name, said as the list of the names that have 1."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__()
        self.names = tuple(names)

    def say(self, values: list[int]) -> Any:
        return [name for name, value in zip(self.names, values, strict=True) if value]

    def read(self, said: Any, field: Limits) -> list[int]:
        if not isinstance(said, list) or [name for name in self.names if name in said] != said:
            raise ValueError(Message("some of %(words)s, in this order", words=", ".join(self.names)))
        return [int(name in said) for name in self.names]


class Grid(Row):
    """A row of numbers that lie on a board, row by row from the top, said as a list of rows."""

    def __init__(self, columns: int, form: Form | None = None) -> None:
        super().__init__(form)
        self.columns = columns

    def say(self, values: list[int]) -> Any:
        said = super().say(values)
        return [said[first : first + self.columns] for first in range(0, len(said), self.columns)]

    def read(self, said: Any, field: Limits) -> list[int]:
        rows = field.shape[-1] // self.columns
        if (
            not isinstance(said, list)
            or len(said) != rows
            or any(not isinstance(row, list) or len(row) != self.columns for row in said)
        ):
            raise ValueError(
                Message("a list of %(rows)s rows of %(columns)s", rows=rows, columns=self.columns)
            )
        return super().read([one for row in said for one in row], field)


class OwnForm:
    """Words of a key that stands for no single field, or for one that is said by means of others."""

    def say(self, state: Any, index: Index) -> Any:
        """The words; of a view, what it shows."""
        raise NotImplementedError

    def read(self, state: Any, index: Index, said: Any) -> None:
        """Write what the words say into the state; raises ValueError saying what would be right.

        The declared fields are already read.
        """
        raise NotImplementedError
