"""The functions of a game's rules that follow from what it declares: a game that has its own keeps those.

They are compiled for each game from the same source, with that game's functions and arrays as their globals.
"""

# mypy: disable-error-code="no-untyped-def"

from collections.abc import Mapping
from types import FunctionType
from typing import Any

from atoll.engine.chance import fork_generator
from atoll.engine.hiding import hide, unhide

HIDDEN: Any = None
reveal: Any = None
shows: Any = None
draws: Any = None
legal_actions: Any = None
play: Any = None


def derive(template: Any, module: str, **known: Any) -> Any:
    """`template`, not yet compiled, for the game whose rules are `module`: `known` are its globals besides its own."""
    found = FunctionType(
        template.__code__, {**template.__globals__, **known, "__name__": module}, template.__name__
    )
    found.__module__ = module
    found.made_in = (template.__module__, *_sources(known))  # type: ignore[attr-defined]
    found.__doc__ = template.__doc__
    return found


def _sources(known: Mapping[str, Any]) -> list[str]:
    """The modules from which the functions among these are made."""
    found: set[str] = set()
    for value in known.values():
        function = getattr(value, "py_func", value)
        if isinstance(function, FunctionType):
            found.update((function.__module__, *getattr(function, "made_in", ())))
    return sorted(found)


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


def view_at(states, index, parts, seat, out):
    """`view` of a state in an array, into the first of another."""
    shows(states[index], parts[0], seat, out[0])


def resample_at(views, index, parts, generator, out):
    """`resample` of a view in an array, into the first of another."""
    draws(views[index], parts[0], generator, out[0])


def legal_actions_at(states, index, parts, seat, out):
    """`legal_actions` of a state in an array."""
    return legal_actions(states[index], parts[0], seat, out)


def play_at(states, index, parts, seat, action, events):
    """`play` in a state of an array."""
    play(states[index], parts[0], seat, action, events)


def advise(view, parts, moves, count, scores):
    """Rate all moves alike."""
    for i in range(count):
        scores[i] = 0


def write_features(view, parts, moves, count, found):
    """Say nothing more of the moves."""
