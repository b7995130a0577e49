"""Does any link or form of the site fail or lead nowhere?

`python -m tests.soak crawler --minutes 5`.

Some friends and strangers share a table of each game; each of them follows a link or sends a form of the page that it
has, filled in at random. Prints each request at which the server fails, and each link and form that leads nowhere.
"""

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

from rich.progress import track
from sqlalchemy.engine import URL
from starlette.testclient import TestClient

from atoll.core.catalogue import find_game, games
from atoll.web.serving.app import create_app
from atoll.web.store.engine import open_engine
from atoll.web.store.migrations import migrate
from atoll.web.store.store import Store
from tests.web.addresses import leading_nowhere

FRIENDS, STRANGERS = 2, 2
TYPED = ("", "7", "-1", "x", "9" * 30, "2999-01-01", "Zoé & <b>", "w" * 500)
"""What is typed where something can be, besides what stands there."""
AS_IT_STANDS = 0.7
"""How often a field stays as it is."""
BACK_TO_A_TABLE = 0.08
"""How often one goes to a table again instead of pressing something."""
TO_MOVE = 0.5
"""How often one who can move does so."""
PAGES = ("", "/back", "/try", "/chat")
"""of a table"""


@dataclass
class Form:
    """A form, and what can be sent in each of its fields; None: nothing."""

    action: str
    method: str
    fields: list[tuple[str, list[str | None]]] = field(default_factory=list)

    def filled(self, chance: random.Random) -> list[tuple[str, str]]:
        """What is sent."""
        sent = []
        for name, values in self.fields:
            value = values[0] if chance.random() < AS_IT_STANDS else chance.choice(values)
            if name and value is not None:
                sent.append((name, value))
        return sent


class Pressable(HTMLParser):
    """The links and forms of a page; those for files are left out."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.forms: list[Form] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note it."""
        values = {name: value or "" for name, value in attrs}
        name, value, around = values.get("name", ""), values.get("value", ""), self.forms[-1:]
        if tag == "a" and values.get("href", "").startswith("/"):
            self.links.append(values["href"].partition("#")[0])
        elif tag == "form":
            self.forms.append(Form(values["action"], values["method"]))
        for form in around:
            match tag, values.get("type"):
                case "input", "hidden":
                    form.fields.append((name, [value]))
                case "input", "checkbox" | "radio":
                    form.fields.append((name, [value, None]))
                case "input", kind if kind != "file":
                    form.fields.append((name, [value, *TYPED]))
                case "textarea", _:
                    form.fields.append((name, [*TYPED]))
                case "select", _:
                    form.fields.append((name, []))
                case "option", _ if form.fields and "disabled" not in values:
                    form.fields[-1][1].append(value)
                case "button", _ if name:
                    form.fields.append((name, [None, value]))


class Wanderer:
    """A browser, which knows tables."""

    def __init__(self, client: TestClient, chance: random.Random, tables: Sequence[str]) -> None:
        self.client, self.chance, self.tables = client, chance, tables
        self.html = ""

    def step(self) -> str | None:
        """Press something; returns what was wrong."""
        pressed: str | Form
        chance, found = self.chance, Pressable(self.html)
        forms = [form for form in found.forms if all(values for _, values in form.fields)]
        moves = [form for form in forms if form.action.endswith("/moves")]
        if moves and chance.random() < TO_MOVE:
            pressed = chance.choice(moves)
        elif chance.random() < BACK_TO_A_TABLE or not (found.links or forms):
            pressed = chance.choice(self.tables) + chance.choice(PAGES)
        else:
            pressed = chance.choice(list[str | Form]([*found.links, *forms, *forms]))
        return self.go(pressed)

    def go(self, pressed: str | Form) -> str | None:
        """Follow a link or send a form; returns what was wrong."""
        if isinstance(pressed, str):
            asked, answer = f"GET {pressed}", self.client.get(pressed)
        else:
            sent = dict(pressed.filled(self.chance))
            asked = f"{pressed.method.upper()} {pressed.action} {sent}"
            if pressed.method == "get":
                answer = self.client.get(pressed.action, params=sent)
            else:
                answer = self.client.post(pressed.action, data=sent)
        if answer.status_code >= 500:
            return f"{answer.status_code}: {asked}"
        if answer.headers.get("content-type", "").startswith("text/html"):
            self.html = answer.text
            if nowhere := leading_nowhere(self.client.app, answer.text):
                return f"leads nowhere: {', '.join(nowhere)}, after {asked}"
        return None


def wander(
    clients: Sequence[TestClient], names: Sequence[str], chance: random.Random
) -> Iterator[str | None]:
    """What was wrong at each step of browsers, the first of which make a table of each game with a bot; without end."""
    friends, tables = clients[:FRIENDS], []
    for name in names:
        players = min(FRIENDS + 1, find_game(name).seats[-1])
        seats = {f"seat{seat}": "friend" if seat < FRIENDS else "bot:random" for seat in range(1, players)}
        form = {"game": name, "players": str(players), "seat0": "me", "pace": "at once", **seats}
        tables.append(friends[0].post("/tables", data=form).url.path)
        for seat, friend in enumerate(friends[1:], 1):
            friend.post(f"{tables[-1]}/seats", data={"seat": str(seat)})
    wanderers = [Wanderer(client, chance, tables) for client in clients]
    while True:
        yield chance.choice(wanderers).step()


def main() -> None:
    """Wander and print."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak crawler",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--seed", type=int, default=1)
    settings = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = Store(open_engine(URL.create("sqlite", database=str(Path(folder, "wandering.sqlite")))))
        migrate(store.engine)
        app = create_app(store, ["testserver"])
        with TestClient(app) as first:
            others = [TestClient(app) for _ in range(FRIENDS + STRANGERS - 1)]
            for other in others:
                other.portal = first.portal
            steps = wander([first, *others], list(games()), random.Random(settings.seed))
            ends, faults = time.monotonic() + 60 * settings.minutes, list[str]()
            for fault in track(steps, "Wandering", total=None):
                if fault is not None:
                    print(fault)
                    faults.append(fault)
                if time.monotonic() > ends:
                    break
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
