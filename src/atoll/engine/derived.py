"""The functions of a game's rules that follow from what it declares: a game that has its own keeps those.

They are compiled for each game from the same source, with that game's functions and arrays as their globals.
"""

# mypy: disable-error-code="no-untyped-def"

from collections.abc import Iterable, Mapping
from hashlib import sha256
from types import FunctionType
from typing import Any

from atoll.engine.chance import fork_generator
from atoll.engine.hiding import hide, unhide

HIDDEN: Any = None
reveal: Any = None


def derive(template: Any, module: str, **known: Any) -> Any:
    """`template` for the game whose rules are `module`: `known` are its globals besides its own, and those of the
    functions of its own file that it calls.
    """
    return _Derived(template.__module__, module, known).of(template, is_template=True)


class _Derived:
    """Functions of a file with other globals; those that read none of them stay as they are."""

    def __init__(self, file: str, module: str, known: Mapping[str, Any]) -> None:
        self._file, self._module, self._known = file, module, known
        self._made: dict[FunctionType, FunctionType] = {}

    def of(self, function: FunctionType, *, is_template: bool = False) -> FunctionType:
        if function in self._made:
            return self._made[function]
        self._made[function] = function  # where it calls itself
        changed: dict[str, Any] = {}
        for name in function.__code__.co_names:
            member = function.__globals__.get(name)
            if name in self._known:
                changed[name] = self._known[name]
            elif isinstance(member, FunctionType) and member.__module__ == self._file:
                other = self.of(member)
                changed |= {} if other is member else {name: other}
        if changed or is_template:
            self._made[function] = self._with_globals(function, changed)
        return self._made[function]

    def _with_globals(self, function: FunctionType, changed: Mapping[str, Any]) -> FunctionType:
        names = {**function.__globals__, **changed, "__name__": self._module}
        made = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
        vars(made).update({name: mark for name, mark in vars(function).items() if name != "native"})
        made.__module__ = self._module
        digest = name_digest([*changed, *changed.values()])
        made.__qualname__ = f"{function.__name__}_{digest}"  # by which its machine code is kept
        made.made_in = (function.__module__, *_sources(changed.values()))  # type: ignore[attr-defined]
        made.__doc__ = function.__doc__
        return made


def name_digest(values: Iterable[Any]) -> str:
    """A few letters by which functions, and what else compiled functions read, are told apart."""
    return sha256(repr([_name(value) for value in values]).encode()).hexdigest()[:8]


def _name(value: Any) -> Any:
    if isinstance(value, FunctionType):
        return f"{value.__module__}.{value.__qualname__}"
    if isinstance(value, tuple):
        return [_name(one) for one in value]
    return value if isinstance(value, str) else str(type(value))


def _sources(values: Iterable[Any]) -> list[str]:
    """The modules from which the functions among these are made."""
    modules: set[str] = set()
    for value in values:
        if isinstance(value, FunctionType):
            modules.update((value.__module__, *getattr(value, "made_in", ())))
        elif isinstance(value, tuple):
            modules.update(_sources(value))
    return sorted(modules)


def view(state, parts, seat, out):
    """Write what the declarations of `state` show to `seat`, or SPECTATOR, into `out`."""
    hide(state, seat, out, HIDDEN)


def revealing_view(state, parts, seat, out):
    """Write what the declarations of `state` and the game's `reveal` show to `seat`, or SPECTATOR, into `out`."""
    hide(state, seat, out, HIDDEN)
    reveal(state, parts, seat, out)


def resample(view, parts, generator, out):
    """Write into `out` the full state that agrees with `view`, where nothing but chance is hidden."""
    unhide(view, out, HIDDEN)
    fork_generator(generator, out.generator)


def advise(view, parts, moves, count, scores):
    """Rate all moves alike."""
    for i in range(count):
        scores[i] = 0


def write_features(view, parts, moves, count, found):
    """Say nothing more of the moves."""
