"""Loading components files: TOML checked against a game's own structure, with errors that name the place.

A game describes its file as msgspec structs; `FileContent` turns every kind of mistake in a file into a
ComponentError that names the file, the entry and the key.
"""

import hashlib
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from atoll.core.errors import ComponentError

Structure = TypeVar("Structure", bound=msgspec.Struct)

_PLACE = re.compile(r"^(?P<problem>.*?)(?: - at `(?P<key>key` in `)?(?P<path>.*)`)?$", re.DOTALL)
_UNKNOWN_KEY = re.compile(r"Object contains unknown field `(?P<key>.*)`")


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file's content; raises ComponentError if it cannot be read."""
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise ComponentError(f"{path}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ComponentError(f"{path}: is not a TOML file: {error}") from None


@dataclass(frozen=True)
class FileContent:
    """What a components file says, `data`, and what it is called."""

    name: str
    data: dict[str, Any]

    def checked(self, structure: type[Structure]) -> Structure:
        """The data as a game's structure; raises ComponentError naming entry and key."""
        try:
            return msgspec.convert(self.data, structure, strict=True)
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
            raise self.fault(entry, problem) from None

    def fault(self, entry: str, problem: str) -> ComponentError:
        """The error that names file, entry and key, and the entry by its name, too, if it has one."""
        return ComponentError(f"{self.name}: {entry}{self._called(entry)}: {problem}")

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


def digest(data: dict[str, Any]) -> str:
    """The SHA-256 of the content, whatever the file's layout and comments."""
    return hashlib.sha256(msgspec.json.encode(data, order="deterministic")).hexdigest()


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
