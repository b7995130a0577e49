"""What a player may know, at every route of the site: in two worlds that differ in what a seat cannot know, each is
answered with the same bytes, to who sits there, to a stranger and to who has no cookie; the log says the same, too.

The routes come from the application; each has a word here about what it shows, or the test fails.
"""

import asyncio
import dataclasses
import io
import logging
import random
import re
import secrets
import shutil
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request as SiteRequest
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute

from atoll.bots import hints
from atoll.core.catalogue import find_game
from atoll.web.pages.scripts import scripts_url
from atoll.web.refusal import Refusal
from atoll.web.serving import app, invitation_requests, table_requests
from atoll.web.serving.json_log import REQUESTS, JsonLines
from atoll.web.serving.module_requests import module_url, network_url
from atoll.web.serving.site import find_table, with_viewer
from atoll.web.store.people import People
from atoll.web.store.store import Contents, Store
from atoll.web.table import sandbox
from atoll.web.table.move_choice import fields_of
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table
from atoll.web.table.tables import Tables
from tests.soak.fuzz import HOST, Ground, ask, ground_in, play
from tests.soak.odd_requests import FILE, FORM, Request, disposition, encoded
from tests.web.test_secrecy import as_text, dealt, shift

ME, FRIEND, THIRD, STRANGER, NOBODY = "me", "friend", "third", "stranger", ""
Fields = Mapping[str, str] | bytes
PLAIN = (
    *("GET /favicon.ico", "GET /robots.txt", "GET /healthz", "GET /readyz", "GET /metrics"),
    *("GET /scripts", "GET /static", "GET /offline", "GET /service_worker.js", "GET /manifest.json"),
    *("GET /name", "GET /games/{game}/rules", "GET /telling", "GET /games/{game}/table.css"),
    *("GET /games/{game}/drawings.css", "GET /games/{game}/sheet.css", "GET /games/{game}/rules.css"),
    *("GET /games/{game}/cover.svg", "GET /games/{game}/cover.png", "GET /games/{game}/lessons.css"),
    *("GET /games/{game}/workshop", "GET /modules/{game}/{digest}.wasm"),
    *("GET /modules/{game}/{digest}.network", "GET /records/{record}", "GET /records/{record}/back"),
    *("GET /history/forget", "GET /workshop/{set}", "GET /workshop/{set}/file"),
    *("GET /workshop/{set}/sheet/{form}", "GET /workshop/{set}/trial/games", "GET /devices"),
    *(
        "GET /here",
        "GET /daily",
        "GET /puzzles",
        "GET /puzzles/own",
        "GET /puzzles/{game}",
        "GET /puzzles/{game}/{number}",
        "GET /records/{record}/analysis",
        "SOCKET /records/{record}/analysis/cores",
    ),
)
"""Routes at which no table is read, and to which nothing is sent."""
NOTHING_OF_TABLES: Mapping[str, Fields] = {
    **{key: {} for key in PLAIN},
    "GET /language": {"to": "en"},
    "GET /pressing": {"to": "once"},
    "GET /lessons/decline": {"game": "karuba"},
    "POST /lessons": {"game": "karuba", "lesson": "no such lesson"},
    "POST /network": {"on": "yes"},
    "POST /records": b"",
    "POST /telling/tabs": {"on": "yes"},
    "POST /telling/push": {},
    "POST /telling/webhook": {"webhook": ""},
    "POST /games/{game}/workshop": {"name": "B"},
    "POST /workshop/{set}/change": {"at": "x"},
    "POST /workshop/{set}/add": {"do": "x"},
    "POST /workshop/{set}/rename": {"name": "C"},
    "POST /workshop/{set}/keep": {"note": "x"},
    "GET /workshop/{set}/differences": {"from": "1"},
    "POST /workshop/{set}/restore": {"version": "1"},
    "POST /workshop/{set}/sheet": {"list": "x"},
    "POST /workshop/{set}/print": {"paper": "none"},
    "POST /workshop/{set}/trial": {"games": "x"},
    "POST /workshop/{set}/trial/games": {},
    "POST /workshop/{set}/trial/cancel": {},
    "POST /workshop/{set}/findings": {"players": "x"},
    "POST /workshop/{set}/findings/try": {"found": "x"},
    "POST /workshop/{set}/findings/watch": {"found": "x"},
    "POST /workshop/{set}/play": {"bot": "no such bot"},
    "POST /workshop/{set}/delete": {},
    "POST /records/{record}/analysis/begin": {},
    "POST /records/{record}/analysis/stop": {},
    "POST /history/forget": {},
    "POST /puzzles/{game}/{number}/moves": {"several": "yes"},
    "POST /devices": {},
    "POST /devices/end": {},
    "POST /here": {"code": "x"},
}
"""The same, with what is sent there."""
SHOWS_TABLES: Mapping[str, Fields] = {
    "GET /": {},
    "GET /lobby": {},
    "GET /next": {},
    "GET /history": {},
    "GET /history/export": {},
    "GET /tables/{table}": {},
    "GET /tables/{table}/record": {},
    "GET /games/{game}/components": {"table": "TABLE"},
    "GET /tables/{table}/back": {"at": "0"},
    "GET /tables/{table}/chat": {},
    "GET /tables/{table}/invitation": {},
    "GET /tables/{table}/address.svg": {},
    "GET /tables/{table}/delete": {},
    "GET /tables/{table}/analysis": {},
    "GET /tables/{table}/puzzles/{at}": {},
    "GET /tables/{table}/picture": {},
    "GET /tables/{table}/questions": {},
    "GET /tables/{table}/try": {},
    "GET /tables/{table}/try/others": {},
    "SOCKET /tables/{table}/live": {"version": "99999"},
    "SOCKET /tables/{table}/analysis/cores": {"cores": "2"},
    "POST /name": {"name": "Anna"},
    "POST /tables": {"game": "signs", "players": "2", "seat1": "friend"},
    "POST /quick": {"game": "signs"},
    "POST /daily": {"game": "signs"},
    "POST /tables/{table}/chat": {"text": "Hello"},
    "POST /tables/{table}/chat/settings": {"chat": "yes"},
    "POST /tables/{table}/webhook": {"webhook": ""},
    "POST /tables/{table}/pace": {"pace": "calm"},
    "POST /tables/{table}/public": {"public": "no"},
    "POST /tables/{table}/open": {"open": "yes"},
    "POST /tables/{table}/players": {"players": "4"},
    "POST /tables/{table}/analysis/begin": {},
    "POST /tables/{table}/analysis/stop": {},
    "POST /tables/{table}/puzzles/{at}/moves": {},
    "POST /tables/{table}/questions": {"fun": "3"},
    "POST /tables/{table}/hint": {},
    "POST /tables/{table}/hint/search": {},
    "POST /tables/{table}/try/anew": {},
    "POST /tables/{table}/try/bots": {},  # before who tries has moved: Signs draws nothing for bots to see
    "POST /tables/{table}/try/moves": b"move",
    "POST /tables/{table}/try/others/moves": b"move",
    "POST /tables/{table}/try/undo": {},
    "POST /tables/{table}/try/others/undo": {},
    "POST /tables/{table}/try/take-back": {},
    "POST /tables/{table}/try/end": {},
    "POST /tables/{table}/away": {"until": ""},
    "POST /tables/{table}/seats": {"seat": "1"},
    "POST /tables/{table}/hand": {"seat": "1"},
    "POST /tables/{table}/deal": {"words": "7"},
    "POST /tables/{table}/start": {},
    "POST /tables/{table}/leave": {},
    "POST /tables/{table}/lesson": {},
    "POST /tables/{table}/program": {"name": "x"},
    "POST /tables/{table}/again": {"turn": "0"},
    "POST /tables/{table}/agree": {"about": "resign", "yes": "yes"},
    "POST /tables/{table}/moves": b"move",
    "POST /tables/{table}/take-back": {},
    "POST /tables/{table}/undo": {"decision": "0"},
    "POST /tables/{table}/undo/answer": {"answer": "yes"},
    "POST /tables/{table}/back/undo": {"at": "0", "decision": "0"},
    "POST /tables/{table}/back/play": {"at": "0", "seat": "0"},
    "POST /tables/{table}/archive": {"archived": "yes"},
    "POST /tables/{table}/bots": {"seat": "0", "bot": "no such bot"},  # when a bot moves is chance
    "POST /tables/{table}/close": {},
    "POST /tables/{table}/delete": {},
}
"""Routes at which a table is read or listed, with what is sent there, in the order in which it is."""
REFUSED = {
    *(
        "again",
        "analysis/begin",
        "analysis/stop",
        "back/play",
        "back/undo",
        "bots",
        "close",
        "deal",
        "hand",
        "leave",
        "players",
        "program",
        "puzzles/{at}/moves",
        "questions",
    ),
    *("seats", "try/take-back", "try/others/moves", "try/others/undo", "undo", "undo/answer"),
}
"""Forms of a table that are refused as things are."""
REFUSED_ELSEWHERE = {
    *("POST /here", "POST /lessons", "POST /network", "POST /records", "POST /workshop/{set}/add"),
    *("POST /workshop/{set}/change", "POST /workshop/{set}/play", "POST /workshop/{set}/print"),
    *("POST /workshop/{set}/rename", "POST /workshop/{set}/sheet", "POST /workshop/{set}/trial"),
    *("GET /workshop/{set}/trial/games", "POST /workshop/{set}/trial/games"),
    *("POST /workshop/{set}/findings", "POST /workshop/{set}/findings/try"),
    "POST /workshop/{set}/findings/watch",
    *("GET /puzzles/{game}/{number}", "POST /puzzles/{game}/{number}/moves"),
}
QUERIES: Mapping[str, list[Mapping[str, str]]] = {
    "GET /tables/{table}": [{"do": "choose"}, {"cards": "[0,1]"}, {"cards": "[98]", "do": "x"}],
    "GET /tables/{table}/back": [{}, {"at": "1"}, {"eyes": "1"}, {"eyes": "open", "at": "1"}, {"by": "x"}],
    "GET /tables/{table}/try": [{"do": "choose"}],
}
"""What else is asked for there."""
MOUNTED = {"/static": "/static/site.css", "/scripts": f"{scripts_url()}/main.js"}
"""A file of each folder."""
SENT = (
    "7 0 ?",
    "8 0 ?do=choose",
    "9 0 moves?decision=999&do=x",
    "10 0 moves?decision=0&do=x",
    "11 0 seats?seat=1",
)
"""What a page's socket says."""
TELLS_TIME = re.compile(r"<time.*?</time>|(?<=data-due=\")[^\"]*|\b\d{10}\.\d+")
UNLIKE = ("atoll-request", "content-length")
"""Headers that are others at each request, or count what tells the time."""
reading: ContextVar[list[str]] = ContextVar("reading")
"""The tables that are read by this request."""
drawing: ContextVar[random.Random] = ContextVar("drawing")
"""What a request draws from, whatever is drawn meanwhile behind it."""


def routes_of(site: Starlette) -> list[str]:
    """Every way to ask the application for something: methods and addresses."""
    found = []
    for route in site.routes:
        match route:
            case Mount(path=path):
                found.append(f"GET {'/scripts' if path.startswith('/scripts/') else path}")
            case WebSocketRoute(path=path):
                found.append(f"SOCKET {path}")
            case Route(path=path):
                found += [f"{method} {path}" for method in sorted((route.methods or set()) - {"HEAD"})]
            case _:
                found.append(f"? {route}")
    return found


def without_a_word(site: Starlette) -> set[str]:
    """Routes of which nothing is said here, and what is said of routes that are none."""
    return set(routes_of(site)) ^ (NOTHING_OF_TABLES.keys() | SHOWS_TABLES.keys())


@dataclasses.dataclass
class Known:
    """What is known before the worlds part: browsers, parts of addresses, hands, and a move of the first seat."""

    cookies: dict[str, str]
    parts: dict[str, str]
    hands: list[list[int]]
    move: dict[str, Any]


@contextmanager
def as_things_are(known: Known | None, *, other: bool = False) -> Iterator[None]:
    """A world: who has which hand and has chosen what. What is drawn by chance is the same in all."""
    behind, start, read = random.Random(1), Table.start, Store.read

    def drawn(count: int | None = None) -> bytes:
        return drawing.get(behind).randbytes(count or 32)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hints, "ITERATIONS", 60)
        patch.setattr(hints, "MILLISECONDS", None)
        patch.setattr(sandbox, "first_seed", lambda *_: 5)
        patch.setattr(sandbox, "time", SimpleNamespace(time=lambda: 1e9))
        if known is not None:
            patch.setattr(secrets, "token_bytes", drawn)
            patch.setattr(secrets, "randbits", lambda bits: drawing.get(behind).getrandbits(bits))
            hands = known.hands[::-1] if other else known.hands
            patch.setattr(Table, "start", dealt(hands, start))

            def read_other(store: Store, table_id: str, moves: int = 0) -> Contents | None:
                contents = read(store, table_id, moves)
                if contents is None or table_id != known.parts["table"]:
                    return contents
                changed = (
                    dataclasses.replace(
                        one, move={**one.move, "cards": shift(one.move["cards"], known.hands)[:2]}
                    )
                    if one.seat == 1
                    else one
                    for one in contents.choices
                )
                return dataclasses.replace(contents, choices=tuple(changed))

            if other:
                patch.setattr(Store, "read", read_other)
        note_reading(patch)
        yield


def note_reading(patch: pytest.MonkeyPatch) -> None:
    """Note which tables a request reads."""
    find, read = Tables.find, Store.read

    def found(tables: Tables, table_id: str) -> Table:
        reading.get([]).append(table_id)
        return find(tables, table_id)

    def noted(store: Store, table_id: str, moves: int = 0) -> Contents | None:
        reading.get([]).append(table_id)
        return read(store, table_id, moves)

    patch.setattr(Tables, "find", found)
    patch.setattr(Store, "read", noted)


async def prepare(folder: Path) -> Known:
    """A table of Signs at which the second seat has chosen, a finished game, a set, a record and a link."""
    async with ground_in(folder, "before") as ground:
        cookies = {name: await ground.meet() for name in (ME, FRIEND, THIRD, STRANGER)}
        form = {"game": "karuba", "players": "2", "seat1": "friend"}
        over = await ground.post(cookies[ME], "/tables", form)
        await ground.post(cookies[FRIEND], f"{over}/seats", {"seat": "1"})
        await asyncio.to_thread(play, ground.site, over, 10_000, random.Random(1))
        record = (await ground.get(cookies[ME], f"{over}/record")).encode()
        sent = b'--x\r\n%s; filename="r"\r\n\r\n%s\r\n--x--\r\n' % (disposition("record"), record)
        watched = await ground.post(cookies[ME], "/records", {}, FILE, sent)
        made = await ground.post(cookies[ME], "/games/karuba/workshop", {"name": "A"})
        form = {
            "game": "signs",
            "players": "3",
            "seat1": "friend",
            "seat2": "friend",
            "hints": "always",
            "pace": "calm",
        }
        path = await ground.post(cookies[ME], "/tables", form)
        for seat, name in enumerate((FRIEND, THIRD), 1):
            await ground.post(cookies[name], f"{path}/seats", {"seat": str(seat)})
        table = ground.site.tables.find(path.rpartition("/")[2])
        hands = [table.start().to_json()["players"][seat]["hand"] for seat in (1, 2)]
        count = min(map(len, hands))
        hands = [hand[:count] for hand in hands]
        choice = {"decision": "0", "do": "choose", "cards": as_text(hands[0][:2])}
        await ground.post(cookies[FRIEND], f"{path}/moves", choice)
        move = {"decision": "0", **fields_of(table.timeline.legal_moves(0)[0])}
        parts = {
            "table": table.row.id,
            "set": made.rpartition("/")[2],
            "record": watched.split("/")[2],
            "number": "0",
            "at": "0",
            "game": "cast-away",
            "form": "xlsx",
        }
    return Known(cookies, parts, hands, move)


def request_to(method: str, path: str, cookie: str, fields: Fields) -> Request:
    """A request of a browser."""
    headers = [HOST, (b"content-type", FORM)] + ([(b"cookie", cookie.encode())] if cookie else [])
    if isinstance(fields, bytes):
        return Request("", path, method, "", headers, fields)
    path, _, query = path.partition("?")
    sent = query or encoded(fields.items())
    if method == "SOCKET":
        return Request("", path, "GET", sent, headers, messages=list(SENT))
    return Request(
        "",
        path,
        method,
        "" if method == "POST" else sent,
        headers,
        sent.encode() if method == "POST" else b"",
    )


class World:
    """A site in one of the worlds, and what was shown there."""

    def __init__(self, ground: Ground, known: Known) -> None:
        self.ground, self.known = ground, known
        self.shown: dict[str, object] = {}
        self.statuses: dict[str, int] = {}
        self.read: dict[str, list[str]] = {}

    def address(self, route: str) -> str:
        """An address of a route."""
        game = find_game("cast-away")
        if route.endswith("{digest}.wasm"):
            return module_url(game)
        if route.endswith("{digest}.network"):
            return network_url(game, 2, game.components())
        for end, other in (("drawings.css", "costa-ruana"), ("components", "signs")):
            if route.endswith(end):
                return route.replace("{game}", other)
        if route in MOUNTED:
            return MOUNTED[route]
        return re.sub(r"{(\w+)}", lambda found: self.known.parts[found[1]], route)

    async def see(self, name: str, key: str, fields: Fields) -> None:
        """Ask for something, and look at the table after it."""
        method, _, route = key.partition(" ")
        address, cookie = self.address(route), self.known.cookies.get(name, "")
        if fields == b"move":
            fields = {field: str(value) for field, value in self.known.move.items()}
        if not isinstance(fields, bytes):
            fields = {
                field: value.replace("TABLE", self.known.parts["table"]) for field, value in fields.items()
            }
        noted = list[str]()
        token, draws = reading.set(noted), drawing.set(random.Random(f"request {len(self.shown)}"))
        try:
            answer = await ask(self.ground.app, request_to(method, address, cookie, fields))
        finally:
            reading.reset(token)
            drawing.reset(draws)
        mark = f"{len(self.shown)} {name or 'nobody'}: {key} {fields!r}"
        headers = {name: value for name, value in answer.headers.items() if name not in UNLIKE}
        self.shown[mark] = answer.status, headers, TELLS_TIME.sub("", answer.text)
        if name == ME:
            self.statuses.setdefault(key, answer.status)
        self.read[mark] = noted

    async def walk(self, names: Sequence[str]) -> None:
        """Ask for everything, looking first."""
        for name in names:
            for key, fields in SHOWS_TABLES.items():
                looks = not key.startswith("POST")
                if looks or name in (ME, STRANGER):
                    await self.see(name, key, fields)
                    for more in QUERIES.get(key, ()):
                        await self.see(name, key, more)
                if name == ME and not looks:
                    await self.see(name, "GET /tables/{table}", {})
                    await self.see(FRIEND, "GET /tables/{table}/chat", {})

    async def fail(self) -> None:
        """Let a page fail with an error that tells everything."""

        async def forgiving(scope: Any, receive: Any, send: Any) -> None:
            with suppress(RuntimeError):
                await self.ground.app(scope, receive, send)

        def failing(table: Table, *_: Any) -> None:
            raise RuntimeError(str(table.timeline.position.to_json()))

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Table, "see", failing)
            for path in ("", "/back", "/record", "/chat"):
                asked = request_to("GET", self.address("/tables/{table}") + path, self.known.cookies[ME], {})
                answer = await ask(forgiving, asked)  # type: ignore[arg-type]
                self.shown[f"a failure of {path}"] = answer.status, answer.text
                assert answer.status == 500


@asynccontextmanager
async def world_in(folder: Path, name: str, known: Known) -> AsyncIterator[World]:
    """A site of its own with what was before."""
    shutil.copy(folder / "before.sqlite", folder / f"{name}.sqlite")
    stream, logger = io.StringIO(), logging.getLogger()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    logger.addHandler(handler)
    logging.getLogger(REQUESTS).setLevel(logging.INFO)
    try:
        with as_things_are(known, other=name == "other"):
            async with ground_in(folder, name) as ground:
                world = World(ground, known)
                yield world
        said = re.sub(r'"(time|ms|request)": ("[^"]*"|[\d.]+)', "", stream.getvalue())
        world.shown["log"] = [line for line in said.splitlines() if line]
    finally:
        logger.removeHandler(handler)
        logging.getLogger(REQUESTS).setLevel(logging.NOTSET)


async def both_worlds(
    folder: Path, names: Sequence[str]
) -> tuple[dict[str, object], dict[str, object], World]:
    """What is shown in each, and the second."""
    with as_things_are(None):
        known = await prepare(folder)
    found = []
    for name in ("one", "other"):
        async with world_in(folder, name, known) as world:
            await world.fail()
            await world.walk(names)
        found.append(world)
    return found[0].shown, found[1].shown, found[1]


def apart(one: str, other: str) -> str:
    """Where two texts part."""
    at = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    return f"{one[max(0, at - 60) : at + 200]}\n{other[max(0, at - 60) : at + 200]}"


def compare(folder: Path, *names: str) -> World:
    """The law."""
    one, other, world = asyncio.run(both_worlds(folder, names))
    assert one.keys() == other.keys()
    for mark in one:
        assert one[mark] == other[mark], f"{mark}\n{apart(str(one[mark]), str(other[mark]))}"
    return world


def test_every_route_has_a_word_about_what_it_shows(running: Any) -> None:
    """The application with figures has the same, and one more; a new one has none."""
    assert without_a_word(running.app) == {"GET /metrics"}
    measured = app.create_app(running.app.state.site.store, measured=True)
    assert without_a_word(measured) == set()
    measured.routes.append(Route("/tables/{table}/peek", peek))
    assert without_a_word(measured) == {"GET /tables/{table}/peek"}


def test_no_route_shows_what_a_seat_cannot_know(games_for_tests: None, tmp_path: Path) -> None:
    statuses = compare(tmp_path, NOBODY, STRANGER, ME).statuses
    refused = {key for key, status in statuses.items() if status >= 400}
    assert refused == {
        *(f"POST /tables/{{table}}/{end}" for end in REFUSED),
        *("GET /tables/{table}/analysis", "GET /tables/{table}/picture", "GET /tables/{table}/questions"),
        "GET /tables/{table}/puzzles/{at}",
    }


def test_no_table_is_read_where_nothing_is_shown_of_it(
    games_for_tests: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a table read there it is found."""

    async def look() -> World:
        with as_things_are(None):
            known = await prepare(tmp_path)
        async with world_in(tmp_path, "one", known) as world:
            for key, fields in NOTHING_OF_TABLES.items():
                await world.see(ME, key, fields)
            assert [mark for mark, tables in world.read.items() if tables] == []
            monkeypatch.setattr(People, "name", lambda *_: peeked(world))
            await world.see(ME, "GET /name", {})
            assert known.parts["table"] in list(world.read.values())[-1]
        return world

    statuses = asyncio.run(look()).statuses
    assert {key for key, status in statuses.items() if status >= 400} == REFUSED_ELSEWHERE


def peeked(world: World) -> str:
    """The position of the table of a world."""
    return str(world.ground.site.tables.find(world.known.parts["table"]).timeline.position.to_json())


async def peek(request: SiteRequest) -> Response:
    """Tells everything."""
    table = await find_table(request)
    return PlainTextResponse(str(table.timeline.position.to_json()))


def plant_in_invitation(patch: pytest.MonkeyPatch) -> None:
    """The page with the invitation tells everything."""

    def telling(table: Table, browser: str, do: Callable[[Viewer], str]) -> str:
        return with_viewer(table, browser, do) + str(table.timeline.position.to_json())

    patch.setattr(invitation_requests, "with_viewer", telling)


def plant_in_log(patch: pytest.MonkeyPatch) -> None:
    """The log names what was chosen."""
    see = Table.see

    def telling(table: Table, *given: Any) -> None:
        logging.getLogger("atoll").warning("looked at: %s", table.timeline.choices)
        see(table, *given)

    patch.setattr(Table, "see", telling)


def plant_in_failure(patch: pytest.MonkeyPatch) -> None:
    """The page of an error names it."""
    answer = app.handle_error

    async def telling(request: SiteRequest, error: Exception) -> Response:
        if isinstance(error, Refusal):
            return await answer(request, error)
        return PlainTextResponse(repr(error), 500)

    patch.setattr(app, "handle_error", telling)


def plant_in_new_route(patch: pytest.MonkeyPatch) -> None:
    """A new route tells everything."""
    patch.setattr(table_requests, "ROUTES", [*table_requests.ROUTES, Route("/tables/{table}/peek", peek)])
    patch.setitem(SHOWS_TABLES, "GET /tables/{table}/peek", {})


@pytest.mark.parametrize(
    ("plant", "where"),
    [
        (plant_in_new_route, "/peek"),
        (plant_in_invitation, "/invitation"),
        (plant_in_log, "^log"),
        (plant_in_failure, "a failure"),
    ],
)
def test_a_leak_that_is_planted_is_found(
    games_for_tests: None,
    tmp_path: Path,
    plant: Callable[[pytest.MonkeyPatch], None],
    where: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError, match=where):
        compare(tmp_path, STRANGER)
