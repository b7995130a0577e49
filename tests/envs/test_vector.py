"""Many games at once: the same games as one by one, whatever the threads; Gymnasium's way of beginning anew."""

import copy
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from atoll.bots import find_bot
from atoll.core.catalogue import games
from atoll.core.game import Game, Position
from atoll.core.observation import observation_of
from atoll.engine.chance import WORD
from atoll.envs.gymnasium import SoloEnv
from atoll.envs.steps import SEAT, STATUS
from atoll.envs.vector import GamesEnv
from atoll.text.errors import AtollError, IllegalMove
from tests.envs.playing import GAMES
from tests.envs.test_gymnasium import name_of

CONSIDERING = tuple(name for name, game in games().items() if game.move_features)
every_game = pytest.mark.parametrize("game", GAMES)
considering_games = pytest.mark.parametrize("game", CONSIDERING)


def any_actions(info: Any, chance: np.random.Generator) -> Any:
    places = (chance.random(len(info["legal_count"])) * info["legal_count"]).astype(int)
    return info["legal"][np.arange(len(places)), places]


def run(envs: GamesEnv, steps: int, seed: int = 1, start: int | None = 7) -> list[bytes]:
    """What random play is given."""
    chance, given = np.random.default_rng(seed), []
    seen, info = envs.reset(seed=start) if start is not None else (envs._observations(), envs._info())
    for _ in range(steps):
        seen, rewards, over, _, info = envs.step(any_actions(info, chance))
        given.append(b"".join(array.tobytes() for array in (seen, rewards, over, info["action_mask"])))
    return given


def positions(envs: GamesEnv) -> list[Position]:
    return [
        Position(envs.game, envs.components, {}, envs.games.states[place : place + 1].copy())
        for place in range(envs.num_envs)
    ]


@pytest.mark.parametrize(
    ("game", "bots", "form"),
    [
        *((game, bots, "normalized") for game in GAMES for bots in (None, "greedy,random")),
        (GAMES[-1], None, "bytes"),
    ],
)
def test_every_game_is_one_of_the_rules(game: str, bots: str | None, form: str) -> None:
    """Every position is sound; masks, observations and the seat are those of the rules at every step.

    In the form `bytes` one game, since it takes a loop of its own: `core/test_observation.py` has what each game
    writes.
    """
    envs = GamesEnv(5, game=game, bots=bots, form=form, autoreset_mode=AutoresetMode.SAME_STEP, threads=2)
    observations, info = envs.reset(seed=3)
    chance, ended = np.random.default_rng(1), 0
    observation = observation_of(envs.game, envs.players, form)
    assert observations.dtype == (np.int8 if form == "bytes" else np.float32)
    for number in range(400):
        for place, position in enumerate(positions(envs)) if number % 40 == 0 else ():
            position.check()
            seat = int(info["seat"][place])
            assert seat == position.to_act[0] or bots
            assert seat in position.to_act
            assert (observations[place] == observation.of(position, seat)).all()
            legal = envs.games.codes[seat, np.flatnonzero(info["action_mask"][place])]
            assert sorted(legal) == position.legal_moves(seat).actions.tolist()
        observations, rewards, over, cut, info = envs.step(any_actions(info, chance))
        ended += int(over.sum())
        assert not cut.any()
        assert not rewards[~over].any()
        assert np.allclose(info["returns"][over].sum(axis=1), 0)
        assert observations in envs.observation_space
    assert ended > 4


@every_game
def test_games_do_not_depend_on_the_number_of_threads_or_of_games(game: str) -> None:
    one, two = (run(GamesEnv(6, game=game, threads=threads), 60) for threads in (1, 2))
    assert one == two


def test_threads_end_when_closed_and_begin_again_when_needed() -> None:
    before = set(threading.enumerate())
    envs, twin = (GamesEnv(4, game=GAMES[-1], threads=threads) for threads in (2, 1))
    assert run(envs, 20) == run(twin, 20)
    assert set(threading.enumerate()) - before
    envs.close()
    assert not set(threading.enumerate()) - before
    assert run(envs, 20, 2, None) == run(twin, 20, 2, None)
    envs.close()


def test_a_forked_process_has_threads_of_its_own() -> None:
    program = """
import os, signal
from tests.envs.test_vector import GAMES, GamesEnv, run
envs = GamesEnv(4, game=GAMES[-1], threads=2)
run(envs, 2)
child = os.fork()
signal.alarm(60)  # ends a process that waits for threads that it has not
run(envs, 2)
if child:
    assert os.waitpid(child, 0)[1] == 0
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", program], check=True, timeout=300)


@pytest.mark.parametrize("where", [0, 1])
def test_errors_are_raised_once_no_thread_writes(where: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the caller's games and of another thread's; the next step is as ever."""
    envs = GamesEnv(4, game=GAMES[-1], threads=2)
    run(envs, 2)
    loop, first, both, done = envs._loop, envs._spans[where][1], threading.Barrier(2), list[int]()

    def fail(*arguments: Any) -> Any:
        both.wait(60)
        if arguments[3] == first:
            raise KeyboardInterrupt
        done.extend(range(100_000))
        return loop(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(envs, "_loop", fail)
        with pytest.raises(KeyboardInterrupt):
            envs.reset()
    assert len(done) == 100_000
    run(envs, 2)
    envs.close()


@every_game
def test_what_is_advised_is_what_greedy_would_do(game: str) -> None:
    """Greedy draws among moves that it rates equally, so any that it chooses with some seed will do."""
    envs = GamesEnv(3, game=game, bots=None, advise=True, observe=False, threads=1)
    _, info = envs.reset(seed=2)
    greedy, choices = find_bot("greedy"), 0
    for number in range(12):
        for place, position in enumerate(positions(envs)) if number % 4 == 3 else ():
            seat = int(info["seat"][place])
            found = {greedy.choose(position.view(seat), seed) for seed in range(40)}
            assert envs.games.codes[seat, info["advised"][place]] in found
            choices += info["legal_count"][place] > 1
        _, _, _, _, info = envs.step(info["advised"].astype(np.int64))
    assert choices > 2


@pytest.mark.parametrize("bots", [None, "greedy,random"])
def test_advice_and_samples_change_no_game(bots: str | None) -> None:
    plain, told = (
        run(GamesEnv(4, game=GAMES[-1], bots=bots, threads=1, advise=more, sample=more), 60)
        for more in (False, True)
    )
    assert plain == told


def test_each_legal_action_is_sampled_equally_often() -> None:
    """A uniform share of the legal ones has the mean 1/2 and at most the variance 1/12: within five deviations."""
    envs = GamesEnv(1000, game=GAMES[-1], bots=None, sample=True, observe=False, threads=1)
    _, info = envs.reset(seed=5)
    shares = []
    for _ in range(4):
        sampled, several = info["sampled"].copy(), info["legal_count"] > 1
        places = (info["legal"] == sampled[:, None]).argmax(axis=1)
        assert (places < info["legal_count"]).all()
        assert (info["legal"][np.arange(1000), places] == sampled).all()
        shares.append(((places + 0.5) / info["legal_count"])[several])
        _, _, _, _, info = envs.step(sampled)
    every_share = np.concatenate(shares)
    assert abs(every_share.mean() - 0.5) < 5 / np.sqrt(12 * len(every_share))
    assert every_share.std() > 0.2


@every_game
@pytest.mark.parametrize("kept", ["get_state", "pickle", "deepcopy"])
def test_a_state_goes_on_as_the_games_would_have(game: str, kept: str) -> None:
    envs = GamesEnv(4, game=game)
    run(envs, 30)
    if kept == "get_state":
        twin = GamesEnv(4, game=game)
        twin.set_state(pickle.loads(pickle.dumps(envs.get_state())))
    else:
        twin = copy.deepcopy(envs) if kept == "deepcopy" else pickle.loads(pickle.dumps(envs))
    assert run(twin, 60, 2, None) == run(envs, 60, 2, None)


@pytest.mark.parametrize("mode", AutoresetMode)
def test_games_begin_anew_as_the_mode_says(mode: AutoresetMode) -> None:
    envs = GamesEnv(3, game=GAMES[-1], autoreset_mode=mode)
    assert envs.metadata["autoreset_mode"] is mode
    chance = np.random.default_rng(1)
    _, info = envs.reset(seed=1)
    over = np.zeros(3, dtype=bool)
    while not over.any():
        observations, rewards, over, _, info = envs.step(any_actions(info, chance))
    place = int(np.flatnonzero(over)[0])
    assert rewards[place] != 0
    if mode is AutoresetMode.SAME_STEP:
        assert info["_final_obs"][place]
        assert (info["final_obs"][place] != observations[place]).any()
        assert info["action_mask"][place].any()
        return
    assert not info["action_mask"][place].any()
    if mode is AutoresetMode.NEXT_STEP:
        _, rewards, over, _, info = envs.step(any_actions(info, chance))
        assert (rewards[place], over[place]) == (0, False)
    else:
        with pytest.raises(AtollError, match="a game is over: reset begins the next one"):
            envs.step(any_actions(info, chance))
        others = envs.games.states[~over].tobytes()
        _, info = envs.reset(options={"reset_mask": over})
        assert envs.games.states[~over].tobytes() == others
    assert info["action_mask"][place].any()


@considering_games
@pytest.mark.parametrize("threads", [1, 2])
def test_what_is_considered_is_what_the_game_says_of_each_legal_action(game: str, threads: int) -> None:
    """Of the view of the seat that decides, in the order of `info["legal"]`."""
    envs = GamesEnv(5, game=game, bots=None, move_features=True, threads=threads)
    _, info = envs.reset(seed=4)
    chance, several = np.random.default_rng(1), 0
    for _ in range(20):
        for place, position in enumerate(positions(envs)):
            view, count = position.view(int(info["seat"][place])), info["legal_count"][place]
            moves = envs.games.codes[view.seat, info["legal"][place, :count]]
            found = np.zeros((count, len(envs.game.move_features)), dtype=np.float32)
            envs.game.write_features(view.state, envs.components.parts[0], moves, count, found)
            assert (info["move_features"][place, :count] == found).all()
            several += count > 1
        _, _, _, _, info = envs.step(any_actions(info, chance))
    assert several > 20


@considering_games
def test_considering_changes_no_game(game: str) -> None:
    plain, told = (run(GamesEnv(4, game=game, move_features=more), 60) for more in (False, True))
    assert plain == told


@pytest.mark.parametrize(("game", "form"), [*((game, "normalized") for game in GAMES), (GAMES[-1], "bytes")])
def test_no_learner_is_given_what_it_cannot_know(game: str, form: str) -> None:
    """In place of the true states, others that the seats cannot tell from them."""
    nothing_is_leaked(GamesEnv(4, game=game, form=form, move_features=game in CONSIDERING))


def nothing_is_leaked(envs: GamesEnv) -> None:
    run(envs, 9)
    state, info = envs.get_state(), envs._info()
    given = [shown(envs)]
    for seed in range(4):
        for place, position in enumerate(positions(envs)):
            seat = int(info["seat"][place])
            envs.games.states[place : place + 1] = position.view(seat).resample(seed).states
        assert envs.games.states.tobytes() != state["games"]["states"].tobytes()
        given.append(shown(envs))
        envs.set_state(state)
    assert len(set(given)) == 1


Write = Callable[[GamesEnv, int, Position], None]


def planted(envs: GamesEnv, write: Write) -> GamesEnv:
    """What is written of each game after the loop has shown it."""
    work = envs._work

    def worked(*asked: Any) -> None:
        work(*asked)
        for place, position in enumerate(positions(envs)):
            write(envs, place, position)

    envs._work = worked  # type: ignore[assignment]
    return envs


def test_a_leak_planted_in_observations_is_noticed() -> None:
    """The full state instead of the view."""

    def leak(envs: GamesEnv, place: int, position: Position) -> None:
        position.state.seat = envs.games.notes[place, SEAT]
        observation = observation_of(envs.game, envs.players, "bytes")
        observation.write(position.states, envs.games.observations[place])

    with pytest.raises(AssertionError, match="assert"):
        nothing_is_leaked(planted(GamesEnv(4, game=GAMES[-1], form="bytes"), leak))


@considering_games
def test_a_leak_planted_in_move_features_alone_is_noticed(game: str) -> None:
    """A game that tells what chance is to bring has nothing to tell from a view, and something from a state."""

    def tell(envs: GamesEnv, place: int, shown: Any) -> None:
        envs.games.move_features[place, 0, 0] = shown.state.generator[WORD] & np.uint64(0xFFFF)

    def of_the_view(envs: GamesEnv, place: int, position: Position) -> None:
        tell(envs, place, position.view(int(envs.games.notes[place, SEAT])))

    nothing_is_leaked(planted(GamesEnv(4, game=game, move_features=True), of_the_view))
    with pytest.raises(AssertionError, match="assert"):
        nothing_is_leaked(planted(GamesEnv(4, game=game, move_features=True), tell))


def shown(envs: GamesEnv) -> bytes:
    """What callers are given of the games as they stand."""
    envs._work(2, envs._all, envs._no_actions)
    games = envs.games
    return b"".join(
        array.tobytes() for array in (games.observations, games.masks, games.legal, games.move_features)
    )


def test_illegal_actions_lose_or_are_refused() -> None:
    for policy in ("lose", "refuse"):
        envs = GamesEnv(3, game=GAMES[0], illegal=policy)
        _, info = envs.reset(seed=1)
        actions = info["legal"][:, 0].copy()
        actions[1] = np.flatnonzero(info["action_mask"][1] == 0)[0]
        if policy == "lose":
            _, rewards, over, _, info = envs.step(actions)
            assert info["illegal"].tolist() == over.tolist() == [False, True, False]
            assert rewards.tolist() == [0, -1, 0]
        else:
            before = envs.games.states.tobytes()
            with pytest.raises(
                IllegalMove, match=rf"action {actions[1]} of game 1 is not legal now; legal: "
            ):
                envs.step(actions)
            assert envs.games.states.tobytes() == before


@every_game
def test_make_vec(game: str) -> None:
    """Whose spaces hold what it gives; without copies it gives its own arrays."""
    envs = gymnasium.make_vec(name_of(game), num_envs=3, bots="random", copy=False)
    observations, info = envs.reset(seed=1)
    assert observations in envs.observation_space
    again, rewards, *_ = envs.step(info["legal"][:, 0])
    assert again is observations
    assert np.shares_memory(rewards, envs.unwrapped.games.rewards)  # type: ignore[attr-defined]
    envs.close()


@every_game
def test_a_seed_gives_the_same_games_one_by_one_and_many_at_once(game: str) -> None:
    """docs/envs.md; the learner's seat, bots and chance included, and game after game."""
    envs = GamesEnv(2, game=game, bots="greedy,random", autoreset_mode=AutoresetMode.SAME_STEP, threads=1)
    solo = SoloEnv(game, bots="greedy,random")
    (observations, info), (seen, told) = envs.reset(seed=[5, 6]), solo.reset(seed=6)
    ended = 0
    while ended < 3:
        assert observations[1].tobytes() == seen.tobytes()
        assert info["seat"][1] == solo.seat
        mask = told["action_mask"]
        assert info["action_mask"][1].tobytes() == mask.tobytes()
        action = int(mask.argmax()) if ended < 2 else int(mask.argmin())
        observations, rewards, over, _, info = envs.step(np.array([info["legal"][0, 0], action]))
        seen, reward, ends, _, told = solo.step(action)
        assert (rewards[1], over[1]) == (reward, ends)
        if ends:
            final = info["final_info"]
            assert info["final_obs"][1].tobytes() == seen.tobytes()
            assert (final["seat"][1], bool(final["illegal"][1])) == (solo.seat, "illegal" in told)
            assert final["returns"][1, solo.seat] == reward
            assert final["_seat"][1]
            seen, told = solo.reset()
            ended += 1


def test_one_thread_at_a_time_steps() -> None:
    envs = GamesEnv(2, game=GAMES[-1], threads=1)
    _, info = envs.reset(seed=1)
    loop, within, going_on = envs._loop, threading.Event(), threading.Event()

    def held(*arguments: Any) -> Any:
        within.set()
        assert going_on.wait(60)
        return loop(*arguments)

    envs._loop = held
    other = threading.Thread(target=envs.step, args=(info["legal"][:, 0],))
    other.start()
    assert within.wait(60)
    for call in (lambda: envs.step(info["legal"][:, 0]), lambda: envs.reset(seed=2), envs.get_state):
        with pytest.raises(AtollError, match="another thread is stepping these games"):
            call()
    going_on.set()
    other.join()
    envs.reset(seed=2)


def test_wrong_arrays_are_refused_in_a_sentence(a_game: Game) -> None:
    envs, fresh = GamesEnv(3, game=a_game), GamesEnv(3, game=a_game)
    envs.reset(seed=1)
    actions, before = np.zeros(3, dtype=np.int64), envs.games.states.tobytes()
    for wrong, said in (
        (lambda: GamesEnv(0, game=a_game), "num_envs is a whole number from 1, not 0"),
        (lambda: GamesEnv(3, game=a_game, threads=0), "threads is a whole number from 1, not 0"),
        (lambda: fresh.step(actions), "no game is going on: reset begins one"),
        (lambda: envs.reset(seed=-1), "a seed is a whole number from 0, not -1"),
        (lambda: envs.reset(seed=[1, -2, 3]), "a seed is a whole number from 0, not -2"),
        (lambda: envs.step(actions + 0.5), "actions are whole numbers, not float64"),  # type: ignore[arg-type]
        (
            lambda: envs.set_state(GamesEnv(3, game=a_game, bots="random").get_state()),
            "not of this bots",
        ),
        (lambda: GamesEnv(3, game=a_game, bots="expert"), "no bot for many games at once 'expert'"),
        (lambda: GamesEnv(3, game=a_game, seat=9), "there is no seat 9"),
        (
            lambda: GamesEnv(3, game=a_game, move_features=True),
            f"{a_game.title} has no move features of its moves: leave out move_features=True",
        ),
        (
            lambda: GamesEnv(3, game=CONSIDERING[0], move_features=True, device="cuda"),
            "move features are made on the processor: move_features=True needs device='cpu'",
        ),
        (lambda: envs.reset(seed=[1, 2]), "there are 3 games, not 2"),
        (lambda: envs.step(np.zeros(2, dtype=np.int64)), r"actions have the shape \(3,\), not \(2,\)"),
        (lambda: envs.set_state(GamesEnv(4, game=a_game).get_state()), "not of 3 such games"),
    ):
        with pytest.raises(AtollError, match=said):
            wrong()
    assert envs.games.states.tobytes() == before
    assert (fresh.games.notes[:, STATUS] != 0).all()


@pytest.fixture
def a_game() -> Game:
    """Any of the catalogue that considers nothing."""
    return next(game for game in games().values() if not game.move_features)
