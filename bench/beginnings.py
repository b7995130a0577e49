"""How often seats begin with a rare move, and what they win: `python -m bench.beginnings GAME MOVE`.

The games are those of `atoll simulate GAME` with the same components, bots and seed; each is played on only if a seat's
first move is the one that is asked for, so that many more can be dealt in the same time. Moves are named by their kind
and its parts, as records have them, without what carries them out:

    python -m bench.beginnings cast-away "take event" --not "take boosts" "take mystery tile" \\
        --players 3 --components fair --bots search:250 --games 9000 --seed 4301
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from atoll.bots.catalogue import Bot
from atoll.bots.external import named_bots
from atoll.command_options import components_in, progress_bar
from atoll.core.catalogue import find_game, games
from atoll.core.game import Components, Game, Outcome
from atoll.lab.batches import in_order
from atoll.lab.ratings import share_estimate
from atoll.lab.simulate import compile_simulation, game_seed, seat_bots, step_game


class Begun(NamedTuple):
    """The first moves of the seats of a game, and what came of it if it was played on."""

    firsts: tuple[str, ...]
    outcome: Outcome | None


def begin(
    game: Game,
    components: Components,
    players: int,
    bots: Sequence[Bot],
    seed: int,
    index: int,
    wanted: str,
    passed: frozenset[str],
) -> Begun:
    """Game `index` of those that are dealt with a seed, until all have begun with a move that is not `passed`; to its
    end, if one of them is `wanted`.
    """
    position = game.start(players, game_seed(seed, index), components)
    firsts: dict[int, str] = {}
    for decision in step_game(position, seat_bots(bots, players, seed, index)):
        move = game.notation.move_of(decision.action)
        if decision.seat not in firsts and move["do"] not in passed:
            firsts[decision.seat] = " ".join(str(value) for part, value in move.items() if part != "with")
            if len(firsts) == players and wanted not in firsts.values():
                break
    return Begun(tuple(firsts.get(seat, "") for seat in range(players)), position.outcome)


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.beginnings",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", choices=list(games()))
    parser.add_argument("move", metavar="MOVE", help="the first move after which games are played on")
    parser.add_argument(
        "--not", dest="passed", nargs="+", default=[], metavar="KIND", help="moves that do not count"
    )
    parser.add_argument("--players", type=int)
    parser.add_argument("--components", type=Path, help="a file, or a set that comes with the game")
    parser.add_argument("--bots", default="search:250")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    asked = parser.parse_args()
    game = find_game(asked.game)
    players, components = asked.players or game.default_players, components_in(game, asked.components)
    counts, shares = Counter[str](), list[float]()
    with named_bots(asked.bots) as bots, progress_bar() as bar:
        compile_simulation(game, components, bots)
        one = partial(begin, game, components, players, bots, asked.seed)
        passed = frozenset(asked.passed)
        work = (partial(one, index, asked.move, passed) for index in range(asked.games))
        for begun in bar.track(in_order(work, asked.workers), total=asked.games):
            counts.update(begun.firsts)
            if begun.outcome is not None:
                winners = begun.outcome.winners
                shares += [
                    (seat in winners) / len(winners)
                    for seat, first in enumerate(begun.firsts)
                    if first == asked.move
                ]
    seats = asked.games * players
    for first, count in counts.most_common():
        print(f"{1000 * count / seats:7.1f} of 1,000 seats begin with {first or 'nothing'}")
    if shares:
        win = share_estimate(np.array(shares))
        times, low, high = (players * value for value in (win.value, win.low, win.high))
        print(f"{asked.move}: {times:.2f} ({low:.2f} to {high:.2f}) times their share of {len(shares)} seats")


if __name__ == "__main__":
    main()
