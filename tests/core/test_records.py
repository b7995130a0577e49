"""Reading files of records: what is wrong is named by its line."""

from collections.abc import Iterator
from random import Random
from typing import Any

import privateers
import pytest

from atoll.core import records
from atoll.core.catalogue import games
from atoll.core.game import Game
from atoll.text.errors import RecordError

HEAD = '{"atoll": 1, "game": "g", "players": ["a"], "components": {}, "start": {}}'
MOVE = '{"player": 0, "move": {"do": "x"}}'
RESULT = '{"result": {}}'
SHORT = privateers.game.components().data | {"game": {"rounds": 1, "hand": 1, "gold": 5}}
"""Components of Privateers with a card for everybody."""


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ([], "the file holds no record"),
        (["", "  "], "the file holds no record"),
        ([MOVE], "line 1: a record begins with a header"),
        (["not json"], "line 1: is not JSON"),
        ([HEAD[:40]], "line 1: is not JSON; the file may have been cut off there"),
        ([HEAD, "", MOVE[:10]], "line 3: is not JSON"),
        (["[1]"], "line 1: is not a JSON object"),
        (["7"], "line 1: is not a JSON object"),
        ([HEAD.replace("1", "3")], "line 1: this is format 3; the format that can be read is 1"),
        ([HEAD.replace('"g"', "3")], "line 1: the header's key game is missing or wrong"),
        ([HEAD.replace('"players"', '"who"')], "line 1: the header's key players is missing or wrong"),
        ([HEAD.replace('["a"]', "[1]")], "line 1: the players are named by texts"),
        (
            [HEAD.replace('"start": {}', '"start": []')],
            "line 1: the header's key start is missing or wrong",
        ),
        ([HEAD.replace('"start"', '"options": 1, "start"')], "line 1: the header's key options is"),
        ([HEAD, '{"player": 0}'], "line 2: a decision has the keys player and move"),
        ([HEAD, "{}"], "line 2: a decision has the keys"),
        ([HEAD, MOVE, RESULT, MOVE], "line 4: nothing but another header may follow the result"),
        ([HEAD, MOVE, RESULT, RESULT], "line 4: nothing but another header may follow the result"),
        (
            [HEAD.replace('["a"]', '["a\\u001b[2J"]')],
            "line 1: the name of player 0 is not possible: it holds the unprintable character",
        ),
        (
            [HEAD.replace('["a"]', f'["a", "{"a" * 101}"]')],
            "line 1: the name of player 1 is not possible: it has 101 characters",
        ),
        ([HEAD, b" " * 10 + b"[" * 10**6], "line 2: has more than 1,000,000 bytes"),
        ([HEAD, "[" * 100_000], "line 2: is not JSON"),
        ([HEAD, '{"player": ' + "9" * 5000 + "}"], "line 2: is not JSON"),
        ([HEAD, "\udcff".encode("utf-8", "surrogateescape")], "line 2: is not JSON"),
    ],
)
def test_a_broken_file_is_refused_naming_the_line(lines: list[Any], sentence: str) -> None:
    with pytest.raises(RecordError) as refused:
        list(records.read_records(lines))
    assert str(refused.value).startswith(sentence)


def test_records_follow_one_another() -> None:
    found = list(records.read_records([HEAD, MOVE, RESULT, "", HEAD, MOVE, MOVE]))
    assert [(record.first_line, len(record.decisions), record.result is not None) for record in found] == [
        (1, 1, True),
        (5, 2, False),
    ]


@pytest.fixture(params=games().values(), ids=list(games()))
def game(request: pytest.FixtureRequest) -> Game:
    """Every game of the catalogue."""
    found: Game = request.param
    return found


def refused_header(played: Game, **changes: Any) -> str:
    position = played.start(played.default_players, 1)
    head = records.header(position, ["x"] * played.default_players, 1) | changes
    with pytest.raises(RecordError, match=r"^line 1: ") as refused:
        list(records.replay(records.Record(head)))
    return str(refused.value)


def test_a_header_of_an_unknown_game_is_refused(game: Game) -> None:
    assert f"there are: {', '.join(games())}" in refused_header(game, game="chess")


def test_a_header_with_other_components_is_refused(game: Game) -> None:
    name = next(iter(game.component_files))
    assert "not those" in refused_header(game, components={"name": name, "sha256": "0" * 64})
    assert "no components called “mine”" in refused_header(game, components={"name": "mine"})
    assert "not an object" in refused_header(game, components={"name": "mine", "data": []})
    assert "mine: " in refused_header(game, components={"name": "mine", "data": {}})


def test_a_header_with_other_players_is_refused(game: Game) -> None:
    wrong = game.default_players + 1
    assert f"{wrong} players are named, {game.default_players} play" in refused_header(
        game, players=["x"] * wrong
    )


def test_a_header_with_an_unknown_option_is_refused(game: Game) -> None:
    assert "no option “x”" in refused_header(game, options={"x": True})


def test_components_of_ones_own_travel_with_the_record(game: Game) -> None:
    shipped = game.components()
    own = game.components_from(shipped.name, shipped.data)
    position = game.start(game.default_players, 1, own)
    head = records.header(position, ["x"] * game.default_players, 1)
    assert head["components"]["data"] == shipped.data
    again = records.first_position(records.Record(head))
    assert again.components.sha256 == shipped.sha256
    assert "data" not in records.header(game.start(game.default_players, 1), [], 1)["components"]


def test_a_record_says_what_it_is(game: Game) -> None:
    """records.md: the header's keys."""
    head = records.header(game.start(game.default_players, 3), ["a"], 3)
    assert list(head) == ["atoll", "game", "players", "components", "options", "seed", "start"]
    assert (head["atoll"], head["game"], head["seed"]) == (1, game.name, "3")


# Chance after the deal


@pytest.fixture
def rolled(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The lines of a record of Privateers, which deals anew in its second round, as far as that."""
    game = privateers.game
    monkeypatch.setitem(games(), game.name, game)
    position, dealt = game.start(2, 1), Random(1)
    lines = [records.header(position, ["a", "b"], 1)]
    while position.state.round_number < 2:
        seat, before = position.to_act[0], position.copy()
        move = dealt.choice(list(position.legal_moves(seat)))
        events = position.play(seat, move)
        lines.append(records.decision(before, position, seat, move, events))
    return lines


def replay(lines: list[Any]) -> Iterator[records.ReplayedMove]:
    """A record as somebody else replays it, who does not have the generator."""
    [record] = records.read_records(records.encode(lines).splitlines())
    return records.replay(record)


def test_what_chance_drew_after_the_deal_stands_in_the_line(rolled: list[Any]) -> None:
    """records.md: a die, and in the last line the cards of the next round; and the events tell of the same."""
    assert [len(line["chance"]["draws"]) for line in rolled[1:]] == [1] * 7 + [18]
    position = privateers.game.start(2, 1)
    for line, step in zip(rolled[1:], replay(rolled), strict=True):
        assert step.events == position.play(line["player"], line["move"])
        assert step.position.to_json() == position.to_json()
        assert position.state.wind == 1 + line["chance"]["draws"][-1]


@pytest.mark.parametrize(
    ("chance", "sentence"),
    [
        (None, "chance had a part in this move, so the line has the key chance: draws"),
        ({}, "chance has the key draws: the numbers that it drew, in order"),
        ({"draws": [True]}, "chance has the key draws"),
        ({"draws": [6]}, "chance draws 0 to 5 there in this move, not 6"),
        ({"draws": [1, 2]}, "how often chance draws in this move: 1, not 2"),
    ],
)
def test_other_draws_than_there_can_be_are_refused(rolled: list[Any], chance: Any, sentence: str) -> None:
    line = {key: value for key, value in rolled[1].items() if key != "chance"}
    with pytest.raises(RecordError, match=f"^line 2: {sentence}"):
        list(replay([rolled[0], line if chance is None else {**line, "chance": chance}]))


def test_chance_in_a_move_without_any_is_refused(rolled: list[Any]) -> None:
    """The last move of a game rolls no die."""
    position = privateers.game.start(2, 1, privateers.game.components_from("short", SHORT))
    lines = [records.header(position, ["a", "b"], 1)]
    while not position.is_over:
        seat, before = position.to_act[0], position.copy()
        move = next(iter(position.legal_moves(seat)))
        lines.append(records.decision(before, position, seat, move, position.play(seat, move)))
    assert ["chance" in line for line in lines[1:]] == [True, False]
    lines[-1]["chance"] = {"draws": [1]}
    with pytest.raises(RecordError, match="line 3: nothing was left to chance in this move"):
        list(replay(lines))
