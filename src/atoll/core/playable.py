"""Whether a game can be played: what its card, its state or its rules lack, each in a sentence."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import Parameter, signature
from typing import Any

import numpy as np

from atoll.core.card import GameCard
from atoll.core.chance_sources import Source
from atoll.core.events import Events
from atoll.core.extensions import RULES
from atoll.core.scripted_chance import unscripted
from atoll.core.state import State
from atoll.core.types import WEIGHTS
from atoll.text.errors import ContractError
from atoll.text.translation import Translator, seat_names

MOST_PLAYERS = len(seat_names(Translator("en")))
"""Seats that search and pages have room, colours and marks for."""
MOST_ACTIONS = 1 << 20
MOST_EVENTS = 10_000


def require_playable(game: GameCard, rules_of: Callable[[], Any]) -> None:
    """Raise ContractError with the first thing that is wrong; `rules_of` gives the rules, which it may import."""
    require_none(game, playable_faults(game, rules_of))


def require_none(game: GameCard, faults: Iterator[str]) -> None:
    """Raise ContractError with the first of the faults of a game, if there is one."""
    for fault in faults:
        raise ContractError(f"{game.title or game.name}: {fault}")


def playable_faults(game: GameCard, rules_of: Callable[[], Any]) -> Iterator[str]:
    """What is wrong with a game's card, its state and its rules."""
    yield from _card_faults(game)
    try:
        declared = game.declared
    except ContractError as error:
        yield str(error)
        return
    if not game.has("rules"):
        yield f"the package {game.package} has no module 'rules'"
        return
    rules = rules_of()
    yield from _rules_faults(rules, declared)
    if not hasattr(rules, "MOVES") and not game.has("moves"):
        yield "rules.MOVES is missing: it declares the moves (core/moves.py)"
        return
    yield from _event_faults(game, rules)
    yield from _source_faults(rules.SOURCES, declared)
    yield from _chance_faults(game, rules)
    if not game.has("notation"):
        yield from _key_faults(declared)


def _card_faults(game: GameCard) -> Iterator[str]:
    """What is wrong with what the catalogue knows."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", game.name):
        yield f"the name {game.name!r} must be lower-case words joined by hyphens, such as 'sand-castle'"
    for key in ("title", "summary"):
        if not getattr(game, key):
            yield f"its {key} is empty"
    seats = game.seats
    if (
        not isinstance(seats, range)
        or seats.step != 1
        or not 1 <= seats.start < seats.stop <= MOST_PLAYERS + 1
    ):
        yield f"seats must be a range within range(1, {MOST_PLAYERS + 1}), not {seats}"
    elif game.default_players not in seats:
        yield f"default_players is {game.default_players}, but seats are {seats.start} to {seats.stop - 1}"
    if game.weight is not None and game.weight not in WEIGHTS:
        yield f"its weight is {game.weight!r}, which is none of {', '.join(WEIGHTS)}"
    if game.minutes is not None and not 0 < game.minutes[0] <= game.minutes[1]:
        yield f"its minutes are {game.minutes}, which is not the least and the most"


def _rules_faults(rules: Any, declared: type[State]) -> Iterator[str]:
    hidden = [
        field.name for field in declared.fields if field.seen_by != "everybody" and field.name != "generator"
    ]
    if not hasattr(rules, "resample"):
        yield f"rules.resample is missing: it draws what views hide ({', '.join(hidden)})"
    yield from function_faults(
        "rules", rules, RULES.functions, known=() if hasattr(rules, "resample") else ("resample",)
    )
    if declared.dtype != rules.STATE:
        yield f"rules.STATE is not {declared.__name__}.dtype"
    if not isinstance(rules.PARTS, np.dtype) or rules.PARTS.type is not np.record:
        yield "rules.PARTS must be the dtype of a class that derives from Parts (core/parts.py)"
        return
    for field in declared.fields:
        if field.within is not None and field.within not in (rules.PARTS.names or ()):
            yield f"{declared.__name__}.{field.name} is within {field.within}, which is no part"
    numbers = {"ACTIONS": (1, MOST_ACTIONS), "MAX_LEGAL": (1, MOST_ACTIONS), "MAX_EVENTS": (0, MOST_EVENTS)}
    for name, (least, most) in numbers.items():
        value = getattr(rules, name, None)
        if type(value) is not int or not least <= value <= most:
            yield f"rules.{name} must be a whole number from {least} to {most}, not {value!r}"
            return
    if rules.MAX_LEGAL > rules.ACTIONS:
        yield f"rules.MAX_LEGAL is {rules.MAX_LEGAL}, but there are {rules.ACTIONS} actions"
    moves = getattr(rules, "MOVES", None)
    if moves is not None and len(moves) != rules.ACTIONS:
        yield f"rules.ACTIONS is {rules.ACTIONS}, but rules.MOVES declares {len(moves)} moves"


def _event_faults(game: GameCard, rules: Any) -> Iterator[str]:
    """Events of which nothing says who sees them: neither a declaration nor a rule of the game's own."""
    where = "events" if game.has("events") else "rules"
    declared = getattr(game.own(where) if where == "events" else rules, "EVENTS", None)
    if declared is not None and not isinstance(declared, Events):
        yield f"{where}.EVENTS must be made by Events(), not {declared!r}"
    elif (declared is None or not declared.kinds) and rules.MAX_EVENTS and not _has_own_hiding(game):
        yield (
            f"{where}.EVENTS is missing: it declares each kind of event and who sees its numbers (core/events.py)"
        )


def _source_faults(sources: Any, declared: type[State]) -> Iterator[str]:
    """Sources of chance that are not declared, that nobody could tell apart, or that decide no field."""
    if not isinstance(sources, tuple) or not all(isinstance(one, Source) for one in sources):
        yield f"rules.SOURCES must be a tuple of Source (core/chance_sources.py), not {sources!r}"
        return
    keys = [one.key for one in sources]
    names = {field.name for field in declared.fields} - {"generator"}
    for one in sources:
        where = f"the source {one.key!r} in rules.SOURCES"
        if not re.fullmatch(r"[a-z][a-z0-9_]*", one.key) or not one.name:
            yield f"{where} must have a lower-case word as its key, and a name"
        if keys.count(one.key) > 1:
            yield f"rules.SOURCES declares {one.key!r} twice"
            return
        wrong = sorted(set(one.fields) - names)
        if wrong or not one.fields:
            yield f"{where} decides {', '.join(wrong) or 'nothing'}, which is no field that chance deals"
        if one.redraw is not None:
            for fault in function_faults("redraw", one, {"redraw": "state, parts, generator"}):
                yield f"{where}: {fault.removeprefix('redraw.')}"


def _chance_faults(game: GameCard, rules: Any) -> Iterator[str]:
    """Chance in moves of which records could not say what it decided."""
    own = [name for name in ("chance_of", "apply_chance") if hasattr(game.own("notation"), name)]
    if len(own) == 1:
        yield f"notation has {own[0]}, but not both of chance_of and apply_chance"
    if not own:
        yield from unscripted(game.package, rules.play)


def _has_own_hiding(game: GameCard) -> bool:
    return hasattr(game.own("notation"), "hide_event")


def function_faults(
    name: str, module: Any, functions: Mapping[str, str], known: Sequence[str] = ()
) -> Iterator[str]:
    """Functions that are missing, or cannot be called with as many arguments as the contract has."""
    for function, wanted in functions.items():
        member = getattr(module, function, None)
        if function in known:
            continue
        if not callable(member):
            yield f"{name}.{function}({wanted}) is missing"
            continue
        given = signature(member).parameters.values()
        places = [
            one for one in given if one.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
        ]
        least = sum(one.default is Parameter.empty for one in places)
        if not least <= len(wanted.split(", ")) <= len(places):
            names = ", ".join(one.name for one in given)
            yield f"{name}.{function} takes ({names}); it must take ({wanted})"


def _key_faults(declared: type[State]) -> Iterator[str]:
    """What of a state the usual words of records would leave out."""
    keys = [field.key for field in declared.fields if field.key]
    if not any(key.startswith("players[].") for key in keys):
        yield (
            f"{declared.__name__} has no field with a key that begins with 'players[].', "
            f"so records cannot say who plays"
        )
    own = [field for field in declared.fields if field.name not in State.__annotations__]
    for field in own:
        if not field.key and not field.counts:
            yield (
                f"{declared.__name__}.{field.name} has neither key= nor counts=, so records would leave it out; "
                f"give it one, or write a module 'notation'"
            )
