"""Do games in Chromium go as they do here?

`python -m tests.soak browser_games [--games 10000] [--game NAME] [--seed N]`: random games over all numbers of players,
options and sets of components, played by the game's module in a page and by the runner here, which ATOLL_RUNNER
chooses. Every state, list of legal moves, view and redrawn world is compared, and one search in every hundred games.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.progress import track

from atoll.core.catalogue import find_game
from tests.browser.engine_games import PlannedGame, differences, search_here, search_in
from tests.chromium import chromium
from tests.site import Server

GAMES = ("karuba", "costa-ruana", "cast-away")
CHUNK = 100
"""Games that are played between two searches."""
ITERATIONS = 200


def main() -> int:
    """Play and compare."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=10_000, help="of each game")
    parser.add_argument("--game", choices=GAMES, action="append", help="one alone; all if none is named")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    chosen = parser.parse_args()
    print(f"seed {chosen.seed}", flush=True)
    found: list[str] = []
    with tempfile.TemporaryDirectory() as home, chromium() as browser:
        server = Server(Path(home) / "home")
        try:
            page = browser.new_context(base_url=server.address, bypass_csp=True).new_page()
            page.goto("/name")
            for name in chosen.game or GAMES:
                game, began = find_game(name), time.monotonic()
                chunks = range(0, chosen.games, CHUNK)
                for first in track(chunks, description=name, console=Console(stderr=True)):
                    numbers = range(first, min(first + CHUNK, chosen.games))
                    found += differences(page, game, numbers, chosen.seed)
                    _, views = PlannedGame(game, first, chosen.seed).play()
                    view = views[first // CHUNK % len(views)]
                    if search_in(page, view, ITERATIONS) != search_here(view, ITERATIONS):
                        found.append(f"{name} {first}: another search")
                passed = time.monotonic() - began
                print(f"{name}: {chosen.games} games compared in {passed:.0f} s", flush=True)
        finally:
            server.kill()
    print(*found[:20], f"{len(found)} differ", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
