"""One cell of a spreadsheet for what stands at one place of a components file, and back.

A cell has a number, a word or a text as it is, and a structure in the words by which people call its keys:
`2 happiness, otherwise (1 fruit)`. Several structures of an entry may share a cell, each behind its key:
`once: 2 happiness; at the end: 1 prestige, for each events`. Which words there are follows from the declared structure
and from what `entries.labels` calls its keys. Read are the words of every language and the keys themselves. What
cannot be is left as it stands, for the checker to say so; `CellFault` is what only a cell can have.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from msgspec import inspect

from atoll.core.entries import labels, leaf_of
from atoll.core.game import Game
from atoll.text.messages import Message, quoted
from atoll.text.spreadsheets import Cell
from atoll.text.translation import LANGUAGES, Translator, capital, texts

EMPTY = "()"
"""Written for a structure or a list that is there and holds nothing; an empty cell is none at all."""
YES, NO = texts("yes", "no")
_YES = frozenset(("yes", "oui", "true", "vrai", "x", "1"))
_NO = frozenset(("no", "non", "false", "faux", "0"))
_WHOLE = re.compile(r"[+-]?\d{1,18}(?:[.,]0{1,9})?")
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(?:[  \u202f]\d{3}){1,5}")
_NUMBERED = re.compile(r"\+?(-?\d{1,18})\s+(\S.*)", re.DOTALL)
_UNSAFE = re.compile(r"[;:,()\"=]|^[\d+-]")


class CellFault(Exception):
    """What is wrong with how a cell is written."""

    def __init__(self, problem: Message) -> None:
        super().__init__(str(problem))
        self.problem = problem


def bare(kind: Any) -> Any:
    """A type without what is said about it, and of something that may be nothing the something."""
    while isinstance(kind, inspect.Metadata):
        kind = kind.type
    if isinstance(kind, inspect.UnionType):
        others = [one for one in kind.types if not isinstance(one, inspect.NoneType)]
        if len(others) == 1:
            return bare(others[0])
    return kind


def is_simple(kind: Any) -> bool:
    """Whether it is a single value or a list of such."""
    kind = bare(kind)
    if isinstance(kind, inspect.ListType):
        kind = bare(kind.item_type)
    return leaf_of(kind) is not None or isinstance(kind, inspect.FloatType)


class Words:
    """What the keys and words of a game's files are called: in the reader's language, and to be read in all."""

    def __init__(self, game: Game, language: str) -> None:
        self._labels = labels(game)
        self._translators = {
            known: Translator(known).with_package(game.package)
            for known in dict.fromkeys((language, *LANGUAGES))
        }
        self.language = language
        self._inside: dict[tuple[Translator, tuple[str, ...]], dict[str, str]] = {}
        self._known: dict[tuple[str, ...], dict[str, str]] = {}

    @property
    def translator(self) -> Translator:
        return self._translators[self.language]

    @cached_property
    def all_translators(self) -> list[Translator]:
        """Of the reader's language first."""
        return list(self._translators.values())

    def label(self, key: str, translator: Translator | None = None) -> str:
        """What a key or a word is called, as a heading."""
        say = translator or self.translator
        return capital(say(self._labels.get(key, key.replace("_", " "))))

    def inside(self, keys: Sequence[str], translator: Translator | None = None) -> dict[str, str]:
        """What keys or words are called inside a cell, each by another name and none by what has a meaning there."""
        question = translator or self.translator, tuple(keys)
        if question not in self._inside:
            self._inside[question] = self._names_inside(keys, question[0])
        return self._inside[question]

    def _names_inside(self, keys: Sequence[str], translator: Translator) -> dict[str, str]:
        names = {}
        for key in keys:
            name = self.label(key, translator)
            name = name if name[:2].isalpha() and name[:2].isupper() else name[:1].lower() + name[1:]
            names[key] = key.replace("_", " ") if _UNSAFE.search(name) else name
        taken = [name.casefold() for name in names.values()]
        foreign = {key.replace("_", " ").casefold(): key for key in keys}
        return {
            key: name
            if taken.count(name.casefold()) == 1 and foreign.get(name.casefold(), key) == key
            else key.replace("_", " ")
            for key, name in names.items()
        }

    def known(self, keys: Sequence[str]) -> dict[str, str]:
        """The keys by everything that they are called, in lower case: the keys themselves come first, then the reader's
        language.
        """
        if tuple(keys) in self._known:
            return self._known[tuple(keys)]
        found = self._known[tuple(keys)] = {}
        for key in keys:
            found.setdefault(key.casefold(), key)
        for key in keys:
            found.setdefault(key.replace("_", " ").casefold(), key)
        for translator in self.all_translators:
            for key, name in self.inside(keys, translator).items():
                found.setdefault(name.casefold(), key)
        return found


# Writing


def written(words: Words, kind: Any, value: Any) -> Cell:
    """The cell of a value of that type."""
    kind = bare(kind)
    match kind:
        case inspect.BoolType():
            return words.translator(YES if value else NO)
        case inspect.IntType() | inspect.FloatType():
            return value  # type: ignore[no-any-return]
        case inspect.LiteralType():
            return _word(words, kind, value)
        case inspect.StrType():
            return _quoted_if_needed(value)
        case inspect.StructType():
            return ", ".join(_items(words, kind, value)) or EMPTY
        case inspect.ListType() if is_simple(kind):
            inner = [str(written(words, kind.item_type, one)) for one in value]
            if isinstance(bare(kind.item_type), inspect.StrType):
                inner = [json.dumps(one, ensure_ascii=False) if _UNSAFE.search(one) else one for one in value]
            return inner[0] if len(inner) == 1 else "; ".join(inner) or EMPTY
        case inspect.ListType():
            return "; ".join(f"({written(words, kind.item_type, one)})" for one in value) or EMPTY
    return json.dumps(value, ensure_ascii=False)


def written_group(words: Words, kinds: Mapping[str, Any], entry: Mapping[str, Any]) -> Cell:
    """The cell that several parts of an entry share; None if it has none of them."""
    names = words.inside(list(kinds))
    parts = []
    for key, kind in kinds.items():
        if key in entry:
            inner = bare(kind)
            if isinstance(inner, inspect.ListType) and entry[key] and not is_simple(inner):
                parts += [f"{names[key]}: {written(words, inner.item_type, one)}" for one in entry[key]]
            else:
                parts.append(f"{names[key]}: {written(words, kind, entry[key])}")
    return "; ".join(parts) or None


def _items(words: Words, kind: Any, value: Mapping[str, Any]) -> Iterator[str]:
    """The parts of a structure."""
    kinds = {field.encode_name: bare(field.type) for field in kind.fields}
    names = words.inside(list(kinds))
    for key, part in value.items():
        inner, name = kinds[key], names[key]
        match inner:
            case inspect.IntType() if part >= 0:
                yield f"{part} {name}"
            case inspect.ListType() if part and not is_simple(inner):
                yield from (f"{name} ({written(words, inner.item_type, one)})" for one in part)
            case inspect.StructType():
                inside = written(words, inner, part)
                yield f"{name} {inside if inside == EMPTY else f'({inside})'}"
            case inspect.ListType():
                inside = written(words, inner, part)
                yield f"{name} {inside if inside == EMPTY else f'({inside})'}"
            case inspect.StrType():
                yield f"{name} {json.dumps(part, ensure_ascii=False)}"
            case _:
                yield f"{name} {written(words, inner, part)}"


def _word(words: Words, kind: Any, value: Any) -> Cell:
    if not isinstance(value, str):
        return value  # type: ignore[no-any-return]
    texts = [one for one in kind.values if isinstance(one, str)]
    return words.inside(texts).get(value, value)


def _quoted_if_needed(text: str) -> str:
    """A text, in quotation marks where a spreadsheet program would make something else of it."""
    is_number = text.isascii() and text.isdigit() and (text == "0" or not text.startswith("0"))
    plain = (
        text == text.strip()
        and text not in ("", EMPTY)
        and (not re.match(r"[\d\"'=+\-@#]", text) or (is_number and len(text) < 15))
        and text.casefold() not in ("true", "false", "vrai", "faux")
    )
    return text if plain else json.dumps(text, ensure_ascii=False)


# Reading


def is_empty(cell: Cell) -> bool:
    """Whether there is nothing in a cell."""
    return cell is None or (isinstance(cell, str) and not cell.strip())


def read(words: Words, kind: Any, cell: Cell) -> Any:
    """The value of that type that a cell holds, or what stands there, if it is none; raises CellFault."""
    kind = bare(kind)
    match kind:
        case inspect.BoolType():
            return _truth(cell)
        case inspect.IntType() | inspect.FloatType():
            return _number(cell, isinstance(kind, inspect.FloatType))
        case inspect.LiteralType():
            return _literal(words, kind, cell)
        case inspect.StrType():
            return _text(cell)
        case inspect.StructType():
            return _structure(words, kind, _line(cell))
        case inspect.ListType():
            return _list(words, kind, cell)
    try:
        return json.loads(_line(cell))
    except (ValueError, RecursionError):
        return cell


def read_group(words: Words, kinds: Mapping[str, Any], cell: Cell) -> dict[str, Any]:
    """The parts of an entry that share a cell; raises CellFault."""
    known, entry = words.known(list(kinds)), dict[str, Any]()
    for part in filter(None, split(_line(cell), ";")):
        head, *rest = split(part, ":", most=1)
        if not rest:
            example = " / ".join(f"{name}:" for name in words.inside(list(kinds)).values())
            raise CellFault(
                Message(
                    "before %(part)s it does not say when: begin with one of %(words)s",
                    part=quoted(part),
                    words=example,
                )
            )
        key = known.get(head.casefold())
        if key is None:
            raise CellFault(_no_key(words, head, kinds))
        inner = bare(kinds[key])
        if isinstance(inner, inspect.ListType) and not is_simple(inner):
            there = entry.setdefault(key, [])
            there += [] if rest[0] == EMPTY else [read(words, inner.item_type, rest[0])]
        elif key in entry:
            raise CellFault(Message("%(word)s stands there twice", word=quoted(head)))
        else:
            entry[key] = read(words, inner, rest[0])
    return entry


def _no_key(words: Words, key: str, kinds: Iterable[str]) -> Message:
    return Message(
        "there is no key %(key)s here; allowed: %(allowed)s",
        key=quoted(key),
        allowed=", ".join(words.inside(list(kinds)).values()),
    )


def split(text: str, separator: str, most: int = -1) -> list[str]:
    """The parts of a text between separators that stand in no brackets and no quotation marks; raises CellFault for a
    bracket or a mark without its other one.
    """
    parts, begin, depth, place = list[str](), 0, 0, 0
    while place < len(text):
        character = text[place]
        if character == '"':
            end = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL).match(text, place)
            if end is None:
                raise CellFault(Message("a text there has no closing quotation mark"))
            place = end.end()
            continue
        depth += (character == "(") - (character == ")")
        if depth < 0:
            break
        if character == separator and depth == 0 and len(parts) != most:
            parts.append(text[begin:place].strip())
            begin = place + 1
        place += 1
    if depth:
        raise CellFault(Message("a bracket has no other one"))
    return [*parts, text[begin:].strip()]


def _line(cell: Cell) -> str:
    return " ".join(str(cell).split()) if not isinstance(cell, str) or '"' not in cell else cell.strip()


def _truth(cell: Cell) -> Any:
    text = _line(cell).casefold()
    return True if text in _YES else False if text in _NO else cell


def _number(cell: Cell, broken: bool = False) -> Any:
    """A number, of a text that is one, too; with `broken` it may have a fraction."""
    if isinstance(cell, bool) or cell is None:
        return cell
    if isinstance(cell, float):
        return int(cell) if cell.is_integer() and not broken else cell
    if isinstance(cell, int):
        return cell
    text = cell.strip()
    if _THOUSANDS.fullmatch(text):
        text = re.sub(r"\s", "", text)
    if _WHOLE.fullmatch(text):
        return int(re.split("[.,]", text)[0])
    if broken and re.fullmatch(r"[+-]?\d{1,18}[.,]\d{1,18}", text):
        return float(text.replace(",", "."))
    return cell


def _literal(words: Words, kind: Any, cell: Cell) -> Any:
    line = _line(cell).casefold()
    known = words.known([one for one in kind.values if isinstance(one, str)])
    numbers = {str(one): one for one in kind.values if not isinstance(one, str)}
    number = _number(cell)
    return known.get(line, numbers.get(str(number), number))


def _text(cell: Cell) -> Any:
    if isinstance(cell, bool):
        return str(cell).lower()
    if not isinstance(cell, str):
        return str(_number(cell))
    text = cell.strip()
    if text.startswith('"') and text.endswith('"'):
        try:
            return json.loads(text)
        except ValueError:  # two texts in marks, perhaps
            pass
    return text


def _list(words: Words, kind: Any, cell: Cell) -> Any:
    text = _line(cell)
    if text == EMPTY:
        return []
    inner = bare(kind.item_type)
    if not is_simple(kind):
        return [read(words, inner, _unbracketed(part)) for part in filter(None, split(text, ";"))]
    if isinstance(inner, inspect.IntType):
        return [_number(part) for part in re.split(r"[;\s]+", text) if part]
    return [read(words, inner, part) for part in filter(None, split(text, ";"))]


def _unbracketed(text: str) -> str:
    return text[1:-1].strip() if text.startswith("(") and text.endswith(")") and text != EMPTY else text


def _structure(words: Words, kind: Any, text: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if text == EMPTY:
        return found
    kinds = {field.encode_name: bare(field.type) for field in kind.fields}
    known = words.known(list(kinds))
    for item in filter(None, split(text, ",")):
        key, inner = _item(known, kinds, item)
        if key is None:
            raise CellFault(_no_key(words, str(inner), kinds))
        part, is_many = kinds[key], isinstance(kinds[key], inspect.ListType) and not is_simple(kinds[key])
        if key in found and not is_many:
            raise CellFault(Message("%(word)s stands there twice", word=quoted(item)))
        if is_many:
            there = found.setdefault(key, [])
            there += [] if inner == EMPTY else [read(words, part.item_type, _unbracketed(inner))]
        elif isinstance(part, inspect.StructType | inspect.ListType):
            found[key] = read(words, part, _unbracketed(inner))
        else:
            found[key] = _single(words, part, inner, item)
    return found


def _single(words: Words, kind: Any, inner: str, item: str) -> Any:
    if not inner:  # a word alone says yes, or one
        if isinstance(kind, inspect.BoolType):
            return True
        if isinstance(kind, inspect.IntType):
            return 1
        raise CellFault(Message("behind %(word)s something is missing", word=quoted(item)))
    return read(words, kind, inner)


def _item(known: Mapping[str, str], kinds: Mapping[str, Any], item: str) -> tuple[str | None, str]:
    """The key of a part of a structure and what is said of it; None and the word for one that nobody knows."""
    numbered = _NUMBERED.fullmatch(item)
    if numbered is not None:
        name = numbered[2].casefold()
        key = known.get(name) or known.get(name.removesuffix("s"))
        if key is not None and isinstance(kinds[key], inspect.IntType):
            return key, numbered[1]
    for name in sorted(known, key=len, reverse=True):
        rest = item[len(name) :]
        if item[: len(name)].casefold() == name and (not rest or re.match(r"[\s(:=\"]", rest)):
            return known[name], rest.strip().removeprefix(":").removeprefix("=").strip()
    return None, numbered[2] if numbered is not None else item
