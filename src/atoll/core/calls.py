"""What functions call, directly or not, and the same functions with some of those exchanged."""

from collections.abc import Iterable, Iterator
from types import FunctionType, ModuleType
from typing import Any


class Exchange:
    """Functions in which those that they call are exchanged: `pairs` are such functions and what stands for them."""

    def __init__(self, pairs: Iterable[tuple[Any, Any]]) -> None:
        kept = list(pairs)
        self._made: dict[int, Any] = {id(function): other for function, other in kept}
        self._kept: list[Any] = [function for function, _ in kept]  # so that no other takes their identity

    def of(self, function: Any) -> Any:
        """A compiled function with all that it calls exchanged; anything else as it is."""
        if id(function) in self._made:
            return self._made[id(function)]
        if isinstance(function, ModuleType) and not function.__name__.startswith(("numpy", "numba")):
            return _Module(self, function)
        if not isinstance(function, FunctionType) or not _globals_of(function):
            return function
        known: dict[str, Any] = {"__builtins__": function.__globals__["__builtins__"]}
        made = FunctionType(
            function.__code__, known, function.__name__, function.__defaults__, function.__closure__
        )
        self._made[id(function)] = made
        self._kept.append(function)
        for name in _globals_of(function):
            known[name] = self.of(function.__globals__[name])
        return made


class _Module:
    """A module that rules read by its name, its functions exchanged."""

    def __init__(self, exchange: Exchange, module: ModuleType) -> None:
        self._exchange, self._module = exchange, module

    def __getattr__(self, name: str) -> Any:
        member = self._exchange.of(getattr(self._module, name))
        setattr(self, name, member)
        return member


def calls(function: Any) -> Iterator[tuple[FunctionType, str, Any]]:
    """Whatever a function and those that it calls read by a global name: the function, the name, and what it is."""
    waiting, known = [function], set[int]()
    while waiting:
        source = waiting.pop()
        if not isinstance(source, FunctionType) or id(source) in known:
            continue
        known.add(id(source))
        for name in _globals_of(source):
            member = source.__globals__[name]
            members = [(name, member)]
            if isinstance(member, ModuleType):
                read = (other for other in source.__code__.co_names if hasattr(member, other))
                members = [(f"{name}.{other}", getattr(member, other)) for other in read]
            for called, what in members:
                yield source, called, what
                waiting.append(what)


def _globals_of(function: FunctionType) -> list[str]:
    """The globals that a function reads."""
    return [name for name in function.__code__.co_names if name in function.__globals__]
