"""Photographs of the tables in every phase: `python -m bench.gallery OUT_DIR [NAME ...] [--game GAME]`.

Draws the site's own templates with made-up positions, shows them in Chromium under a strict Content-Security-Policy,
at the sizes of a phone, a laptop and a large screen, by day and by night. With `--axe PATH` (axe.min.js) it also
prints what axe-core finds.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Route, sync_playwright

from atoll.core.catalogue import find_game
from atoll.core.events import Event
from atoll.games.costa_ruana.state import (
    CARD_APPLIED,
    CARD_BEGUN,
    CARD_PLACE,
    HELD_PLACE,
    HUT_PLACE,
    NATIVE_MOVED,
    SUPPLY_PLACE,
    TREASURE_MOVED,
)
from atoll.web.choosing import Choosing, as_fields, as_text, post
from atoll.web.drawing import draw, words_for
from atoll.web.table_page import COLOURS, MARKS, colour_names

SOURCE = Path(__file__).parents[1] / "src" / "atoll"
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'"
KINDS = {".css": "text/css", ".svg": "image/svg+xml"}
SIZES = {"laptop": (1440, 900), "large": (1920, 1080), "phone": (390, 844)}

Json = dict[str, Any]


Islands = Sequence[tuple[int, Sequence[int]]]
"""Of each island: treasures, and natives by seat."""


@dataclass
class Scene:
    """One picture: a view, what its seat may do and has chosen, and what happened before."""

    view: Json
    legal: list[Json] = field(default_factory=list)
    chosen: Json = field(default_factory=dict)
    history: list[list[Event]] = field(default_factory=list)
    seat: int | None = -1
    """who looks; -1: the fourth, or the last"""
    over: Json | None = None
    game: str = "costa-ruana"
    answer: Json | None = None
    """what the seat has chosen while others still choose"""
    told: Sequence[Json] = ({"do": "place native", "island": 0}, {"do": "place native", "island": 1})
    """moves of the seats in the log; none: what happened"""


# Positions

THREE_CARDS = ("move treasure/night", "move native/day", "place 2/low tide")
FIVE_CARDS = (
    "move native/day",
    "move treasure/night",
    "place 1/low tide",
    "place 3/high tide",
    "return 2/day",
)


def outcome(end: Json, winners: list[int]) -> Json:
    """The result of a mock end: two points a treasure, one a native at home."""
    rows = [
        {
            "treasures": player["treasures"],
            "treasure_worth": 2,
            "treasure_points": 2 * player["treasures"],
            "natives": player["supply"],
            "native_worth": 1,
            "native_points": player["supply"],
        }
        for player in end["players"]
    ]
    points = [row["treasure_points"] + row["native_points"] for row in rows]
    return {"points": points, "winners": winners, "breakdown": rows}


def position(phase: str, islands: Islands, cards: Sequence[Json] = (), **more: Any) -> Json:
    """A view for the fourth seat, or the last: `hand` and `hut` are that seat's, anything else is as in records."""
    players = len(islands[0][1])
    me = min(3, players - 1)
    hand = list(more.pop("hand", THREE_CARDS))
    huts = more.pop("huts", [3 if seat == me else None for seat in range(players)])
    away = [sum(natives[seat] for _, natives in islands) for seat in range(players)]
    for entry in cards:
        for seat in entry["natives"]:
            away[seat] += 1
    return {
        "round": 4,
        "phase": phase,
        "to_act": [me],
        "shaman": 0,
        "tide": "low",
        "time": "night",
        "islands": [{"treasures": gems, "natives": list(natives)} for gems, natives in islands],
        "players": [
            {
                "supply": max(0, 10 - away[seat]),
                "treasures": huts[seat],
                "hand": hand if seat == me else len(hand),
            }
            for seat in range(players)
        ],
        "table": list(cards),
        "draw_pile": 12,
        "discarded": [],
        **more,
    }


def up(name: str, by: int, front: int, *natives: int, resolved: bool = False) -> Json:
    """A card on the table, face up."""
    entry = {"card": name, "played_by": by, "in_front_of": front, "face": "up"}
    return {**entry, "natives": list(natives), "resolved": resolved}


def down(by: int, front: int, *natives: int, name: str | None = None) -> Json:
    """A card on the table, face down; named only to who played it."""
    return {**up("", by, front, *natives), "card": name, "face": "down"}


FOUR = [
    (2, [0, 1, 1, 2]),
    (0, [0, 0, 0, 0]),
    (3, [1, 1, 0, 1]),
    (1, [0, 0, 3, 0]),
    (2, [0, 0, 0, 1]),
    (4, [0, 1, 0, 1]),
    (4, [3, 0, 0, 1]),
]
TWO = [(5, [2, 0]), (4, [1, 1]), (5, [0, 4]), (12, [2, 3])]
SIX = [
    (5, [1, 1, 1, 2, 1, 1]),
    (4, [2, 1, 0, 0, 0, 0]),
    (5, [0, 0, 3, 1, 1, 2]),
    (14, [0, 0, 0, 0, 0, 1]),
    (5, [1, 2, 0, 0, 4, 0]),
    (4, [0, 1, 1, 1, 1, 0]),
    (5, [0, 0, 0, 0, 0, 0]),
    (5, [1, 0, 1, 1, 0, 2]),
    (0, [2, 0, 1, 0, 1, 0]),
    (3, [0, 1, 0, 2, 0, 1]),
]
THREE = [
    (5, [1, 0, 1]),
    (4, [2, 1, 0]),
    (5, [0, 0, 3]),
    (5, [0, 1, 1]),
    (5, [1, 2, 0]),
    (4, [0, 1, 1]),
]
FIVE = [(gems, natives[:5]) for gems, natives in SIX[:9]]
TWELVE = [*SIX, (5, [3, 3, 3, 2, 2, 2]), (5, [9, 0, 0, 3, 0, 0])]

TWO_CARDS = [
    up("place 1/day", 0, 1, 0),
    up("return 1/night", 1, 1),
    down(0, 0),
    down(1, 0, name="place 3/low tide"),
]
FOUR_CARDS = [
    up("return 2/high tide", 2, 1, 2),
    up("place 3/night", 3, 2),
    up("move treasure/night", 0, 3),
    up("place 2/day", 1, 2),
    down(0, 0),
    down(1, 1),
    down(3, 0, name="move treasure/low tide"),
    down(2, 3, 0, 1),
]
REVEALED = [
    up("return 2/high tide", 2, 1, resolved=True),
    up("place 3/night", 3, 2, 3, 0, 1),
    up("move treasure/night", 0, 3, resolved=True),
    up("place 2/day", 1, 2, resolved=True),
    up("return 1/low tide", 0, 0),
    up("move native/night", 1, 1, 0, 1, 2, 3),
    up("move treasure/low tide", 3, 0),
    up("move native/low tide", 2, 3, 0, 1),
]
SIX_CARDS = [
    up("place 1/night", 0, 1, 0, 1, 2, 3, 4, 5),
    up("return 3/low tide", 1, 1),
    up("move native/day", 2, 1, 2),
    up("place 2/high tide", 3, 1),
    up("move treasure/night", 4, 1, 4),
    up("place 3/low tide", 5, 1),
    down(0, 1, 5),
    down(1, 4),
    down(3, 5, name="place 2/night"),
    down(4, 0),
    down(5, 3, 0),
    down(2, 2),
]

CARD_7_APPLIES = [
    Event(CARD_BEGUN, 3, 0, CARD_PLACE + 7, -1, 0),
    Event(CARD_APPLIED, 3, 0, CARD_PLACE + 7, -1, 1),
]
TREASURE_TAKEN = Event(TREASURE_MOVED, 3, -1, 5, HELD_PLACE, 0)
NATIVE_TAKEN = Event(NATIVE_MOVED, 3, 2, 3, HELD_PLACE, 0)
COLLECTED_BY_TWO = [
    Event(TREASURE_MOVED, 0, -1, 6, HUT_PLACE, 0),
    Event(NATIVE_MOVED, 0, 0, 6, SUPPLY_PLACE, 0),
    Event(TREASURE_MOVED, 2, -1, 3, HUT_PLACE + 2, 0),
    Event(NATIVE_MOVED, 2, 2, 3, SUPPLY_PLACE + 2, 0),
]


# What may be done


def anywhere(do: str, islands: Islands) -> list[Json]:
    """The move on every island."""
    return [{"do": do, "island": i} for i in range(len(islands))]


def any_native(islands: Islands) -> list[Json]:
    """Taking any native."""
    return [
        {"do": "take native", "island": i, "owner": seat}
        for i, (_, natives) in enumerate(islands)
        for seat, count in enumerate(natives)
        if count
    ]


def any_card(players: int, hand: Sequence[str] = THREE_CARDS) -> list[Json]:
    """Playing any card in front of anyone."""
    return [
        {"do": "play card", "card": card, "in_front_of": front} for card in hand for front in range(players)
    ]


def native_anywhere(cards: Sequence[Json]) -> list[Json]:
    """Putting a native on any card, or keeping it."""
    return [*({"do": "put native on card", "card": k} for k in range(len(cards))), {"do": "keep native"}]


def scenes() -> Iterator[tuple[str, Scene]]:
    """Every picture with its name."""
    first = [(gems, [min(count, 1) for count in natives]) for gems, natives in FOUR]
    yield "setup", Scene(position("setup", first, hand=FIVE_CARDS, round=1), anywhere("place native", first))
    yield "face-up", Scene(position("face up", FOUR, FOUR_CARDS[:2]), any_card(4))
    card = {"do": "play card", "card": "move native/day"}
    yield "face-up-chosen", Scene(position("face up", FOUR, FOUR_CARDS[:2]), any_card(4), card)
    yield "face-down", Scene(position("face down", FOUR, FOUR_CARDS[:5]), any_card(4), card)
    native = position("native", FOUR, FOUR_CARDS)
    yield "native", Scene(native, native_anywhere(FOUR_CARDS))
    put = {"do": "put native on card", "card": 1}
    yield "native-chosen", Scene(native, native_anywhere(FOUR_CARDS), put)
    turns = [{"do": "turn condition", "condition": condition} for condition in ("tide", "time")]
    yield "condition", Scene(position("condition", FOUR, FOUR_CARDS, shaman=3), turns)
    resolves = [{"do": "resolve card", "card": k} for k in (5, 7)]
    yield "order", Scene(position("order", FOUR, REVEALED), resolves)

    def applying(phase: str, legal: list[Json], *events: Event) -> Scene:
        return Scene(position(phase, FOUR, REVEALED), legal, history=[[*CARD_7_APPLIES, *events]])

    yield "take-treasure", applying("take treasure", anywhere("take treasure", FOUR))
    yield "drop-treasure", applying("drop treasure", anywhere("drop treasure", FOUR), TREASURE_TAKEN)
    homes = [move for move in anywhere("return native", FOUR) if FOUR[move["island"]][1][3]]
    yield "return", applying("return", homes)
    yield "place", applying("place", anywhere("place native", FOUR))
    yield "take-native", applying("take native", any_native(FOUR))
    yield "drop-native", applying("drop native", anywhere("drop native", FOUR), NATIVE_TAKEN)
    appoints = [{"do": "appoint shaman", "player": seat} for seat in range(4)]
    yield "resign", Scene(position("resign", FOUR, shaman=3), appoints)
    yield "waiting", Scene(position("place", FOUR, REVEALED, to_act=[2]))
    yield "collected", Scene(position("face up", FOUR, to_act=[0]), history=[COLLECTED_BY_TWO])
    yield "spectator", Scene(native, seat=None)
    end = position("over", FOUR, hand=(), huts=(9, 7, 11, 8), round=5, to_act=[])
    yield "over", Scene(end, over=outcome(end, [2]))

    yield "two", Scene(position("native", TWO, TWO_CARDS), native_anywhere(TWO_CARDS))
    yield "two-face-up", Scene(position("face up", TWO, hand=FIVE_CARDS, round=1), any_card(2, FIVE_CARDS))
    yield (
        "three",
        Scene(position("place", THREE, [up("place 3/night", 0, 1, 2)]), anywhere("place native", THREE)),
    )
    yield "five", Scene(position("face down", FIVE, [up("place 1/night", 0, 1)]), any_card(5), card)
    put = {"do": "put native on card", "card": 4}
    yield "six", Scene(position("native", SIX, SIX_CARDS), native_anywhere(SIX_CARDS), put)
    shown = [
        up(entry["card"] or "place 1/day", entry["played_by"], entry["in_front_of"]) for entry in SIX_CARDS
    ]
    yield "six-take", Scene(position("take native", SIX, shown), any_native(SIX))
    yield "six-setup", Scene(position("setup", SIX, round=1), anywhere("place native", SIX))
    end = position("over", SIX, hand=(), huts=(7, 8, 6, 9, 7, 8), round=5, to_act=[])
    yield "six-over", Scene(end, over=outcome(end, [1, 3]))
    yield (
        "twelve",
        Scene(position("place", TWELVE, [up("place 3/night", 0, 1)]), anywhere("place native", TWELVE)),
    )


# Pictures


def page_of(scene: Scene, language: str) -> str:
    """The page that the site would answer with."""
    game = find_game(scene.game)
    telling, package = game.telling, game.package.rpartition(".")[2]
    words = words_for(language, game.package)
    view = scene.view
    seats = range(len(view["players"]))
    names = colour_names(words)[: len(seats)]
    seat = min(3, len(seats) - 1) if scene.seat == -1 else scene.seat
    choosing = Choosing(scene.legal, as_fields(pairs_of(scene.chosen)), "/", "/", 0)
    whole = choosing.whole
    prompt = telling.prompt(words, names, view, seat)
    lines: Sequence[Any] = [
        {"seat": k, "text": telling.move_text(words, names, move, view, 0)}
        for k, move in enumerate(scene.told)
    ]
    lines = lines or telling.tell(
        words, names, [event for events in scene.history[-1:] for event in events], view
    )
    confirm = None
    if whole:
        label = telling.move_text(words, names, whole, view, seat or 0)
        confirm = {"label": label, "control": post("/")}
    elif scene.answer:
        confirm = {"label": words("Take it back"), "control": post("/")}
    return draw(
        "table.html.jinja",
        language,
        game,
        **import_module(f"{game.package}.table").table(view, seat, scene.history, game.components()),
        version=7,
        game={"key": game.name, "package": package, "title": game.title},
        view=view,
        seat=seat,
        seats=[
            {
                "name": names[k],
                "colour": COLOURS[k],
                "mark": MARKS[k],
                "kind": "person" if k == seat else "bot",
                "you": k == seat,
                "to_act": k in view["to_act"] and not (scene.answer and k == seat),
                "has_chosen": bool(scene.answer) and k == seat,
            }
            for k in seats
        ],
        chosen=choosing.chosen,
        cancel="/" if choosing.chosen else None,
        control=choosing.control,
        confirm=confirm,
        answer=scene.answer,
        t=telling.bind(words),  # type: ignore[attr-defined]
        prompt={"text": prompt.text, "hint": prompt.hint, "mine": bool(scene.legal) and not scene.answer},
        progress=telling.progress(words, view, game.components()),
        log=[{"heading": words("Round %(round)s", round=number), "lines": lines} for number in (3, 4)],
        over=scene.over,
        again=post("/") if scene.over else None,
        menu=[
            {"label": words("Rules"), "url": "/"},
            {"label": words("Play the same again"), "control": post("/")},
        ],
    )


def pairs_of(chosen: Json) -> list[tuple[str, str]]:
    """The fields of what has been chosen; a list is chosen item by item."""
    return [
        (name, as_text(item))
        for name, value in chosen.items()
        for item in (value if name.endswith("s") and isinstance(value, list) else [value])
    ]


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
    elif file is not None and file.suffix in KINDS and file.exists():
        route.fulfill(body=file.read_text(), content_type=KINDS[file.suffix])
    else:
        route.fulfill(body="")


def faults(page: Page, axe: str) -> list[str]:
    """What axe-core finds, and whether anything scrolls sideways."""
    found = []
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        found.append("scrolls sideways")
    page.evaluate(axe)
    for fault in page.evaluate("axe.run()")["violations"]:
        found.append(f"{fault['id']}: " + json.dumps([node["target"] for node in fault["nodes"]][:4]))
    return found


def photograph(browser: Browser, pages: Mapping[str, str], options: argparse.Namespace) -> bool:
    """One picture of each page at each size and scheme; True if nothing was found wrong."""
    clean = True
    axe = options.axe.read_text() if options.axe else None
    for size in options.sizes:
        width, height = SIZES[size]
        for scheme in options.schemes:
            camera = browser.new_context(
                viewport={"width": width, "height": height},
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
                page.screenshot(path=options.out / f"{name}-{size}-{scheme}.png")
                if axe:
                    for fault in faults(page, axe):
                        print(f"{name} {size} {scheme}: {fault}")
                        clean = False
            camera.close()
    return clean


def scenes_of(game: str) -> Iterator[tuple[str, Scene]]:
    """The pictures of a game's table: those above, or those of the module named after it."""
    if game == "costa-ruana":
        return scenes()
    found: Iterator[tuple[str, Scene]] = import_module(f"bench.gallery_{game.replace('-', '_')}").scenes()
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("names", nargs="*", help="only these pictures")
    parser.add_argument("--game", default="costa-ruana", help="whose table")
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--schemes", nargs="+", choices=["light", "dark"], default=["light", "dark"])
    parser.add_argument("--language", default="en")
    parser.add_argument("--axe", type=Path, help="path of axe.min.js")
    options = parser.parse_intermixed_args()
    options.out.mkdir(parents=True, exist_ok=True)
    pages = {
        name: page_of(scene, options.language)
        for name, scene in scenes_of(options.game)
        if not options.names or name in options.names
    }
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=FLAGS
        )
        clean = photograph(browser, pages, options)
        browser.close()
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
