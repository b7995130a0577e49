"""How long greedy bots' games of Cast Away are, how they end, and how many of their feedings fail:
`python -m bench.feeding`.

A feeding fails where a player cannot eat or drink what health asks for (CA-33); who rests has none (CA-35).
"""

import argparse
from collections import Counter

from rich.console import Console

from atoll.bots import find_bot
from atoll.core.catalogue import find_game
from atoll.core.events import event_buffer, read_events
from atoll.games.cast_away.events import FED, NOT_FED, RESTED
from atoll.lab.simulate import compile_simulation, simulate, simulate_chunk
from atoll.lab.summary import lengths
from atoll.text.translation import Translator

EVENTS_A_GAME = 16_000
"""More than a game has; the buffer counts to 32,767."""


def feedings(players: int, games: int, seed: int) -> Counter[int]:
    """How many feedings of all the games were met and failed, and how often somebody rested instead."""
    game, bots = find_game("cast-away"), [find_bot("greedy")]
    components = game.components()
    found: Counter[int] = Counter()
    for index in range(games):
        events = event_buffer(EVENTS_A_GAME)
        simulate_chunk(game, components, players, bots, seed=seed, first=index, count=1, events=events)
        found.update(event.what for event in read_events(events) if event.what in (FED, NOT_FED, RESTED))
    return found


def main() -> None:
    """Print the lengths and endings of the games of each number of players, and their feedings."""
    parser = argparse.ArgumentParser(prog="python -m bench.feeding", description=__doc__.partition(":")[0])
    parser.add_argument("--games", type=int, default=1000, help="games of each number of players")
    parser.add_argument("--seed", type=int, default=1)
    settings = parser.parse_args()
    console, words = Console(highlight=False), Translator("en")
    game, bots = find_game("cast-away"), [find_bot("greedy")]
    components = game.components()
    compile_simulation(game, components, bots)
    for players in game.seats:
        console.print(
            f"{game.title}, {players} players, {settings.games} games of {bots[0].name} bots, seed {settings.seed}"
        )
        results = simulate(game, components, players, bots, settings.games, settings.seed)
        for part in lengths(words, game, results):
            console.print(part)
        found = feedings(players, settings.games, settings.seed)
        share = 100 * found[NOT_FED] / (found[FED] + found[NOT_FED])
        console.print(
            f"Feedings met: {found[FED]}; failed: {found[NOT_FED]} ({share:.2f} %); rests instead: {found[RESTED]}"
        )


if __name__ == "__main__":
    main()
