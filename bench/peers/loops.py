"""The loops that are measured, each run in the environment of its library: `python loops.py open_spiel 1.0`.

The same everywhere: the legal actions, a uniform choice among them, the step. It prints a line of JSON for each game:
what was stepped, how, with observations or without, and decisions in a second of processor time. Only what a library
needs is imported, and nothing of Atoll but by `atoll`.
"""

import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

SECONDS = 1.0
SINGLE, BATCH = "one by one", "many at once"
MANY = 1024
Round = Callable[[], int]
"""Plays some of a game, and returns how many decisions were made."""
Case = tuple[str, str, bool, Callable[[], Round]]
"""The game, how, whether observed, and what makes the loop."""


def rate(play: Round) -> float:
    """Decisions in a second of processor time: the best of three, after a first round that is not counted."""
    play()
    rates = []
    for _ in range(3):
        began, decisions = time.process_time(), 0
        while time.process_time() - began < SECONDS:
            decisions += play()
        rates.append(decisions / (time.process_time() - began))
    return max(rates)


def open_spiel_loop(name: str, observed: bool) -> Round:
    """What its own `random_sim_test` does with a game, without the checks."""
    import pyspiel

    game = pyspiel.load_game(name)
    kind = game.get_type()

    def play() -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(outcomes, chances)[0])
                continue
            if observed and kind.provides_observation_tensor:
                state.observation_tensor(state.current_player())
            elif observed:
                state.information_state_tensor(state.current_player())
            state.apply_action(random.choice(state.legal_actions()))
            decisions += 1
        return decisions

    return play


def open_spiel() -> Iterator[Case]:
    """C++ games and games written in Python, from Python, and its vector environment."""
    import numpy as np
    import pyspiel
    from open_spiel.python import games, rl_environment, vector_env  # noqa: F401  games registers those in Python
    from open_spiel.python.rl_agent import StepOutput

    def alone(name: str, observed: bool) -> Round:
        kind = pyspiel.load_game(name).get_type()
        if observed and not (kind.provides_observation_tensor or kind.provides_information_state_tensor):
            raise ValueError("it has no observation tensor")
        return open_spiel_loop(name, observed)

    def vector(name: str) -> Round:
        envs = vector_env.SyncVectorEnv([rl_environment.Environment(name) for _ in range(64)])
        steps = envs.reset()

        def play() -> int:
            nonlocal steps
            outputs = []
            for step in steps:
                info = step.observations
                legal = info["legal_actions"][info["current_player"]]
                outputs.append(StepOutput(np.random.choice(legal), None))
            steps, *_ = envs.step(outputs, reset_if_done=True)
            return len(outputs)

        return play

    for name in ("gin_rummy", "hearts", "oh_hell", "python_block_dominoes", "python_liars_poker"):
        for observed in (True, False):
            label = f"{name} ({'Python' if name.startswith('python_') else 'C++'})"
            yield label, SINGLE, observed, partial(alone, name, observed)
    for name in ("gin_rummy", "oh_hell"):
        yield f"{name} (SyncVectorEnv of 64)", BATCH, True, partial(vector, name)


def agents_cycle(make: Callable[[], Any]) -> Round:
    """PettingZoo's loop."""
    table = make()
    seeds = iter(range(10**9))

    def play() -> int:
        table.reset(seed=next(seeds))
        decisions = 0
        for _ in table.agent_iter():
            seen, _, over, cut, info = table.last()
            action = None
            if not (over or cut):
                mask = seen["action_mask"] if "action_mask" in seen else info["action_mask"]
                action = int(random.choice(mask.nonzero()[0]))
                decisions += 1
            table.step(action)
        return decisions

    return play


def pettingzoo() -> Iterator[Case]:
    """Its classic games, with their wrappers off where they allow it."""
    from importlib import import_module

    for name in (
        "leduc_holdem_v4", "texas_holdem_v4", "texas_holdem_no_limit_v6", "hanabi_v5", "connect_four_v3",
        "tictactoe_v3", "go_v5", "chess_v6",
    ):  # fmt: skip

        def make(name: str = name) -> Round:
            return agents_cycle(import_module(f"pettingzoo.classic.{name}").raw_env)

        yield name, SINGLE, True, make


def rlcard() -> Iterator[Case]:
    """Its card games; a state always has what is observed."""
    import rlcard

    def alone(name: str) -> Round:
        env = rlcard.make(name)

        def play() -> int:
            state, _ = env.reset()
            decisions = 0
            while not env.is_over():
                state, _ = env.step(random.choice(list(state["legal_actions"])))
                decisions += 1
            return decisions

        return play

    for name in ("gin-rummy", "uno", "doudizhu", "no-limit-holdem"):
        yield name, SINGLE, True, partial(alone, name)


def catanatron() -> Iterator[Case]:
    """Catan for four; what it observes is its own vector of features."""
    from catanatron import Color, Game, RandomPlayer

    def alone(observed: bool) -> Round:
        if observed:
            from catanatron_gym.features import create_sample_vector

        def play() -> int:
            game, decisions = Game([RandomPlayer(colour) for colour in Color]), 0
            while game.winning_color() is None and decisions < 1000:
                if observed:
                    create_sample_vector(game, game.state.current_color())
                source = game if hasattr(game, "playable_actions") else game.state
                game.execute(random.choice(source.playable_actions))
                decisions += 1
            return decisions

        return play

    for observed in (True, False):
        yield "Catan, 4 players", SINGLE, observed, partial(alone, observed)


def pgx() -> Iterator[Case]:
    """Its games, vectorized by JAX on the processor."""
    import jax
    import jax.numpy as jnp
    import pgx

    def batch(name: str) -> Round:
        env = pgx.make(name)
        begin, step = jax.vmap(env.init), jax.vmap(env.step)

        def once(state: Any, key: Any) -> Any:
            key, first, second, third = jax.random.split(key, 4)
            logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
            action = jax.random.categorical(first, logits, axis=1)
            state = step(state, action, jax.random.split(second, MANY))
            fresh, over = begin(jax.random.split(third, MANY)), state.terminated | state.truncated

            def either(new: Any, old: Any) -> Any:
                return jnp.where(over.reshape((-1,) + (1,) * (old.ndim - 1)), new, old)

            return jax.tree_util.tree_map(either, fresh, state), key

        run = jax.jit(once)
        key = jax.random.PRNGKey(1)
        state = jax.jit(begin)(jax.random.split(key, MANY))

        def play() -> int:
            nonlocal state, key
            for _ in range(4):
                state, key = run(state, key)
            state.observation.block_until_ready()
            return 4 * MANY

        return play

    for name in ("leduc_holdem", "backgammon", "sparrow_mahjong", "connect_four"):
        yield f"{name} ({MANY:,})", BATCH, True, partial(batch, name)


def atoll() -> Iterator[Case]:
    """Ours: the rules' functions called from Python, AEC, and the vector environment on one thread."""
    import numpy as np
    from gymnasium.vector import AutoresetMode

    from atoll.core.catalogue import find_game, games
    from atoll.core.events import NO_EVENTS
    from atoll.core.exports import LEGAL_ACTIONS, PLAY
    from atoll.envs.open_spiel import PREFIX, register
    from atoll.envs.pettingzoo import raw_env
    from atoll.envs.vector import GamesEnv

    def engine(name: str) -> Round:
        game = find_game(name)
        rules, components, players = game.rules, game.components(), game.default_players
        parts, call = components.parts, game.fast_runner.call
        legal = np.zeros(rules.MAX_LEGAL, dtype=np.int32)
        seeds = iter(range(10**9))

        def play() -> int:
            states, decisions = game.start(players, next(seeds), components).states, 0
            while bits := int(states[0].to_act):
                seat = bits.bit_length() - 1
                count = call(LEGAL_ACTIONS, states, parts, seat, legal)
                call(PLAY, states, parts, seat, legal[int(random.random() * count)], NO_EVENTS)
                decisions += 1
            return decisions

        return play

    def vector(name: str, observed: bool) -> Round:
        envs = GamesEnv(
            MANY, game=name, bots=None, copy=False, threads=1, observe=observed, mask=observed, sample=True,
            autoreset_mode=AutoresetMode.SAME_STEP,
        )  # fmt: skip
        _, info = envs.reset(seed=1)

        def play() -> int:
            nonlocal info
            _, _, _, _, info = envs.step(info["sampled"])
            return MANY

        return play

    register()
    for name, game in games().items():
        in_open_spiel = PREFIX + name.replace("-", "_")
        yield f"{game.title}, OpenSpiel's loop", SINGLE, False, partial(open_spiel_loop, in_open_spiel, False)
        yield f"{game.title}, engine", SINGLE, False, partial(engine, name)
        yield f"{game.title}, AEC", SINGLE, True, partial(agents_cycle, partial(raw_env, name))
        for observed in (True, False):
            label = f"{game.title}, vector ({MANY:,})"
            yield label, BATCH, observed, partial(vector, name, observed)


def main() -> None:
    """Measure a library's games, and print a line for each; a game that cannot be measured is a line that says why."""
    global SECONDS
    library, SECONDS = sys.argv[1], float(sys.argv[2])
    for game, how, observed, make in globals()[library]():
        line: dict[str, Any] = {"game": game, "how": how, "observed": observed}
        try:
            line["rate"] = rate(make())
        except Exception as error:
            line["why"] = f"{type(error).__name__}: {error}".splitlines()[0][:160]
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
