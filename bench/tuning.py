"""Is the search better with another tuning?

`python -m bench.tuning karuba guided=0.5 sharpness=2,win=0.5`.

Each variant plays against the search as it is, with as many iterations, or with as much time, every deal in every
seating. `trained=0` is the search without its trained player, where it has one that guides it.
"""

import argparse
import sys
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from atoll.bots.bot import Bot, SearchBot
from atoll.bots.iteration import USUAL, Tuning
from atoll.bots.search import evaluate
from atoll.core.catalogue import find_game
from atoll.core.game import View
from atoll.lab.arena import Match, MatchGames, play_match
from atoll.lab.rating_table import bot_shares
from atoll.lab.ratings import share_estimate
from atoll.lab.summary import share_text
from atoll.text.errors import AtollError


@dataclass(frozen=True)
class TunedBot(SearchBot):
    """A search with another tuning than the usual one."""

    tuning: Tuning = USUAL

    def think(self, view: View, moves: NDArray[np.int32], generator: NDArray[np.uint64]) -> int:
        return evaluate(view, generator, self.iterations, self.milliseconds, self.tuning)[0].action


def variant(text: str) -> Tuning:
    """The tuning that `name=value,...` stands for; exits on a name that there is not."""
    changes = {}
    for change in text.split(","):
        name, _, value = change.partition("=")
        if name not in Tuning._fields:
            sys.exit(f"there is nothing called {name!r} to tune; there are: {', '.join(Tuning._fields)}")
        try:
            changes[name] = float(value)
        except ValueError:
            sys.exit(f"{name} is a number, not {value!r}")
    return USUAL._replace(**changes)


def main() -> None:
    """Play the variants one after another."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.tuning",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("variants", nargs="+", metavar="NAME=VALUE,...", help=", ".join(Tuning._fields))
    parser.add_argument("--iterations", type=int, default=250)
    parser.add_argument("--milliseconds", type=int, help="of each move, instead of iterations")
    parser.add_argument("--against", type=int, help="iterations of the usual search, if others")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    settings = parser.parse_args()
    try:
        game = find_game(settings.game)
        game.check_players(settings.players)
    except AtollError as error:
        sys.exit(str(error))
    iterations = None if settings.milliseconds else settings.iterations
    usual = SearchBot("usual", settings.against or iterations, settings.milliseconds)
    for text in settings.variants:
        bots: list[Bot] = [TunedBot(text, iterations, settings.milliseconds, tuning=variant(text))]
        match = Match(
            game, game.components(), settings.players, bots + [usual] * (settings.players - 1), settings.seed
        )
        with MatchGames(match) as results:
            play_match(match, match.deals(settings.games), results, settings.workers)
            deals = results.whole_deals()
        share = share_text(share_estimate(bot_shares(match, deals, 0)))
        games = len(deals) * len(match.seatings)
        Console(highlight=False).print(f"{game.title}, {text}: {share} % of {games} games")


if __name__ == "__main__":
    main()
