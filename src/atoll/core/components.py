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
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta

from atoll.core.errors import ComponentError
from atoll.core.files import read_file
from atoll.core.game import Components, Game, Json
from atoll.core.printable import fault_in_text

if TYPE_CHECKING:
    from types import ModuleType

Structure = TypeVar("Structure", bound=msgspec.Struct)

Source = Literal["attested", "reconstructed"]
"""Whether what an entry says was seen in print, or follows from what was."""


class File(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What every components file begins with.

    `reconstructed` are paths of what is not attested, though its entry is: `events.8.name`, where 8 is the entry's id.
    No game depends on them, so they are no part of the digest; a path to what a file no longer has says nothing.
    """

    format: Literal[1]
    name: Annotated[str, Meta(min_length=1, max_length=60)]
    reconstructed: Annotated[list[str], Meta(max_length=200)] = []


def keyed(
    name: str,
    keys: Iterable[str],
    kind: Any,
    default: Any = msgspec.NODEFAULT,
    bases: tuple[type, ...] = (msgspec.Struct,),
) -> Any:
    """A structure with a value of that type under each key, `default` where the file says nothing. A key may have
    spaces, for which its attribute has underscores.
    """
    named = {key.replace(" ", "_"): key for key in keys}
    fields = [(attribute, kind, default) for attribute in named]
    return msgspec.defstruct(name, fields, bases=bases, rename=named, forbid_unknown_fields=True)


_PLACE = re.compile(r"^(?P<problem>.*?)(?: - at `(?P<key>key` in `)?(?P<path>.*)`)?$", re.DOTALL)
_UNKNOWN_KEY = re.compile(r"Object contains unknown field `(?P<key>.*)`", re.DOTALL)


MOST_BYTES = 1_000_000
TOO_LONG = "holds a number of more than 4,300 digits"
"""Said where Python refuses to read such a number, or to write it into a sentence."""
MOST_DOTS = 200
"""In a line: the time that tomllib takes for a key grows with the square of its parts."""


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file's content; raises ComponentError if it cannot be read."""
    try:
        content = read_file(path, MOST_BYTES)
    except OSError as error:
        raise ComponentError(f"{path}: cannot be read: {error.strerror}") from None
    return parse_toml(str(path), content)


def parse_toml(path: str, content: bytes) -> dict[str, Any]:
    """What stands in the bytes of a TOML file that is called `path`; raises ComponentError if it is none."""
    for number, line in enumerate(content.split(b"\n"), start=1):
        if line.count(b".") > MOST_DOTS:
            raise ComponentError(f"{path}: line {number} has more than {MOST_DOTS} dots; keys have few parts")
    try:
        return tomllib.loads(content.decode())
    except RecursionError:
        raise ComponentError(f"{path}: is nested too deeply; entries have few levels") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ComponentError(f"{path}: is not a TOML file: {error}") from None
    except ValueError:
        raise ComponentError(f"{path}: {TOO_LONG}") from None


@dataclass(frozen=True)
class FileContent:
    """What a components file says, `data`, and what it is called."""

    name: str
    data: dict[str, Any]

    def checked(self, structure: type[Structure]) -> Structure:
        """The data as a game's structure, its texts printable; raises ComponentError naming entry and key."""
        try:
            converted = msgspec.convert(self.data, structure, strict=True)
        except msgspec.ValidationError as error:
            found = _PLACE.match(str(error))
            assert found is not None
            entry = (found["path"] or "$").removeprefix("$").removeprefix(".") or "the file"
            problem = found["problem"]
            unknown = _UNKNOWN_KEY.fullmatch(problem)
            kind = _kind_at(structure, entry)
            if unknown is not None:
                allowed = ", ".join(field.encode_name for field in kind.fields)
                problem = f"there is no key {unknown['key']!r} here; allowed: {allowed}"
            elif problem.startswith("Invalid enum value"):
                words = _allowed_words(kind.key_type if found["key"] else kind)
                problem = f"{problem}; allowed: {', '.join(map(str, words))}"
            elif "of length" in problem and _fixed_length(kind) is not None:
                problem = f"must have {_fixed_length(kind)} entries, no more and no fewer"
            raise self.fault(entry, problem) from None
        except ValueError:  # of a number that is too long to be written into its sentence
            raise self.fault("the file", TOO_LONG) from None
        for entry, text in _texts(self.data):
            if (wrong := fault_in_text(text)) is not None:
                raise self.fault(entry, wrong)
        return converted

    def fault(self, entry: str, problem: str) -> ComponentError:
        """The error that names file, entry and key, and the entry by its name, too, if it has one."""
        return ComponentError(f"{self.name}: {entry}{self._called(entry)}: {problem}", entry, problem)

    def _called(self, entry: str) -> str:
        listed = re.match(r"(\w+)\[(\d+)\]", entry)
        try:
            found = self.data[listed[1]][int(listed[2])] if listed else {}
            called = found.get("name", found.get("id"))
            if isinstance(called, dict):
                called = next(iter(called.values()), None)
        except (LookupError, TypeError, AttributeError):  # the entry itself is what is wrong
            called = None
        return f" ({called})" if isinstance(called, str | int) else ""


class FileReader:
    """How the files of a game are read whose module `components` has a structure `ComponentsFile`."""

    def __init__(self, game: Game, module: "ModuleType") -> None:
        self._game = game
        self._module = module

    def read(self, path: Path, *, shipped: bool = False) -> Components:
        """Read and check a components file; raises ComponentError naming file, entry and key."""
        return self._checked(FileContent(str(path.name if shipped else path), read_toml(path)), shipped)

    def from_data(self, name: str, data: Json) -> Components:
        """Components from the content of a file, as records carry it; raises ComponentError."""
        return self._checked(FileContent(name, data), shipped=False)

    def _checked(self, content: FileContent, shipped: bool) -> Components:
        file = content.checked(self._module.ComponentsFile)
        if hasattr(self._module, "check"):
            self._module.check(content, file)
        parts = self._game.declared_parts.copied(content, file)
        if hasattr(self._module, "fill"):
            self._module.fill(content, file, parts[0])
        read = Components(file.name, content.data, digest(content.data), shipped, parts, file)
        return self._game.under(read, {})


def digest(data: dict[str, Any]) -> str:
    """The SHA-256 of the content, whatever the file's layout and comments, and what it calls reconstructed."""
    played = {key: value for key, value in data.items() if key != "reconstructed"}
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


def _fixed_length(kind: Any) -> int | None:
    """How many entries a list of that type has, if that is always the same."""
    if not isinstance(kind, msgspec.inspect.ListType) or kind.min_length != kind.max_length:
        return None
    return kind.min_length


def _allowed_words(kind: Any) -> list[Any]:
    """What may stand where one of several words must, if anything stands there."""
    kinds = kind.types if isinstance(kind, msgspec.inspect.UnionType) else (kind,)
    return [word for one in kinds if isinstance(one, msgspec.inspect.LiteralType) for word in one.values]


def _kind_at(structure: Any, entry: str) -> Any:
    kind: Any = msgspec.inspect.type_info(structure)
    if entry != "the file":
        for name, index in re.findall(r"([^.\[\]]+)|\[(.*?)\]", entry):
            if name and isinstance(kind, msgspec.inspect.StructType):
                kind = next(field.type for field in kind.fields if field.encode_name == name)
            elif index and isinstance(kind, msgspec.inspect.DictType):
                kind = kind.value_type
            elif index and isinstance(kind, msgspec.inspect.ListType):
                kind = kind.item_type
            if isinstance(kind, msgspec.inspect.UnionType):  # something, or nothing
                kind = kind.types[0]
    return kind
