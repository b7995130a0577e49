"""How does a game's table look in each phase? (photographs)

`python -m tests.soak gallery OUT_DIR [NAME ...] [--game GAME] [--players N] [--seed N]`.

Bots play a game at one of the site's tables. For each kind of decision that one seat meets, its page is drawn as the
site draws it: as it is asked, with one part of the move chosen (`-chosen`) and with all of it (`-whole`); besides,
`waiting`, `spectator` and `over`, and the first and the last with what opens around a table (`-strips`, `-notice`).
Chromium shows the pages under a strict Content-Security-Policy at the sizes of a phone, a laptop and a large screen,
by day and by night. With `--axe PATH` (axe.min.js) it also prints what axe-core finds, what is cut off, and what
scrolls sideways.
"""

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from html import unescape
from pathlib import Path

from playwright.sync_api import Browser, Page, Route
from sqlalchemy.engine import URL

from atoll.bots import bot_names, find_bot
from atoll.core.catalogue import find_game, games
from atoll.core.types import Json
from atoll.web.pages.drawings import drawings_css
from atoll.web.pages.start_page import read_form
from atoll.web.pages.table_page import draw_table
from atoll.web.store.engine import open_engine
from atoll.web.store.schema import metadata
from atoll.web.store.store import SeatRow, Store
from atoll.web.table.move_choice import Candidate, Fields, as_fields, fields_of
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table
from atoll.web.translation import translator_for
from tests.chromium import chromium

SOURCE = Path(__file__).parents[2] / "src" / "atoll"
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; form-action 'self'"
KINDS = {".css": "text/css", ".svg": "image/svg+xml"}
SIZES = {"laptop": (1440, 900), "large": (1920, 1080), "phone": (390, 844)}
CHOOSING = re.compile(r'<form class="press-form" action="[^"]*" method="get">(.*?)</form>', re.DOTALL)
FIELD = re.compile(r'<input type="hidden" name="([^"]*)" value="([^"]*)">')

CUT = """() => [...document.querySelectorAll("#table *")].filter((element) => {
  const style = getComputedStyle(element);
  return style.textOverflow === "ellipsis" && element.clientWidth && element.scrollWidth > element.clientWidth;
}).map((element) => element.textContent.trim())"""
"""Texts that end in three dots for want of room."""


# Pages


@dataclass(frozen=True)
class Decision:
    """A decision of the game that was played: whose, in which phase, and the move taken."""

    seat: int
    phase: str
    to_act: tuple[int, ...]
    move: Json


def play(table: Table, bot: str, seed: int) -> list[Decision]:
    """The decisions of the table's game, if the bot sits in all seats."""
    position, player = table.start(), find_bot(bot)
    decisions: list[Decision] = []
    while not position.is_over:
        to_act = position.to_act
        view = position.view(to_act[0])
        action = player.choose(view, seed + len(decisions))
        move = table.game.notation.move_of(action)
        decisions.append(Decision(to_act[0], view.to_json()["phase"], tuple(to_act), move))
        position.play(to_act[0], move)
    return decisions


def pictured(decisions: list[Decision], seat: int) -> dict[int, str]:
    """Which decisions are shown: of each kind that the seat meets, one in the middle of the game; the seat's first
    and last, and a wait.

    A kind is named by what is done where a phase has several, else by the phase.
    """
    done: dict[str, set[str]] = {}
    for decision in decisions:
        done.setdefault(decision.phase, set()).add(decision.move["do"])
    kinds: dict[str, list[int]] = {}
    for number, decision in enumerate(decisions):
        if decision.seat == seat:
            several = len(done[decision.phase]) > 1
            kinds.setdefault(decision.move["do"] if several else decision.phase, []).append(number)
        elif seat not in decision.to_act:
            kinds.setdefault("waiting", []).append(number)
    own = [number for number, decision in enumerate(decisions) if decision.seat == seat]
    shown = {numbers[len(numbers) // 2]: name.replace(" ", "-") for name, numbers in kinds.items()}
    return shown | {own[0]: "opening", own[-1]: "last"}


def choices(page: str, move: Json) -> Iterator[Fields]:
    """What the buttons on a page choose that leads to the move."""
    for form in CHOOSING.findall(page):
        fields = as_fields((unescape(name), unescape(value)) for name, value in FIELD.findall(form))
        if "do" in fields and Candidate(move).fits(fields):
            yield fields


def pages_of(options: argparse.Namespace, store: Store) -> Iterator[tuple[str, str]]:
    """Every page with its name."""
    game, seat = find_game(options.game), options.seat
    players = options.players or game.default_players
    form = {f"seat{s}": "me" if s == seat else f"bot:{options.bot}" for s in range(players)}
    form |= {"game": game.name, "players": str(players), "hints": "always"}
    row, sitting = read_form(form, "viewer")
    row = replace(row, seed=f"{options.seed:016x}")
    store.make_table(row, [SeatRow(s, "viewer" if s == seat else f"other {s}") for s in range(players)])
    table, viewer = Table(store, row), Viewer(seat)

    def page(who: Viewer = viewer, fields: Fields | None = None) -> str:
        people, table.seating = table.seating, replace(table.seating, seats=tuple(sitting))
        drawn = draw_table(table, who, options.language, fields or {}, whole=True)
        table.seating = people  # who have played the bots' moves
        return str(drawn)

    def page_with_strips(move: Json | None) -> str:
        """The page among friends, who chat, with what opens above and below the table: other tables that wait, and the
        best moves; without a move a notice.
        """
        others = [other for other in table.timeline.legal_moves(seat) if other != move]
        hinted = [[one, 0.6] for one in (move, *others[-2:])] if move else []
        hint = {
            "played": len(table.timeline.lines),
            "moves": hinted,
            "why": [[[0, 2.5], [1, -12.5]][number:] for number in range(len(hinted))],
        }
        people = table.seating
        table.seating = replace(
            people, seats=tuple(replace(one, hint=hint) if one.seat == seat else one for one in people.seats)
        )
        title = max((other.title for other in games().values()), key=len)
        translator = translator_for(options.language)
        frame = {
            "waiting_tables": [{"url": "/", "title": title}],
        }
        notice = None if move else translator("The table has changed; here it is as it is now.")
        drawn = draw_table(table, viewer, options.language, {}, notice, whole=True, frame=frame)
        table.seating = people
        return str(drawn)

    decisions = play(table, options.bot, options.seed)
    shown = pictured(decisions, seat)
    for number, decision in enumerate(decisions):
        if options.every and decision.seat == seat:
            shown[number] = f"{number:03}-{decision.phase.replace(' ', '-')}"
        if number in shown:
            name, drawn = shown[number], page()
            yield name, drawn
            if name in ("opening", "last"):
                yield f"{name}-strips", page_with_strips(decision.move)
                yield f"{name}-notice", page_with_strips(None)
            if name == "waiting":
                yield "spectator", page(Viewer(None))
            for suffix in ("chosen", "whole"):
                fields = next(choices(drawn, decision.move), None)
                if fields is None:
                    break
                drawn = page(fields=fields)
                yield f"{name}-{suffix}", drawn
        fields = as_fields(fields_of(decision.move).items())
        with table.lock:
            table.answer(decision.seat, table.timeline.decision(decision.seat), fields)
    yield "over", page()


# Pictures


def file_of(path: str) -> Path | None:
    """The stylesheet or picture with this address."""
    match path.split("/"):
        case ["games", name, file]:
            return Path(str(find_game(name).folder / file))
        case ["static", *parts]:
            return SOURCE.joinpath("web", "static", *parts)
    return None


def serve(route: Route, pages: Mapping[str, str]) -> None:
    """Answer the browser: a page by its name, or a file of the site."""
    path = route.request.url.partition("localhost/")[2].partition("?")[0]
    file = file_of(path)
    if path in pages:
        route.fulfill(body=pages[path], content_type="text/html", headers={"Content-Security-Policy": POLICY})
    elif path.endswith("/drawings.css"):
        drawn = drawings_css(find_game(path.split("/")[1])) or ""
        route.fulfill(body=drawn, content_type="text/css")
    elif file is not None and file.suffix in KINDS and file.exists():
        route.fulfill(body=file.read_text(), content_type=KINDS[file.suffix])
    else:
        route.fulfill(body="")


def faults(page: Page, axe: str) -> list[str]:
    """What axe-core finds, what is cut off, and whether anything scrolls sideways."""
    found = [f"cut off: {text}" for text in page.evaluate(CUT)]
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        found.append("scrolls sideways")
    page.evaluate(axe)
    for fault in page.evaluate("axe.run()")["violations"]:
        found.append(f"{fault['id']}: {[node['target'] for node in fault['nodes']][:4]}")
    return found


def photograph(browser: Browser, pages: Mapping[str, str], options: argparse.Namespace) -> bool:
    """One picture of each page at each size and scheme; True if nothing was found wrong."""
    clean = True
    axe = options.axe.read_text() if options.axe else None
    for size in options.sizes:
        width, height = SIZES[size]
        for scheme in options.schemes:
            camera = browser.new_context(
                viewport={"width": width, "height": height * (3 if options.tall else 1)},
                color_scheme=scheme,
                device_scale_factor=2 if size == "phone" else 1,
                has_touch=size == "phone",
                reduced_motion="reduce",
                bypass_csp=axe is not None,
            )
            page = camera.new_page()
            page.on("console", lambda message: print(message.text) if message.type == "error" else None)
            page.route("**/*", lambda route: serve(route, pages))
            for name in pages:
                page.goto(f"http://localhost/{name}")
                if options.open:
                    page.evaluate("id => document.getElementById(id)?.showPopover()", options.open)
                page.screenshot(path=options.out / f"{name}-{size}-{scheme}.png")
                if axe:
                    for fault in faults(page, axe):
                        print(f"{name} {size} {scheme}: {fault}")
                        clean = False
            camera.close()
    return clean


def arguments() -> argparse.Namespace:
    """What is asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak gallery",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("names", nargs="*", help="only these pictures")
    parser.add_argument("--game", default=next(iter(games())), choices=list(games()), help="whose table")
    parser.add_argument("--players", type=int, help="how many play")
    parser.add_argument("--seat", type=int, default=0, help="who looks")
    parser.add_argument("--bot", default="greedy", help=f"who plays: {', '.join(bot_names())}")
    parser.add_argument("--seed", type=int, default=1, help="which game")
    parser.add_argument("--every", action="store_true", help="every decision of the seat, numbered")
    parser.add_argument("--open", metavar="ID", help="a dialog of the page to open first")
    parser.add_argument("--tall", action="store_true", help="three times as high, to see what one scrolls to")
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--schemes", nargs="+", choices=["light", "dark"], default=["light", "dark"])
    parser.add_argument("--language", default="en")
    parser.add_argument("--axe", type=Path, help="path of axe.min.js")
    return parser.parse_intermixed_args()


def main() -> int:
    """Draw the pages and photograph them; 1 if something was found wrong."""
    options = arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        engine = open_engine(URL.create("sqlite", database=f"{folder}/gallery.sqlite"))
        metadata.create_all(engine)
        pages = {
            name: page
            for name, page in pages_of(options, Store(engine))
            if not options.names or name in options.names
        }
        engine.dispose()
    with chromium() as browser:
        clean = photograph(browser, pages, options)
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
