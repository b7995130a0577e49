"""Photographs of Costa Ruana's table in every phase: `python bench/gallery.py OUT_DIR [NAME ...]`.

Renders the templates with made-up positions, shows them in Chromium under the site's own Content-Security-Policy, at
the sizes of a phone, a laptop and a large screen, by day and by night. With `--axe PATH` (axe.min.js) it also prints
what axe-core finds.
"""

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, DictLoader, Environment, FileSystemLoader
from markupsafe import Markup
from playwright.sync_api import Browser, Route, sync_playwright

from atoll.core.events import Event
from atoll.core.words import Words
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
from atoll.games.costa_ruana.table import table

SOURCE = Path(__file__).parents[1] / "src" / "atoll"
CHROMIUM = "/usr/bin/chromium"
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; form-action 'self'"
SIZES = {"laptop": (1440, 900), "large": (1920, 1080), "phone": (390, 844)}
SEATS = (
    ("Red", "red", "circle"),
    ("Blue", "blue", "square"),
    ("Yellow", "yellow", "triangle"),
    ("Green", "green", "diamond"),
    ("Purple", "purple", "star"),
    ("Black", "black", "cross"),
)
PHASES = ("Face up", "Face down", "Natives", "Shaman", "Resolve", "Collect")
SHOWN_PHASE = {"face up": 0, "face down": 1, "native": 2, "condition": 3, "over": 5, "resign": 5, "setup": -1}
HELP = {
    "move treasure": "Take a treasure from any island and put it on another.",
    "return": "Take natives of yours from any islands back into your hut.",
    "place": "Put natives from your hut on any islands with room.",
    "move native": "Move any player's native from one island to another with room.",
}
BASE = """<!doctype html><html lang="{{ language }}"><head><meta charset="utf-8"><title>{% block title %}{% endblock %}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
{% block head %}<link rel="stylesheet" href="/static/site.css">{% endblock %}</head><body>{% block body %}{% endblock %}</body></html>"""

Json = dict[str, Any]


class Control:
    """A mock of what pressing a piece does."""

    url = "/"

    def __init__(self, kind: str, chosen: bool) -> None:
        self.kind = kind
        self.chosen = chosen
        self.fields = {"version": 1}


class CardWords:
    """A mock of the game's words."""

    def __init__(self, words: Words) -> None:
        self.words = words

    def background(self, name: str) -> str:
        return self.words(name.capitalize())

    def card_name(self, card: str) -> str:
        kind, background = card.split("/")
        return f"{self.words(kind.capitalize())}, {self.words(background.capitalize())}"

    def card_help(self, card: str) -> str:
        kind = card.split("/")[0]
        return self.words(HELP.get(kind) or HELP[kind.split()[0]])


def position(phase: str, islands: list[tuple[int, list[int]]], **more: Any) -> Json:
    """A view for seat 3 (or the last seat): islands as (treasures, natives by seat)."""
    players = len(islands[0][1])
    me = more.pop("me", min(3, players - 1))
    hand = more.pop("hand", ["move treasure/night", "move native/day", "place 2/low tide"])
    hut = more.pop("hut", 3)
    view: Json = {
        "round": 4,
        "phase": phase,
        "to_act": [me],
        "shaman": 0,
        "tide": "low",
        "time": "night",
        "islands": [{"treasures": gems, "natives": natives} for gems, natives in islands],
        "players": [
            {
                "supply": max(0, 10 - sum(natives[seat] for _, natives in islands)),
                "treasures": hut if seat == me or phase == "over" else None,
                "hand": hand if seat == me else len(hand),
            }
            for seat in range(players)
        ],
        "table": [],
        "draw_pile": 12,
        "discarded": [],
    }
    view.update(more)
    for entry in view["table"]:
        for seat in entry["natives"]:
            view["players"][seat]["supply"] = max(0, view["players"][seat]["supply"] - 1)
    view["me"] = me
    return view


def card(name: str | None, by: int, front: int, natives: tuple[int, ...] = (), up: bool = True, resolved: bool = False) -> Json:
    """An entry of the table."""
    return {
        "card": name,
        "played_by": by,
        "in_front_of": front,
        "face": "up" if up else "down",
        "natives": list(natives),
        "resolved": resolved,
    }


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
FOUR_CARDS = [
    card("return 2/high tide", 2, 1, (2,)),
    card("place 3/night", 3, 2),
    card("move treasure/night", 0, 3),
    card("place 2/day", 1, 2),
    card(None, 0, 0, up=False),
    card(None, 1, 1, up=False),
    card("move treasure/low tide", 3, 0, up=False),
    card(None, 2, 3, (0, 1), up=False),
]
REVEALED = [
    card("return 2/high tide", 2, 1, (), resolved=True),
    card("place 3/night", 3, 2, (3, 0, 1)),
    card("move treasure/night", 0, 3, resolved=True),
    card("place 2/day", 1, 2, resolved=True),
    card("return 1/low tide", 0, 0),
    card("move native/night", 1, 1, (0, 1, 2, 3)),
    card("move treasure/low tide", 3, 0),
    card("move native/low tide", 2, 3, (0, 1)),
]
SIX_CARDS = [
    card("place 1/night", 0, 1, (0, 1, 2, 3, 4, 5)),
    card("return 3/low tide", 1, 1),
    card("move native/day", 2, 1, (2,)),
    card("place 2/high tide", 3, 1),
    card("move treasure/night", 4, 1, (4,)),
    card("place 3/low tide", 5, 1),
    card(None, 0, 1, (5,), up=False),
    card(None, 1, 4, up=False),
    card("place 2/night", 3, 5, up=False),
    card(None, 4, 0, up=False),
    card(None, 5, 3, (0,), up=False),
    card(None, 2, 2, up=False),
]


def on_every_island(do: str, view: Json) -> list[Json]:
    return [{"do": do, "island": i} for i in range(len(view["islands"]))]


def cards_to_players(view: Json) -> list[Json]:
    return [
        {"do": "play card", "card": name, "in_front_of": seat}
        for name in sorted(set(view["players"][view["me"]]["hand"]))
        for seat in range(len(view["players"]))
    ]


def natives_on_cards(view: Json) -> list[Json]:
    return [{"do": "put native on card", "card": k} for k in range(len(view["table"]))] + [{"do": "keep native"}]


def scenes() -> dict[str, Json]:
    """Every picture: its view, legal moves, what is chosen, the prompt, and the events so far."""
    setup = position("setup", [(g, [min(n, 1) for n in ns]) for g, ns in FOUR], hand=5 * ["place 1/day"], round=1)
    setup["players"][3]["hand"] = ["move native/day", "move treasure/night", "place 1/low tide", "place 3/high tide", "return 2/day"]
    face_up = position("face up", FOUR, table=FOUR_CARDS[:2])
    face_down = position("face down", FOUR, table=FOUR_CARDS[:5])
    native = position("native", FOUR, table=FOUR_CARDS)
    condition = position("condition", FOUR, table=FOUR_CARDS, shaman=3)
    resolve = position("order", FOUR, table=REVEALED, tide="low")
    take = position("take treasure", FOUR, table=REVEALED)
    drop = position("drop treasure", FOUR, table=REVEALED)
    returning = position("return", FOUR, table=REVEALED)
    place = position("place", FOUR, table=REVEALED)
    take_native = position("take native", FOUR, table=REVEALED)
    drop_native = position("drop native", FOUR, table=REVEALED)
    resign = position("resign", FOUR, shaman=3)
    waiting = position("place", FOUR, table=REVEALED, to_act=[2])
    over = position("over", FOUR, hand=[], hut=8, round=5)
    for seat, count in enumerate((9, 7, 11, 8)):
        over["players"][seat]["treasures"] = count
    two = position("native", TWO, table=[card("place 1/day", 0, 1, (0,)), card("return 1/night", 1, 1), card(None, 0, 0, up=False), card("place 3/low tide", 1, 0, up=False)])
    two_up = position("face up", TWO, hand=["move native/day", "move treasure/night", "place 1/low tide", "place 3/high tide", "return 2/day"], round=1)
    six = position("native", SIX, table=SIX_CARDS)
    six_take = position("take native", SIX, table=[{**c, "face": "up", "card": c["card"] or "place 1/day", "natives": []} for c in SIX_CARDS])
    six_setup = position("setup", [(g, [min(n, 1) for n in ns]) for g, ns in SIX], round=1)
    six_over = position("over", SIX, hand=[], hut=8, round=5)
    twelve = position("place", SIX + [(5, [3, 3, 3, 2, 2, 2]), (5, [9, 0, 0, 3, 0, 0])])
    three = position("place", [(5, [1, 0, 1]), (4, [2, 1, 0]), (5, [0, 0, 3]), (5, [0, 1, 1]), (5, [1, 2, 0]), (4, [0, 1, 1])], table=[card("place 3/night", 0, 1, (2,))])
    five = position("face down", [(g, ns[:5]) for g, ns in SIX[:9]], table=[{**c, "natives": []} for c in SIX_CARDS[:5]])
    collected = position("face up", FOUR, table=[], hand=["move native/day", "place 1/low tide"])
    gem_held = [[Event(CARD_BEGUN, 3, 0, CARD_PLACE + 7, -1, 0), Event(CARD_APPLIED, 3, 0, CARD_PLACE + 7, -1, 1), Event(TREASURE_MOVED, 3, -1, 5, HELD_PLACE, 0)]]
    native_held = [[Event(CARD_BEGUN, 3, 0, CARD_PLACE + 7, -1, 0), Event(CARD_APPLIED, 0, 0, CARD_PLACE + 7, -1, 1), Event(NATIVE_MOVED, 3, 2, 3, HELD_PLACE, 0)]]
    went_home = [[Event(TREASURE_MOVED, 0, -1, 6, HUT_PLACE, 0), Event(NATIVE_MOVED, 0, 0, 6, SUPPLY_PLACE, 0), Event(TREASURE_MOVED, 2, -1, 3, HUT_PLACE + 2, 0), Event(NATIVE_MOVED, 2, 2, 3, SUPPLY_PLACE + 2, 0)]]
    put = {"do": "put native on card", "card": 1}
    return {
        "setup": {"view": setup, "legal": on_every_island("place native", setup), "prompt": "Put one of your natives on an island."},
        "face-up": {"view": face_up, "legal": cards_to_players(face_up), "prompt": "Choose a card to play face up."},
        "face-up-chosen": {"view": face_up, "legal": cards_to_players(face_up), "chosen": {"do": "play card", "card": "move native/day"}, "prompt": "In front of whom?"},
        "face-down": {"view": face_down, "legal": cards_to_players(face_down), "chosen": {"do": "play card", "card": "move treasure/night"}, "prompt": "In front of whom?"},
        "native": {"view": native, "legal": natives_on_cards(native), "prompt": "Put one of your natives on a card, or keep it in your hut."},
        "native-chosen": {"view": native, "legal": natives_on_cards(native), "chosen": put, "confirm": "Put it on Place 3", "prompt": "Put one of your natives on a card, or keep it in your hut.", "hint": "If Night stays, Yellow places 3, then you do."},
        "condition": {"view": condition, "legal": [{"do": "turn condition", "condition": c} for c in ("tide", "time")], "prompt": "You are the Shaman: turn over one of the two conditions."},
        "order": {"view": resolve, "legal": [{"do": "resolve card", "card": k} for k in (5, 7)], "prompt": "Which of these cards do you resolve first?"},
        "take-treasure": {"view": take, "legal": [m for m in on_every_island("take treasure", take) if m["island"] != 1], "prompt": "Take a treasure from an island.", "history": gem_held[:1] and [gem_held[0][:2]]},
        "drop-treasure": {"view": drop, "legal": [m for m in on_every_island("drop treasure", drop) if m["island"] != 5], "prompt": "Put the treasure on another island.", "history": gem_held},
        "return": {"view": returning, "legal": [{"do": "return native", "island": i} for i, (_, ns) in enumerate(FOUR) if ns[3]], "prompt": "Take one of your natives home: 2 still to go."},
        "place": {"view": place, "legal": on_every_island("place native", place), "prompt": "Put a native on an island: 2 still to go."},
        "take-native": {"view": take_native, "legal": [{"do": "take native", "island": i, "owner": s} for i, (_, ns) in enumerate(FOUR) for s, n in enumerate(ns) if n], "prompt": "Take any player's native from an island."},
        "drop-native": {"view": drop_native, "legal": on_every_island("drop native", drop_native), "prompt": "Put Yellow's native on another island.", "history": native_held},
        "resign": {"view": resign, "legal": [{"do": "appoint shaman", "player": s} for s in range(4)], "prompt": "You are the new Shaman. Keep the role, or hand it to another player?"},
        "waiting": {"view": waiting, "legal": [], "prompt": "Yellow is placing natives."},
        "collected": {"view": collected, "legal": [], "prompt": "Red plays a card.", "history": went_home},
        "spectator": {"view": native, "legal": [], "seat": None, "prompt": "Green chooses a card for a native."},
        "over": {"view": over, "legal": [], "over": {"points": [24, 20, 27, 21], "winners": [2]}, "prompt": "The game is over: Yellow wins."},
        "two": {"view": two, "legal": natives_on_cards(two), "prompt": "Put one of your natives on a card, or keep it in your hut."},
        "two-face-up": {"view": two_up, "legal": cards_to_players(two_up), "prompt": "Choose a card to play face up."},
        "three": {"view": three, "legal": on_every_island("place native", three), "prompt": "Put a native on an island: 1 still to go."},
        "five": {"view": five, "legal": cards_to_players(five), "chosen": {"do": "play card", "card": "move native/day"}, "prompt": "In front of whom?"},
        "six": {"view": six, "legal": natives_on_cards(six), "chosen": {"do": "put native on card", "card": 4}, "confirm": "Put it on Move a treasure", "prompt": "Put one of your natives on a card, or keep it in your hut."},
        "six-take": {"view": six_take, "legal": [{"do": "take native", "island": i, "owner": s} for i, (_, ns) in enumerate(SIX) for s, n in enumerate(ns) if n], "prompt": "Take any player's native from an island."},
        "six-setup": {"view": six_setup, "legal": on_every_island("place native", six_setup), "prompt": "Put one of your natives on an island."},
        "six-over": {"view": six_over, "legal": [], "over": {"points": [17, 21, 19, 21, 18, 18], "winners": [1, 3]}, "prompt": "The game is over."},
        "twelve": {"view": twelve, "legal": on_every_island("place native", twelve), "prompt": "Put a native on an island: 1 still to go."},
    }


def control_of(legal: list[Json], chosen: Json) -> Any:
    """The contract's `control` over a list of legal moves."""

    def control(do: str, confirm: bool = False, **parts: Any) -> Control | None:
        wanted = {"do": do, **parts}
        fitting = [move for move in legal if wanted.items() <= move.items()]
        if not fitting:
            return None
        complete = any(move == wanted for move in fitting)
        return Control("move" if complete and not confirm else "choose", chosen == wanted)

    return control


def context(scene: Json, language: str) -> Json:
    """Everything that the frame and the game's templates get."""
    words = Words(language).with_package("atoll.games.costa_ruana")
    view = scene["view"]
    seat = scene.get("seat", view["me"])
    now = SHOWN_PHASE.get(view["phase"], 4)
    lines = [
        {"seat": 0, "text": "Red put a native on Yellow’s hidden card"},
        {"seat": 1, "text": "Blue put one there too"},
        {"seat": 2, "text": "Yellow put a native on Blue’s Return 2"},
        {"seat": None, "text": "Everyone draws a card"},
    ]
    shown = [line for line in lines if line["seat"] is None or line["seat"] < len(view["players"])]
    chosen = scene.get("chosen", {})
    return {
        "_": words,
        "ngettext": words.plural,
        "language": language,
        "languages": [
            {"code": code, "label": label, "current": code == language, "url": f"?lang={code}"}
            for code, label in (("en", "English"), ("fr", "Français"))
        ],
        "game": {"key": "costa-ruana", "package": "costa_ruana", "title": "Costa Ruana"},
        "version": 7,
        "progress": {
            "round": view["round"],
            "rounds": 5,
            "phases": [
                {"key": str(k), "label": words(label), "state": "done" if k < now else "now" if k == now else "next"}
                for k, label in enumerate(PHASES)
            ],
        },
        "prompt": {"text": scene["prompt"], "hint": scene.get("hint"), "mine": bool(scene["legal"])},
        "confirm": {"label": scene["confirm"], "control": Control("move", False)} if "confirm" in scene else None,
        "again": Control("move", False) if scene.get("over") else None,
        "log": [{"heading": "Round 3", "lines": shown}, {"heading": "Round 4", "lines": shown}],
        "menu": [{"label": "Rules", "url": "/rules"}, {"label": "My tables", "url": "/"}, {"label": "Resign", "control": Control("move", False)}],
        "view": view,
        "seat": seat,
        "seats": [
            {"name": name, "colour": colour, "mark": mark, "kind": "person", "you": k == seat, "to_act": k in view["to_act"] and not scene.get("over")}
            for k, (name, colour, mark) in enumerate(SEATS[: len(view["players"])])
        ],
        "t": CardWords(words),
        "chosen": chosen,
        "control": control_of(scene["legal"], chosen),
        "over": scene.get("over"),
        **table(view, seat, scene.get("history", [])),
    }


def environment() -> Environment:
    """Templates as the site loads them; its base page, or a bare one."""
    loader = ChoiceLoader(
        [
            DictLoader({"base.html.jinja": BASE}),
            FileSystemLoader([SOURCE / "web" / "templates", SOURCE / "games"]),
        ]
    )
    return Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)


def serve(route: Route, pages: Mapping[str, str]) -> None:
    """Answer the browser: a page by its name, or one of the stylesheets."""
    path = route.request.url.partition("localhost/")[2].partition("?")[0]
    files = {"static/site.css": SOURCE / "web/static/site.css", "games/costa-ruana/table.css": SOURCE / "games/costa_ruana/table.css"}
    if path in files:
        route.fulfill(body=files[path].read_text(), content_type="text/css")
    elif path in pages:
        route.fulfill(body=pages[path], content_type="text/html", headers={"Content-Security-Policy": POLICY})
    else:
        route.fulfill(status=404, body="")


def faults(page: Any, axe: str) -> list[str]:
    """What axe-core finds, and whether anything scrolls sideways."""
    found = []
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        found.append("scrolls sideways")
    page.evaluate(axe)
    for fault in page.evaluate("axe.run()")["violations"]:
        found.append(f"{fault['id']}: " + json.dumps([node["target"] for node in fault["nodes"]][:4]))
    return found


def photograph(browser: Browser, pages: Mapping[str, str], out: Path, sizes: list[str], schemes: list[str], axe: str | None) -> bool:
    """One picture of each page at each size and scheme; True if nothing was found wrong."""
    clean = True
    for size in sizes:
        width, height = SIZES[size]
        for scheme in schemes:
            camera = browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme=scheme,  # type: ignore[arg-type]
                device_scale_factor=2 if size == "phone" else 1,
                has_touch=size == "phone",
                reduced_motion="reduce",
                bypass_csp=axe is not None,
            )
            page = camera.new_page()
            page.on("console", lambda message: print(message.text, file=sys.stderr) if message.type == "error" else None)
            page.route("**/*", lambda route: serve(route, pages))
            for name in pages:
                page.goto(f"http://localhost/{name}")
                page.screenshot(path=out / f"{name}-{size}-{scheme}.png")
                if axe:
                    for fault in faults(page, axe):
                        print(f"{name} {size} {scheme}: {fault}")
                        clean = False
            camera.close()
    return clean


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("names", nargs="*", help="only these pictures")
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--schemes", nargs="+", choices=["light", "dark"], default=["light", "dark"])
    parser.add_argument("--language", default="en")
    parser.add_argument("--axe", type=Path, help="path of axe.min.js")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    template = environment().get_template("table.html.jinja")
    wanted = {name: scene for name, scene in scenes().items() if not options.names or name in options.names}
    pages = {name: str(Markup(template.render(context(scene, options.language)))) for name, scene in wanted.items()}
    axe = options.axe.read_text() if options.axe else None
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        clean = photograph(browser, pages, options.out, options.sizes, options.schemes, axe)
        browser.close()
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
