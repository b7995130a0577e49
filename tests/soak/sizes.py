"""Does every page fit at every size?

`python -m tests.soak sizes OUT_DIR [PAGE ...] [--sizes ...] [--languages ...] [--games ...]`.

Bots play a game at a table of the fewest and of the most players, and its page is drawn at the opening, at each kind of
decision as it is asked and as it is chosen, at the seat's last decision, for a spectator and at the end; besides, the
start page, rules and components. Each is shown at every size, photographed, and searched for what overlaps, is cut,
leaves its panel or the window, or cannot be reached (`tests/soak/layout.py`). Exit status 1 if something is found.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Self
from unittest.mock import patch

from playwright.sync_api import Browser, Page
from sqlalchemy.engine import URL
from starlette.testclient import TestClient

from atoll.core.catalogue import find_game, games
from atoll.core.components import LONGEST_SET_NAME
from atoll.core.lessons import LEARNER, LessonStep, scripts_of
from atoll.core.types import Json
from atoll.engine.commitments import written
from atoll.testing.pseudo import PSEUDO, pseudo_language
from atoll.text.translation import LANGUAGES
from atoll.web.pages.table_page import draw_table
from atoll.web.serving.app import create_app
from atoll.web.serving.lesson_requests import make
from atoll.web.serving.site import Site
from atoll.web.store.engine import open_engine
from atoll.web.store.schema import metadata
from atoll.web.store.store import SeatRow, Store
from atoll.web.table.move_choice import Fields, as_fields, fields_of
from atoll.web.table.names import LONGEST
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table
from atoll.web.table.tables import Tables
from tests.chromium import chromium
from tests.soak.gallery import pages_of
from tests.soak.layout import SIZES, TALL, findings
from tests.soak.page_server import Answer, served

SEED = 9
"""Of the tables that are made by the site's own form."""
ORIGIN = "http://localhost"
EVERYTHING_OPEN = """() => {
    document.querySelectorAll("details").forEach((details) => (details.open = true));
    if (document.querySelector(".looking-back")) document.documentElement.classList.add("scripted");
}"""
"""Opens what can be opened; and who looks back has scripts, which are not run here."""


LONG_NAME = LONGEST * "M"
"""Nobody is called by a longer one, and no line of it ends before its last letter."""


class Gallery:
    """Pages of the site by name, without the site running: nothing runs in them."""

    def __init__(self, folder: Path) -> None:
        self.engine = open_engine(URL.create("sqlite", database=str(folder / "sizes.sqlite")))
        metadata.create_all(self.engine)
        self.store = Store(self.engine)
        app = create_app(self.store)
        app.state.site = self.site = Site(self.store)  # as its lifespan does
        self.client = TestClient(app, base_url=ORIGIN)
        self.own: dict[str, str] = {}
        self.file = cache(self.client.get)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()
        self.engine.dispose()

    def tables(
        self, game: str, players: int, language: str, bot: str = "greedy", seed: int = 1
    ) -> dict[str, str]:
        """The table's pages through one game between bots: `GAME-PLAYERS-DECISION-LANGUAGE`."""
        options = argparse.Namespace(
            game=game, players=players, seat=0, bot=bot, seed=seed, language=language, every=False
        )
        return {f"{game}-{players}-{name}-{language}": page for name, page in pages_of(options, self.store)}

    def lessons(self, game: str, language: str) -> dict[str, str]:
        """The steps of a game's lessons: as they are asked, after a wrong try (`-wrong`) and with the move chosen
        (`-whole`): `GAME-LESSON-STEP-LANGUAGE`.
        """
        pages: dict[str, str] = {}
        for name, script in scripts_of(find_game(game)).items():
            row = make(self.site, find_game(game), script, "viewer", "greedy")
            table, decided = Tables(self.store).find(row.id), dict[int, int]()
            for answer in table.timeline.answers:
                decided[answer.seat] = decided.get(answer.seat, 0) + 1
            while decided.get(LEARNER, 0) < len(script.steps):
                seat = table.timeline.to_act[0]
                moves = script.moves_of(seat, table.timeline.position, decided)
                if seat == LEARNER:
                    number = f"{decided.get(LEARNER, 0) - script.first + 1:02}"
                    for suffix, fields in self._tries(
                        table, script.steps[decided.get(LEARNER, 0)], moves[0]
                    ).items():
                        drawn = draw_table(table, Viewer(LEARNER), language, fields, whole=True)
                        pages[f"{game}-{name}-{number}{suffix}-{language}"] = str(drawn)
                self._play(table, seat, moves[0])
                decided[seat] = decided.get(seat, 0) + 1
            pages[f"{game}-{name}-end-{language}"] = str(
                draw_table(table, Viewer(LEARNER), language, {}, whole=True)
            )
        return pages

    def _tries(self, table: Table, step: LessonStep, move: Json) -> dict[str, Fields]:
        """What is chosen at a step, by what is added to its name: nothing, a wrong move, and the one asked for."""
        wrong = next((m for m in table.timeline.legal_moves(LEARNER) if not step.asks_for(m)), None)
        tries = {"": None, "-wrong": wrong, "-whole": move}
        return {
            suffix: as_fields(fields_of(tried).items()) if tried else {}
            for suffix, tried in tries.items()
            if tried or not suffix
        }

    def _play(self, table: Table, seat: int, move: Json) -> None:
        fields = as_fields(fields_of(move).items())
        table.seating = replace(
            table.seating, seats=tuple(SeatRow(s.seat, "all") for s in table.seating.seats)
        )
        with table.lock:
            table.answer(seat, table.timeline.decision(seat), fields)
        table.seating = replace(
            table.seating,
            seats=tuple(
                SeatRow(s.seat, None if s.seat else "viewer", "easy" if s.seat else None)
                for s in table.seating.seats
            ),
        )

    def others(self, language: str) -> dict[str, str]:
        """The pages around the tables, a newcomer's and of somebody who has played: `NAME-LANGUAGE`."""
        addresses = {"start": "/", "no-page": "/nowhere", "offline": "/offline"}
        for game in games():
            addresses[f"{game}-rules"] = f"/games/{game}/rules"
            addresses[f"{game}-components"] = f"/games/{game}/components"
        newcomer = TestClient(self.client.app, base_url=ORIGIN)
        self.own = self.own or dict(self._own_pages())
        return {
            f"{name}-{language}": client.get(address, headers={"Accept-Language": language}).text
            for client, these in ((newcomer, addresses), (self.client, self.own))
            for name, address in these.items()
        }

    def _own_pages(self) -> Iterator[tuple[str, str]]:
        """Addresses of pages that show what one has made, by name; makes it."""
        first, second = list(games())[:2]
        self.client.post("/name", data={"name": LONG_NAME})
        table = self.make(first, wait="yes", public="yes")
        for friend in self.seat_friends(self.make(first), first):
            friend.post("/name", data={"name": LONG_NAME})
        yield "start-own", "/"
        yield "room", table
        yield "devices", "/devices"
        yield "here", "/here"
        yield "daily", "/daily"
        yield "delete", f"{table}/delete"
        yield "chat", f"{table}/chat"
        begun = self.make(second, seat1="bot:easy")
        yield "try", f"{begun}/try"
        timed = self.make(second, clock="player:600+10")
        friend = self.seat_friends(timed, second)[0]
        friend.post(f"{timed}/away", data={"until": "2999-08-31"})
        friend.post(f"{timed}/agree", data={"about": "resign"})
        yield "resigning", timed
        asked = self.make(second)
        friend, playing = self.seat_friends(asked, second)[0], self._table(asked)
        self._play_on(
            playing,
            lambda: [1, 0] in [[one.seat, two.seat] for one, two in pairwise(playing.timeline.answers)],
        )
        friend.post(f"{asked}/undo", data={"decision": playing.timeline.decision(1)})
        yield "taking-back", asked
        over = self.make(second)
        self.seat_friends(over, second)
        finished = self._table(over)
        self._play_on(finished, lambda: finished.timeline.is_over)
        yield "back", f"{over}/back?at=3"
        record = self.client.get(f"{over}/record").content
        yield "watched", self.client.post("/records", files={"record": record}).url.path
        yield "history", "/history"
        yield "forget", "/history/forget"
        yield "name", "/name"
        yield "messages", "/telling"
        for game in games():
            named = {"name": LONGEST_SET_NAME * "M"}
            made = self.client.post(f"/games/{game}/workshop", data=named).url.path
            yield f"{game}-sets", f"/games/{game}/workshop"
            yield f"{game}-workshop", made
            yield f"{game}-differences", f"{made}/differences?from=1"

    def make(self, game: str, **fields: str) -> str:
        """Make a table of the fewest players, friends if not said otherwise; returns its address."""
        friends = {f"seat{seat}": "friend" for seat in range(1, find_game(game).seats[0])}
        form = {"game": game, "players": str(find_game(game).seats[0]), "seat0": "me"} | friends | fields
        with patch("atoll.web.table.creation.deal_seed", lambda *_: written(SEED)):
            return str(self.client.post("/tables", data=form).url.path)

    def _table(self, address: str) -> Table:
        return Tables(self.store).find(address.removeprefix("/tables/"))

    def seat_friends(self, address: str, game: str) -> list[TestClient]:
        """Let friends take the other seats of a table of the fewest players; returns their browsers."""
        friends = [TestClient(self.client.app, base_url=ORIGIN) for _ in range(1, find_game(game).seats[0])]
        for seat, friend in enumerate(friends, 1):
            friend.post(f"{address}/seats", data={"seat": seat})
        return friends

    def _play_on(self, table: Table, enough: Callable[[], bool]) -> None:
        """Let everybody take the first legal move until it is enough."""
        while not enough():
            with table.lock:
                seat = table.timeline.to_act[0]
                fields = as_fields(fields_of(table.timeline.legal_moves(seat)[0]).items())
                table.answer(seat, table.timeline.decision(seat), fields)

    def _find(self, path: str, pages: Mapping[str, str]) -> Answer:
        if (name := path.removeprefix("/")) in pages:
            return Answer(pages[name].encode(), "text/html; charset=utf-8", is_kept=False)
        if path.endswith(".js"):
            return Answer(b"", "text/javascript")
        answer = self.file(path)
        return Answer(answer.content, answer.headers["content-type"], answer.status_code)

    def show(
        self, browser: Browser, pages: Mapping[str, str], sizes: Sequence[str], **settings: str
    ) -> Iterator[tuple[str, str, Page]]:
        """Each page at each size, in a browser with these settings: its name, the size and the browser's page."""
        with served(lambda path: self._find(path, pages)) as address:
            camera = browser.new_context(**{"reduced_motion": "reduce", **settings})  # type: ignore[arg-type]
            camera.set_default_timeout(120_000)  # ms; machines are slow at times
            shown = camera.new_page()
            for name in pages:
                set_size(shown, sizes[0])
                shown.goto(f"{address}/{name}")
                shown.evaluate(EVERYTHING_OPEN)
                for size in sizes:
                    set_size(shown, size)
                    yield name, size, shown
            camera.close()


def set_size(page: Page, size: str) -> None:
    """Give a browser's page the size of that name."""
    width, height = (SIZES | TALL)[size]
    page.set_viewport_size({"width": width, "height": height})


def arguments() -> argparse.Namespace:
    """What is asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak sizes",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("names", nargs="*", help="only pages whose names hold one of these")
    parser.add_argument(
        "--sizes",
        nargs="+",
        choices=SIZES,
        default=list(SIZES),
        metavar="SIZE",
        help=", ".join(SIZES).replace("%", "%%"),
    )
    parser.add_argument(
        "--languages",
        nargs="+",
        choices=(*LANGUAGES, PSEUDO),
        default=list(LANGUAGES),
        help=f"{PSEUDO} is the pseudo-language, whose words are half as long again",
    )
    parser.add_argument("--games", nargs="*", choices=list(games()), default=list(games()))
    parser.add_argument("--players", nargs="+", type=int, help="how many play: the fewest and the most")
    parser.add_argument("--bot", default="greedy", help="who plays")
    parser.add_argument("--seed", type=int, default=1, help="which game")
    parser.add_argument("--scheme", choices=["light", "dark"], default="light")
    parser.add_argument(
        "--thorough", action="store_true", help="also what opens, and the words of each control"
    )
    parser.add_argument("--open", metavar="ID", help="a dialog of the page to open for the picture")
    parser.add_argument("--whole", action="store_true", help="pictures of the whole page, not of the window")
    return parser.parse_intermixed_args()


def pages_asked_for(gallery: Gallery, options: argparse.Namespace) -> dict[str, str]:
    """The pages that the arguments name."""
    pages: dict[str, str] = {}
    for language in options.languages:
        for name in options.games:
            seats = find_game(name).seats
            for players in options.players or sorted({seats[0], seats[-1]}):
                if players in seats:
                    pages |= gallery.tables(name, players, language, options.bot, options.seed)
            pages |= gallery.lessons(name, language)
        pages |= gallery.others(language)
    wanted = options.names or [""]
    return {name: page for name, page in pages.items() if any(part in name for part in wanted)}


def main() -> int:
    """Show all pages; 1 if something does not fit."""
    options = arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    count = 0
    pseudo = pseudo_language() if PSEUDO in options.languages else nullcontext()
    with tempfile.TemporaryDirectory() as folder, pseudo, Gallery(Path(folder)) as gallery:
        pages = pages_asked_for(gallery, options)
        with chromium() as browser:
            for name, size, page in gallery.show(browser, pages, options.sizes, color_scheme=options.scheme):
                for finding in findings(page, thorough=options.thorough):
                    count += 1
                    print(f"{size} {name}: {finding}", flush=True)
                if options.open:
                    page.evaluate("id => document.getElementById(id)?.showPopover()", options.open)
                page.screenshot(path=options.out / f"{name}-{size}.png", full_page=options.whole)
                if options.open:
                    page.evaluate("id => document.getElementById(id)?.hidePopover()", options.open)
    print(f"{len(pages)} pages at {len(options.sizes)} sizes: {count} findings")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
