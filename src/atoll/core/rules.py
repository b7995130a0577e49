"""The rules of a game: its own functions, and those that follow from what it declares."""

from collections.abc import Callable
from typing import Any

from atoll.core.card import GameCard
from atoll.core.chance_sources import Source
from atoll.core.types import Components
from atoll.engine import derived
from atoll.engine.compiling import compiled


class CompiledRules:
    """A game's compiled functions and bounds; whatever the module `rules` leaves out is as it is written here.

    `parts` is a record of the dtype `PARTS`. Other members of the module are found here, too.
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
        known["reveal"] = own.get("reveal")

        def compiled_for(source: Any) -> Any:
            return compiled(derived.derive(source, f"{card.package}.rules", **known))

        self.STATE = declared.dtype
        self.PARTS = card.declared_parts.dtype
        if declares_moves(card):
            self.ACTIONS = self.MAX_LEGAL = len(card.moves)
        self.MAX_EVENTS = 0  # of one move
        self.SOURCES: tuple[Source, ...] = ()
        """what chance decides before the first decision"""
        self.view: Any = own.get("view") or compiled_for(
            derived.revealing_view if "reveal" in own else derived.view
        )
        alone = all(field.seen_by == "everybody" or field.name == "generator" for field in declared.fields)
        if alone:
            self.resample = compiled_for(derived.resample)
        self.replaceable: Callable[[Any], bool] = several_decide
        self.check: Callable[[Any, Components], None] = nothing_to_check
        vars(self).update((name, member) for name, member in own.items() if not name.startswith("__"))


def declares_moves(card: GameCard) -> bool:
    """Whether a game declares its moves."""
    return hasattr(card.own("moves") or card.own("rules"), "MOVES")


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
