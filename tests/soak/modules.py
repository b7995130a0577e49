"""Do the games' modules play and search as machine code does?

`python -m tests.soak modules --games 10000`.

Of each game so many, over all numbers of players, shipped sets and options, between random and greedy bots, once in the
module and once in machine code: every final state, its length and its points. Then searches of the same seed: all
visits and wins. `--build` first builds each module anew and compares it byte by byte with the one that is shipped.
"""

import argparse
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track

from atoll.bots.bot import QUICK_BOTS
from atoll.bots.search import evaluate
from atoll.core.catalogue import games
from atoll.core.game import Game
from atoll.core.running import MODULE
from atoll.core.types import Components
from atoll.engine.chance import generator
from atoll.engine.exports import Runner
from atoll.engine.native import NativeRunner
from atoll.lab.loop import PLAIN_GAMES, deal_chances, loop_of, seated_arrays
from atoll.lab.modules import build
from atoll.lab.played import Setup

SEARCHES = 60
ITERATIONS = 300


def settings(game: Game) -> Iterator[tuple[int, Components]]:
    """Every number of players with every shipped set and every combination of options."""
    names = [option.name for option in game.options]
    for name in game.component_files or (None,):
        for values in product((False, True), repeat=len(names)):
            components = game.under(game.components(name), dict(zip(names, values, strict=True)))
            for players in game.seats:
                yield players, components


def played(game: Game, runner: Runner, players: int, components: Components, count: int) -> list[Any]:
    """What came of games in one way of running them."""
    setup = Setup(game, components, players, QUICK_BOTS, 7)
    chances, own = deal_chances(7, 0, count, players)
    arrays = seated_arrays(game, components, setup.seats(0, count), own, chances)
    runner.call(loop_of(PLAIN_GAMES, QUICK_BOTS, arrays), arrays)
    return [arrays.states[:count].tobytes(), arrays.lengths.tolist(), arrays.points.tolist()]


def searched(game: Game, runner: Runner, players: int, components: Components, seed: int) -> Any:
    """What a search found, some decisions into a game."""
    vars(game)["runner"] = runner
    position = game.start(players, seed, components)
    chance = np.random.default_rng(seed)
    for _ in range(int(chance.integers(0, 40))):
        if position.is_over:
            return None
        seat = position.to_act[0]
        moves = position.legal_moves(seat).actions
        position.play_action(seat, int(chance.choice(moves)))
    if position.is_over:
        return None
    return evaluate(position.view(position.to_act[0]), generator(seed), ITERATIONS, None)


def main() -> int:
    """Compare; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak modules", description=__doc__)
    parser.add_argument("--games", type=int, default=10_000, help="of each game")
    parser.add_argument("--build", action="store_true", help="build the modules anew, too")
    given = parser.parse_args()
    wrong, console = 0, Console(stderr=True)
    for game in games().values():
        if not (game.folder / MODULE).is_file():
            continue
        if given.build:
            with TemporaryDirectory() as folder:
                build(game, Path(folder))
                same = Path(folder, MODULE).read_bytes() == (game.folder / MODULE).read_bytes()
                wrong += not same
                print(f"{game.title}: the module built anew is {'the same' if same else 'another'}")
        module, native = game.runner, NativeRunner(game)
        every = list(settings(game))
        count = -(-given.games // len(every))
        different = 0
        for players, components in track(every, game.title, console=console):
            one, other = (played(game, runner, players, components, count) for runner in (module, native))
            different += one != other
        print(
            f"{game.title}: {count * len(every)} games in {len(every)} settings, {different} settings differ"
        )
        differing = 0
        for seed in track(range(SEARCHES), f"{game.title}, searches", console=console):
            players, components = every[seed * 7 % len(every)]
            one, other = (searched(game, runner, players, components, seed) for runner in (module, native))
            differing += one != other
        print(f"{game.title}: {SEARCHES} searches of {ITERATIONS} iterations, {differing} differ")
        wrong += different + differing
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
