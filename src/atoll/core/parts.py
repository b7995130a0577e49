"""The parts of a game, declared once: what its components file says, as the arrays that the rules read.

A game declares them as a class in its module `state`, beside its state, or in a module `parts`:

    class ReefParts(Parts):
        rounds: int = part("rounds of a game", of="game")
        cards: int = part("how many cards there are", counts="cards")
        value: Int8s = part("points on each card", shape=MOST_CARDS, of="cards[]")
        deck: Int8s = part("cards of the deck", shape=MOST_DECK, empty=UNKNOWN)
        long_tides: int = part("1 if a tide lasts two rounds", option="long_tides")

From it come the record's dtype (`PARTS` of the rules) and the copying of everything that stands in the checked file:
`rounds` is `file.game.rounds`, `value[i]` is `file.cards[i].value`; with `copies="count"` an entry fills as many places
as its key `count` says, so that cards that are alike have numbers of their own. Where parts say their limits (`most`),
the structure of the file follows from them, and the game declares none in its module `components`.

What has a form of its own, such as `deck`, the game's module `components` writes in `fill(content, file, parts)`. An
option of the game that rules read is a part too: 1 where it is on.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import get_annotations
from typing import Annotated, Any, ClassVar, Literal, get_origin

import msgspec
import numpy as np
from msgspec import Meta, inspect
from numpy.typing import NDArray

from atoll.core.components import File, FileContent, Name
from atoll.core.state import record_dtype
from atoll.text.errors import AtollError, ComponentError

__all__ = ["PartField", "Parts", "part", "part_faults"]


@dataclass(frozen=True)
class PartField:
    """A field of the parts; see `part`."""

    meaning: str
    kind: str
    shape: tuple[int, ...]
    of: str | None
    key: str
    counts: str | None
    shift: int
    at: Callable[[Any], int] | None
    names: tuple[str, ...]
    empty: int
    option: str
    for_start: bool
    copies: str
    least: int
    most: int | None
    default: Any
    keys: tuple[str, ...]
    name: str = ""

    @property
    def is_copied(self) -> bool:
        """Whether it stands in the file as it is."""
        return self.of is not None or self.counts is not None

    @property
    def is_own(self) -> bool:
        """Whether the game writes it by itself."""
        return not self.is_copied and not self.option

    def numbered(self, entries: Sequence[Any]) -> Iterator[tuple[int, int, Any]]:
        """The structures of the list, each with its position there and the index that it fills, once for each copy."""
        index = self.shift
        for position, entry in enumerate(entries):
            for _ in range(getattr(entry, self.copies) if self.copies else 1):
                yield index if self.at is None else self.at(entry), position, entry
                index += 1

    @property
    def path(self) -> str:
        """Where in the file it stands, as errors name it."""
        return ".".join(filter(None, (self.of, self.key or self.name)))


def part(
    meaning: str,
    kind: str = "i1",
    shape: int | tuple[int, ...] = (),
    *,
    of: str | None = None,
    key: str = "",
    counts: str | None = None,
    shift: int = 0,
    at: Callable[[Any], int] | None = None,
    names: Sequence[str] = (),
    empty: int = 0,
    option: str = "",
    for_start: bool = False,
    copies: str = "",
    least: int = 0,
    most: int | None = None,
    default: Any = msgspec.NODEFAULT,
    keys: Sequence[str] = (),
) -> Any:
    """A field of the parts.

    `meaning` is a sentence, with the unit. `of` is the path of the structure in the file whose entry of the same name
    it is: a number, a truth, a list of them; `key` is that entry's name where the field has to be told from another.
    With `[]` at its end the path is that of a list of structures, which fill the first axis. `counts` is the path of
    a list whose length it is. What is first in a list stands at index `shift`; `at` gives the index of each of the
    structures of a list instead. `names` are the words of its values, or the keys of a structure whose values fill a
    row, in order. `empty` stands wherever the file says nothing. `option` names an option of the game, of which it is 1
    where it is on, else 0. `for_start` says that `start` alone reads it, and that positions show what came of it:
    networks are not told. `copies` is the key of an entry of the list that says how many places of the first axis it
    fills, one after another.

    Where the game declares no `ComponentsFile`, the file's structure follows: its numbers go from `least` to `most`, or
    are words among `names`; `default` is what holds where the file says nothing; `keys` are those of a structure whose
    numbers fill a row, 0 where it says nothing. The entries of a list have a `name`, too.
    """
    axes = (shape,) if isinstance(shape, int) else shape
    said = tuple(names) or tuple(keys)
    limits = (least, most, default, tuple(keys))
    return PartField(
        meaning, kind, axes, of, key, counts, shift, at, said, empty, option, for_start, copies, *limits
    )


class Parts:
    """What the parts of every game are. Never instantiated: it tells editors and mypy what the records hold."""

    fields: ClassVar[tuple[PartField, ...]]
    """In the order of the record."""
    dtype: ClassVar[np.dtype[Any]]
    """The record's, for NumPy and Numba."""
    structure: ClassVar[type[File] | None]
    """The components file's, where these parts say their limits."""

    def __init_subclass__(cls) -> None:
        cls.fields = tuple(_declared(cls))
        cls.dtype = record_dtype([(field.name, field.kind, field.shape) for field in cls.fields])
        cls.structure = _structure(cls)

    @classmethod
    def under(cls, parts: NDArray[Any], options: Mapping[str, bool]) -> NDArray[Any]:
        """These parts, shape (1,), with all options of the game as they are said; the same array where none is read."""
        read = [field for field in cls.fields if field.option]
        if not read:
            return parts
        chosen = parts.copy()
        for field in read:
            chosen[0][field.name] = int(options[field.option])
        return chosen

    @classmethod
    def copied(cls, content: FileContent, file: Any) -> NDArray[Any]:
        """The parts, shape (1,), with what is copied from the checked file; raises ComponentError if it has no room."""
        parts = np.zeros(1, dtype=cls.dtype)
        for field in cls.fields:
            parts[0][field.name] = field.empty
            if field.counts is not None:
                counted = _follow(file, field.counts)
                parts[0][field.name] = (
                    sum(getattr(entry, field.copies) for entry in counted) if field.copies else len(counted)
                )
            elif field.of is not None:
                _copy(field, content, file, parts[0])
        return parts


def _declared(declared: type) -> Iterator[PartField]:
    for name, kind in get_annotations(declared).items():
        if str(get_origin(kind)) == str(ClassVar):
            continue
        field = declared.__dict__.get(name)
        if not isinstance(field, PartField):
            raise AtollError(
                f"{declared.__name__}.{name} does not say what it means: declare it with part(...)"
            )
        yield replace(field, name=name)


# The structure of the file, where the parts say their limits


def _structure(declared: type[Parts]) -> type[File] | None:
    """A file that has just what these parts are copied from; None where none of them says its limits."""
    copied = [field for field in declared.fields if field.of is not None]
    if all(field.most is None and not field.copies for field in copied):
        return None
    whole: list[tuple[str, Any]] = []
    for path in dict.fromkeys(field.of for field in copied):
        assert path is not None
        key, listed, deeper = path.partition("[]")
        if deeper or "." in key or not key:
            raise AtollError(
                f"{declared.__name__}: a file that follows from its parts has structures and lists of them, and "
                f"no {path!r}: declare its ComponentsFile in the module components"
            )
        below = [field for field in copied if field.of == path]
        entry = {field.key or field.name: _entry(declared, field, bool(listed)) for field in below}
        if not listed:
            whole.append((key, _defined(declared, key, entry)))
            continue
        places = min(field.shape[0] - field.shift for field in below)
        copies = {field.copies: (Annotated[int, Meta(ge=0, le=places)],) for field in below if field.copies}
        listed_entry = _defined(declared, key, {"name": (Name,), **copies, **entry})
        whole.append((key, Annotated[list[listed_entry], Meta(max_length=places)]))  # type: ignore[valid-type]
    return _defined(declared, "file", {key: (kind,) for key, kind in whole}, File)  # type: ignore[no-any-return]


def _entry(declared: type[Parts], field: PartField, listed: bool) -> tuple[Any, ...]:
    """The type of what a part is copied from, and what holds where the file says nothing, if it may."""
    axes = field.shape[1:] if listed else field.shape
    kind: Any = Annotated[
        int, Meta(ge=field.least, le=np.iinfo(field.kind).max if field.most is None else field.most)
    ]
    if field.keys:
        kind = _defined(declared, field.name, dict.fromkeys(field.keys, (kind, 0)))
    else:
        kind = Literal[field.names] if field.names else kind
        kind = Annotated[list[kind], Meta(min_length=1, max_length=axes[0] - field.shift)] if axes else kind
    return (kind,) if field.default is msgspec.NODEFAULT else (kind, field.default)


def _defined(
    declared: type[Parts], name: str, entries: Mapping[str, tuple[Any, ...]], base: type = msgspec.Struct
) -> Any:
    """A structure with these keys, under its name in the module of the parts, for what is sent to other processes."""
    called = declared.__name__ + name.title().replace("_", "").replace(" ", "")
    attributes = {key.replace(" ", "_"): key for key in entries}
    fields = [(attribute, *entries[key]) for attribute, key in attributes.items()]
    structure = msgspec.defstruct(
        called,
        fields,
        bases=(base,),
        module=declared.__module__,
        rename=attributes,
        kw_only=True,
        forbid_unknown_fields=True,
    )
    setattr(sys.modules[declared.__module__], called, structure)
    return structure


def _copy(field: PartField, content: FileContent, file: Any, record: Any) -> None:
    assert field.of is not None
    path, listed, _ = field.of.partition("[]")
    source = _follow(file, path)
    key = field.key or field.name
    if not listed:
        record[field.name] = _row(field, content, field.path, getattr(source, key), field.shape, field.shift)
        return
    places = list(field.numbered(source))
    if field.at is None and field.shift + len(places) > field.shape[0]:
        raise _no_room(content, path, field.shape[0] - field.shift, len(places))
    for index, position, entry in places:
        where = f"{path}[{position}]"
        if not 0 <= index < field.shape[0]:
            raise content.fault(
                where,
                "has the number %(number)s, and the last is %(last)s",
                number=index,
                last=field.shape[0] - 1,
            )
        value = getattr(entry, key)
        record[field.name][index] = _row(field, content, f"{where}.{key}", value, field.shape[1:], 0)


def _row(
    field: PartField, content: FileContent, where: str, value: Any, shape: tuple[int, ...], shift: int
) -> Any:
    """A value of the file as a number or as an array of that shape."""
    if isinstance(value, msgspec.Struct):
        value = [getattr(value, name.replace(" ", "_")) for name in field.names]
    if not isinstance(value, list):
        return _number(field, value)
    if shift + len(value) > shape[0]:
        raise _no_room(content, where, shape[0] - shift, len(value))
    row = np.full(shape, field.empty, dtype=field.kind)
    row[shift : shift + len(value)] = [_number(field, one) for one in value]
    return row


def _no_room(content: FileContent, where: str, most: int, count: int) -> ComponentError:
    return content.fault(where, "there is room for %(most)s, not %(count)s", most=most, count=count)


def _number(field: PartField, value: Any) -> int:
    if value is None:
        return field.empty
    return field.names.index(value) if isinstance(value, str) else int(value)


def _follow(file: Any, path: str) -> Any:
    for name in filter(None, path.split(".")):
        file = getattr(file, name)
    return file


# The declaration against the structure of the file


def part_faults(declared: type[Parts], structure: type) -> Iterator[str]:
    """What of the parts cannot be copied from files of that structure, each in a sentence."""
    for field in declared.fields:
        if field.is_copied and (problem := _problem(field, structure)):
            yield f"{declared.__name__}.{field.name} {problem}"


def _problem(field: PartField, structure: type) -> str | None:
    counted = field.counts is not None
    path = field.counts if field.counts is not None else field.path
    kind = _kind_at(inspect.type_info(structure), path)
    if kind is None:
        return f"is {'the length of' if counted else 'copied from'} {path}, which {structure.__name__} does not have"
    if counted:
        return None if isinstance(kind, inspect.ListType) else f"is the length of {path}, which is no list"
    axes = len(field.shape) - path.count("[]")
    if isinstance(kind, inspect.ListType) or (field.names and isinstance(kind, inspect.StructType)):
        axes -= 1
        kind = kind.item_type if isinstance(kind, inspect.ListType) else _kind_at(kind, field.names[0])
    if axes:
        return f"has {len(field.shape)} axes, but {path} does not fill so many"
    return _number_problem(field, path, kind)


def _number_problem(field: PartField, path: str, kind: Any) -> str | None:
    kinds = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    for one in kinds:
        if isinstance(one, inspect.IntType):
            limits = np.iinfo(field.kind)
            if one.ge is None or one.le is None or not limits.min <= one.ge <= one.le <= limits.max:
                return f"is {field.kind}, but {path} has no limits within it"
        elif isinstance(one, inspect.LiteralType):
            unknown = [word for word in one.values if word not in field.names]
            if unknown:
                return f"does not name the word {unknown[0]!r} of {path}"
        elif not isinstance(one, inspect.BoolType | inspect.NoneType):
            return f"is copied from {path}, which holds no numbers, truths or words"
    return None


def _kind_at(kind: Any, path: str) -> Any:
    """The type of what stands at a path; None if nothing does."""
    for name in path.split("."):
        if not isinstance(kind, inspect.StructType):
            return None
        named = name.removesuffix("[]").replace(" ", "_")
        kind = next((field.type for field in kind.fields if field.name == named), None)
        if name.endswith("[]"):
            if not isinstance(kind, inspect.ListType):
                return None
            kind = kind.item_type
    return kind


class NoParts(Parts):
    """Those of a game that has no components file."""

    unused: int = part("nothing")
