"""What may stand where in a components file: its entries with their values, ranges and words, for whoever edits one.

A path names a place in the data, as errors do: `cards[3].value`. The tree of a file follows the game's own structure
(`ComponentsFile`): whatever that declares can be shown with its range, set, added, removed and copied.
"""

import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, get_args

import msgspec
from msgspec import inspect

from atoll.core.components import File, Source
from atoll.core.game import Game
from atoll.core.types import Json
from atoll.text.file_errors import whole_range
from atoll.text.toml_text import matched
from atoll.text.translation import capital

SAID_ELSEWHERE = frozenset(("format", *get_args(Source)))
"""Keys and words of every file, of which the site's own texts speak."""

_STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")


@dataclass(frozen=True)
class Leaf:
    """What a single value may be: `kind` is "number", "truth", "word" or "text"."""

    kind: str
    least: int | None = None
    """of a number its least value, of a text the least number of characters"""
    most: int | None = None
    words: tuple[Any, ...] = ()
    """of which a word is one"""
    pattern: str | None = None
    """that a text has to match"""
    form: str = ""
    """what the pattern asks for, in words"""


@dataclass(frozen=True)
class Value:
    """A single value in the file."""

    path: str
    key: str
    leaf: Leaf
    value: Any
    removable: bool


@dataclass(frozen=True)
class Branch:
    """Values that belong together. `listed` says that it is one of a list, whose others may be copied and removed."""

    path: str
    key: str
    children: "tuple[Node, ...]"
    removable: bool = False
    listed: bool = False


@dataclass(frozen=True)
class Items:
    """A list in the file; `has_room` tells whether one more may be added."""

    path: str
    key: str
    children: "tuple[Node, ...]"
    has_room: bool


Node = Value | Branch | Items


@dataclass(frozen=True)
class Addition:
    """A value that may be added where nothing stands now."""

    path: str
    leaf: Leaf


def leaf_of(kind: Any) -> Leaf | None:
    """What a single value of that type may be; None for a type that holds several."""
    if isinstance(kind, inspect.UnionType):
        leaves = [leaf for one in kind.types if (leaf := leaf_of(one)) is not None]
        return leaves[0] if len(leaves) == 1 else None
    match kind:
        case inspect.Metadata(type=inner):
            leaf = leaf_of(inner)
            return leaf and replace(leaf, form=(kind.extra_json_schema or {}).get("description", ""))
        case inspect.IntType():
            return Leaf("number", *whole_range(kind))
        case inspect.BoolType():
            return Leaf("truth")
        case inspect.LiteralType():
            return Leaf("word", words=tuple(kind.values))
        case inspect.StrType():
            return Leaf("text", kind.min_length, kind.max_length, pattern=kind.pattern)
    return None


def structure_of(file: type[msgspec.Struct]) -> Any:
    """The type of a whole file, for the functions below."""
    return inspect.type_info(file)


def names(kind: Any) -> Iterator[str]:
    """The keys and words that files with that type may hold."""
    if isinstance(kind, inspect.StructType):
        for field in kind.fields:
            yield field.encode_name
            yield from names(field.type)
    elif isinstance(kind, inspect.ListType):
        yield from names(kind.item_type)
    elif isinstance(kind, inspect.UnionType):
        for one in kind.types:
            yield from names(one)
    elif isinstance(kind, inspect.LiteralType):
        yield from (word for word in kind.values if isinstance(word, str))


def labels(game: Game) -> dict[str, str]:
    """What the keys and words of a game's files are called, in English: as KEYS of its module `sheet` says, else as
    they stand there, with a capital letter; nothing for a game without that module.
    """
    if game.sheet is None:
        return {}
    labels = getattr(game.sheet, "KEYS", {})
    keys = dict.fromkeys(names(structure_of(game.component_reader.ComponentsFile)))
    return {
        name: labels.get(name, capital(name.replace("_", " "))) for name in keys if name not in SAID_ELSEWHERE
    }


def kind_at(structure: Any, path: str) -> Any:
    """The type of what may stand at a path; None if nothing may."""
    kind = structure
    for key, index in _STEP.findall(path):
        if key and isinstance(kind, inspect.StructType):
            kind = next((field.type for field in kind.fields if field.encode_name == key), None)
        elif index and isinstance(kind, inspect.ListType):
            kind = kind.item_type
        else:
            return None
    return kind


def steps(path: str) -> list[str | int]:
    """The keys and indices of a path."""
    return [int(index) if index else key for key, index in _STEP.findall(path)]


def value_at(data: Any, path: str) -> Any:
    """What stands at a path of the data; raises LookupError if nothing does."""
    value = data
    for step in steps(path):
        if not isinstance(value, dict if isinstance(step, str) else list):
            raise LookupError(path)
        value = value[step]  # type: ignore[index]
    return value


def left_out(structure: Any, data: Json) -> Json:
    """The parts that a file may leave out and does, as they hold then."""
    return {
        field.encode_name: msgspec.to_builtins(field.default_factory())
        for field in structure.fields
        if isinstance(field.type, inspect.StructType) and not field.required and field.encode_name not in data
    }


def shortened(data: Json, usual: Json) -> Json:
    """The data without the parts that are as they hold where they are left out."""
    return {name: part for name, part in data.items() if usual.get(name) != part}


def join(path: str, key: str) -> str:
    """The path of a key below another path."""
    return f"{path}.{key}" if path else key


def sections(structure: Any, data: Json) -> Iterator[str]:
    """The paths at which a file is edited piece by piece: each part of it, of a list of parts each entry, and each
    value that is in no part.
    """
    for field in structure.fields:
        if field.encode_name not in data or field.encode_name in File.__struct_encode_fields__:
            continue
        if isinstance(field.type, inspect.StructType):
            yield field.encode_name
        elif isinstance(field.type, inspect.ListType) and isinstance(
            field.type.item_type, inspect.StructType
        ):
            yield from (f"{field.encode_name}[{i}]" for i in range(len(data[field.encode_name])))
        elif tree(field.type, data[field.encode_name], field.encode_name) is not None:
            yield field.encode_name


def lists(structure: Any) -> dict[str, tuple[int, int | None]]:
    """The lists of parts of a file, each with how many entries it has at least and at most."""
    return {
        field.encode_name: (field.type.min_length or 0, field.type.max_length)
        for field in structure.fields
        if isinstance(field.type, inspect.ListType) and isinstance(field.type.item_type, inspect.StructType)
    }


def tree(kind: Any, value: Any, path: str, key: str = "", removable: bool = False) -> Node | None:
    """What stands at a path, with all below it; None for a type that is edited in the file alone."""
    leaf = leaf_of(kind)
    if leaf is not None:
        return Value(path, key, leaf, value, removable)
    if isinstance(kind, inspect.StructType) and isinstance(value, dict):
        below = [
            tree(field.type, value[field.encode_name], join(path, field.encode_name), field.encode_name,
                 not field.required)
            for field in kind.fields
            if field.encode_name in value
        ]  # fmt: skip
        return Branch(path, key, tuple(node for node in below if node is not None), removable)
    if isinstance(kind, inspect.ListType) and isinstance(value, list):
        return _items(kind, value, path, key)
    return None


def _items(kind: Any, value: list[Any], path: str, key: str) -> Items:
    spare = len(value) > (kind.min_length or 0)
    nodes: list[Node] = []
    for index, one in enumerate(value):
        node = tree(kind.item_type, one, f"{path}[{index}]", str(index + 1), spare)
        if isinstance(node, Branch):
            node = Branch(node.path, node.key, node.children, spare, listed=True)
        if node is not None:
            nodes.append(node)
    return Items(path, key, tuple(nodes), kind.max_length is None or len(value) < kind.max_length)


def offers(kind: Any, value: Any, path: str) -> Iterator[Addition]:
    """The values below a path that the structure knows and the data does not have."""
    if isinstance(kind, inspect.StructType):
        there = value if isinstance(value, dict) else {}
        for field in kind.fields:
            below = join(path, field.encode_name)
            leaf = leaf_of(field.type)
            if leaf is not None and field.encode_name not in there:
                yield Addition(below, leaf)
            elif isinstance(field.type, inspect.StructType):
                yield from offers(field.type, there.get(field.encode_name), below)
    elif isinstance(kind, inspect.ListType) and isinstance(value, list):
        for index, one in enumerate(value):
            yield from offers(kind.item_type, one, f"{path}[{index}]")


def lists_below(kind: Any, value: Any, path: str) -> Iterator[str]:
    """The paths of lists below a path that are not in the data: those of structures that leave them out."""
    if isinstance(kind, inspect.StructType):
        there = value if isinstance(value, dict) else {}
        for field in kind.fields:
            below = join(path, field.encode_name)
            if isinstance(field.type, inspect.ListType) and field.encode_name not in there:
                yield below
            elif isinstance(field.type, inspect.StructType):
                yield from lists_below(field.type, there.get(field.encode_name), below)


def usual(kind: Any) -> Any:
    """The least that may stand where something of that type is added; words are the first there are."""
    leaf = leaf_of(kind)
    if leaf is None:
        if isinstance(kind, inspect.StructType):
            return {field.encode_name: usual(field.type) for field in kind.fields if field.required}
        return [usual(kind.item_type)] * (kind.min_length or 0) if isinstance(kind, inspect.ListType) else {}
    match leaf.kind:
        case "number":
            return max(1, leaf.least or 0) if leaf.most is None or leaf.most >= 1 else leaf.least or 0
        case "truth":
            return True
        case "word":
            return leaf.words[0]
    return "–" * max(1, leaf.least or 0)


# Changes


def with_value(data: Json, path: str, value: Any) -> Json:
    """A copy of the data in which `value` stands at the path; structures that were left out are made."""
    changed = copy.deepcopy(data)
    *above, last = steps(path)
    place: Any = changed
    for step in above:
        place = place.setdefault(step, {}) if isinstance(step, str) else place[step]
    if isinstance(last, int) and last == len(place):
        place.append(value)
    else:
        place[last] = value
    return changed


def without(data: Json, path: str) -> Json:
    """A copy of the data without what stands at the path, and without the structures that it leaves empty; an entry of
    a list stays, even if it is empty."""
    changed = copy.deepcopy(data)
    way = steps(path)
    while way:
        place: Any = changed
        for step in way[:-1]:
            place = place[step]
        del place[way[-1]]
        way.pop()
        if place or not way or not isinstance(way[-1], str) or not isinstance(place, dict | list):
            break
    return changed


def inserted(data: Json, path: str, value: Any) -> Json:
    """A copy of the data in which `value` stands at the path, an entry of a list, and the later ones behind it."""
    changed = copy.deepcopy(data)
    *above, index = steps(path)
    place: Any = changed
    for step in above:
        place = place[step]
    place.insert(index, value)
    return changed


# Differences


@dataclass(frozen=True)
class Difference:
    """A place at which two files differ; `before` or `after` is None where there is nothing."""

    path: str
    before: Any
    after: Any


def differences(before: Any, after: Any, path: str = "") -> Iterator[Difference]:
    """Where two files differ, value by value; the path of what is gone is that of the first, else of the second."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in dict.fromkeys([*before, *after]):
            yield from differences(before.get(key), after.get(key), join(path, key))
    elif isinstance(before, list) and isinstance(after, list) and any(map(_is_whole, [*before, *after])):
        for i, j in matched(before, after):
            yield from differences(
                None if i is None else before[i],
                None if j is None else after[j],
                f"{path}[{i if j is None else j}]",
            )
    elif before != after or type(before) is not type(after):
        yield Difference(path, before, after)


def _is_whole(entry: Any) -> bool:
    return isinstance(entry, dict | list)
