"""How many random games a second does each game play, and how soon is it ready?

`python -m bench.engine [GAME ...]`, or `make bench`: games and decisions a second, compile and load time, and the cost
of a step from Python, each the median of several runs on one core.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from statistics import median

import numpy as np
from rich.console import Console
from rich.table import Table

from atoll.bots import find_bot
from atoll.core.catalogue import games
from atoll.core.events import NO_EVENTS
from atoll.core.exports import LEGAL_ACTIONS, PLAY
from atoll.core.game import Game
from atoll.lab.simulate import compile_simulation, simulate_chunk

GAMES = 10_000
RUNS = 5


def timed(run: Callable[[], object]) -> float:
    """Seconds that `run` takes."""
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def rates(game: Game) -> Table:
    """Random games on one core at each player count."""
    table = Table(title=f"{game.title}: random games on one core, median of {RUNS} runs of {GAMES:,}")
    for heading in ("Players", "Games a second", "Decisions a second", "Decisions a game"):
        table.add_column(heading, justify="right")
    components, bots = game.components(), [find_bot("random")]
    compile_simulation(game, components)
    for players in game.seats:
        results = simulate_chunk(game, components, players, bots, 1, 0, GAMES)
        play = partial(simulate_chunk, game, components, players, bots, 1, 0, GAMES)
        seconds = median(timed(play) for _ in range(RUNS))
        decisions = int(results.lengths.sum())
        table.add_row(
            str(players),
            f"{GAMES / seconds:,.0f}",
            f"{decisions / seconds:,.0f}",
            f"{decisions / GAMES:.1f}",
        )
    return table


_START = """
import time
began = time.perf_counter()
from atoll.core.catalogue import find_game
game = find_game({name!r})
game.rules
imported = time.perf_counter()
position = game.start(game.default_players, seed=0)
view = position.view(position.to_act[0])
view.legal_moves()
table = time.perf_counter()
from atoll.bots import find_bot
find_bot("search:1").choose(view, seed=0)
search = time.perf_counter()
from atoll.lab.simulate import compile_simulation
compile_simulation(game, game.components())
print(imported - began, table - imported, search - table, time.perf_counter() - search)
"""


def starts(game: Game) -> Table:
    """A first start, and later ones, in new processes."""
    table = Table(title=f"{game.title}: seconds to be ready (first start: once; later: median of {RUNS})")
    for heading in (
        "",
        "Importing the rules",
        "A first position",
        "A first search",
        "Simulation",
    ):
        table.add_column(heading, justify="right")
    with tempfile.TemporaryDirectory() as home:

        def start() -> list[float]:
            environment = {**os.environ, "ATOLL_HOME": home}
            command = [sys.executable, "-c", _START.format(name=game.name)]
            process = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
            return [float(part) for part in process.stdout.split()]

        table.add_row("First start", *(f"{seconds:.2f}" for seconds in start()))
        loads = np.median([start() for _ in range(RUNS)], axis=0)
        table.add_row("Later", *(f"{seconds:.2f}" for seconds in loads))
    return table


def step_cost(game: Game) -> str:
    """One legal-moves-and-move step from Python, through the entries that take arrays."""
    rules, components, call = game.rules, game.components(), game.fast_runner.call
    players = game.default_players
    rng = np.random.default_rng(1)
    out = np.zeros(rules.MAX_LEGAL, dtype=np.int32)
    costs = []
    for seed in range(200):
        states = game.start(players, seed)._states
        draws = rng.random(4096).tolist()
        spent, steps = 0.0, 0
        while bits := int(states[0].to_act):
            seat = bits.bit_length() - 1
            pick = draws[steps]
            began = time.perf_counter()
            count = call(LEGAL_ACTIONS, states, components.parts, seat, out)
            call(PLAY, states, components.parts, seat, out[int(pick * count)], NO_EVENTS)
            spent += time.perf_counter() - began
            steps += 1
        costs.append(spent / steps)
    return f"{game.title}: {median(costs) * 1e6:.2f} us a step (legal moves and move) from Python"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.engine",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("games", nargs="*", metavar="GAME", help="of which game; of all if not said")
    settings = parser.parse_args()
    if unknown := set(settings.games) - set(games()):
        parser.error(f"there is no game {min(unknown)}; there are {', '.join(games())}")
    console = Console(highlight=False)
    for name in settings.games or games():
        for measure in (starts, rates, step_cost):
            console.print(measure(games()[name]))


if __name__ == "__main__":
    main()
