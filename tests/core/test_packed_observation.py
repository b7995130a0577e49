"""Code written out for a game gives the same bytes as the program by which observations are made for all games."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from atoll.core.catalogue import games
from atoll.core.fields import UNKNOWN, Int8s, Int16s, everybody, nobody, owner
from atoll.core.forms import Row, SeatSet
from atoll.core.game import Game
from atoll.core.observation import Observation, observation_of
from atoll.core.packed_observation import byte_writer
from atoll.core.parts import Parts
from atoll.core.state import State
from atoll.engine import compiling
from atoll.testing.playing import walk

every_game = pytest.mark.parametrize("game", games().values(), ids=lambda game: game.name)


class OddState(State):
    """Fields of every kind, in an order that leaves no room behind rows and sets of seats."""

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
    rules = SimpleNamespace(__file__=__file__)

    def check_players(self, players: int) -> None:
        """Any number will do."""

    def check_options(self, options: dict[str, bool]) -> dict[str, bool]:
        """There are none."""
        return options


ODD_GAME: Any = OddGame()


def written(game: Game, observation: Observation, record: Any) -> list[int]:
    out = np.full((3, observation.size), 99, dtype=np.int8)
    byte_writer(game)(record, observation.program, observation.factors, out[1])
    assert (out[[0, 2]] == 99).all()
    found: list[int] = out[1].tolist()
    return found


@every_game
def test_every_view_of_a_game_is_written_as_the_program_says(game: Game) -> None:
    for players in game.seats:
        observation = observation_of(game, players, "bytes")
        for number, position in walk(game, players, 5):
            for seat in range(players) if number % 40 == 0 else ():
                wanted = observation.of(position, seat).tolist()
                assert written(game, observation, position.view(seat).state) == wanted


@pytest.mark.parametrize("players", [2, 3, 4])
def test_fields_of_every_kind_are_written_as_the_program_says(
    players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also those that no game of ours has, and without a byte before or behind the observation."""
    monkeypatch.setattr(
        compiling, "_use_cache_of", lambda function: False
    )  # the next process has no such module
    chance = np.random.default_rng(1)
    observation = Observation(ODD_GAME, players, "bytes")
    for seat in range(players):
        record = np.zeros(1, dtype=OddState.dtype)
        for name in OddState.dtype.names or ():
            record[name] = chance.integers(0, 10, record[name].shape)
        record["next_to"] = chance.integers(-1, players, (1, 2, 4))
        record["secret"] = [15, 255, 5]
        record["players"], record["seat"] = players, seat
        out = np.full(observation.size, 99, dtype=np.int8)
        observation.write(record[0], out)
        assert written(ODD_GAME, observation, record[0]) == out.tolist()
        sets = next(one for one in observation.slices if one.name == "secret")
        hidden = out[sets.start : sets.stop].reshape(sets.shape)[1]
        assert (hidden == UNKNOWN).all()
