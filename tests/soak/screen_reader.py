"""Can whole games be played by the accessibility tree alone?

`python -m tests.soak screen_reader [--games ...] [--players N]`.

Whatever is pressed is found as a screen reader finds it: a button with a name, in the main part or in the bar. What
live regions say is written down, and at the end compared with the log: every turn of every bot is announced once,
politely, in one sentence. Exit status 1 if one is not.
"""

import argparse
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import CDPSession, Error, Page

from atoll.core.catalogue import find_game, games
from atoll.text.translation import LANGUAGES
from tests.chromium import chromium
from tests.site_process import serving

Node = dict[str, Any]

LOGGED = """() => [...document.querySelectorAll("#log .log-entry")].map(
  (entry) => (entry.querySelector("summary") ?? entry).querySelector(":scope > span").textContent.trim())"""

HEARING = (
    f"const logged = {LOGGED};"
    + """
window.heard = [];
window.clicks = 0;
addEventListener("click", () => (clicks += 1), true);
addEventListener("DOMContentLoaded", () => {
  window.known = logged();
  const script = document.querySelector("link[rel=modulepreload][href$='/table.js']");
  if (script) import(script.href).then(({ page }) => (window.shown = page));
  const spoken = (node) => node.nodeType === 1 && node.closest('[role="log"], [aria-live="polite"]');
  new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!spoken(node)) continue;
      const lines = node.matches("p") ? [node] : [...node.querySelectorAll("p")];
      heard.push(...lines.map((line) => line.textContent.trim()));
    }
  }).observe(document.body, { childList: true, subtree: true });
});
"""
)
"""Writes down what the log has when the page opens, and then what polite live regions get. `shown` has the address of
what the page shows, which the browser's own follows later."""

DRAWN = "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(drawn))))"
"""What is said and the log are drawn a frame after the rest."""

SENTENCES = re.compile(r"[.!?…]\s+(?=\w)")


class Listener:
    """Somebody who cannot see the page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.tree: CDPSession = page.context.new_cdp_session(page)

    def nodes(self) -> dict[str, Node]:
        """The accessibility tree, by the nodes' numbers."""
        found = self.tree.send("Accessibility.getFullAXTree")["nodes"]
        return {node["nodeId"]: node for node in found}

    def buttons(self) -> list[tuple[str, Node]]:
        """The buttons that can be pressed, each with the landmark that it stands in."""
        nodes, found = self.nodes(), []
        for node in nodes.values():
            if value(node, "role") != "button" or node.get("ignored") or not value(node, "name"):
                continue
            states = {one["name"]: one["value"].get("value") for one in node.get("properties", ())}
            if states.get("pressed") in ("true", True) or states.keys() & {
                "expanded",
                "hasPopup",
                "disabled",
            }:
                continue  # chosen already, or opens some words
            marks = [(value(at, "role"), value(at, "name")) for at in around(nodes, node)]
            landmark = next((mark for mark in marks if mark[0] in ("main", "region", "navigation")), ("", ""))
            in_main = any(role == "main" for role, _ in marks)
            found.append(("main" if in_main else landmark[1], node))
        return found

    def press(self, node: Node) -> bool:
        """Bring the focus there and press Enter; False if the page was drawn again meanwhile, without it."""
        before = self.page.evaluate("clicks")
        try:
            self.tree.send("DOM.focus", {"backendNodeId": node["backendDOMNodeId"]})
        except Error:
            return False
        self.page.keyboard.press("Enter")
        return bool(self.page.evaluate("clicks") > before)

    @property
    def unheard(self) -> list[str]:
        """Entries of the log that were not announced, or more often or in more than one sentence."""
        found: list[list[str]] = self.page.evaluate(f"[heard, known, ({LOGGED})()]")  # at one moment
        said, known, logged = map(Counter, found)
        return [
            *(f"not announced: {text}" for text in (logged - known - said).elements()),
            *(f"announced more often than it happened: {text}" for text in (said - logged).elements()),
            *(f"more than one sentence: {text}" for text in said if SENTENCES.search(text)),
        ]


def value(node: Node, what: str) -> str:
    """The role or the name of a node."""
    return str(node.get(what, {}).get("value", ""))


def around(nodes: dict[str, Node], node: Node) -> Iterator[Node]:
    """What a node stands in, from the inside out."""
    while "parentId" in node:
        node = nodes[node["parentId"]]
        yield node


def begin(page: Page, game: str, players: int) -> Listener:
    """A table against bots that move at once."""
    page.add_init_script(HEARING)
    page.goto("/")
    form = {"game": game, "players": str(players), "pace": "at once", "seat0": "me"}
    form |= {f"seat{seat}": "bot:easy" for seat in range(1, players)}
    page.evaluate(
        """(fields) => {
            const form = Object.assign(document.createElement("form"), { method: "post", action: "/tables" });
            for (const [name, value] of Object.entries(fields)) {
                form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
            }
            document.body.append(form);
            form.submit();
        }""",
        form,
    )
    page.wait_for_url("**/tables/*")
    page.wait_for_selector("#table")  # after the page that waits for the rules
    page.wait_for_function("window.shown")
    return Listener(page)


def play(listener: Listener, most: int = 10_000, seed: int = 1) -> int:
    """Press at random to the end, or until so many moves are carried out; returns how many were."""
    page, chance, moves = listener.page, random.Random(seed), 0
    while moves < most:
        page.wait_for_selector("#table .bar.mine, #table.over")
        if page.locator("#table.over").count():
            break
        version = page.locator("#table").get_attribute("data-version")
        shown = page.evaluate("shown.address.href")
        confirm = (
            page.locator("#confirm").get_attribute("aria-label") if page.locator("#confirm").count() else None
        )
        buttons = listener.buttons()
        carried = [node for _, node in buttons if confirm and value(node, "name") == confirm]
        choices = carried[-1:] or [node for mark, node in buttons if mark == "main"]
        if not choices or not listener.press(chance.choice(choices)):
            continue
        page.wait_for_function(
            """([version, shown]) =>
                document.getElementById("table").dataset.version !== version || window.shown.address.href !== shown""",
            arg=[version, shown],
        )
        moves += page.locator("#table").get_attribute("data-version") != version
    page.wait_for_selector("#table .bar.mine, #table.over")
    page.evaluate(DRAWN)
    return moves


def main() -> int:
    """Play; 1 if something was not announced."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak screen_reader",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--games", nargs="*", choices=list(games()), default=list(games()))
    parser.add_argument("--players", type=int, help="how many play; the most that can, if it is more")
    parser.add_argument("--language", choices=LANGUAGES, default="en")
    options = parser.parse_args()
    wrong = 0
    with (
        tempfile.TemporaryDirectory() as home,
        serving(home, cached=True) as address,
        chromium() as browser,
    ):
        for name in options.games:
            seats = find_game(name).seats
            players = min(options.players or seats[-1], seats[-1])
            context = browser.new_context(base_url=address, locale=options.language, reduced_motion="reduce")
            context.set_default_timeout(600_000)  # ms; until the rules are compiled
            listener = begin(context.new_page(), name, players)
            moves = play(listener)
            heard, unheard = listener.page.evaluate("heard.length"), listener.unheard
            print(f"{name}, {players} players: {moves} moves, {heard} announcements, {len(unheard)} findings")
            print(*unheard, sep="\n", end="\n" if unheard else "")
            wrong += len(unheard)
            context.close()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
