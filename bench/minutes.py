"""How long games of people take: `python -m bench.minutes [--games N] [--seconds S] [GAME ...]`.

Bots play games of the fewest, the usual and the most players. The table waits S seconds for a decision that one player
takes, and 1 + 1/2 + ... + 1/n times as long for one that n take at once: as long as the slowest of n, if the times are
spread exponentially. The S that is stated is the one with which Costa Ruana takes four players the 45 minutes that its
publisher names. `minutes` in a game's `__init__.py`, where no publisher names them, is what this prints for the fewest
and the most players, to five minutes.
"""

import argparse
import statistics
import sys

from atoll.bots import find_bot
from atoll.core.catalogue import find_game, games
from atoll.core.game import Game

SECONDS = 18.0


def waits(game: Game, players: int, seed: int) -> float:
    """For how many decisions of one player a table waits in one game between bots."""
    position, bot, decided, waited = game.start(players, seed=seed), find_bot("greedy"), 0, 0.0
    while not position.is_over:
        together = position.to_act
        waited += sum(1 / number for number in range(1, len(together) + 1))
        for seat in together:
            action = bot.choose(position.view(seat), seed + decided)
            position.play(seat, game.notation.move_of(action))
            decided += 1
    return waited


def main() -> int:
    """Print the minutes of each game."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("names", nargs="*", metavar="GAME", help=", ".join(games()))
    parser.add_argument("--games", type=int, default=20, help="of each number of players")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for a decision of one player")
    options = parser.parse_args()
    for name in options.names or games():
        game = find_game(name)
        for players in sorted({game.seats[0], game.default_players, game.seats[-1]}):
            found = [waits(game, players, seed) for seed in range(options.games)]
            middle = statistics.median(found)
            minutes = middle * options.seconds / 60
            print(f"{name}, {players} players: {middle:.0f} waits, {minutes:.0f} minutes", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
