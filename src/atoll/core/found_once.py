"""What follows from components alone is found once, for as long as they are in use."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from atoll.core.game import Components

Found = TypeVar("Found")


def found_once(find: Callable[[Components], Found]) -> Callable[[Components], Found]:
    """A function of components that keeps with them what it has found, which nobody changes."""

    @wraps(find)
    def found(components: Components) -> Found:
        kept: dict[object, Found] = components.__dict__.setdefault("_found", {})
        if find not in kept:
            kept[find] = find(components)
        return kept[find]

    return found
