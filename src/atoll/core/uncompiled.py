"""A game's compiled functions as the plain Python that they were made of, run beside the compiled ones."""

from collections.abc import Iterable, Iterator
from types import FunctionType, ModuleType
from typing import Any


class Uncompiled:
    """Compiled functions with all that they call as plain Python; `exchanged` pairs are functions and what stands for
    them there.
    """

    def __init__(self, exchanged: Iterable[tuple[Any, Any]] = ()) -> None:
        pairs = list(exchanged)
        self._done: dict[int, Any] = {id(function): by for function, by in pairs}
        self._kept: list[Any] = [function for function, _ in pairs]  # so that no other takes their identity

    def of(self, found: Any) -> Any:
        """A compiled function uncompiled, with all that it calls; anything else as it is."""
        if id(found) in self._done:
            return self._done[id(found)]
        if isinstance(found, ModuleType) and not found.__name__.startswith(("numpy", "numba")):
            return _Module(self, found)
        source = getattr(found, "py_func", found)
        if not isinstance(source, FunctionType) or source.__module__.startswith("atoll.engine.records"):
            return found
        if source is found and not _globals_of(source):
            return found
        known: dict[str, Any] = {"__builtins__": source.__globals__["__builtins__"]}
        made = FunctionType(source.__code__, known, source.__name__, source.__defaults__, source.__closure__)
        self._done[id(found)] = made
        self._kept.append(found)
        for name in _globals_of(source):
            known[name] = self.of(source.__globals__[name])
        return made


class _Module:
    """A module that rules read by its name, its functions uncompiled."""

    def __init__(self, rules: Uncompiled, module: ModuleType) -> None:
        self._rules, self._module = rules, module

    def __getattr__(self, name: str) -> Any:
        found = self._rules.of(getattr(self._module, name))
        setattr(self, name, found)
        return found


def calls(function: Any) -> Iterator[tuple[FunctionType, str, Any]]:
    """Whatever a function and those that it calls read by a global name: the function, the name, and what it is."""
    waiting, known = [function], set[int]()
    while waiting:
        source = getattr(found := waiting.pop(), "py_func", found)
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
