"""Observations: every declared field where the layout says, seats counted from the viewer, what is hidden marked."""

import json
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from atoll.core.action_encoding import Actions
from atoll.core.catalogue import games
from atoll.core.fields import Int8s, Int16s, everybody, nobody, owner
from atoll.core.forms import Row, SeatSet
from atoll.core.game import Game
from atoll.core.observation import FORMS, Observation, Slice, declares_most
from atoll.core.parts import Parts
from atoll.core.state import UNKNOWN, State
from atoll.engine.native import NativeRunner
from atoll.testing.playing import walk
from atoll.text.errors import AtollError
from tests.conftest import Run

every_game = pytest.mark.parametrize("game", games().values(), ids=lambda game: game.name)


def expected(observation: Observation, one: Slice, state, seat: int):
    """A slice, made of the view's record by other code: NumPy's."""
    field, players = one.field, observation.players
    if field.name.startswith("option "):
        return float(observation.options[field.name.removeprefix("option ")])
    values = np.asarray(state[field.name], dtype=np.int64)
    for axis, of in enumerate(one.axes[: values.ndim]):
        if of == "seats from the viewer":
            values = np.roll(values.take(range(players), axis), -seat, axis)
    may_hide = field.seen_by != "everybody"
    unknown = int(np.array(UNKNOWN).astype(field.kind))
    hidden = (values == unknown) if may_hide else np.zeros(values.shape, dtype=bool)
    in_bytes = observation.form == "bytes"
    if one.known:
        return 1 - hidden
    if isinstance(field.form, SeatSet) or (
        isinstance(field.form, Row) and isinstance(field.form.form, SeatSet)
    ):
        sets = np.stack([values >> (seat + i) % players & 1 for i in range(players)], axis=-1)
        return np.where(hidden[..., None], UNKNOWN if in_bytes else 0, sets)
    if field.of == "seat":
        values = np.where(values < 0, values, (values - seat) % players)
    if in_bytes:
        return values.astype(field.kind, order="C").reshape(-1).view(np.int8).reshape(one.shape)
    if one.values.startswith("one-hot"):
        least = (
            0 if field.name == "seat" else min(field.least, field.empty or 0 if field.shape else field.least)
        )
        least = least if field.empty is None else min(least, field.empty)
        return (values[..., None] - least == np.arange(one.shape[-1])) & ~hidden[..., None]
    scale = float(one.values.split(" / ")[1]) if "/" in one.values else 1.0
    return np.where(hidden, 0, values / scale)


@every_game
@pytest.mark.parametrize("form", FORMS)
def test_each_slice_holds_its_field_as_the_viewer_sees_it(game: Game, form: str) -> None:
    for players in (game.seats.start, game.seats.stop - 1):
        observation = Observation(game, players, form)
        assert [one.stop for one in observation.slices[:-1]] == [one.start for one in observation.slices[1:]]
        for number, position in walk(game, players, 5):
            if number % 23:
                continue
            for seat in range(players):
                out = np.full(observation.size, 99, dtype=observation.dtype)
                view = position.view(seat)
                observation.write(view.states, out)
                for one in observation.slices:
                    wanted = expected(observation, one, view.state, seat)
                    found = out[one.start : one.stop].reshape(one.shape)
                    assert np.allclose(found, wanted, rtol=1e-6), one.name
                assert (observation.low <= out).all()
                assert (out <= observation.high).all()


class OddState(State):
    """Fields of every kind."""

    rows: int = everybody("rows in use", most=2)
    amounts: Int16s = everybody("amounts", kind="i2", shape=(4, 3), used=("players",), most=3000)
    next_to: Int8s = everybody(
        "who is next", shape=(2, 4), used=("rows", "players"), of="seat", least=-1, most=3
    )
    between: Int8s = everybody("between two", shape=(4, 4), used=("players", "players"), most=9)
    seen: Int8s = owner("cards", shape=(4, 5), used=("players",), most=9)
    secret: Int8s = nobody("sets of seats", kind="u1", shape=3, most=15, form=Row(SeatSet()))
    levels: Int8s = everybody("levels", shape=(3, 4), used=("rows", "players"), most=9)
    points: Int8s = everybody("points", shape=4, used=("players",), most=9)
    winners: int = everybody("who won", kind="u1", most=15, form=SeatSet())


class NoParts(Parts):
    """Nothing."""


class OddGame:
    """As much of a game as has to do with observations."""

    name = package = "odd"
    declared, declared_parts, seats = OddState, NoParts, range(2, 5)

    def __init__(self) -> None:
        self.rules = SimpleNamespace(STATE=OddState.dtype, PARTS=NoParts.dtype)
        self.fast_runner = NativeRunner(self)

    def check_players(self, players: int) -> None:
        """Any number will do."""

    def check_options(self, options: dict[str, bool]) -> dict[str, bool]:
        """There are none."""
        return options


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("form", FORMS)
def test_fields_of_every_kind_are_observed_as_the_viewer_sees_them(players: int, form: str) -> None:
    """Also those that no game of ours has, and nothing is written before or behind the observation."""
    odd: Any = OddGame()
    chance = np.random.default_rng(1)
    observation = Observation(odd, players, form)
    for seat in range(players):
        record = np.zeros(1, dtype=OddState.dtype)
        for name in OddState.dtype.names or ():
            record[name] = chance.integers(0, 10, record[name].shape)
        record["rows"] = 2
        record["next_to"] = chance.integers(-1, players, (1, 2, 4))
        record["secret"] = [15, 255, 5]
        record["winners"] = chance.integers(0, 1 << players)
        record["to_act"] = chance.integers(0, 1 << players)
        record["players"], record["seat"] = players, seat
        out = np.full((3, observation.size), 99, dtype=observation.dtype)
        observation.write(record, out[1])
        assert (out[[0, 2]] == 99).all()
        for one in observation.slices:
            wanted = expected(observation, one, record[0], seat)
            assert np.allclose(out[1, one.start : one.stop].reshape(one.shape), wanted, rtol=1e-6), one.name


@every_game
def test_every_field_of_the_state_is_observed(game: Game) -> None:
    """But for chance, and for the number of players, of which an observation is made; then the options."""
    named = {one.field.name for one in Observation(game, game.default_players).slices}
    options = {f"option {part.option}" for part in game.declared_parts.fields if part.option}
    assert named - options == {field.name for field in game.declared.fields} - {"generator", "players"}
    assert options <= named


@every_game
def test_an_observation_tells_which_rules_are_played(game: Game) -> None:
    """All options on or all off: a view of the same record differs in the options that rules read, and in nothing
    else; where a position is observed, its own options count.
    """
    players = game.default_players
    read = {part.option for part in game.declared_parts.fields if part.option}
    plain = Observation(game, players)
    place = {one.name: one.start for one in plain.slices}
    views = game.start(players, 3).view(0).states
    for on in (False, True):
        options = dict.fromkeys((option.name for option in game.options), on)
        out = np.full(plain.size, np.nan, dtype=np.float32)
        Observation(game, players, options=options).write(views, out)
        assert {name: out[place[f"option {name}"]] for name in read} == dict.fromkeys(read, float(on))
        others = np.full(plain.size, np.nan, dtype=np.float32)
        plain.write(views, others)
        assert set(np.flatnonzero(out != others)) <= {place[f"option {name}"] for name in read}
        seen = plain.of(game.start(players, 3, options=options), 0)
        assert {name: seen[place[f"option {name}"]] for name in read} == dict.fromkeys(read, float(on))


@every_game
def test_what_is_declared_lies_from_minus_one_to_one(game: Game) -> None:
    observation = Observation(game, game.default_players)
    for one in observation.slices:
        if declares_most(one.field):
            assert np.abs(observation.low[one.start : one.stop]).max() <= 1, one.name
            assert np.abs(observation.high[one.start : one.stop]).max() <= 1, one.name


@every_game
def test_turned_codes_are_those_of_the_same_moves_with_seats_counted_from_the_viewer(game: Game) -> None:
    players = game.default_players
    actions = Actions(game, players)
    seats = {part.name for kind in game.moves.kinds for part in kind.parts if part.of == "seat"}
    for viewer in range(players):
        assert sorted(actions.codes[viewer]) == list(range(game.rules.ACTIONS))
        for code, turned in enumerate(actions.turned[viewer].tolist()):
            assert actions.codes[viewer, turned] == code
            move, other = game.moves.move_of(code), game.moves.move_of(turned)
            for name in seats & move.keys():
                seat = move.pop(name)
                assert other.pop(name) == ((seat - viewer) % players if seat < players else seat)
            assert other == move


@every_game
def test_features_tell_all_actions_apart(game: Game) -> None:
    actions = Actions(game, game.default_players)
    assert actions.table.shape == (game.rules.ACTIONS, len(actions.features))
    assert len(np.unique(actions.table, axis=0)) == game.rules.ACTIONS
    assert np.abs(actions.table).max() <= 1


def test_a_wrong_form_or_seat_is_refused_in_a_sentence(a_game: Game) -> None:
    players = a_game.default_players
    with pytest.raises(
        AtollError, match="no form of observation “binary”; there are: normalized, one-hot, bytes"
    ):
        Observation(a_game, players, "binary")
    with pytest.raises(AtollError, match="is for 2 to"):
        Observation(a_game, 99)
    with pytest.raises(AtollError, match="there is no seat 9"):
        Observation(a_game, players).of(a_game.start(players, 1), 9)
    with pytest.raises(AtollError, match="this observes"):
        Observation(a_game, players).of(a_game.start(players + 1, 1), 0)


@pytest.fixture
def a_game() -> Game:
    """A game that more than its usual number can play."""
    return next(game for game in games().values() if game.default_players + 1 in game.seats)


@every_game
def test_describe_tells_every_field_move_and_slice(game: Game, run: Run) -> None:
    status, said, complaint = run("describe", game.name, "--json", "--form", "one-hot")
    assert (status, complaint) == (0, "")
    told = json.loads(said)
    assert [field["name"] for field in told["state"]] == [field.name for field in game.declared.fields]
    assert sum(kind["count"] for kind in told["moves"]) == told["actions"] == game.rules.ACTIONS
    assert [one["name"] for one in told["move_features"]] == [one.name for one in game.move_features]
    slices = told["observation"]["slices"]
    assert slices[0]["start"] == 0
    assert all(one["stop"] == other["start"] for one, other in pairwise(slices))
    assert slices[-1]["stop"] == Observation(game, game.default_players, "one-hot").size
    status, said, complaint = run("describe", game.name)
    assert (status, complaint) == (0, "")
    assert said.count("─") > 10
    assert all(one.meaning.split()[-1] in said for one in game.move_features)


def test_describe_refuses_a_wrong_form(a_game: Game, run: Run) -> None:
    status, _, complaint = run("describe", a_game.name, "--form", "binary")
    assert status == 2
    assert "there is no form of observation “binary”" in complaint
