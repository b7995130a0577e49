"""Checking a game: each thing that can be wrong with one is said in a sentence."""

import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import goofspiel
import numpy as np
import privateers
import pytest

from atoll.bots.tree import MAX_SEATS
from atoll.core.chance_sources import Source
from atoll.core.contract import check_both_ways, check_game, check_start, faults
from atoll.core.exports import PLAY
from atoll.core.fields import Int8s, everybody
from atoll.core.game import Game
from atoll.core.habits import Habit
from atoll.core.move_features import MoveFeature
from atoll.core.playable import MOST_PLAYERS
from atoll.core.state import MOST_SEATS, State
from atoll.core.types import Ruling
from atoll.engine.chance import fork_generator
from atoll.engine.exports import HostRunner
from atoll.testing.planting import PlantedRunner
from atoll.text.errors import ContractError
from atoll.web.pages.drawings import COLOURS, MARKS

game = goofspiel.game


def broken(card: dict[str, Any] | None = None, /, **modules: dict[str, Any]) -> Game:
    """The game with other things on its card, and functions of its modules replaced, or taken away by None; its rules
    run as plain Python.
    """
    found = replace(game, **(card or {}))
    found.__dict__["runner"] = HostRunner(found)
    for name, changes in modules.items():
        members = vars(getattr(game, name)) | changes
        found.__dict__[name] = SimpleNamespace(
            **{key: member for key, member in members.items() if key not in changes or member is not None}
        )
    return found


def considering(declared: dict[str, float] | tuple[Any, ...]) -> Game:
    """The game with these numbers of moves declared, by their scales or as they are."""
    numbers = declared if isinstance(declared, tuple) else [
        MoveFeature(name, "something", scale) for name, scale in declared.items()
    ]  # fmt: skip
    found = replace(game)
    found.__dict__["move_features"] = tuple(numbers)
    return found


def three(view: Any, parts: Any, action: int) -> bool:
    """A function of three arguments."""
    return False


def two(state: Any, seat: int) -> None:
    """A function of two arguments."""


def forks_in_play(state: Any, parts: Any, seat: int, action: int, events: Any) -> None:
    """A move that takes a whole word of chance."""
    fork_generator(state.generator, state.generator)


def draws_elsewhere(state: Any, parts: Any, seat: int, action: int, events: Any) -> None:
    """A move that no seed repeats."""
    state.at_stake = np.random.randint(9)


def overflows(state: Any, parts: Any, seat: int, action: int, events: Any) -> None:
    """A move that is another one compiled, where numbers are wider."""
    state.at_stake = state.round_number * 127 * 3 % 100


def fixes_the_stake(honest: Any, states: Any, *move: Any) -> None:
    """Another move than that of the rules as they are written."""
    honest(states, *move)
    states["at_stake"] = 90


class Silent(State):
    """A state that records could not say."""

    secret: Int8s = everybody("nobody knows", shape=2)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (broken({"name": "Goof Spiel"}), "the name 'Goof Spiel' must be lower-case words joined by hyphens"),
        (broken({"summary": ""}), "its summary is empty"),
        (broken({"seats": range(2, 8)}), r"seats must be a range within range\(1, 7\), not range\(2, 8\)"),
        (broken({"seats": range(2, 7, 2)}), "seats must be a range"),
        (broken({"default_players": 7}), "default_players is 7, but seats are 2 to 6"),
        (broken({"package": "email"}), "the package email has no module 'state'"),
        (broken(rules={"play": None}), r"rules.play\(state, parts, seat, action, events\) is missing"),
        (
            broken(rules={"play": two}),
            r"rules.play takes \(state, seat\); it must take \(state, parts, seat,",
        ),
        (
            broken(rules={"resample": None}),
            r"rules.resample is missing: it draws what views hide \(stock, bid\)",
        ),
        (broken(rules={"max_decisions": None}), r"rules.max_decisions\(components, players\) is missing"),
        (
            broken(rules={"max_decisions": lambda components, players: np.array([39])}),
            r"rules.max_decisions gives array\(\[39\]\) for 2 players, not a whole number; components.parts is an "
            r"array of shape \(1,\): read its numbers from components.plain",
        ),
        (
            broken(rules={"points_range": lambda components, players: (0, range(components.parts))}),
            r"rules.points_range fails for 2 players: TypeError: .*; components.parts is an array of shape",
        ),
        (
            broken(rules={"check": lambda state, components: range(components.parts)}),
            "TypeError: .*; components.parts is an array of shape",
        ),
        (
            broken(rules={"play": forks_in_play}),
            r"tests.core.test_contract.forks_in_play draws a whole word with fork_generator, so records could not",
        ),
        (
            broken(rules={"play": draws_elsewhere}),
            r"tests.core.test_contract.draws_elsewhere draws with np.random, which neither a seed nor a record",
        ),
        (broken(rules={"STATE": np.dtype("i1")}), "rules.STATE is not GoofspielState.dtype"),
        (
            broken(rules={"PARTS": np.dtype([("a", "i1")])}),
            "rules.PARTS must be the dtype of a class that derives from Parts",
        ),
        (broken(rules={"MAX_LEGAL": 0}), "rules.MAX_LEGAL must be a whole number from 1 to 1048576, not 0"),
        (broken(rules={"MAX_LEGAL": 14}), "rules.MAX_LEGAL is 14, but there are 13 actions"),
        (broken(rules={"MAX_EVENTS": -1}), "rules.MAX_EVENTS must be a whole number from 0"),
        (broken(rules={"ACTIONS": 20}), "rules.ACTIONS is 20, but rules.MOVES declares 13 moves"),
        (broken(rules={"MOVES": None}), "rules.MOVES is missing"),
        (
            broken(rules={"EVENTS": None}),
            "rules.EVENTS is missing: it declares each kind of event and who sees",
        ),
        (broken(rules={"EVENTS": {}}), r"rules.EVENTS must be made by Events\(\), not {}"),
        (
            broken(rules={"SOURCES": ["stock"]}),
            r"rules.SOURCES must be a tuple of Source \(core/chance_sources.py\)",
        ),
        (
            broken(rules={"SOURCES": (Source("Stock", "the stock", ("stock",)),)}),
            "the source 'Stock' in rules.SOURCES must have a lower-case word as its key, and a name",
        ),
        (
            broken(rules={"SOURCES": (Source("stock", "the stock", ("stock",)),) * 2}),
            "rules.SOURCES declares 'stock' twice",
        ),
        (
            broken(rules={"SOURCES": (Source("stock", "the stock", ("stok", "stock")),)}),
            "the source 'stock' in rules.SOURCES decides stok, which is no field that chance deals",
        ),
        (
            broken(rules={"SOURCES": (Source("stock", "the stock", ()),)}),
            "the source 'stock' in rules.SOURCES decides nothing",
        ),
        (
            broken(rules={"SOURCES": (Source("stock", "the stock", ("stock",), two),)}),
            r"the source 'stock' in rules.SOURCES: redraw takes \(state, seat\); it must take \(state, parts,",
        ),
        (
            broken(messages={"prompt": two}),
            r"messages.prompt takes \(state, seat\); it must take \(translator, names,",
        ),
        (broken(notation={"hide_event": None}), r"notation.hide_event\(event, seat\) is missing"),
        (
            considering({"sum": 1.0, "odds": 0.0}),
            "the scale of 'odds' in move_features.MOVE_FEATURES is 0.0, and must be above 0",
        ),
        (considering(("sum",)), "move_features.MOVE_FEATURES has 'sum', which is no MoveFeature"),
        (
            considering((MoveFeature("sum", "all"), MoveFeature("sum", "both"))),
            "move_features.MOVE_FEATURES declares 'sum' twice",
        ),
        (
            considering({str(number): 1.0 for number in range(33)}),
            "move_features.MOVE_FEATURES declares 33 numbers, and there are 32 at most",
        ),
        (
            broken({"component_files": {"usual": "usual.toml"}}),
            "the components 'usual' should be in usual.toml, which is not in the package",
        ),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_what_is_wrong_is_said_in_one_sentence(wrong: Game, sentence: str) -> None:
    with pytest.raises(ContractError, match=rf"^{wrong.title}: {sentence}") as said:
        check_game(wrong)
    assert "\n" not in str(said.value)


def test_a_number_that_overflows_uncompiled_alone_is_named_by_its_line() -> None:
    found = broken(rules={"play": overflows})
    found.__dict__["folder"] = Path(__file__).parent
    line = overflows.__code__.co_firstlineno + 2
    with pytest.raises(
        ContractError, match=rf"test_contract.py, line {line}: the numbers of a field overflow"
    ):
        check_game(found)


def test_rules_that_do_something_else_compiled_are_noticed() -> None:
    """In a random game that is played both ways."""
    check_both_ways(game.start(2, 1))
    wrong = broken()
    vars(wrong)["runner"] = PlantedRunner(wrong.runner, PLAY, fixes_the_stake)
    with pytest.raises(
        ContractError, match=r"after 1 decisions of a game .*at_stake.* is not the same compiled"
    ):
        check_both_ways(wrong.start(2, 1))


def test_an_event_may_be_called_like_what_rules_have_besides() -> None:
    """Privateers has an event DEALT; the contract once had a member of that name."""
    assert "wind" in privateers.game.dealt_fields


def test_nothing_is_wrong_with_a_game_that_keeps_the_contract() -> None:
    assert list(faults(game)) == []
    check_start(game.start(2, 1))


def test_a_state_that_records_could_not_say_is_refused() -> None:
    found = replace(game)
    found.__dict__["declared"] = Silent
    said = " ".join(faults(found))
    assert "Silent has no field with a key that begins with 'players[].'" in said
    assert "Silent.secret has neither key= nor counts=" in said


def test_the_first_start_of_a_game_checks_it() -> None:
    wrong = broken(rules={"play": None})
    with pytest.raises(ContractError, match=r"rules.play\(.*\) is missing"):
        wrong.start(2, 1)
    game.check_playable()


def test_a_ruling_without_its_option_is_noticed() -> None:
    """So is a help for components that there are not."""
    found = replace(game, component_help={"unusual": game.summary})
    found.__dict__["rulings"] = (Ruling("GO-1", game.summary, option="house"), Ruling("GO-2", game.summary))
    assert list(faults(found)) == [
        "the ruling of GO-1 names the option 'house', which the game lacks",
        "component_help tells of 'unusual', but component_files has no such components",
    ]


def test_a_module_without_its_template_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A template does without a module: it has what the game declares."""
    found = replace(game)
    found.__dict__["folder"] = tmp_path
    (tmp_path / "table.html.jinja").touch()
    assert list(faults(found)) == []
    (tmp_path / "table.html.jinja").unlink()
    monkeypatch.setitem(sys.modules, "goofspiel.table", ModuleType("goofspiel.table"))
    assert "there is a module 'table', but no template table.html.jinja" in list(faults(found))


@pytest.mark.parametrize(
    ("declared", "sentence"),
    [
        (["bluff"], "habits.HABITS has 'bluff', which is no Habit (core/habits.py)"),
        (
            [Habit("Bluff, twice", three, game.summary, game.summary)],
            "the name 'Bluff, twice' in habits.HABITS must be lower-case letters, such as 'bluff'",
        ),
        ([Habit("bluff", three, game.summary, game.summary)] * 2, "habits.HABITS declares 'bluff' twice"),
        (
            [Habit("bluff", two, game.summary, game.summary)],
            "the habit bluff.includes takes (state, seat); it must take (view, parts, action)",
        ),
        ([Habit("bluff", three, "No bluff", game.summary)], "locale/fr.po does not translate 'No bluff'"),
    ],
)
def test_a_habit_that_nobody_could_do_without_is_noticed(
    declared: list[Any], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has to be declared, named once and in a word, translated, and to say its moves."""
    module = ModuleType("goofspiel.habits")
    module.__dict__["HABITS"] = declared
    monkeypatch.setitem(sys.modules, "goofspiel.habits", module)
    assert next(faults(replace(game))) == sentence


def test_a_text_that_a_language_lacks_is_noticed() -> None:
    assert list(faults(broken({"summary": "Bid!"}))) == ["locale/fr.po does not translate 'Bid!'"]


def changed_view(shown: str) -> Any:
    """The game's view, which does not hide one field."""
    honest = game.rules.view

    def view(state: Any, parts: Any, seat: int, out: Any) -> None:
        honest(state, parts, seat, out)
        out[shown] = state[shown]

    return view


def changed_start(name: str, value: int) -> Any:
    """The game's start, with another number in a field."""
    honest = game.rules.start

    def start(state: Any, parts: Any, players: int, generator: Any) -> None:
        honest(state, parts, players, generator)
        state[name] = value

    return start


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ({"view": changed_view("generator")}, "view shows the generator of chance"),
        ({"view": changed_view("seat")}, "view must set out.seat"),
        ({"start": changed_start("seat", 0)}, "start must set state.seat to REFEREE"),
        ({"start": changed_start("to_act", 0)}, "start must set state.to_act"),
        ({"start": changed_start("round_number", 0)}, "the first position is wrong: round_number is 0"),
        ({"view": changed_view("stock")}, "what resample draws from a view has another view"),
    ],
)
def test_a_first_position_that_shows_too_much_or_is_none_is_noticed(
    rules: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ContractError, match=sentence):
        check_start(broken(rules=rules).start(2, 1))


def set_first(name: str, number: int) -> Any:
    """Something that writes a number where a source of chance is to be drawn anew."""

    def redraw(state: Any, parts: Any, generator: Any) -> None:
        state[name][0] = number

    return redraw


@pytest.mark.parametrize(
    ("redraw", "sentence"),
    [
        (set_first("bid", 3), "redrawing 'stock' changes bid, which it does not declare"),
        (set_first("stock", 99), "redrawing 'stock' alone makes a position that is wrong: stock is 99"),
    ],
)
def test_a_source_that_is_drawn_anew_wrongly_is_noticed(redraw: Any, sentence: str) -> None:
    with pytest.raises(ContractError, match=sentence):
        check_start(
            broken(rules={"SOURCES": (Source("stock", "the stock", ("stock",), redraw),)}).start(2, 1)
        )


def test_nobody_can_be_shown_more_players_than_a_game_may_have() -> None:
    assert MOST_PLAYERS == MAX_SEATS == len(COLOURS) == len(MARKS) <= MOST_SEATS
