"""Does any request make the site fail, or change what it must not?

`python -m tests.soak fuzz --requests 100000 --seed 1`.

Requests to every route and socket of the application, found from the application itself, with addresses, fields and
files that its own pages have led to, changed a little or beyond sense, with odd methods, headers, cookies and bodies.
Three sites answer: at one, four browsers do whatever they like; at the others people have games under way and strangers
come, at one of them with cookies. A request fails where it is answered with 500, something is logged as an
error, it takes more than a minute, or an answer shows a traceback. Without a cookie nothing may be written, byte for
byte; with one, nothing of a game of others.

Prints each fault with what was sent; the same seed and number of requests lead to the same ones, but for what bots and
clocks do meanwhile. Exit status 1 with faults. Needs what `make test` installs, and nothing is sent to other machines.
"""

import argparse
import asyncio
import logging
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import unquote

from rich.console import Console
from rich.progress import Progress
from sqlalchemy import URL, select
from starlette.applications import Starlette

from atoll.bots import hints
from atoll.core.catalogue import games
from atoll.text import folders
from atoll.web.bounds import Allowance
from atoll.web.people.outbound import NotSent, OutboundReply, OutboundRequests
from atoll.web.serving.app import create_app
from atoll.web.serving.site import Site
from atoll.web.store.engine import open_engine
from atoll.web.store.migrations import migrate
from atoll.web.store.schema import metadata
from atoll.web.store.store import Store
from atoll.web.table import bots
from atoll.web.table.move_choice import fields_of
from tests.soak.odd_requests import FILE, FORM, PAGES, Known, OddRequests, Request, disposition, encoded

PATIENCE = 60.0
"""Seconds for an answer."""
BLOCK = 40
"""Requests of strangers between two looks at what is kept."""
LEARNS = 0.1
"""How often a page is read for what it leads to."""
HOST = (b"host", b"testserver")


@dataclass
class Answer:
    """What came."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    text: str = ""


class NobodyThere(OutboundRequests):
    """Sends nothing."""

    def post(self, address: str, body: bytes, headers: Mapping[str, str]) -> OutboundReply:
        """As if nobody answered."""
        self.check(address)
        raise NotSent("nobody is there")


class Complaints(logging.Handler):
    """What was logged as an error, or with a traceback."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Note it."""
        if record.exc_info or record.levelno >= logging.ERROR:
            self.said.append(logging.Formatter().format(record))

    def take(self) -> list[str]:
        """What was noted since the last time."""
        said, self.said = self.said, []
        return said


async def ask(app: Starlette, request: Request) -> Answer:
    """The answer of an application; raises what it raises."""
    answer, body, is_socket = Answer(), bytearray(), request.messages is not None
    waiting: list[dict[str, Any]] = [{"type": "http.request", "body": request.body, "more_body": False}]
    if request.messages is not None:
        said = [{"type": "websocket.receive", "text": text} for text in request.messages]
        waiting = [{"type": "websocket.connect"}, *said, {"type": "websocket.disconnect", "code": 1000}]

    async def receive() -> dict[str, Any]:
        if not waiting:
            await asyncio.Event().wait()
        return waiting.pop(0)

    async def send(message: Any) -> None:
        match message["type"]:
            case "http.response.start":
                answer.status = message["status"]
                pairs = message["headers"]
                answer.headers = {name.decode().lower(): value.decode("latin-1") for name, value in pairs}
            case "http.response.body":
                body.extend(message.get("body", b""))
            case "websocket.send":
                body.extend(message["text"].encode())

    scope = {
        "type": "websocket" if is_socket else "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": "ws" if is_socket else "http",
        "path": unquote(request.path),
        "raw_path": request.path.encode("ascii", "replace"),
        "root_path": "",
        "query_string": request.query.encode("ascii", "replace"),
        "headers": request.headers,
        "client": ("127.0.0.1", 50000),
        "server": ("testserver", 80),
        "subprotocols": [],
    }
    async with asyncio.timeout(PATIENCE):
        await app(scope, receive, send)
    answer.text = body.decode("utf-8", "replace")
    return answer


class Ground:
    """A site that runs, what is known of it, and its browsers."""

    def __init__(self, app: Starlette) -> None:
        self.app = app
        self.known = Known(app.routes)
        self.cookies: list[str] = []

    @property
    def site(self) -> Site:
        """What its handlers share."""
        return self.app.state.site  # type: ignore[no-any-return]

    def read(self, answer: Answer) -> None:
        """Learn from an answer."""
        self.known.look(answer.headers.get("location", ""))
        if answer.headers.get("content-type", "").startswith("text/html"):
            self.known.read(answer.text)

    async def meet(self) -> str:
        """The cookie of another browser."""
        answer = await ask(self.app, Request("", "/next", headers=[HOST]))
        self.cookies.append(answer.headers["set-cookie"].partition(";")[0])
        return self.cookies[-1]

    async def get(self, cookie: str, path: str) -> str:
        """What is shown at an address."""
        answer = await ask(self.app, Request("", path, headers=[HOST, (b"cookie", cookie.encode())]))
        assert answer.status == 200, f"{path}: {answer.status} {answer.text[:500]}"
        self.read(answer)
        return answer.text

    async def post(
        self, cookie: str, path: str, form: Mapping[str, str], kind: bytes = FORM, body: bytes = b""
    ) -> str:
        """Where a form leads, or a file; its own address if it is refused."""
        headers = [HOST, (b"cookie", cookie.encode()), (b"content-type", kind)]
        answer = await ask(
            self.app, Request("", path, "POST", "", headers, body or encoded(form.items()).encode())
        )
        assert answer.status < 500, f"{path}: {answer.status} {answer.text[:500]}"
        self.read(answer)
        return answer.headers.get("location", path)

    def kept(self) -> dict[str, list[str]]:
        """All that is kept, with what is noted and not written yet."""
        self.site.store.keep_notes()
        self.site.notifications.keep_notes()
        with self.site.store.engine.connect() as connection:
            return {
                table.name: sorted(map(repr, connection.execute(select(table)).all()))
                for table in metadata.sorted_tables
                if table.name != "site_time"  # by which clocks know how long the site stood still
            }

    def games_kept(self) -> dict[str, list[str]]:
        """What only those who play may change of the tables that are known."""
        found: dict[str, list[str]] = {}
        for table_id in self.known.values["table"]:
            if (contents := self.site.store.read(table_id)) is not None:
                seats = [(seat.seat, seat.browser, seat.bot) for seat in contents.seats]
                row = contents.row
                found[table_id] = [repr((contents.moves, contents.choices, seats, row.seed, row.ended))]
        return found


class Fuzzing:
    """The sites, and the faults that were found: one where everything is done, and two where strangers come."""

    def __init__(self, odd: OddRequests, complaints: Complaints, grounds: Sequence[Ground]) -> None:
        self.odd, self.complaints = odd, complaints
        self.busy, self.others, self.quiet = grounds
        self.answered = Counter[int]()
        """requests by the status of their answers; 0 for sockets"""
        self.faults: list[str] = []

    async def send(self, ground: Ground, cookie: bytes | None) -> Request:
        """Send one request, and note what is wrong with its answer."""
        request, wrong = self.odd.request(ground.known, cookie), list[str]()
        try:
            answer = await ask(ground.app, request)
        except TimeoutError:
            wrong.append(f"no answer in {PATIENCE:.0f} s")
        except Exception as error:
            wrong.append(f"{type(error).__name__}: {error}")
        else:
            self.answered[answer.status] += 1
            wrong += ["answered with 500"] if answer.status == 500 else []
            wrong += ["shows a traceback"] if "Traceback" in answer.text else []
            if ground is self.busy and ("location" in answer.headers or self.odd.chance.random() < LEARNS):
                ground.read(answer)
        if wrong := [*wrong, *(f"logged: {said}" for said in self.complaints.take())]:
            self.faults.append("\n".join([*wrong, f"  after {request}"]))
        return request

    async def run(self, requests: int) -> AsyncIterator[int]:
        """Send so many, in blocks; yields how many each had."""
        chance, left = self.odd.chance, requests
        while left > 0:
            length = min(BLOCK, left)
            match chance.randrange(4):
                case 0:
                    await self._block(self.quiet, length, None)
                case 1:
                    await self._block(self.others, length, (await self.others.meet()).encode())
                case _:
                    for _ in range(length):
                        known = chance.choice(self.busy.cookies).encode()
                        await self.send(self.busy, known if chance.random() < 0.9 else self.odd.no_cookie())
            left -= length
            yield length

    async def _block(self, ground: Ground, length: int, cookie: bytes | None) -> None:
        """Requests of strangers, after which all is as before, or with a cookie the games of others."""
        look = ground.kept if cookie is None else ground.games_kept
        before, asked = look(), list[Request]()
        for _ in range(length):
            asked.append(await self.send(ground, self.odd.no_cookie() if cookie is None else cookie))
        if (after := look()) != before:
            what = "without a cookie" if cookie is None else "by a stranger"
            rows = {name: {*before[name]} ^ {*after[name]} for name in before if before[name] != after[name]}
            sent = "\n  or ".join(map(str, asked))
            self.faults.append(f"written {what}: {rows}\n  after {sent}")


# The sites


@asynccontextmanager
async def ground_in(folder: Path, name: str) -> AsyncIterator[Ground]:
    """A site that runs, with a database of its own. Its bounds are rarely met: their clock leaps with each look."""
    store = Store(open_engine(URL.create("sqlite", database=str(folder / f"{name}.sqlite"))))
    migrate(store.engine)
    app = create_app(
        store, ["testserver"], Allowance(milliseconds=20), "https://play.example.org", measured=True
    )
    async with app.router.lifespan_context(app):
        ground, seconds = Ground(app), count()
        ground.site.bounds._clock = lambda: float(next(seconds))
        ground.site.notifier.outbound = NobodyThere()
        yield ground


async def people_come(
    ground: Ground, names: Sequence[str], chance: random.Random, *, with_bots: bool
) -> None:
    """Four browsers with tables of each game: in the waiting room, under way and over; a set, a record, their pages."""
    maker, friend, *_ = [await ground.meet() for _ in range(4)]
    for path in ("/", "/lobby", "/name", "/telling", "/next"):
        await ground.get(maker, path)
    for name in names:
        form = {"game": name, "players": "2", "pace": "at once", "seat1": "friend"}
        path = ""
        for more, moves in (({"wait": "yes"}, 0), ({}, 12), ({}, 10_000)):
            path = await ground.post(maker, "/tables", {**form, **more})
            await ground.post(friend, f"{path}/seats", {"seat": "1"})
            await asyncio.to_thread(play, ground.site, path, moves, chance)
            await ground.get(maker, path)
        record = (await ground.get(maker, f"{path}/record")).encode()
        sent = b'--x\r\n%s; filename="r"\r\n\r\n%s\r\n--x--\r\n' % (disposition("record"), record)
        await ground.post(maker, "/records", {}, FILE, sent)
        await ground.get(maker, await ground.post(maker, f"/games/{name}/workshop", {"name": "A"}))
        for page in (
            f"{path}/back",
            f"{path}/chat",
            f"{path}/invitation",
            f"/games/{name}/rules",
            "/history",
        ):
            await ground.get(maker, page)
        if with_bots:
            await ground.get(maker, await ground.post(maker, "/tables", {**form, "seat1": "bot:random"}))


def play(site: Site, path: str, moves: int, chance: random.Random) -> None:
    """Let people make so many random moves, or all."""
    table = site.tables.find(path.rpartition("/")[2])
    with table.lock:
        table.catch_up()
        while table.timeline.to_act and len(table.timeline.answers) < moves:
            seat = table.timeline.to_act[0]
            move = fields_of(chance.choice(table.timeline.legal_moves(seat)))
            table.answer(
                seat, table.timeline.decision(seat), {name: (value,) for name, value in move.items()}
            )


@contextmanager
def small_searches() -> Iterator[Complaints]:
    """Bots and hints that do not think for long, and what is logged meanwhile."""
    complaints, logger = Complaints(), logging.getLogger()
    logger.addHandler(complaints)
    try:
        with (
            patch.object(hints, "ITERATIONS", 20),
            patch.object(hints, "MILLISECONDS", None),
            patch.object(bots, "MOST_ITERATIONS", 50),
        ):
            yield complaints
    finally:
        logger.removeHandler(complaints)


@asynccontextmanager
async def fuzzing(folder: Path, seed: int, names: Sequence[str]) -> AsyncIterator[Fuzzing]:
    """The sites, with people who play these games."""
    odd = OddRequests(seed)
    async with AsyncExitStack() as stack:
        complaints = stack.enter_context(small_searches())
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: complaints.said.append(f"asyncio: {context}"))
        grounds = [
            await stack.enter_async_context(ground_in(folder, name)) for name in ("busy", "others", "quiet")
        ]
        for ground in grounds:
            await people_come(ground, names, odd.chance, with_bots=ground is grounds[0])
        yield Fuzzing(odd, complaints, grounds)


async def fuzz(folder: Path, requests: int, seed: int) -> int:
    """Send and print; the exit status."""
    began, shown = time.monotonic(), 0
    async with fuzzing(folder, seed, list(games())) as sites:
        with Progress(console=Console(stderr=True)) as progress:
            task = progress.add_task("Requests", total=requests)
            async for length in sites.run(requests):
                progress.advance(task, length)
                print(*sites.faults[shown:], sep="\n", end="\n" if sites.faults[shown:] else "", flush=True)
                shown = len(sites.faults)
    asked, seconds = sites.odd.asked, time.monotonic() - began
    print(f"{requests} requests in {seconds:.0f} s, seed {seed}: {len(sites.faults)} faults")
    print(f"{len(asked.keys() - {PAGES})} routes by their addresses; {asked[PAGES]} forms and links of pages")
    print("answers:", ", ".join(f"{status} {number}" for status, number in sorted(sites.answered.items())))
    return 1 if sites.faults else 0


def main() -> int:
    """Send and print."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak fuzz",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    settings = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        Path(home, "cache").symlink_to(folders.cache_folder().resolve(), target_is_directory=True)
        with patch.dict(os.environ, ATOLL_HOME=home):
            return asyncio.run(fuzz(Path(home), settings.requests, settings.seed))


if __name__ == "__main__":
    sys.exit(main())
