"""How long games of people take: `python -m bench.minutes [--games N] [--seconds S]`.

Bots play games of the fewest, the usual and the most players. What counts is how often the table waits for somebody:
decisions that several take at once, or that follow each other without anybody else's between them, are told apart, and
those taken at once count as one. With S seconds for each that is the length of a game. The S that is stated is the one
with which Costa Ruana, of four players, takes the 45 minutes that its publisher names.
"""

import argparse
import statistics
import sys

from atoll.bots import find_bot
from atoll.core.catalogue import find_game, games
from atoll.core.game import Game

SECONDS = 15.0


def waits(game: Game, players: int, seed: int) -> int:
    """How often a table waits in one game between bots."""
    position, bot, count = game.start(players, seed=seed), find_bot("greedy"), 0
    while not position.is_over:
        together = position.to_act
        count += 1
        for seat in together:
            action = bot.choose(position.view(seat), seed + count)
            position.play(seat, game.notation.move_of(action))
    return count


def main() -> int:
    """Print the minutes of each game."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--games", type=int, default=20, help="of each number of players")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for each time that the table waits")
    options = parser.parse_args()
    for name in games():
        game = find_game(name)
        for players in sorted({game.seats[0], game.default_players, game.seats[-1]}):
            found = [waits(game, players, seed) for seed in range(options.games)]
            middle = statistics.median(found)
            minutes = middle * options.seconds / 60
            print(f"{name}, {players} players: {middle:g} waits, {minutes:.0f} minutes", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
