"""How fast do the environments step games, beside the plain engine?

`python -m bench.envs` measures both in turns in one run.

The same loop everywhere: legal actions, a uniform choice, the move. Of many games: decisions a second of the vector
environment, with masks and observations in the forms `normalized` and `bytes` and without, on one thread and on two,
against `simulate` with random bots on as many. Of one game: microseconds a step of PettingZoo's loop, without its
wrappers, against the rules' functions called from Python. Medians of rounds. With `--processor-time` seconds are those
of the processor, as is fair where others use the machine; how much faster two threads are is not told then.
"""

import argparse
import time
from collections.abc import Callable
from statistics import median

import numpy as np
from gymnasium.vector import AutoresetMode
from rich.console import Console
from rich.table import Table

from atoll.bots import find_bot
from atoll.core.catalogue import find_game, games
from atoll.core.events import NO_EVENTS
from atoll.core.exports import LEGAL_ACTIONS, PLAY
from atoll.core.game import Game
from atoll.envs.pettingzoo import raw_env
from atoll.envs.vector import GamesEnv
from atoll.lab.simulate import compile_simulation, simulate

FORMS = ("normalized", "bytes", "")
"""How observations are made; the last leaves them and the masks out."""
REST = 0.2
"""The share of a measurement's time that is rested before it: Linux stops a real-time process (`chrt`) that has run for
0.95 of a second, which would be in the same measurement of each round."""
Rate = Callable[[], float]
Clock = Callable[[], float]


def vector(game: Game, count: int, threads: int, seconds: float, clock: Clock, form: str) -> Rate:
    """Decisions a second of that many games, each a legal action drawn in compiled code, as the plain loop does."""
    envs = GamesEnv(
        count, game=game, bots=None, copy=False, threads=threads,
        observe=bool(form), mask=bool(form), form=form or FORMS[0], sample=True, autoreset_mode=AutoresetMode.SAME_STEP,
    )  # fmt: skip
    _, info = envs.reset(seed=1)

    def rate() -> float:
        nonlocal info
        began, steps = clock(), 0
        while clock() - began < seconds:
            _, _, _, _, info = envs.step(info["sampled"])
            steps += 1
        return count * steps / (clock() - began)

    return rate


def plain(game: Game, threads: int, seconds: float, clock: Clock) -> Rate:
    """Decisions a second of the compiled loop that plays random games."""
    components, players, bots = game.components(), game.default_players, [find_bot("random")]
    compile_simulation(game, components)
    number = [2000]

    def rate() -> float:
        began = clock()
        results = simulate(game, components, players, bots, number[0], 1, threads)
        spent = clock() - began
        number[0] = max(500, int(number[0] * seconds / spent))
        return float(results.lengths.sum() / spent)

    return rate


def aec(game: Game, decisions: int) -> Rate:
    """Microseconds a step of PettingZoo's loop; choosing is not counted."""
    table = raw_env(game)

    def cost() -> float:
        chance, spent, steps = np.random.default_rng(1), 0.0, 0
        while steps < decisions:
            table.reset(seed=steps)
            began = time.perf_counter()
            for _ in table.agent_iter():
                seen, _, over, _, _ = table.last()
                spent += time.perf_counter() - began
                legal = () if over else seen["action_mask"].nonzero()[0]
                action = None if over else int(legal[int(chance.random() * len(legal))])
                steps += not over
                began = time.perf_counter()
                table.step(action)
        return spent / steps * 1e6

    return cost


def engine(game: Game, decisions: int) -> Rate:
    """Microseconds a step of the rules' functions, called from Python; choosing is not counted."""
    rules, parts, players = game.rules, game.components().parts, game.default_players
    call = game.fast_runner.call
    out = np.zeros(rules.MAX_LEGAL, dtype=np.int32)

    def cost() -> float:
        chance, spent, steps = np.random.default_rng(1), 0.0, 0
        while steps < decisions:
            states = game.start(players, steps).states
            while bits := int(states[0].to_act):
                seat, pick = bits.bit_length() - 1, chance.random()
                began = time.perf_counter()
                count = call(LEGAL_ACTIONS, states, parts, seat, out)
                call(PLAY, states, parts, seat, out[int(pick * count)], NO_EVENTS)
                spent += time.perf_counter() - began
                steps += 1
        return spent / steps * 1e6

    return cost


def measured(ways: dict[str, Rate], rounds: int, rest: float = 0) -> dict[str, float]:
    """The median of each, all taken in turns with a rest before each; a first round is not counted."""
    rates: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(rounds + 1):
        for name, way in ways.items():
            time.sleep(rest)
            value = way()
            if turn:
                rates[name].append(value)
    return {name: median(values) for name, values in rates.items()}


def main() -> None:
    """Measure, and print tables."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.envs", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", action="append", choices=list(games()), help="which game; all if not said")
    parser.add_argument("--games", type=int, default=4096, help="how many at once")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="how long each is measured in a round")
    parser.add_argument(
        "--processor-time", action="store_true", help="count seconds of the processor; one thread"
    )
    settings = parser.parse_args()
    clock = time.process_time if settings.processor_time else time.perf_counter
    counts = (1,) if settings.processor_time else (1, 2)
    many = Table(
        title=f"{settings.games:,} games at once: decisions a second, and its ratio to the plain loop"
    )
    one = Table(title="One game: microseconds a step from Python")
    headings = [heading for form in FORMS for heading in (form or "Legal actions alone", "Ratio")]
    for heading in ("Game", "Threads", "Plain loop", *headings):
        many.add_column(heading, justify="left" if heading == "Game" else "right")
    for heading in ("Game", "Engine", "AEC", "Ratio"):
        one.add_column(heading, justify="left" if heading == "Game" else "right")
    for name in settings.game or games():
        game, ways = find_game(name), {}
        for threads in counts:
            ways[f"plain {threads}"] = plain(game, threads, settings.seconds, clock)
            for form in FORMS:
                ways[f"{form} {threads}"] = vector(
                    game, settings.games, threads, settings.seconds, clock, form
                )
        found = measured(ways, settings.rounds, REST * settings.seconds)
        for threads in counts:
            rate = found[f"plain {threads}"]
            rates = [found[f"{form} {threads}"] for form in FORMS]
            cells = [cell for one in rates for cell in (f"{one:,.0f}", f"{one / rate:.2f}")]
            many.add_row(game.title, str(threads), f"{rate:,.0f}", *cells)
        if len(counts) > 1:
            base, *gains = (f"x {found[f'{what} 2'] / found[f'{what} 1']:.2f}" for what in ("plain", *FORMS))
            many.add_row("", "2 to 1", base, *(cell for gain in gains for cell in (gain, "")))
        costs = measured({"engine": engine(game, 3000), "aec": aec(game, 3000)}, settings.rounds)
        ratio = f"{costs['aec'] / costs['engine']:.2f}"
        one.add_row(game.title, f"{costs['engine']:.2f}", f"{costs['aec']:.2f}", ratio)
    console = Console(highlight=False)
    console.print(many)
    console.print(one)


if __name__ == "__main__":
    main()
