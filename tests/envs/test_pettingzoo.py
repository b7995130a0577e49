"""PettingZoo's own suites, unmodified, and what they do not look at: hidden information, states, illegal actions."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from goofspiel import game as goofspiel
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
from pettingzoo.test.state_test import state_test

from atoll.core.catalogue import games
from atoll.core.observation import observation_of
from atoll.core.state import REFEREE
from atoll.envs.pettingzoo import env, parallel_env, raw_env
from atoll.text.errors import AtollError, IllegalMove
from tests.envs.playing import GAMES, any_action, other_world

every_game = pytest.mark.parametrize("game", [*GAMES, goofspiel], ids=[*GAMES, goofspiel.name])
pytestmark = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array", "ignore:Observation space for each"
)


@pytest.fixture(autouse=True)
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game of another package, as if it were installed."""
    monkeypatch.setitem(games(), goofspiel.name, goofspiel)


@every_game
def test_their_suites(game: Any) -> None:
    api_test(env(game), num_cycles=60)
    seed_test(lambda: env(game), num_cycles=60)
    parallel_api_test(parallel_env(game), num_cycles=60)
    parallel_seed_test(lambda: parallel_env(game), num_cycles=60)
    state_test(env(game), parallel_env(game))


def random_game(table: Any, seed: int, steps: int = 10_000) -> list[bytes]:
    """What agents were given in up to so many steps of a random game."""
    chance = np.random.default_rng(seed)
    given = []
    for _ in range(steps):
        if not table.agents:
            break
        seen, reward, over, _, _ = table.last()
        given.append(seen["observation"].tobytes() + seen["action_mask"].tobytes() + repr(reward).encode())
        table.step(None if over else any_action(seen["action_mask"], chance))
    return given


@every_game
def test_a_whole_game_is_that_of_the_rules(game: Any) -> None:
    """The same actions played on a position of the rules: the same seats, masks, observations and result."""
    table = raw_env(game)
    table.reset(seed=3)
    position = table.referee.position
    observation, chance = observation_of(position.game, position.players), np.random.default_rng(1)
    codes = table.referee.actions.codes
    while not position.is_over:
        seat = position.to_act[0]
        assert table.agent_selection == f"player_{seat}"
        seen, *_ = table.last()
        assert (seen["observation"] == observation.of(position, seat)).all()
        legal = codes[seat, np.flatnonzero(seen["action_mask"])]
        assert sorted(legal) == position.legal_moves(seat).actions.tolist()
        action = any_action(seen["action_mask"], chance)
        table.step(action)
        position.play(seat, int(codes[seat, action]))
    assert position.outcome is not None
    winners = position.outcome.winners
    assert all(table.terminations.values())
    assert sum(table.rewards.values()) == pytest.approx(0)
    best = max(table.rewards.values())
    assert [table.rewards[f"player_{seat}"] == best for seat in range(position.players)] == [
        seat in winners for seat in range(position.players)
    ]


@every_game
@pytest.mark.parametrize("kept", ["get_state", "pickle", "deepcopy"])
def test_a_state_goes_on_as_the_game_would_have(game: Any, kept: str) -> None:
    """From the middle of a game, and from its end before the agents are taken away."""
    ways: dict[str, Callable[[Any], Any]] = {
        "get_state": lambda table: restored(game, table.get_state()),
        "pickle": lambda table: pickle.loads(pickle.dumps(table)),
        "deepcopy": copy.deepcopy,
    }
    for bring in (lambda table: random_game(table, 1, 17), until_over):
        table = raw_env(game)
        table.reset(seed=4)
        bring(table)
        twin = ways[kept](table)
        assert twin is not table
        assert random_game(twin, 2) == random_game(table, 2)
        twin.reset()
        table.reset()
        assert random_game(twin, 3, 20) == random_game(table, 3, 20)


def until_over(table: Any) -> None:
    chance = np.random.default_rng(1)
    while not any(table.terminations.values()):
        table.step(any_action(table.last()[0]["action_mask"], chance))


def restored(game: Any, state: Any) -> Any:
    twin = raw_env(game)
    twin.reset(seed=99)
    twin.set_state(pickle.loads(pickle.dumps(state)))
    return twin


@every_game
def test_what_an_agent_is_given_does_not_depend_on_what_it_cannot_know(game: Any) -> None:
    """Every agent at every fifth step, in worlds that it cannot tell apart; and the full state is no view."""
    table = raw_env(game)
    table.reset(seed=5)
    chance = np.random.default_rng(5)
    full = set()
    for number in range(60):
        if not any(table.terminations.values()) and number % 5 == 0:
            for seat, agent in enumerate(table.possible_agents):
                state = table.get_state()
                told = {given_to(table, agent)}
                full.add(table.state().tobytes())
                for seed in range(3):
                    other = {
                        **state,
                        "referee": {**state["referee"], "record": other_world(table.referee, seat, seed)},
                    }
                    table.set_state(other)
                    told.add(given_to(table, agent))
                    full.add(table.state().tobytes())
                    table.set_state(state)
                assert len(told) == 1
        if not any(table.terminations.values()):
            table.step(any_action(table.last()[0]["action_mask"], chance))
    assert len(full) > 20


def given_to(table: Any, agent: str) -> bytes:
    seen = table.observe(agent)
    rest = repr((table.agent_selection, table.rewards, table.infos, table.terminations))
    return bytes(seen["observation"].tobytes() + seen["action_mask"].tobytes() + rest.encode())


def test_a_planted_leak_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Observations made of the full state instead of the view."""
    from atoll.envs.referee import Referee

    honest = Referee.look

    def leaking(self: Referee, seat: int) -> Any:
        return self.full_state(), honest(self, seat)[1]

    monkeypatch.setattr(Referee, "look", leaking)
    with pytest.raises(AssertionError, match="assert"):
        test_what_an_agent_is_given_does_not_depend_on_what_it_cannot_know(GAMES[0])


@pytest.mark.parametrize("game", GAMES)
def test_an_illegal_action_loses_at_once_or_is_refused(game: str) -> None:
    table = env(game)
    table.reset(seed=1)
    agent = table.agent_selection
    wrong = int(np.flatnonzero(table.last()[0]["action_mask"] == 0)[0])
    table.step(wrong)
    assert all(table.terminations.values())
    assert table.infos[agent] == {"illegal": True}
    assert table.rewards[agent] == -1
    assert sum(table.rewards.values()) == pytest.approx(0)

    strict = env(game, illegal="refuse")
    strict.reset(seed=1)
    before = strict.unwrapped.get_state()
    with pytest.raises(IllegalMove, match=rf"action {wrong} of seat .* is not legal now; legal: "):
        strict.step(wrong)
    assert strict.unwrapped.get_state() == before


@every_game
def test_in_parallel_those_who_have_nothing_to_decide_can_only_wait(game: Any) -> None:
    table = parallel_env(game)
    seen, _ = table.reset(seed=2)
    chance = np.random.default_rng(2)
    while table.agents:
        deciding = table.referee.position.to_act
        for seat, agent in enumerate(table.possible_agents):
            mask = seen[agent]["action_mask"]
            assert mask[table.wait] == (seat not in deciding)
            assert mask[:-1].any() == (seat in deciding)
        actions = {agent: any_action(seen[agent]["action_mask"], chance) for agent in table.agents}
        seen, rewards, over, _, _ = table.step(actions)
    assert all(over.values())
    assert sum(rewards.values()) == pytest.approx(0)


def test_what_does_not_exist_is_refused_in_a_sentence() -> None:
    game = GAMES[0]
    for settings, said in (
        ({"form": "binary"}, "there is no form of observation “binary”"),
        ({"reward": "fun"}, "there is no reward 'fun'; there are: win, points"),
        ({"illegal": "ignore"}, "there is no policy for illegal actions 'ignore'; there are: lose, refuse"),
        ({"players": 99}, "players, not 99"),
        ({"components": "gold"}, "no components called “gold”"),
        ({"options": {"magic": True}}, "no option “magic”"),
    ):
        with pytest.raises(AtollError, match=said):
            env(game, **settings)
    make: Any
    for make in (raw_env, parallel_env):
        with pytest.raises(AtollError, match="no game is going on: reset begins one"):
            make(game).step({})
        with pytest.raises(AtollError, match="a seed is a whole number from 0, not -1"):
            make(game).reset(seed=-1)
    table: Any = raw_env(game)
    table.reset(seed=1)
    with pytest.raises(AtollError, match=r"an action is a whole number, not 0\.5"):
        table.step(0.5)
    state = table.get_state()
    record: Any = np.frombuffer(state["referee"]["record"], dtype=table.referee.states.dtype).copy()
    record["players"] = 99
    for wrong, said in (
        ({"game": "chess"}, "not of this game"),
        ({"options": {}}, "not of this options"),
        ({"record": record.tobytes()}, "cannot be right"),
    ):
        with pytest.raises(AtollError, match=said):
            table.set_state({**state, "referee": {**state["referee"], **wrong}})
        assert table.get_state() == state
    assert table.referee.states[0]["seat"] == REFEREE
