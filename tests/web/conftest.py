"""One site in this process for all web tests, and browsers that fill in its forms."""

import asyncio
import dataclasses
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from sqlalchemy import URL, Connection, Engine, event
from starlette.testclient import TestClient

from atoll.core.catalogue import find_game, games
from atoll.web.pages.move_confirmation import AT_ONCE, COOKIE
from atoll.web.serving.app import create_app
from atoll.web.serving.security import cookie_name, read_secret
from atoll.web.serving.site import Site
from atoll.web.store.database import open_store
from atoll.web.store.engine import open_engine
from atoll.web.store.migrations import migrate
from atoll.web.store.store import SeatRow, Store, now
from atoll.web.table import daily
from atoll.web.table.creation import new_table
from atoll.web.table.table import Table
from atoll.web.table.tables import Tables
from tests.site import FAKES, START, Server, StartServer
from tests.web.addresses import leading_nowhere

SCRIPT = {"atoll-fragment": "yes"}
"""What the site's own script sends along."""


@dataclass
class Form:
    """A form of a page."""

    action: str
    method: str
    fields: list[tuple[str, str]] = field(default_factory=list)
    label: str = ""
    id: str = ""

    @property
    def data(self) -> dict[str, Any]:
        """Its fields, as a client sends them."""
        sent: dict[str, Any] = {}
        for name, value in self.fields:
            sent.setdefault(name, []).append(value)
        return sent


class Page(HTMLParser):
    """The forms of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append(Form(values["action"], values["method"]))
        elif tag == "input" and values.get("type") == "hidden":
            self.forms[-1].fields.append((values["name"], values["value"]))
        elif tag == "button" and self.forms:
            self.forms[-1].label = self.forms[-1].label or values.get("aria-label", "")
            self.forms[-1].id = self.forms[-1].id or values.get("id", "")

    @property
    def moves(self) -> list[Form]:
        """Forms that carry out a move."""
        return [form for form in self.forms if form.action.endswith("/moves")]

    @property
    def choices(self) -> list[Form]:
        """Forms that choose a part of a move."""
        return [form for form in self.forms if form.method == "get" and form.fields]


class Browser:
    """A browser with cookies of its own, whose presses play moves at once."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        client.cookies.set(COOKIE, AT_ONCE)
        self.get("/next")  # a short page, which brings its name

    @property
    def cookie(self) -> str:
        """The cookie by which the site knows it."""
        return str(self.client.cookies[cookie_name(read_secret())])

    @property
    def name(self) -> str:
        """What the site calls it."""
        return self.cookie.rpartition(".")[0]

    def get(self, path: str, **settings: Any) -> Any:
        """Look at an address. What the page there leads to is served by the site."""
        return self._with_addresses(self.client.get(path, **settings))

    def post(self, path: str, data: Any = None, **settings: Any) -> Any:
        """Send a form; the same of the page to which it leads."""
        return self._with_addresses(self.client.post(path, data=data or {}, **settings))

    def _with_addresses(self, answer: Any) -> Any:
        if answer.headers.get("content-type", "").startswith("text/html"):
            assert not leading_nowhere(self.client.app, answer.text)
        return answer

    def ask(self, path: str, name: str, data: Any, rounds: int = 0) -> str:
        """What a table's socket answers to a form, or with no name to a choice."""
        with self.client.websocket_connect(f"{path}/live?version=99999") as socket:
            socket.send_text(f"7 {rounds} {name}?{urlencode(data, doseq=True)}")
            number, _, answer = socket.receive_text().partition("\n")
            assert number == "7"
            return answer

    def make_table(self, game: str = "costa-ruana", **fields: str) -> str:
        """Make a table; returns its address. Where `fields` say nothing of the other seats, bots sit there that do not
        have to think.
        """
        others = {f"seat{seat}": "bot:random" for seat in range(1, find_game(game).seats[-1])}
        answer = self.post("/tables", {"game": game, "pace": "at once", **others, **fields})
        assert answer.status_code == 200, answer.text
        return str(answer.url.path)

    def page(self, path: str, **settings: Any) -> Page:
        """The forms at an address."""
        return Page(self.get(path, **settings).text)

    def wait_for(self, path: str, sign: str) -> str:
        """Look until the page has `sign`."""
        deadline = time.monotonic() + 60
        while sign not in (html := self.get(path).text):
            assert time.monotonic() < deadline, f"{sign} never came"
        return str(html)


async def within_a_minute(condition: Callable[[], object]) -> None:
    """Wait until it holds."""
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.01)


@pytest.fixture(scope="session")
def games_for_tests() -> Iterator[None]:
    """The tests' own game in the catalogue."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [*sys.path, str(FAKES)])
        patch.setitem(games(), "signs", import_module("signs").game)
        yield


@pytest.fixture(scope="session")
def running(games_for_tests: None) -> Iterator[TestClient]:
    """The site, running."""
    app = create_app(open_store(), ["testserver"])
    with TestClient(app) as client:
        yield client


@pytest.fixture(scope="session")
def site(running: TestClient) -> Site:
    """What its handlers share."""
    return running.app.state.site  # type: ignore[attr-defined,no-any-return]


@pytest.fixture
def new_browser(running: TestClient) -> Callable[..., Browser]:
    """Opens another browser."""

    def open_one(**settings: Any) -> Browser:
        client = TestClient(running.app, **settings)
        client.portal = running.portal
        return Browser(client)

    return open_one


@pytest.fixture
def browser(new_browser: Callable[..., Browser]) -> Browser:
    """A browser."""
    return new_browser()


@pytest.fixture
def table_at(site: Site) -> Callable[[str], Table]:
    """The table behind an address, as the server has it."""

    def find(path: str) -> Table:
        table = site.tables.find(path.rpartition("/")[2])
        with table.lock:
            table.catch_up()
        return table

    return find


@pytest.fixture(scope="session", autouse=True)
def engines() -> Iterator[set[Engine]]:
    """Those that have connected to a database and are not disposed of."""
    found = set[Engine]()

    def note(connection: Connection) -> None:
        found.add(connection.engine)

    event.listen(Engine, "engine_connect", note)
    yield found
    event.remove(Engine, "engine_connect", note)


@pytest.fixture(autouse=True)
def connections_are_closed(engines: set[Engine]) -> Iterator[None]:
    """Those that a test opens and leaves, of which Python 3.13 warns."""
    before = set(engines)
    yield
    for engine in engines - before:
        engine.dispose()
    engines &= before


QuietTable = Callable[[str], Table]


@pytest.fixture
def quiet_table(tmp_path: Path, games_for_tests: None) -> QuietTable:
    """Makes a table of as few persons as can play, each with its seat's number for a browser, on no site."""
    store = Store(open_engine(URL.create("sqlite", database=str(tmp_path / "atoll.sqlite"))))
    migrate(store.engine)

    def make(game: str) -> Table:
        count = min(find_game(game).seats)
        made = new_table(find_game(game), count, {}, "fast", None, "0", False, "alone")
        row = dataclasses.replace(made, seed=f"{9:016x}")
        store.make_table(row, [SeatRow(seat, str(seat), None, now()) for seat in range(count)])
        return Tables(store).find(row.id)

    return make


@pytest.fixture
def start_server() -> Iterator[StartServer]:
    """Starts a server in a process of its own, with that home and those games, or all; it is killed after the test, if
    it still runs.
    """
    started: list[Server] = []

    def start(home: Path, *games: str, port: int = 0, start: str = START) -> Server:
        started.append(Server(home, port, start=start, games=games))
        return started[-1]

    yield start
    for server in started:
        server.kill()


@pytest.fixture
def days(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Lets so many days pass, from today."""

    def passing(count: int) -> None:
        monkeypatch.setattr(daily, "now", lambda: now() + timedelta(days=count))

    return passing
