"""The compiled rules of a game: its own functions, and those that follow from what it declares."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from atoll.core.card import GameCard
from atoll.core.chance_sources import Source
from atoll.core.plain_components import component_reader, shipped_components
from atoll.core.types import Components
from atoll.engine import derived
from atoll.engine.chance import generator
from atoll.engine.compiling import compiled

STARTS = 20
"""First positions, of each number of players, that show what chance deals."""


class CompiledRules:
    """A game's compiled functions and bounds; whatever the module `rules` leaves out is as it is written here.

    Arrays of states have shape (n,) and the dtype `STATE`; `parts` is a record of the dtype `PARTS`, `parts_array` the
    array of shape (1,) that holds it. Other members of the module are found here, too.
    """

    # What a game has to have

    MAX_LEGAL: int
    """legal actions of one seat in one position"""
    start: Callable[..., Any]
    """(state, parts, players, generator): write the first position"""
    legal_actions: Callable[..., Any]
    """(state, parts, seat, out) -> count; codes ascending"""
    play: Callable[..., Any]
    """(state, parts, seat, action, events): carry out a legal action"""
    result: Callable[..., Any]
    """(state, parts, points) -> bit set of the winners, 0 while the game runs"""
    resample: Callable[..., Any]
    """(view, parts, generator, out): write a full state that agrees with a view; may be left out where nothing but
    chance is hidden"""
    resample_at: Callable[..., Any]
    """(views, index, parts_array, generator, out_array): `resample` of a view in an array"""
    max_decisions: Callable[[Components, int], int]
    """(components, players): declared bound of the decisions in a game"""
    points_range: Callable[[Components, int], tuple[int, int]]
    """(components, players): declared bounds, the least and the most points of a seat"""
    ACTIONS: int
    """action codes are 0 to ACTIONS - 1; as the moves are declared"""

    def __init__(self, card: GameCard) -> None:
        module = card.own("rules")
        own = {} if module is None else vars(module)
        declared = card.declared
        known: dict[str, Any] = {"HIDDEN": declared.hidden}
        known |= {name: own.get(name) for name in ("reveal", "legal_actions", "play")}

        def compiled_for(source: Any) -> Any:
            return compiled(derived.derive(source, f"{card.package}.rules", **known))

        self.STATE = declared.dtype
        self.PARTS = card.declared_parts.dtype
        if declares_moves(card):
            self.ACTIONS = self.MAX_LEGAL = len(card.moves)
        self.MAX_EVENTS = 0  # of one move
        self.SOURCES: tuple[Source, ...] = ()
        """what chance decides before the first decision"""
        self._dealt_fields = Dealt(card, self)
        self.view: Any = own.get("view") or compiled_for(
            derived.revealing_view if "reveal" in own else derived.view
        )
        alone = all(field.seen_by == "everybody" or field.name == "generator" for field in declared.fields)
        known |= {"shows": self.view, "draws": own.get("resample")}
        if known["draws"] is None and alone:
            known["draws"] = compiled_for(derived.resample)
        if known["draws"] is not None:
            self.resample = known["draws"]
            self.resample_at = compiled_for(derived.resample_at)
        self.view_at: Any = compiled_for(derived.view_at)
        self.legal_actions_at: Any = compiled_for(derived.legal_actions_at)
        self.play_at: Any = compiled_for(derived.play_at)
        self.replaceable: Callable[[Any], bool] = several_decide
        self.check: Callable[[Any, Components], None] = nothing_to_check
        vars(self).update((name, member) for name, member in own.items() if not name.startswith("__"))

    @property
    def dealt_fields(self) -> "Dealt":
        """The fields of a state in which stands what chance decides before the first decision."""
        return self._dealt_fields


def declares_moves(card: GameCard) -> bool:
    """Whether a game declares its moves."""
    return hasattr(card.own("moves") or card.own("rules"), "MOVES")


class Dealt:
    """The fields that chance deals: those of the declared sources, else those in which first positions differ, which
    are dealt at the first use.
    """

    def __init__(self, card: GameCard, rules: "CompiledRules") -> None:
        self._card = card
        self._rules = rules

    @cached_property
    def _names(self) -> set[str]:
        names: set[str] = {"generator"}
        for source in self._rules.SOURCES:
            names.update(source.fields)
        return names if self._rules.SOURCES else names | self.differing()

    def differing(self) -> set[str]:
        """The fields in which first positions of some seeds differ."""
        names: set[str] = set()
        components = shipped_components(self._card, component_reader(self._card))
        for players in self._card.seats:
            one, *others = (self._first(components, players, seed) for seed in range(STARTS))
            for other in others:
                names.update(name for name in one.dtype.names if (one[name] != other[name]).any())
        return names

    def _first(self, components: Components, players: int, seed: int) -> Any:
        states = np.zeros(1, dtype=self._rules.STATE)
        self._rules.start(states[0], components.parts[0], players, generator(seed))
        return states[0]

    def __contains__(self, name: str) -> bool:
        return name in self._names


def several_decide(state: Any) -> bool:
    """Whether several seats decide at once: then each may take its choice back until the last has chosen."""
    return int(state.to_act).bit_count() > 1


def nothing_to_check(state: Any, components: Any) -> None:
    """Raise AssertionError, naming it, if something does not hold that holds in every game: here nothing besides the
    declared ranges. Not compiled: what passes can be played by compiled code, which has no bounds checks.
    """


class PlainAdvice:
    """That of a game that gives none."""

    def __init__(self, card: GameCard) -> None:
        self.advise = compiled(derived.derive(derived.advise, f"{card.package}.rules"))


class NoMoveFeatures:
    """Those of a game that declares none."""

    MOVE_FEATURES = ()

    def __init__(self, card: GameCard) -> None:
        self.write_features = compiled(derived.derive(derived.write_features, f"{card.package}.rules"))
