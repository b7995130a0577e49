"""Every page at every size: `python -m bench.sizes OUT_DIR [PAGE ...] [--sizes ...] [--languages ...] [--games ...]`.

Bots play a game at a table of the fewest and of the most players, and its page is drawn at the opening, at each kind of
decision as it is asked and as it is chosen, at the seat's last decision, for a spectator and at the end; besides, the
start page, rules and components. Each is shown at every size, photographed, and searched for what overlaps, is cut,
leaves its panel or the window, or cannot be reached (`bench/fitting.py`). Exit status 1 if something is found.
"""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from playwright.sync_api import Browser, Route, sync_playwright
from sqlalchemy.engine import URL
from starlette.testclient import TestClient

from atoll.core.catalogue import find_game, games
from atoll.core.words import LANGUAGES
from atoll.web.app import create_app
from atoll.web.site import Site
from atoll.web.store import Store, metadata, open_engine
from bench.fitting import SIZES, findings
from bench.gallery import FLAGS, pages_of

ORIGIN = "http://localhost"


def tables(store: Store, game: str, players: int, language: str, bot: str, seed: int) -> dict[str, str]:
    """The pages of one game between bots, by name."""
    options = argparse.Namespace(
        game=game, players=players, seat=0, bot=bot, seed=seed, language=language, every=False
    )
    return {f"{game}-{players}-{name}-{language}": page for name, page in pages_of(options, store)}


def others(client: TestClient, language: str) -> dict[str, str]:
    """The pages around the tables, by name."""
    addresses = {"start": "/", "no-page": "/nowhere"}
    for game in games():
        addresses |= {f"{game}-rules": f"/games/{game}/rules", f"{game}-components": f"/games/{game}/components"}
    return {
        f"{name}-{language}": client.get(address, headers={"Accept-Language": language}).text
        for name, address in addresses.items()
    }


def serve(route: Route, pages: Mapping[str, str], client: TestClient) -> None:
    """Answer the browser: a page by its name, or a file of the site; nothing runs in the page."""
    path = route.request.url.removeprefix(f"{ORIGIN}/")
    if path in pages:
        route.fulfill(body=pages[path], content_type="text/html")
    elif path.endswith(".js"):
        route.fulfill(body="", content_type="text/javascript")
    else:
        answer = client.get(f"/{path}")
        route.fulfill(body=answer.content, status=answer.status_code, content_type=answer.headers["content-type"])


def look(browser: Browser, pages: Mapping[str, str], client: TestClient, options: argparse.Namespace) -> Iterator[str]:
    """A picture of each page at each size, and a line for each finding."""
    camera = browser.new_context(reduced_motion="reduce", color_scheme=options.scheme)
    shown = camera.new_page()
    shown.route("**/*", lambda route: serve(route, pages, client))
    for name in pages:
        shown.goto(f"{ORIGIN}/{name}")
        shown.evaluate("document.querySelectorAll('details').forEach(details => details.open = true)")
        for size in options.sizes:
            width, height = SIZES[size]
            shown.set_viewport_size({"width": width, "height": height})
            for finding in findings(shown, thorough=options.thorough):
                yield f"{size} {name}: {finding}"
            if not options.no_pictures:
                shown.screenshot(path=options.out / f"{name}-{size}.png", full_page=options.whole)
    camera.close()


def arguments() -> argparse.Namespace:
    """What is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("names", nargs="*", help="only pages whose names hold one of these")
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--languages", nargs="+", choices=LANGUAGES, default=list(LANGUAGES))
    parser.add_argument("--games", nargs="*", choices=list(games()), default=list(games()))
    parser.add_argument("--players", nargs="+", type=int, help="how many play: the fewest and the most")
    parser.add_argument("--bot", default="greedy", help="who plays")
    parser.add_argument("--seed", type=int, default=1, help="which game")
    parser.add_argument("--scheme", choices=["light", "dark"], default="light")
    parser.add_argument("--thorough", action="store_true", help="also what opens, and the words of each control")
    parser.add_argument("--whole", action="store_true", help="pictures of the whole page, not of the window")
    parser.add_argument("--no-pictures", action="store_true")
    return parser.parse_intermixed_args()


def main() -> int:
    """Show all pages; 1 if something does not fit."""
    options = arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    pages: dict[str, str] = {}
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        engine = open_engine(URL.create("sqlite", database=f"{folder}/sizes.sqlite"))
        metadata.create_all(engine)
        store = Store(engine)
        for language in options.languages:
            for name in options.games:
                game = find_game(name)
                for players in options.players or sorted({game.seats[0], game.seats[-1]}):
                    if players in game.seats:
                        pages |= tables(store, name, players, language, options.bot, options.seed)
        app = create_app(store)
        app.state.site = Site(store)  # without its lifespan: nothing is compiled, and no bot thinks
        client = TestClient(app, base_url=ORIGIN)
        with sync_playwright() as playwright:
            for language in options.languages:
                pages |= others(client, language)
            if options.names:
                pages = {name: page for name, page in pages.items() if any(part in name for part in options.names)}
            path = shutil.which(os.environ.get("CHROMIUM", "chromium"))
            browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
            for line in look(browser, pages, client, options):
                count += 1
                print(line, flush=True)
            browser.close()
    print(f"{len(pages)} pages at {len(options.sizes)} sizes: {count} findings")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
