"""What follows from components is found once, for as long as they are in use."""

from collections.abc import Callable, Hashable
from functools import lru_cache, partial, wraps
from typing import Any, TypeVar

from atoll.core.game import Components

Found = TypeVar("Found")
Asked = TypeVar("Asked", bound=Hashable)


class ComponentsCache(dict[object, Any]):
    """What was found; a copy of the components, or what goes to another process, is without it."""

    def __reduce__(self) -> tuple[type["ComponentsCache"], tuple[()]]:
        return ComponentsCache, ()


def cached_by_components(find: Callable[[Components], Found]) -> Callable[[Components], Found]:
    """A function of components that keeps with them what it has found, which nobody changes."""

    @wraps(find)
    def found(components: Components) -> Found:
        kept: dict[object, Found] = components.__dict__.setdefault("_found", ComponentsCache())
        if find not in kept:
            kept[find] = find(components)
        return kept[find]

    return found


def latest_by_components(
    count: int,
) -> Callable[[Callable[[Components, Asked], Found]], Callable[[Components, Asked], Found]]:
    """`cached_by_components` for functions of components and of what is asked about them: the last `count` answers
    are kept."""

    def keeping(find: Callable[[Components, Asked], Found]) -> Callable[[Components, Asked], Found]:
        answers = cached_by_components(lambda components: lru_cache(count)(partial(find, components)))
        return wraps(find)(lambda components, asked: answers(components)(asked))

    return keeping
