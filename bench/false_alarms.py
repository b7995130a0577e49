"""How often a comparison calls a difference significant where there is none: `python -m bench.false_alarms`.

Each game's own components are compared with themselves on other deals, a hundred times (`--comparisons`), 500 deals
each (`--deals`); at a false discovery rate of 5 % about five of a hundred comparisons find anything.
"""

import argparse

from atoll.bots.catalogue import find_bot
from atoll.core.catalogue import find_game, games
from atoll.lab.comparison import differences
from atoll.lab.played import Setup

OTHER_DEALS = 1_000_000


def main() -> None:
    """Print, of each game that is named or of all, how many comparisons found something, and what."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--comparisons", type=int, default=100)
    parser.add_argument("--deals", type=int, default=500)
    asked = parser.parse_args()
    for name in asked.games or list(games()):
        game = find_game(name)
        bots = [find_bot("greedy")]
        found: list[list[str]] = []
        for seed in range(asked.comparisons):
            one, other = (
                Setup(game, game.components(), game.default_players, bots, number)
                for number in (seed, seed + OTHER_DEALS)
            )
            found.append(
                [row.key for row in differences(one, other, asked.deals, workers=2) if row.significant]
            )
        keys = sorted({key for row in found for key in row})
        print(f"{game.title}: {sum(map(bool, found))} of {asked.comparisons}; {keys}")


if __name__ == "__main__":
    main()
