"""The fields of a state, declared once: dtype, shape, meaning, range, who sees it, and its words in records.

A game declares its state as a class:

    class ExampleState(State):
        hand_count: Int8s = everybody("cards in each hand", shape=MAX_PLAYERS, most=5, counts="players[].hand")
        hand: Int8s = owner("cards, ascending", shape=(MAX_PLAYERS, 5), most=9, key="players[].hand")

From it come the record's dtype (`dtype`), the view that hides whatever is not declared visible (`hidden`, read by
`engine/hiding.py`), what every position is checked for (`check_declared` in `core/invariants.py`), and the words of
records in both directions (`core/serialization.py`).
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from inspect import get_annotations
from typing import Any, ClassVar, Literal, NamedTuple, get_origin

import numpy as np
from numpy.typing import NDArray

from atoll.core.forms import Form, Named, OwnForm, Row, Truth
from atoll.engine.constants import UNKNOWN
from atoll.text.errors import AtollError

Int8s = NDArray[np.int8]
Int16s = NDArray[np.int16]
Int32s = NDArray[np.int32]

__all__ = [
    "UNKNOWN",
    "Field",
    "Int8s",
    "Int16s",
    "Int32s",
    "OwnForm",
    "Partition",
    "Resource",
    "everybody",
    "nobody",
    "owner",
]

RESOURCE_KINDS = ("i1", "u1", "i2", "i4")
"""The kinds of numbers that count resources."""
Seers = Literal["everybody", "owner", "nobody"]


class Resource(NamedTuple):
    """Something that seats gain and spend, of which reports tell how it flows.

    `name` is English, translated by the game's catalogue. `lost_by` names the kind of events by which a seat (`whose`)
    loses some of it for nothing: `extra` of it, or one where the event has no `extra`.
    """

    name: str
    lost_by: str = ""


@dataclass(frozen=True)
class Field:
    """A field of a state.

    `meaning` is a sentence, with the unit. Every value lies from `least` to `most`, or is `empty`, which stands in
    places that are not used. `seen_by` says whose views show it: everybody's, that of the seat whose row it is (the
    first axis counts seats), or nobody's. `key` is its path in the words of a record, None if it follows from others;
    one that ends in a dot goes on with the field's name.
    `counts` the path of the list whose length it is. `used` names, for the first axes, the fields that say how many of
    their places are used: `("players", "hand_count")`; it need not be said where it follows from the key. The others
    hold `empty`, or 0. `within` names the part (`core/parts.py`) above which no value goes, whose axes are the field's
    last ones. `of` is what the values name: a `"seat"`, or what an event is
    about, such as a card, which log, moves and table then say by its name. `bookkeeping` keeps a field that no player
    looks at off the plain table. `resources` names what it counts of each seat: one, or one for each place of the
    second axis.
    """

    meaning: str
    seen_by: Seers
    kind: str = "i1"
    shape: tuple[int, ...] = ()
    least: int = 0
    most: int = 127
    empty: int | None = None
    key: str | None = None
    counts: str | None = None
    form: Form | Row | OwnForm | None = None
    used: tuple[str, ...] = ()
    of: str | None = None
    within: str | None = None
    bookkeeping: bool = False
    resources: tuple[Resource, ...] = ()
    name: str = ""

    @property
    def filler(self) -> int:
        """What stands in places that are not used."""
        return self.empty or 0

    def is_shown_to(self, seat: int, whose: int) -> bool:
        """Whether the view of `seat` shows row `whose`, before what the rules reveal."""
        return self.seen_by == "everybody" or (self.seen_by == "owner" and seat == whose)


@dataclass(frozen=True)
class Partition:
    """Cards, or other named pieces, each of which is in one place.

    `places` are the names of the fields that hold them, or functions of the state as `plain` gives it (and of the seat,
    for `each_seat`) that give those in a place that is no field's. `whole` gives all of them, of the component tables
    and the number of players; with `each_seat` every seat has them all in its rows.
    """

    what: str
    places: tuple[str | Callable[..., Iterable[int]], ...]
    whole: Callable[[Any, int], Iterable[int]]
    each_seat: bool = False


def _declared(seen_by: Seers) -> Any:
    def declare(
        meaning: str,
        kind: str = "i1",
        shape: int | tuple[int, ...] = (),
        *,
        names: Sequence[str | None] | None = None,
        least: int = 0,
        most: int | None = None,
        empty: int | None = None,
        key: str | None = None,
        counts: str | None = None,
        form: Form | Row | OwnForm | None = None,
        used: str | tuple[str, ...] = (),
        of: str | None = None,
        within: str | None = None,
        bookkeeping: bool = False,
        resources: tuple[Resource, ...] = (),
    ) -> Any:
        if names is not None:
            form, most = Named(names, least), least + len(names) - 1
        if isinstance(form, Truth):
            most = 1
        return Field(
            meaning,
            seen_by,
            kind,
            (shape,) if isinstance(shape, int) else shape,
            least,
            int(np.iinfo(kind).max) if most is None else most,
            empty,
            key,
            counts,
            form,
            (used,) if isinstance(used, str) else used,
            of,
            within,
            bookkeeping,
            resources,
        )

    declare.__doc__ = (
        f"A field whose values are seen by {seen_by}; see `Field`. `names` are the words of its values."
    )
    return declare


everybody = _declared("everybody")
owner = _declared("owner")
nobody = _declared("nobody")

_RESERVED = frozenset(dir(np.recarray)) | frozenset(dir(np.record))


def fields_of(declared: type, inherited: tuple[Field, ...]) -> tuple[Field, ...]:
    """The fields that a class declares, after the inherited ones; raises AtollError for one that is declared wrong."""
    fields = list(inherited)
    for name, kind in get_annotations(declared).items():
        if str(get_origin(kind)) == str(ClassVar):
            continue
        field = declared.__dict__.get(name)
        if not isinstance(field, Field):
            raise AtollError(
                f"{declared.__name__}.{name} does not say who sees it: declare it with everybody(...), "
                f"owner(...) or nobody(...)"
            )
        check_name(name)
        _check_field(declared, name, field)
        key = f"{field.key}{name}" if (field.key or "").endswith(".") else field.key
        fields.append(replace(field, name=name, key=key))
    counts = {field.counts: field.name for field in fields if field.counts}
    kinds = {field.name: field for field in fields}
    fields = [replace(field, used=field.used or _used_places(field, counts)) for field in fields]
    for field in fields:
        _check_used(f"{declared.__name__}.{field.name}", field, kinds)
    return tuple(fields)


def _used_places(field: Field, counts: dict[str, str]) -> tuple[str, ...]:
    """The fields that count the used places of a field's axes, as its key, what it counts or who sees it tells."""
    path = field.key or field.counts
    if path is None:
        return ("players",) if field.seen_by == "owner" else ()
    lists = [path[: match.start()] for match in re.finditer(r"\[\]", path)]
    used = [counts[path] for path in lists if path in counts]
    row = field.form.length if isinstance(field.form, Row) else ""
    last = row or (counts.get(path) if field.key else None)
    return (*used, last) if last else tuple(used)


def _check_used(where: str, field: Field, kinds: dict[str, Field]) -> None:
    if len(field.used) > len(field.shape):
        raise AtollError(
            f"{where} has {len(field.shape)} axes, not {len(field.used)}, whose places are counted"
        )
    for name, places in zip(field.used, field.shape, strict=False):
        if name not in kinds:
            raise AtollError(f"{where}: there is no field {name!r} that could say how many places are used")
        if name != "players" and kinds[name].most > places:
            raise AtollError(f"{where} has {places} places, but {name} goes up to {kinds[name].most}")


def check_name(name: str) -> None:
    """Raise AtollError for a field named like an attribute of `numpy.record`: reading it uncompiled would silently give
    NumPy's own.
    """
    if name in _RESERVED:
        raise AtollError(f"a record's field cannot be called {name!r}: NumPy's records have that attribute")


def _check_field(declared: type, name: str, field: Field) -> None:
    where = f"{declared.__name__}.{name}"
    limits = np.iinfo(field.kind)
    if field.seen_by == "owner" and not field.shape:
        raise AtollError(f"{where} is seen by its owner alone: its first axis must count the seats")
    if not limits.min <= field.least <= field.most <= limits.max:
        raise AtollError(f"{where} goes from {field.least} to {field.most}, which {field.kind} does not hold")
    if field.resources and not (
        field.kind in RESOURCE_KINDS
        and field.shape[1:] == (len(field.resources),) * (len(field.resources) > 1)
        and field.shape
    ):
        raise AtollError(
            f"{where} names {len(field.resources)} resources: its first axis must count the seats, and a second one "
            f"the resources where there are several, in numbers of {', '.join(RESOURCE_KINDS)}"
        )
    if field.seen_by == "everybody":
        return
    if not field.shape or field.kind not in ("i1", "u1", "u8"):
        raise AtollError(f"{where} is hidden: it must be an array of i1 or u1")
    if (field.empty or 0) not in (0, UNKNOWN):
        raise AtollError(f"{where} is hidden: what stands in unused places must be 0 or {UNKNOWN}")


def hidden_ranges(dtype: np.dtype[Any], fields: Sequence[Field]) -> NDArray[np.int64]:
    """The bytes that a view may hide: shape (n, 4), for each hidden field its first byte, the byte after its last, the
    bytes of one seat's row if its owner sees it (else 0), and the byte that stands in unused places.
    """
    assert dtype.fields is not None
    rows = []
    for field in fields:
        if field.seen_by != "everybody":
            kind, first = dtype.fields[field.name][:2]
            row = kind.itemsize // field.shape[0] if field.seen_by == "owner" else 0
            rows.append((first, first + kind.itemsize, row, (field.empty or 0) & 255))
    return np.array(rows, dtype=np.int64).reshape(-1, 4)
