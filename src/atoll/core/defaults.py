"""The defaults for modules, or functions of them, that a game leaves out.

A game needs a `Game`, its declared state and its rules; whatever else the contract has (`core/game.py`) follows from
these, unless the game defines it.
"""

import sys
from collections.abc import Callable, Mapping
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from atoll.core.game import Game

STARTS = 20
"""First positions, of each number of players, that show what chance deals."""
Maker = Callable[["Game", ModuleType], Mapping[str, Any]]


def module_of(game: "Game", name: str) -> Any:
    """A module of the game, one without anything if it has none, with the usual for whatever it leaves out."""
    full = f"{game.package}.{name}"
    module = import_module(full) if has_module(game, name) else ModuleType(full)
    if name in _USUAL:
        names, make = _USUAL[name]
        missing = [one for one in names if not hasattr(module, one)]
        if missing:
            usual = make(game, module)
            for one in missing:
                if one in usual:
                    setattr(module, one, usual[one])
    return module


def has_module(game: "Game", name: str) -> bool:
    """Whether the game has a module of its own of that name."""
    full = f"{game.package}.{name}"
    return full in sys.modules or find_spec(full) is not None


def _rules(game: "Game", module: ModuleType) -> Mapping[str, Any]:
    from atoll.engine import derived
    from atoll.engine.compiling import compiled

    declared = game.declared
    known: dict[str, Any] = {"HIDDEN": declared.hidden}
    known |= {name: getattr(module, name, None) for name in ("reveal", "legal_actions", "play")}
    template = derived.revealing_view if hasattr(module, "reveal") else derived.view

    def compiled_for(source: Any) -> Any:
        return compiled(derived.derive(source, module.__name__, **known))

    own = vars(module)
    view = own["view"] if "view" in own else compiled_for(template)
    alone = all(field.seen_by == "everybody" or field.name == "generator" for field in declared.fields)
    resample = own["resample"] if "resample" in own else compiled_for(derived.resample) if alone else None
    known |= {"shows": view, "draws": resample}
    found: dict[str, Any] = {
        "STATE": declared.dtype,
        "PARTS": game.declared_parts.dtype,
        "MAX_EVENTS": 0,
        "DEALT": Dealt(game),
        "SOURCES": (),
        "view": view,
        "view_at": compiled_for(derived.view_at),
        "legal_actions_at": compiled_for(derived.legal_actions_at),
        "play_at": compiled_for(derived.play_at),
        "replaceable": several_decide,
        "check": nothing_to_check,
    }
    moves = game.module("moves") if has_module(game, "moves") else module
    if hasattr(moves, "MOVES"):
        found["ACTIONS"] = found["MAX_LEGAL"] = len(moves.MOVES)
    if resample is not None:
        found |= {"resample": resample, "resample_at": compiled_for(derived.resample_at)}
    return found


class Dealt:
    """The fields that chance deals: those of the declared sources, else those in which first positions differ. Found at
    the first use.
    """

    def __init__(self, game: "Game") -> None:
        self._game = game

    @cached_property
    def _names(self) -> set[str]:
        found: set[str] = {"generator"}
        for source in self._game.rules.SOURCES:
            found.update(source.fields)
        return found if self._game.rules.SOURCES else found | self.differing()

    def differing(self) -> set[str]:
        """The fields in which first positions of some seeds differ."""
        found: set[str] = set()
        components = self._game.components()
        for players in self._game.seats:
            one, *others = (self._game.start(players, seed, components).state for seed in range(STARTS))
            for other in others:
                found.update(name for name in one.dtype.names if (one[name] != other[name]).any())
        return found

    def __contains__(self, name: str) -> bool:
        return name in self._names


def several_decide(state: Any) -> bool:
    """Whether several seats decide at once: then each may take its choice back until the last has chosen."""
    return int(state.to_act).bit_count() > 1


def nothing_to_check(state: Any, components: Any) -> None:
    """Nothing besides the declared ranges of the fields."""


def _advice(game: "Game", module: ModuleType) -> Mapping[str, Any]:
    from atoll.engine.compiling import compiled
    from atoll.engine.derived import advise, derive

    return {"advise": compiled(derive(advise, f"{game.package}.rules"))}


def _considering(game: "Game", module: ModuleType) -> Mapping[str, Any]:
    from atoll.engine.compiling import compiled
    from atoll.engine.derived import derive, write_features

    return {"MOVE_FEATURES": (), "write_features": compiled(derive(write_features, f"{game.package}.rules"))}


def _components(game: "Game", module: ModuleType) -> Mapping[str, Any]:
    from atoll.core.components import FileReader
    from atoll.core.plain_components import PlainComponents

    has_files = hasattr(module, "ComponentsFile")
    return _members(FileReader(game, module) if has_files else PlainComponents(game))


def _notation(game: "Game", module: ModuleType) -> Mapping[str, Any]:
    from atoll.core.plain_notation import PlainNotation

    return _members(PlainNotation(game))


def _telling(game: "Game", module: ModuleType) -> Mapping[str, Any]:
    from atoll.core.plain_messages import PlainMessages

    return _members(PlainMessages(game))


def _members(usual: Any) -> Mapping[str, Any]:
    return {name: getattr(usual, name) for name in dir(usual) if not name.startswith("_")}


_USUAL: dict[str, tuple[tuple[str, ...], Maker]] = {
    "rules": (
        (
            *("STATE", "PARTS", "ACTIONS", "MAX_LEGAL", "MAX_EVENTS", "DEALT", "SOURCES", "view", "resample"),
            *("view_at", "resample_at", "legal_actions_at", "play_at", "replaceable", "check"),
        ),
        _rules,
    ),
    "advice": (("advise",), _advice),
    "move_features": (("MOVE_FEATURES", "write_features"), _considering),
    "components": (("read", "from_data"), _components),
    "notation": (
        (
            *("move_of", "action_of", "state_to_json", "state_from_json", "hide_move", "hide_event"),
            *("chance_of", "apply_chance", "breakdown", "result_details", "details_agree"),
        ),
        _notation,
    ),
    "messages": (("move_text", "prompt", "progress", "tell", "picture", "score", "bind"), _telling),
}
"""By module: what the contract asks of it, and what makes the usual."""
