"""Whether a game keeps the contract (`core/game.py`): what is missing or has the wrong shape, in one sentence."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any

import numpy as np

from atoll.core.chance_sources import Source, redraw
from atoll.core.components import File
from atoll.core.defaults import has_module
from atoll.core.events import Events
from atoll.core.game import WEIGHTS, Game
from atoll.core.habits import Habit, habits_of
from atoll.core.move_features import MOST as MOST_MOVE_FEATURES
from atoll.core.move_features import MoveFeature
from atoll.core.parts import part_faults
from atoll.core.plain_texts import plain_texts
from atoll.core.state import REFEREE, SPECTATOR, UNKNOWN, State
from atoll.engine.chance import generator
from atoll.text.errors import ContractError
from atoll.text.translation import LANGUAGES, Translator, read_catalogue, seat_names

if TYPE_CHECKING:
    from atoll.core.position import Position

MOST_PLAYERS = len(seat_names(Translator("en")))
"""Seats that search and pages have room, colours and marks for."""
MOST_ACTIONS = 1 << 20
MOST_EVENTS = 10_000
REDRAWS = 3
"""How often each source of chance is drawn anew to see whether it can be."""

RULES = {
    "start": "state, parts, players, generator",
    "legal_actions": "state, parts, seat, out",
    "play": "state, parts, seat, action, events",
    "view": "state, parts, seat, out",
    "resample": "view, parts, generator, out",
    "result": "state, parts, points",
    "view_at": "states, index, parts, seat, out",
    "resample_at": "views, index, parts, generator, out",
    "legal_actions_at": "states, index, parts, seat, out",
    "play_at": "states, index, parts, seat, action, events",
    "replaceable": "state",
    "max_decisions": "components, players",
    "points_range": "components, players",
    "check": "state, components",
}
NOTATION = {
    "move_of": "action",
    "action_of": "move",
    "state_to_json": "state, options",
    "state_from_json": "words, components",
    "hide_move": "move, whose, before, now",
    "hide_event": "event, seat",
    "chance_of": "events, state",
    "apply_chance": "state, chance",
    "breakdown": "state, components",
    "result_details": "state, components",
    "details_agree": "found, state, components",
}
MESSAGES = {
    "move_text": "translator, names, move, view, seat",
    "prompt": "translator, names, view, seat",
    "progress": "translator, view",
    "tell": "translator, names, events, view",
    "picture": "translator, names, view",
    "score": "translator, names, breakdown",
    "bind": "translator",
}
OTHERS = {
    "advice": {"advise": "view, parts, moves, count, scores"},
    "policy": {"rate": "view, parts, moves, count, scores"},
    "move_features": {"write_features": "view, parts, moves, count, found"},
    "beliefs": {"decisions": "view", "before": "state, parts, number, out"},
    "components": {"read": "path", "from_data": "name, data"},
    "table": {"table": "seen"},
    "sheet": {"sheet": "components"},
    "endings": {"rounds": "states", "endings": "states, components", "ending_text": "translator, ending"},
}
"""Modules that a game may have, and the functions they must have then."""


@cache
def check_once(game: Game) -> None:
    """Check, the first time, what is needed to play: the game's card, its state and its rules."""
    _check(game, playable_faults(game))


def check_game(game: Game) -> None:
    """Raise ContractError with the first thing that a game lacks or has in the wrong shape.

    Imports the game's modules and compiles nothing.
    """
    _check(game, faults(game))


def _check(game: Game, found: Iterator[str]) -> None:
    for fault in found:
        raise ContractError(f"{game.title or game.name}: {fault}")


def faults(game: Game) -> Iterator[str]:
    """Everything that is wrong, each in a sentence; what comes first may be why the rest cannot be looked at."""
    broken = False
    for fault in playable_faults(game):
        broken = True
        yield fault
    if broken:
        return
    yield from _function_faults("notation", game.notation, NOTATION)
    yield from _function_faults("messages", game.messages, MESSAGES)
    for name, functions in OTHERS.items():
        if has_module(game, name):
            yield from _function_faults(name, game.module(name), functions)
    yield from _considering_faults(game.move_features)
    yield from _habit_faults(habits_of(game))
    yield from _components_faults(game)
    yield from _file_faults(game)
    yield from _word_faults(game)


def playable_faults(game: Game) -> Iterator[str]:
    """What is wrong with a game's card, its state and its rules."""
    yield from _card_faults(game)
    try:
        declared = game.declared
    except ContractError as error:
        yield str(error)
        return
    if not has_module(game, "rules"):
        yield f"the package {game.package} has no module 'rules'"
        return
    yield from _rules_faults(game.rules, declared)
    if not hasattr(game.rules, "MOVES") and not has_module(game, "moves"):
        yield "rules.MOVES is missing: it declares the moves (core/moves.py)"
        return
    yield from _event_faults(game)
    yield from _source_faults(game.rules.SOURCES, declared)
    if not has_module(game, "notation"):
        yield from _key_faults(declared)


def _card_faults(game: Game) -> Iterator[str]:
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
    yield from _function_faults(
        "rules", rules, RULES, known=() if hasattr(rules, "resample") else ("resample",)
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


def _event_faults(game: Game) -> Iterator[str]:
    """Events of which nothing says who sees them: neither a declaration nor a rule of the game's own."""
    where = "events" if has_module(game, "events") else "rules"
    declared = getattr(game.module(where) if where == "events" else game.rules, "EVENTS", None)
    if declared is not None and not isinstance(declared, Events):
        yield f"{where}.EVENTS must be made by Events(), not {declared!r}"
    elif not game.events.kinds and game.rules.MAX_EVENTS and not _has_own_hiding(game):
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
            for fault in _function_faults("redraw", one, {"redraw": "state, parts, generator"}):
                yield f"{where}: {fault.removeprefix('redraw.')}"


def _has_own_hiding(game: Game) -> bool:
    return has_module(game, "notation") and "atoll.core" not in game.notation.hide_event.__module__


def _function_faults(
    name: str, module: Any, functions: dict[str, str], known: Sequence[str] = ()
) -> Iterator[str]:
    """Functions that are missing, or cannot be called with as many arguments as the contract has."""
    for function, wanted in functions.items():
        found = getattr(module, function, None)
        if function in known:
            continue
        if not callable(found):
            yield f"{name}.{function}({wanted}) is missing"
            continue
        given = signature(getattr(found, "py_func", found)).parameters.values()
        places = [
            one for one in given if one.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
        ]
        least = sum(one.default is Parameter.empty for one in places)
        if not least <= len(wanted.split(", ")) <= len(places):
            said = ", ".join(one.name for one in given)
            yield f"{name}.{function} takes ({said}); it must take ({wanted})"


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


def _considering_faults(move_features: Sequence[Any]) -> Iterator[str]:
    """Numbers of moves that are not declared, or that nobody could tell apart."""
    where = "move_features.MOVE_FEATURES"
    wrong = [one for one in move_features if not isinstance(one, MoveFeature)]
    if wrong:
        yield f"{where} has {wrong[0]!r}, which is no MoveFeature (core/move_features.py)"
        return
    names = [one.name for one in move_features]
    if len(names) > MOST_MOVE_FEATURES:
        yield f"{where} declares {len(names)} numbers, and there are {MOST_MOVE_FEATURES} at most"
    for one in move_features:
        if names.count(one.name) > 1:
            yield f"{where} declares {one.name!r} twice"
            return
        if not one.scale > 0:
            yield f"the scale of {one.name!r} in {where} is {one.scale}, and must be above 0"


def _habit_faults(habits: Sequence[Any]) -> Iterator[str]:
    """Habits that are not declared, cannot be named in the name of a bot, or of which nothing says the moves."""
    for habit in habits:
        if not isinstance(habit, Habit):
            yield f"habits.HABITS has {habit!r}, which is no Habit (core/habits.py)"
            return
        if not re.fullmatch(r"[a-z][a-z0-9-]*", habit.name):
            yield f"the name {habit.name!r} in habits.HABITS must be lower-case letters, such as 'bluff'"
        if [one.name for one in habits].count(habit.name) > 1:
            yield f"habits.HABITS declares {habit.name!r} twice"
            return
        functions = {"includes": "view, parts, action"}
        yield from _function_faults(f"the habit {habit.name}", habit, functions)


def _components_faults(game: Game) -> Iterator[str]:
    """Parts that cannot be copied from the game's files, and those that nothing writes."""
    if not has_module(game, "components"):
        return
    module = game.component_reader
    structure = getattr(module, "ComponentsFile", None)
    if structure is None or getattr(module.from_data, "__module__", None) == module.__name__:
        return  # the game reads its files by itself
    if not issubclass(structure, File):
        yield "components.ComponentsFile must derive from File (core/components.py)"
        return
    yield from part_faults(game.declared_parts, structure)
    for field in game.declared_parts.fields:
        if field.option and field.option not in {option.name for option in game.options}:
            yield f"{game.declared_parts.__name__}.{field.name} is the option {field.option!r}, which the game lacks"
    own = [field.name for field in game.declared_parts.fields if field.is_own]
    functions = {"fill": "content, file, parts"} if own else {}
    if own and not hasattr(module, "fill"):
        yield f"components.fill(content, file, parts) is missing: it writes {', '.join(own)}"
    for function, wanted in {"check": "content, file", **functions}.items():
        if hasattr(module, function):
            yield from _function_faults("components", module, {function: wanted})


def _file_faults(game: Game) -> Iterator[str]:
    """Files that are named and missing, and a template or module without the other."""
    for name, file in game.component_files.items():
        if not (game.folder / file).is_file():
            yield f"the components {name!r} should be in {file}, which is not in the package"
    if game.component_files and not has_module(game, "components"):
        yield "component_files are named, but there is no module 'components' that reads them"
    for template, module in (("table.html.jinja", "table"), ("sheet.html.jinja", "sheet")):
        drawn, made = (game.folder / template).is_file(), has_module(game, module)
        if made and not drawn:
            yield f"there is a module {module!r}, but no template {template}"
        if drawn and not made and module == "table":
            yield f"there is a template {template}, but no module {module!r} with a function {module}(...)"


def _word_faults(game: Game) -> Iterator[str]:
    """Languages into which a game is translated in part; one without any catalogue speaks English."""
    if not (game.folder / "locale").is_dir():
        return
    said = [game.summary, *game.component_files, *plain_texts(game)]
    said += [text for option in game.options for text in (option.label, option.help)]
    said += [source.name for source in game.rules.SOURCES]
    said += [text for habit in habits_of(game) for text in (habit.label, habit.about)]
    for language in list(LANGUAGES)[1:]:
        if not (game.folder / "locale" / f"{language}.po").is_file():
            continue
        catalogue = read_catalogue(game.package, language)
        for text in said:
            if text not in catalogue:
                yield f"locale/{language}.po does not translate {text!r}"


# What a first position shows


def check_start(position: "Position") -> None:
    """Raise ContractError unless a game's first position is one, and its views hide chance and can be filled in."""
    for fault in _start_faults(position):
        raise ContractError(f"{position.game.title}: {fault}")


def _start_faults(position: "Position") -> Iterator[str]:
    state, rules = position.state, position.game.rules
    if int(state.seat) != REFEREE:
        yield "start must set state.seat to REFEREE"
    if not 0 < int(state.to_act) < 1 << position.players:
        yield "start must set state.to_act to the seats that decide first"
        return
    try:
        position.check()
    except AssertionError as error:
        yield f"the first position is wrong: {error}"
    for seat in position.to_act:
        if not 0 < len(position.legal_moves(seat)) <= rules.MAX_LEGAL:
            yield f"seat {seat} has to decide first and has {len(position.legal_moves(seat))} legal moves"
    for seat in (SPECTATOR, *range(position.players)):
        view = position.view(seat)
        if int(view.state.seat) != seat:
            yield "view must set out.seat to the seat whose view it is"
        if (view.state.generator.view(np.int64) != UNKNOWN).any():
            yield "view shows the generator of chance: begin it with hide(state, seat, out, HIDDEN)"
        if view.resample(0).view(seat).state.tobytes() != view.state.tobytes():
            yield "what resample draws from a view has another view: it must agree with what is shown"
    yield from _redraw_faults(position)


def _redraw_faults(position: "Position") -> Iterator[str]:
    """Sources of chance that cannot be drawn anew by themselves."""
    for source in position.game.rules.SOURCES:
        for seed in range(REDRAWS):
            other = position.game.start(position.players, seed, position.components, position.options)
            again = position.copy()
            redraw(source, again.state, other.state, position.components.parts[0], generator(seed))
            changed = [
                name for name in again.state.dtype.names if (again.state[name] != position.state[name]).any()
            ]
            if wrong := sorted(set(changed) - set(source.fields)):
                yield f"redrawing {source.key!r} changes {', '.join(wrong)}, which it does not declare"
                break
            try:
                again.check()
            except AssertionError as error:
                yield f"redrawing {source.key!r} alone makes a position that is wrong: {error}"
                break
