"""What is wrong with a file, in plain sentences: where it is no TOML, and what in it its structure does not allow, with
where that stands and what would be right.
"""

import datetime
import re
import tomllib
from typing import Any

import msgspec
from msgspec import inspect

from atoll.text.messages import Message, quoted
from atoll.text.translation import texts

_PLACE = re.compile(r"^(?P<problem>.*?)(?: - at `(?P<key>key` in `)?(?P<path>.*)`)?$", re.DOTALL)
_UNKNOWN_KEY = re.compile(r"Object contains unknown field `(?P<key>.*)`", re.DOTALL)
_MISSING_KEY = re.compile(r"Object missing required field `(?P<key>.*)`")
_STEP = re.compile(r"([^.\[\]]+)|\[(.*?)\]")
_UNSEEN = object()
"""Stands for a value that an error does not name."""
MOST_SHOWN = 10**18
"""The largest number that a sentence quotes."""


_TOML_PLACE = re.compile(
    r"(?P<problem>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)", re.DOTALL
)
_TOML_PROBLEMS = (
    (
        r"Cannot overwrite|Cannot declare|Cannot mutate|Cannot redefine|Duplicate",
        *texts("line %(line)s: what has this name stands there already"),
    ),
    (
        "Unterminated string|Illegal character",
        *texts("line %(line)s: a text there has no closing quotation mark"),
    ),
    ("Unclosed", *texts("line %(line)s: a bracket was not closed")),
    ("Expected '=' after a key", *texts("line %(line)s: after a key come “=” and its value")),
    (
        "Expected newline",
        *texts("line %(line)s: the line goes on where a value has ended (column %(column)s)"),
    ),
    (
        "Invalid value",
        *texts("line %(line)s, column %(column)s: no value stands there; texts need quotation marks"),
    ),
    ("", *texts("line %(line)s cannot be read from column %(column)s on")),
)
"""What the reader of TOML says, and the sentence for it; the first that fits."""


def toml_fault(error: tomllib.TOMLDecodeError | UnicodeDecodeError, content: bytes) -> Message:
    """Why these bytes are no TOML, with the line."""
    if isinstance(error, UnicodeDecodeError):
        before = content.count(b"\n", 0, error.start)
        return Message("line %(line)s has a character that is not UTF-8", line=before + 1)
    match = _TOML_PLACE.fullmatch(str(error))
    assert match is not None
    ended = content.rstrip(b"\n")
    line = int(match["line"] or ended.count(b"\n") + 1)
    column = int(match["column"] or len(ended) - ended.rfind(b"\n"))
    text = next(text for pattern, text in _TOML_PROBLEMS if re.match(pattern, match["problem"]))
    return Message(text, line=line, column=column)


def form_fault(error: msgspec.ValidationError, structure: Any, data: Any) -> tuple[str, Message]:
    """The entry of which an error of msgspec speaks, empty for the file as a whole, and what is wrong there."""
    match = _PLACE.match(str(error))
    assert match is not None
    entry = (match["path"] or "$").removeprefix("$").removeprefix(".")
    return entry, _problem(match["problem"], bool(match["key"]), _kind_at(structure, entry), data, entry)


def _problem(problem: str, of_key: bool, kind: Any, data: Any, entry: str) -> Message:
    value = _value_at(data, entry)
    if (unknown := _UNKNOWN_KEY.fullmatch(problem)) is not None:
        return _no_key(unknown["key"], [field.encode_name for field in kind.fields])
    if (missing := _MISSING_KEY.fullmatch(problem)) is not None:
        return Message("the key %(key)s is missing", key=quoted(missing["key"]))
    if of_key:
        words = _literals(kind.key_type)
        strange = (
            next((key for key in value if words and key not in words), None)
            if isinstance(value, dict)
            else None
        )
        return Message(problem) if strange is None else _no_key(strange, words)
    right = _right(kind)
    if right is None:
        return Message(problem)
    if value is _UNSEEN:
        return Message("must be %(right)s", right=right)
    return Message("must be %(right)s, not %(found)s", right=right, found=_shown(value))


def _no_key(key: str, allowed: list[Any]) -> Message:
    return Message(
        "there is no key %(key)s here; allowed: %(allowed)s",
        key=quoted(key),
        allowed=", ".join(map(str, allowed)),
    )


def _shown(value: Any) -> Message | str | float:
    """What stands in the file, as a sentence names it."""
    match value:
        case bool():
            return str(value).lower()
        case int() if abs(value) >= MOST_SHOWN:
            return Message("a number of more than 18 digits")
        case int() | float():
            return value
        case str():
            return quoted(value)
        case list():
            return Message.counted("a list of %(num)s entry", "a list of %(num)s entries", len(value))
        case dict():
            return Message("a section of keys and values")
        case datetime.date() | datetime.time():
            return Message("a date or a time")
    return Message("nothing")


def _right(kind: Any) -> Message | str | float | None:
    """What may stand where that type is declared, as a sentence names it; None for a type that has no name here."""
    match kind:
        case inspect.Metadata():
            described = (kind.extra_json_schema or {}).get("description")
            return Message(described) if described else _right(kind.type)
        case inspect.IntType():
            least, most = whole_range(kind)
            return _ranged(Message("a whole number"), least, most)
        case inspect.FloatType():
            if kind.gt is not None:
                above = Message("%(what)s above %(least)s", what=Message("a number"), least=kind.gt)
                return _ranged(above, None, kind.le)
            return _ranged(Message("a number"), kind.ge, kind.le)
        case inspect.BoolType():
            return Message("true or false")
        case inspect.StrType():
            return _text(kind)
        case inspect.LiteralType():
            if len(kind.values) == 1:
                return _shown(kind.values[0])
            return Message("one of %(words)s", words=", ".join(map(str, kind.values)))
        case inspect.ListType():
            return _list(kind)
        case inspect.TupleType():
            return Message.counted(
                "a list of %(num)s entry", "a list of %(num)s entries", len(kind.item_types)
            )
        case inspect.StructType() | inspect.DictType():
            return Message("a section of keys and values")
    return None


def whole_range(kind: inspect.IntType) -> tuple[int | None, int | None]:
    """The least and the most that a whole number of that type may be."""
    least = kind.ge if kind.ge is not None else kind.gt + 1 if kind.gt is not None else None
    most = kind.le if kind.le is not None else kind.lt - 1 if kind.lt is not None else None
    return least, most


def _ranged(what: Message, least: float | None, most: float | None) -> Message:
    if least is not None and most is not None:
        return Message("%(what)s from %(least)s to %(most)s", what=what, least=least, most=most)
    if least is not None:
        return Message("%(what)s, at least %(least)s", what=what, least=least)
    if most is not None:
        return Message("%(what)s, at most %(most)s", what=what, most=most)
    return what


def _text(kind: inspect.StrType) -> Message:
    least, most = kind.min_length, kind.max_length
    if kind.pattern is not None:
        return Message("a text of the form %(pattern)s", pattern=kind.pattern)
    if least is not None and most is not None:
        return Message("a text of %(least)s to %(most)s characters", least=least, most=most)
    if most is not None:
        return Message.counted(
            "a text of at most %(num)s character", "a text of at most %(num)s characters", most
        )
    if least is not None:
        return Message.counted(
            "a text of at least %(num)s character", "a text of at least %(num)s characters", least
        )
    return Message("a text")


def _list(kind: inspect.ListType) -> Message:
    least, most = kind.min_length, kind.max_length
    if least is not None and least == most:
        return Message.counted("a list of %(num)s entry", "a list of %(num)s entries", least)
    if least is not None and most is not None:
        return Message("a list of %(least)s to %(most)s entries", least=least, most=most)
    if most is not None:
        return Message.counted("a list of at most %(num)s entry", "a list of at most %(num)s entries", most)
    if least:
        return Message.counted(
            "a list of at least %(num)s entry", "a list of at least %(num)s entries", least
        )
    return Message("a list")


def _literals(kind: Any) -> list[Any]:
    """The words of which a key must be one."""
    kinds = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    return [word for one in kinds if isinstance(one, inspect.LiteralType) for word in one.values]


def _value_at(data: Any, entry: str) -> Any:
    """What stands at a place that an error names."""
    for name, index in _STEP.findall(entry):
        if index == "...":  # of a table with any keys the error does not say which
            return _UNSEEN
        try:
            data = data[int(index)] if index else data[name]
        except (LookupError, TypeError, ValueError):
            return _UNSEEN
    return data


def _kind_at(structure: Any, entry: str) -> Any:
    kind: Any = inspect.type_info(structure)
    for name, index in _STEP.findall(entry):
        if name and isinstance(kind, inspect.StructType):
            kind = next(field.type for field in kind.fields if field.encode_name == name)
        elif index and isinstance(kind, inspect.DictType):
            kind = kind.value_type
        elif index and isinstance(kind, inspect.ListType):
            kind = kind.item_type
        elif index and isinstance(kind, inspect.TupleType):
            kind = kind.item_types[int(index)]
        if isinstance(kind, inspect.UnionType):  # something, or nothing
            kind = kind.types[0]
    return kind
