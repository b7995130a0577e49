"""How often a comparison calls a difference significant where there is none: `python -m bench.false_alarms`.

Each game's own components are compared with themselves on other deals, a hundred times; at a false discovery rate of
5 % about five of the hundred comparisons find anything.
"""

import sys

from atoll.bots.catalogue import find_bot
from atoll.core.catalogue import find_game, games
from atoll.lab.collecting import Played
from atoll.lab.comparing import differences

COMPARISONS, DEALS, OTHER_DEALS = 100, 500, 1_000_000


def main() -> None:
    """Print, of each game that is named or of all, how many comparisons found something, and what."""
    for name in sys.argv[1:] or list(games()):
        game = find_game(name)
        bots = [find_bot("greedy")]
        found: list[list[str]] = []
        for seed in range(COMPARISONS):
            one, other = (
                Played(game, game.components(), game.default_players, bots, number)
                for number in (seed, seed + OTHER_DEALS)
            )
            found.append([row.key for row in differences(one, other, DEALS, workers=2) if row.significant])
        print(
            f"{game.title}: {sum(map(bool, found))} of {COMPARISONS}; {sorted({k for keys in found for k in keys})}"
        )


if __name__ == "__main__":
    main()
