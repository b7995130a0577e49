"""Loading components files: TOML checked against a game's own structure, with errors that name the place.

A game's module `components` describes its file as msgspec structs, of which `ComponentsFile`, derived from `File`, is
the whole. It may have `check(content, file)`, which raises what the form alone does not say,
`fill(content, file, parts)`, which writes the parts that have a form of their own, and `settle(data)`, which brings
what follows from its lists, such as their lengths, up to date when the workshop has added an entry or taken one out.
`FileContent` turns every kind of mistake in a file into a ComponentError that names the file, the entry and the key.
"""

import hashlib
import re
import tomllib
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial, wraps
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_args

import msgspec
from msgspec import Meta

from atoll.core.types import Components
from atoll.text.errors import ComponentError
from atoll.text.file_errors import form_fault, toml_fault
from atoll.text.files import read_file, unmarked, unreadable
from atoll.text.messages import Message
from atoll.text.printable import fault_in_text
from atoll.text.translation import texts

Structure = TypeVar("Structure", bound=msgspec.Struct)
Found = TypeVar("Found")
Question = TypeVar("Question", bound=Hashable)

Paths = Annotated[list[str], Meta(max_length=200)]
Source = Literal["attested", "reconstructed"]
"""Whether what an entry says was seen in print, or follows from what was."""
LONGEST_SET_NAME = 60
"""Characters of the name of a set."""


class File(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What every components file begins with.

    `reconstructed` are paths of what is not attested, though its entry is: `events.8.name`, where 8 is the entry's id;
    `attested` the other way round (`core/attested.py` reads them). No game depends on them, so they are no part of the
    digest.
    """

    format: Literal[1]
    name: Annotated[str, Meta(min_length=1, max_length=LONGEST_SET_NAME)]
    reconstructed: Paths = []
    attested: Paths = []


class Name(msgspec.Struct, forbid_unknown_fields=True):
    """A name by language; without one of the reader's the English one is translated by the game's catalogue."""

    en: str
    fr: str | None = None


def keyed(
    name: str,
    keys: Iterable[str],
    kind: Any,
    default: Any = msgspec.NODEFAULT,
    bases: tuple[type, ...] = (msgspec.Struct,),
    *,
    module: str,
) -> Any:
    """A structure with a value of that type under each key, `default` where the file says nothing. A key may have
    spaces, for which its attribute has underscores. `module` is where it is found under its name, for what is sent to
    other machines.
    """
    named = {key.replace(" ", "_"): key for key in keys}
    fields = [(attribute, kind, default) for attribute in named]
    return msgspec.defstruct(
        name, fields, bases=bases, module=module, rename=named, forbid_unknown_fields=True
    )


MOST_BYTES = 1_000_000
(TOO_LONG,) = texts("holds a number of more than 4,300 digits")
"""Said where Python refuses to read such a number, or to write it into a sentence."""
MOST_DOTS = 200
"""In a line: the time that tomllib takes for a key grows with the square of its parts."""


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file's content; raises ComponentError if it cannot be read."""
    try:
        content = read_file(path, MOST_BYTES)
    except OSError as error:
        raise ComponentError(unreadable(path, error)) from None
    return parse_toml(str(path), content)


def parse_toml(path: str, content: bytes) -> dict[str, Any]:
    """What stands in the bytes of a TOML file that is called `path`; raises ComponentError if it is none."""
    content = unmarked(content)
    for number, line in enumerate(content.split(b"\n"), start=1):
        if line.count(b".") > MOST_DOTS:
            dots = Message(
                "line %(line)s has more than %(most)s dots; keys have few parts", line=number, most=MOST_DOTS
            )
            raise _unread(path, dots)
    try:
        return tomllib.loads(content.decode())
    except RecursionError:
        raise _unread(path, Message("is nested too deeply; entries have few levels")) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        why = toml_fault(error, content)
        raise _unread(path, Message("is not a TOML file: %(why)s", why=why)) from None
    except ValueError:
        raise _unread(path, Message(TOO_LONG)) from None


def _unread(path: str, problem: Message) -> ComponentError:
    return ComponentError(Message("%(file)s: %(problem)s", file=path, problem=problem))


@dataclass(frozen=True)
class FileContent:
    """What a components file says, `data`, what it is called, and in whose catalogue sentences about it stand."""

    name: str
    data: dict[str, Any]
    package: str | None = None

    def checked(self, structure: type[Structure]) -> Structure:
        """The data as a game's structure, its texts printable; raises ComponentError naming entry and key."""
        try:
            converted = msgspec.convert(self.data, structure, strict=True)
        except (msgspec.ValidationError, ValueError) as error:
            # A number is too long to be written into the sentence: then there is none, as of Python 3.11.2, or another
            # error.
            if not isinstance(error, msgspec.ValidationError) or not str(error):
                raise self.fault("", TOO_LONG) from None
            raise self._at(*form_fault(error, structure, self.data)) from None
        for entry, text in _texts(self.data):
            if (wrong := fault_in_text(text)) is not None:
                raise self._at(entry, wrong)
        return converted

    def fault(self, entry: str, problem: str, /, **values: Any) -> ComponentError:
        """The error that names file, entry and key, and the entry by its name, too, if it has one. `problem` is the
        English text, from the game's catalogue or Atoll's own, and has its values apart: "more than %(most)s cards".
        """
        return self._at(entry, Message(problem, **values))

    def _at(self, entry: str, problem: Message) -> ComponentError:
        whole = Message(
            "%(file)s: %(entry)s: %(problem)s",
            file=self.name,
            entry=f"{entry}{self._called(entry)}" if entry else Message("the file"),
            problem=problem.of(self.package),
        )
        return ComponentError(whole.of(self.package), entry, problem)

    def _called(self, entry: str) -> str:
        listed = re.match(r"(\w+)\[(\d+)\]", entry)
        try:
            content = self.data[listed[1]][int(listed[2])] if listed else {}
            called = content.get("name", content.get("id"))
            if isinstance(called, dict):
                called = next(iter(called.values()), None)
        except (LookupError, TypeError, AttributeError):  # the entry itself is what is wrong
            called = None
        return f" ({called})" if isinstance(called, str | int) else ""


def digest(data: dict[str, Any]) -> str:
    """The SHA-256 of the content, whatever the file's layout and comments, and its lists of what is attested or not."""
    played = {key: value for key, value in data.items() if key not in get_args(Source)}
    return hashlib.sha256(msgspec.json.encode(played, order="deterministic")).hexdigest()


def _texts(value: Any, entry: str = "") -> Iterator[tuple[str, str]]:
    """Every text in the data of a structure, and the entry where it stands."""
    if isinstance(value, str):
        yield entry, value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _texts(part, f"{entry}.{key}" if entry else key)
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from _texts(part, f"{entry}[{index}]")


# What follows from components is found once, for as long as they are in use


class ComponentsCache(dict[object, Any]):
    """What was found; a copy of the components, or what goes to another process, is without it."""

    def __reduce__(self) -> tuple[type["ComponentsCache"], tuple[()]]:
        return ComponentsCache, ()


def cached_by_components(find: Callable[[Components], Found]) -> Callable[[Components], Found]:
    """A function of components that keeps with them what it has found, which nobody changes."""

    @wraps(find)
    def cached(components: Components) -> Found:
        cache: dict[object, Found] = components.__dict__.setdefault("_found", ComponentsCache())
        if find not in cache:
            cache[find] = find(components)
        return cache[find]

    return cached


def latest_by_components(
    count: int,
) -> Callable[[Callable[[Components, Question], Found]], Callable[[Components, Question], Found]]:
    """`cached_by_components` for functions of components and of what is question about them: the last `count` answers
    are kept.
    """

    def caching(find: Callable[[Components, Question], Found]) -> Callable[[Components, Question], Found]:
        answers = cached_by_components(lambda components: lru_cache(count)(partial(find, components)))
        return wraps(find)(lambda components, question: answers(components)(question))

    return caching
