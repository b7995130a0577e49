"""How strong and how fast is a game's trained player?

`python -m bench.trained GAME [--file NPZ] [--components TOML ...]`.

Against greedy players, for two and alone among others, with the game's own components, and with its other sets and
those of `--components`, which training never saw: every deal with the trained player in every seat, deals as
units. Then games of trained players alone, in decisions a second of a core; forced ones and the games themselves are
counted in.
"""

import argparse
import time
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from atoll.bots.weights import Weights, read_weights, shipped_weights
from atoll.core.catalogue import find_game, games
from atoll.core.types import Components
from atoll.lab.played import TRAINED
from atoll.lab.trained_policy import play_trained
from atoll.learning.games import measure

SEED = 777
PLAYED = 1000
"""Games in which decisions are timed, for each number of players."""


def speed(weights: Weights, components: Components, players: int) -> float:
    """Decisions a second of a core, in games of trained players alone."""
    mind = weights.mind(players, components)
    seeds, spent, decisions = np.arange(PLAYED, dtype=np.uint64), 0.0, 0
    for first in (seeds[:10], seeds):  # the first compiles
        who = np.full((len(first), players), TRAINED, dtype=np.int8)
        began = time.process_time()
        played = play_trained(weights.game, components, mind, who, first)
        spent, decisions = time.process_time() - began, int(played.lengths.sum())
    return decisions / spent


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.trained",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", choices=list(games()))
    parser.add_argument("--file", type=Path, help="a trained player; the shipped one if not said")
    parser.add_argument("--components", type=Path, nargs="*", default=[], help="files of changed components")
    parser.add_argument("--deals", type=int, default=500, help="how many deals of each kind")
    settings = parser.parse_args()
    game = find_game(settings.game)
    weights = read_weights(game, settings.file) if settings.file else shipped_weights(game)
    if weights is None:
        raise SystemExit(f"{game.title} has no trained player yet; name one with --file.")
    table = Table(
        "Components", "Players", "Games", "Won, %", title=f"{game.title}: trained among greedy players"
    )
    own = game.components()
    kinds: list[tuple[str, Components, tuple[int, ...]]] = [("its own", own, tuple(game.seats))]
    kinds += [(name, game.components(name), (2, 4)) for name in list(game.component_files)[1:]]
    for file in settings.components:
        kinds.append((file.stem, game.read_components(file), (2, 4)))
    for name, components, counts in kinds:
        for players in sorted(set(counts) & set(game.seats)):
            shares = 100 * measure(weights, game.under(components, {}), players, settings.deals, SEED)
            half = 1.96 * shares.std() / len(shares) ** 0.5
            games_played = str(settings.deals * players)
            table.add_row(name, str(players), games_played, f"{shares.mean():.1f} ± {half:.1f}")
    Console().print(table)
    for players in sorted({2, 4} & set(game.seats)):
        rate = speed(weights, game.under(own, {}), players)
        print(f"{players} trained players: {rate:,.0f} decisions a second of a core")


if __name__ == "__main__":
    main()
