"""Whether a game keeps the contract (`core/extensions.py`): what is missing or has the wrong shape, in one sentence."""

import re
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.core.chance_sources import redraw
from atoll.core.components import File
from atoll.core.events import event_buffer
from atoll.core.extensions import EXTENSIONS, MESSAGES, NOTATION, RULES
from atoll.core.game import Game, Position
from atoll.core.habits import Habit
from atoll.core.move_features import MOST as MOST_MOVE_FEATURES
from atoll.core.move_features import MoveFeature
from atoll.core.parts import part_faults
from atoll.core.plain_messages import plain_texts
from atoll.core.playable import function_faults, playable_faults, require_none
from atoll.core.scripted_chance import STILL
from atoll.core.state import REFEREE, SPECTATOR, UNKNOWN
from atoll.core.types import Components
from atoll.engine.chance import generator
from atoll.text.errors import AtollError, ContractError
from atoll.text.translation import LANGUAGES, read_catalogue

REDRAWS = 3
"""How often each source of chance is drawn anew to see whether it can be."""
UNCOMPILED = 150
"""Decisions of a game, at most, that are taken uncompiled."""
PARTS_HINT = "; components.parts is an array of shape (1,): read its numbers from components.plain"


def check_game(game: Game) -> None:
    """Raise ContractError with the first thing that a game lacks or has in the wrong shape.

    Imports the game's modules and compiles nothing.
    """
    require_none(game, faults(game))


def faults(game: Game) -> Iterator[str]:
    """Everything that is wrong, each in a sentence; what comes first may be why the rest cannot be looked at."""
    broken = False
    for fault in playable_faults(game, lambda: game.rules):
        broken = True
        yield fault
    if broken:
        return
    yield from function_faults(NOTATION.module, game.notation, NOTATION.functions)
    yield from function_faults(MESSAGES.module, game.messages, MESSAGES.functions)
    for extension in EXTENSIONS:
        if extension not in (RULES, NOTATION, MESSAGES) and game.has(extension.module):
            module = extension.own(game) if extension.default is None else extension.of(game)
            yield from function_faults(extension.module, module, extension.functions)
    yield from _considering_faults(game.move_features)
    yield from _habit_faults(game.habits)
    for field in game.declared.fields:
        for name in (one.lost_by for one in field.resources if one.lost_by):
            if not any(kind.name == name and "whose" in kind.fields for kind in game.events.kinds):
                yield f"the state's {field.name} is lost by {name!r}, which is no kind of events with a seat"
    for ruling in game.rulings:
        if ruling.option not in (None, *(option.name for option in game.options)):
            yield f"the ruling of {ruling.rule} names the option {ruling.option!r}, which the game lacks"
    yield from _components_faults(game)
    yield from _file_faults(game)
    yield from _word_faults(game)
    yield from _number_faults(game)
    for fault in uncompiled_faults(game):
        yield fault
        return


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
        yield from function_faults(f"the habit {habit.name}", habit, functions)


def _components_faults(game: Game) -> Iterator[str]:
    """Parts that cannot be copied from the game's files, and those that nothing writes."""
    module = game.component_reader
    structure = getattr(module, "ComponentsFile", None)
    if structure is None or module.from_data.__module__ == f"{game.package}.components":
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
            yield from function_faults("components", module, {function: wanted})


def _file_faults(game: Game) -> Iterator[str]:
    """Files that are named and missing, and a module without its template."""
    for name, file in game.component_files.items():
        if not (game.folder / file).is_file():
            yield f"the components {name!r} should be in {file}, which is not in the package"
    for name in game.component_help:
        if name not in game.component_files:
            yield f"component_help tells of {name!r}, but component_files has no such components"
    if game.component_files and not game.has("components") and game.declared_parts.structure is None:
        yield "component_files are named, but no part says its limits, and no module 'components' reads them"
    for template, module in (("table.html.jinja", "table"), ("sheet.html.jinja", "sheet")):
        if game.has(module) and not (game.folder / template).is_file():
            yield f"there is a module {module!r}, but no template {template}"


def _word_faults(game: Game) -> Iterator[str]:
    """Languages into which a game is translated in part; one without any catalogue speaks English."""
    if not (game.folder / "locale").is_dir():
        return
    said = [game.summary, *game.component_files, *game.component_help.values()]
    said += plain_texts(game, game.notation.move_of)
    said += [text for option in game.options for text in (option.label, option.help)]
    said += [source.name for source in game.rules.SOURCES]
    said += [text for habit in game.habits for text in (habit.label, habit.about)]
    said += [one.name for field in game.declared.fields for one in field.resources]
    said += [ruling.text for ruling in game.rulings]
    for language in list(LANGUAGES)[1:]:
        if not (game.folder / "locale" / f"{language}.po").is_file():
            continue
        catalogue = read_catalogue(game.package, language)
        for text in said:
            if text not in catalogue:
                yield f"locale/{language}.po does not translate {text!r}"


def _number_faults(game: Game) -> Iterator[str]:
    """Bounds of the rules that are no whole numbers."""
    components = game.components()
    for name, count in (("max_decisions", 1), ("points_range", 2)):
        for players in game.seats:
            try:
                bounds = getattr(game.rules, name)(components, players)
                numbers = bounds if count > 1 else (bounds,)
                whole = len(numbers) == count and all(isinstance(one, int | np.integer) for one in numbers)
            except Exception as error:  # of the game's own
                yield f"rules.{name} fails for {players} players: {_complaint(game, error)}"
                return
            if not whole:
                wanted = "a whole number" if count == 1 else "two whole numbers"
                yield f"rules.{name} gives {bounds!r} for {players} players, not {wanted}{PARTS_HINT}"
                return


def _complaint(game: Game, error: Exception) -> str:
    """What went wrong in a function of the game, and in which of its lines."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(str(game.folder))
    ]
    where = f"{Path(frames[-1].filename).name}, line {frames[-1].lineno}: " if frames else ""
    if isinstance(error, FloatingPointError | OverflowError):
        return (
            f"{where}the numbers of a field overflow where the rules run uncompiled, and compiled they would not: "
            f"write int(...) around the field ({error})"
        )
    hint = PARTS_HINT if isinstance(error, TypeError | AttributeError) else ""
    return f"{where}{type(error).__name__}: {error}{hint}"


# The same rules, uncompiled


def uncompiled_faults(game: Game, compiled: Position | None = None) -> Iterator[str]:
    """What goes wrong in a random game whose rules run uncompiled, with the line; and, where a first position of the
    compiled rules is given, where they do something else.
    """
    components = game.components() if compiled is None else compiled.components
    players = game.default_players if compiled is None else compiled.players
    state: Any = np.zeros(1, dtype=game.rules.STATE)
    try:
        with np.errstate(over="raise"):
            yield from _played_uncompiled(game, components, players, state, compiled)
    except (AssertionError, AtollError):  # what positions and records are checked for elsewhere
        return
    except Exception as error:  # of the game's own
        yield _complaint(game, error)


def _played_uncompiled(
    game: Game, components: Components, players: int, states: NDArray[Any], compiled: Position | None
) -> Iterator[str]:
    rules, parts = game.rules, components.parts[0]
    chance, seen, drawn = Random(1), np.zeros_like(states), np.zeros_like(states)
    out, points = np.zeros(rules.MAX_LEGAL, dtype=np.int32), np.zeros(players, dtype=np.int32)
    rules.start(states[0], parts, players, generator(1))
    position = Position(game, components, components.options, states)
    position.check()
    other = None if compiled is None else game.start(players, 1, components, components.options)
    for number in range(UNCOMPILED):
        if other is not None and (wrong := _differing(states, other.states)):
            yield f"after {number} decisions of a game {wrong} is not the same compiled and uncompiled"
            return
        rules.result(states[0], parts, points)
        if position.is_over:
            return
        seat = chance.choice(position.to_act)
        if number % 5 == 0:
            rules.view(states[0], parts, seat, seen[0])
            rules.resample(seen[0], parts, generator(number), drawn[0])
            if other is not None and (wrong := _differing(drawn, other.view(seat).resample(number).states)):
                yield f"resample draws another {wrong} compiled than uncompiled"
                return
        count = rules.legal_actions(states[0], parts, seat, out)
        if other is not None and other.legal_moves(seat).actions.tolist() != out[:count].tolist():
            yield f"after {number} decisions of a game other moves are legal compiled than uncompiled"
            return
        action, before = chance.choice(out[:count].tolist()), states.copy()
        rules.play(states[0], parts, seat, action, event_buffer(rules.MAX_EVENTS))
        if other is not None:
            other.play_action(seat, action)
        if not hasattr(game.notation, "chance_of") and (states["generator"] != before["generator"]).any():
            draws, _ = game.scripted.draws(before, components, seat, action)
            before["generator"] = STILL
            again = game.scripted.replay(
                before, components, seat, action, draws, event_buffer(rules.MAX_EVENTS)
            )
            if wrong := _differing(again, states):
                yield (
                    f"records could not say what chance decided of {wrong}: {game.notation.move_of(action)} draws "
                    f"otherwise than with draw_below, shuffle or draw_first (engine/chance.py)"
                )
                return


def _differing(one: NDArray[Any], other: NDArray[Any]) -> str:
    """The fields in which two positions differ, chance left out."""
    names = (name for name in one.dtype.names or () if name != "generator")
    return ", ".join(name for name in names if (one[name] != other[name]).any())


# What a first position shows


def check_start(position: Position) -> None:
    """Raise ContractError unless a game's first position is one, and its views hide chance and can be filled in."""
    for fault in _start_faults(position):
        raise ContractError(f"{position.game.title}: {fault}")


def check_both_ways(position: Position) -> None:
    """Raise ContractError, naming the line where there is one, unless the rules do the same compiled and uncompiled in
    a game like that of a first position.
    """
    require_none(position.game, uncompiled_faults(position.game, position))


def _start_faults(position: Position) -> Iterator[str]:
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


def _redraw_faults(position: Position) -> Iterator[str]:
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
