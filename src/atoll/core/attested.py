"""Where each figure of a components file is from: it agrees with what is attested, is another than that, or nothing
attests it.

What is attested is what the game's usual set, the first that comes with it, calls so. No mark in a file makes another
figure attested; of what the usual set does not attest the file's own marks are believed, so that whoever owns the box
can write down what is printed there.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal, get_args

from atoll.core.components import Source
from atoll.core.entries import join, steps
from atoll.core.game import Game
from atoll.core.types import Json

Origin = Literal["changed", "reconstructed", "attested"]
"""Of a figure, the least certain first; `changed` is another than the attested one."""
ORIGINS: tuple[Origin, ...] = ("changed", "reconstructed", "attested")
MARKS = get_args(Source)
"""Of an entry; at the head of a file, lists of paths."""


class Origins:
    """The origins of what stands in the data of a file of a game.

    Paths are those of errors, `health.levels[8].water`, but that an entry with an id goes by that: `events.8.name`. A
    path names all that stands below it; a list of numbers is one figure.
    """

    def __init__(self, game: Game, data: Json) -> None:
        self._data = data
        self._usual = game.components().data
        listed = {mark: set(self._usual.get(mark, ())) for mark in MARKS}
        own = {mark: set(data.get(mark, ())) for mark in MARKS}
        self._listed = listed
        self._own = {
            "attested": own["attested"],
            "reconstructed": (own["reconstructed"] | listed["reconstructed"]) - own["attested"],
        }

    def of(self, *paths: str) -> Origin:
        """The origin of what is told in one go: of the figures at these places the least certain."""
        origins = set(self._origins(*paths))
        return next((origin for origin in ORIGINS if origin in origins), "reconstructed")

    def mostly(self, *paths: str) -> Origin | None:
        """The origin of most of the figures at these places; None if two are equally frequent."""
        (first, count), *others = Counter(self._origins(*paths)).most_common() or [("reconstructed", 1)]
        return None if others and others[0][1] == count else first

    def of_key(self, path: str) -> Origin:
        """The origin of the key itself: that there is such an effect, whatever its figures."""
        is_same = bool(value_at(self._data, path)) == bool(value_at(self._usual, path))
        return self._origin(path, is_same)

    def changed(self) -> list[str]:
        """The places of all figures that are others than the attested ones."""
        return [path for path in self._leaves("") if self._figure(path) == "changed"]

    def _origins(self, *paths: str) -> Iterator[Origin]:
        for path in paths:
            yield from map(self._figure, self._leaves(path))

    def _figure(self, path: str) -> Origin:
        value, usual = value_at(self._data, path), value_at(self._usual, path)
        return self._origin(path, value == usual or not (value or usual))

    def _origin(self, path: str, is_same: bool) -> Origin:
        if mark_at(self._usual, path, self._listed) == "attested":
            return "attested" if is_same else "changed"
        return mark_at(self._data, path, self._own) or "reconstructed"

    def _leaves(self, path: str) -> list[str]:
        """The figures at a place, of the file and of the usual set."""
        paths = [leaf for data in (self._data, self._usual) for leaf in leaves(value_at(data, path), path)]
        return list(dict.fromkeys(paths))


def leaves(value: Any, path: str) -> Iterator[str]:
    """The paths of the figures below a path, which has that value."""
    if isinstance(value, dict):
        for key, part in value.items():
            if key not in ("id", "format", "source", *MARKS) and not key.endswith("_source"):
                yield from leaves(part, join(path, key))
    elif isinstance(value, list) and any(isinstance(part, dict) for part in value):
        for index, part in enumerate(value):
            yield from leaves(part, join(path, str(part["id"])) if "id" in part else f"{path}[{index}]")
    elif value is not None and path != "name":
        yield path


def value_at(data: Any, path: str) -> Any:
    """What stands at a path of the data; None if nothing does."""
    for step in steps(path):
        data = _below(data, step)
    return data


def mark_at(data: Json, path: str, listed: dict[str, set[str]]) -> Any:
    """How the file marks what stands, or would stand, at a path: the mark that is nearest; None without any."""
    mark, value, place = None, data, ""
    for step in steps(path):
        if isinstance(value, dict):
            mark = value.get(f"{step}_source", mark)
        value = _below(value, step)
        if isinstance(value, dict):
            mark = value.get("source", mark)
        place = f"{place}[{step}]" if isinstance(step, int) else join(place, step)
        mark = next((name for name in MARKS if place in listed[name]), mark)
    return mark


def _below(value: Any, step: str | int) -> Any:
    if isinstance(value, dict):
        return value.get(step)
    if not isinstance(value, list):
        return None
    if isinstance(step, int):
        return value[step] if step < len(value) else None
    return next((part for part in value if isinstance(part, dict) and str(part.get("id")) == step), None)
