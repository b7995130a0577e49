"""Gymnasium's own checks, unmodified, and what they do not look at."""

import copy
import pickle
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from atoll.bots import find_bot
from atoll.core.catalogue import games
from atoll.envs.gymnasium import SoloEnv
from atoll.text.errors import AtollError, IllegalMove
from tests.envs.playing import GAMES, any_action, other_world

every_game = pytest.mark.parametrize("game", GAMES)


def name_of(game: str) -> str:
    return f"atoll/{game}-v{games()[game].rules_version - 1}"


@every_game
def test_their_check(game: str) -> None:
    made = gymnasium.make(name_of(game), bots="random,greedy", render_mode="ansi")
    check_env(made.unwrapped)
    assert isinstance(made.unwrapped, SoloEnv)


def test_observation_and_mask_stand_in_one_dictionary_where_asked() -> None:
    made = gymnasium.make(name_of("karuba"), bots="random", dict_observation=True)
    check_env(made.unwrapped)
    plain = SoloEnv("karuba", bots="random")
    (own, _), (seen, _), over = made.reset(seed=1), plain.reset(seed=1), False
    while not over:
        assert own in made.observation_space
        assert (own["observation"] == seen).all()
        assert (own["action_mask"] == plain.action_masks()).all()
        action = int(np.flatnonzero(own["action_mask"])[0])
        (own, *_), (seen, _, over, _, _) = made.step(action), plain.step(action)
    assert not own["action_mask"].any()


def test_so_they_do_in_many_games_what_is_observed_last_included() -> None:
    kinds: dict[str, Any] = {"num_envs": 3, "autoreset_mode": "SameStep", "bots": "random"}
    many = gymnasium.make_vec(name_of("karuba"), dict_observation=True, **kinds)
    flat = gymnasium.make_vec(name_of("karuba"), **kinds)
    (own, _), (seen, told), over = many.reset(seed=1), flat.reset(seed=1), np.zeros(3, dtype=bool)
    while not over.any():
        assert own in many.observation_space
        assert (own["observation"] == seen).all()
        assert (own["action_mask"] == told["action_mask"]).all()
        actions = own["action_mask"].argmax(axis=1)
        (own, _, over, _, info), (seen, _, _, _, told) = many.step(actions), flat.step(actions)
    assert (info["final_obs"]["observation"] == told["final_obs"]).all()
    assert not info["final_obs"]["action_mask"].any()
    with pytest.raises(AtollError, match="leave neither out"):
        gymnasium.make_vec(name_of("karuba"), num_envs=3, dict_observation=True, mask=False)


def random_game(env: Any, seed: int, steps: int = 10_000) -> list[Any]:
    """What the learner was given in up to so many steps of a random game."""
    chance = np.random.default_rng(seed)
    given: list[Any] = []
    for _ in range(steps):
        observation, reward, over, _, info = env.step(any_action(env.unwrapped.action_masks(), chance))
        given.append((observation.tobytes(), reward, info["action_mask"].tobytes()))
        if over:
            break
    return given


@every_game
@pytest.mark.parametrize("kept", ["get_state", "pickle", "deepcopy"])
def test_a_state_goes_on_as_the_game_would_have(game: str, kept: str) -> None:
    """The bots' chance included."""
    env = SoloEnv(game, bots="random,greedy")
    env.reset(seed=4)
    random_game(env, 1, 5)
    if kept == "get_state":
        twin = SoloEnv(game, bots="random,greedy")
        twin.reset(seed=99)
        twin.set_state(env.get_state())
    else:
        twin = copy.deepcopy(env) if kept == "deepcopy" else pickle.loads(pickle.dumps(env))
    assert random_game(twin, 2) == random_game(env, 2)
    assert twin.reset()[0].tobytes() == env.reset()[0].tobytes()


@every_game
def test_what_the_learner_is_given_does_not_depend_on_what_it_cannot_know(game: str) -> None:
    env = SoloEnv(game, seat=0)
    env.reset(seed=5)
    for _ in range(8):
        given, state = env._look()[0].tobytes(), env.get_state()
        for seed in range(3):
            record = other_world(env.referee, 0, seed)
            env.set_state({**state, "referee": {**state["referee"], "record": record}})
            assert env._look()[0].tobytes() == given
        env.set_state(state)
        random_game(env, 1, 1)
        if env.referee.is_over:
            break


@every_game
def test_the_learner_sits_in_every_seat_in_turn_and_others_decide_as_their_bots_do(game: str) -> None:
    """Greedy as the learner against greedy: the game that four greedy bots play, seat by seat."""
    env = SoloEnv(game, bots="random")
    seats: list[int] = []
    for _ in range(env.referee.players + 1):
        env.reset(seed=1 if not seats else None)
        seats.append(env.seat)
        view = env.referee.position.view(env.seat)
        legal = view.legal_moves().actions
        assert (
            sorted(env.referee.actions.turned[env.seat, legal]) == np.flatnonzero(env.action_masks()).tolist()
        )
        action = find_bot("greedy").choose(view, 1)
        env.step(int(env.referee.actions.turned[env.seat, action]))
    assert seats == [*range(env.referee.players), 0]


def test_what_is_no_seed_no_action_or_no_state_of_these_games_is_refused_in_a_sentence() -> None:
    env = SoloEnv(GAMES[0], bots="random")
    env.reset(seed=1)
    state = env.get_state()
    for wrong, said in (
        (lambda: env.reset(seed=-1), "a seed is a whole number from 0, not -1"),
        (lambda: env.step(0.5), "an action is a whole number, not 0.5"),  # type: ignore[arg-type]
        (lambda: SoloEnv(GAMES[0]).set_state(state), "not of this bots"),
        (lambda: SoloEnv(GAMES[0]).step(0), "no game is going on: reset begins one"),
    ):
        with pytest.raises(AtollError, match=said):
            wrong()
    assert env.get_state() == state


def test_illegal_actions_lose_or_are_refused() -> None:
    for policy in ("lose", "refuse"):
        env = SoloEnv(GAMES[0], illegal=policy)
        env.reset(seed=1)
        wrong = int(np.flatnonzero(~env.action_masks())[0])
        if policy == "lose":
            _, reward, over, _, info = env.step(wrong)
            assert (reward, over, info["illegal"]) == (-1.0, True, True)
            with pytest.raises(AtollError, match="the game is over: reset begins the next one"):
                env.step(wrong)
        else:
            with pytest.raises(IllegalMove, match="is not legal now; legal: "):
                env.step(wrong)
            assert env.action_masks().any()


def test_the_site_imports_nothing_of_this() -> None:
    """`atoll play` and `atoll` import none of the packages of these extras, nor the folder that needs them."""
    extras = {"gymnasium", "pettingzoo", "pyspiel", "open_spiel", "sb3_contrib", "torch", "atoll.envs"}
    script = (
        "import sys, atoll.commands.main, atoll.commands.terminal, atoll.web.serving.server\n"
        f"assert not {extras} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.parametrize("missing", ["gymnasium", "pettingzoo"])
def test_who_lacks_the_packages_is_told_the_command(missing: str) -> None:
    script = (
        "import importlib.util as u; found = u.find_spec\n"
        f"u.find_spec = lambda name, *a: None if name == {missing!r} else found(name, *a)\n"
        "from atoll.text.errors import AtollError\n"
        f"try: import atoll.envs.{missing}\n"
        "except AtollError as error: print(error)"
    )
    output = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout
    assert output == f"this needs {missing}: make envs installs it (or pip install 'atoll[envs]')\n"
