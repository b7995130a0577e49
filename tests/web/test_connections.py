"""Clients that hold connections without using them: each is gone in time, and others are let in meanwhile."""

import asyncio
import dataclasses
import logging
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import Any

import pytest
import uvicorn
from websockets.sync.client import connect

from atoll.web.serving import log_limit
from atoll.web.serving.connections import Config, ConnectionPool, Limits, TimedHTTP
from atoll.web.serving.log_limit import LogLimit
from atoll.web.serving.security import cookie_name, read_secret
from atoll.web.store import backoff
from tests.web.conftest import Browser

QUICK = Limits(head=0.3, body=0.3, answer=0.3, idle=60, ping=0.1, pong=0.2)
ASK = b"GET / HTTP/1.1\r\nHost: testserver\r\n"
FORM = b"POST /tables HTTP/1.1\r\nHost: testserver\r\nContent-Length: 100\r\n\r\n"
UPGRADE = ASK + (
    b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
LONG = 50_000_000
"""Bytes, more than the system takes for a client that does not read."""
TIME = 20.0
"""Seconds after which something has not happened."""


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Answers everything, at length if the path is a number of parts; a web socket gets back what it sends."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (heard := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": heard["text"]})
        return
    while (await receive()).get("more_body"):
        pass
    parts = int(scope["path"][1:] or 0)
    headers = [(b"content-length", b"%d" % (2 + (LONG if parts else 0)))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    for _ in range(parts):
        await send({"type": "http.response.body", "body": b"x" * (LONG // parts), "more_body": True})
    await send({"type": "http.response.body", "body": b"xx"})


@contextmanager
def serving(app: Any, limits: Limits) -> Iterator[Callable[[], socket.socket]]:
    """Serve on this machine; gives what connects to it."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        server = uvicorn.Server(Config(app, limits, lifespan="off", log_config=None))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        with ExitStack() as clients:

            def open_one() -> socket.socket:
                return clients.enter_context(socket.create_connection(listener.getsockname(), TIME))

            yield open_one
        server.should_exit = True
        thread.join()


def rest(client: socket.socket) -> bytes:
    """All that still comes until the server closes the connection."""
    found = []
    with suppress(ConnectionResetError):
        while part := client.recv(1 << 16):
            found.append(part)
    return b"".join(found)


def ask(client: socket.socket) -> bytes:
    """The answer to a whole request, of which nothing is left to be read."""
    client.sendall(ASK + b"\r\n")
    found = b""
    while not found.endswith(b"xx") and (part := client.recv(1 << 16)):
        found += part
    return found


def trickle(client: socket.socket) -> None:
    """Send a byte now and then, until the server has closed the connection."""
    client.settimeout(0.02)
    for _ in range(90):
        client.sendall(b"a")
        try:
            if not client.recv(1):
                return
        except TimeoutError:
            continue
    raise AssertionError("it was never closed")


@pytest.mark.parametrize("after", [False, True], ids=["first", "after another"])
def test_a_request_that_is_never_sent_whole_is_dropped(after: bool) -> None:
    """Some of its headers, no body, half of it, nothing at all."""
    with serving(application, dataclasses.replace(QUICK, idle=1)) as open_one:
        clients = []
        for begun in (ASK, FORM, FORM + b"a" * 50, b""):
            clients.append(client := open_one())
            if after:
                assert ask(client).startswith(b"HTTP/1.1 200")
            client.sendall(begun)
        for client in clients:
            assert rest(client) == b""


@pytest.mark.parametrize("begun", [ASK, FORM], ids=["headers", "body"])
def test_one_that_comes_byte_by_byte_is_dropped_in_the_same_time(begun: bytes) -> None:
    """The time is for the whole of it."""
    with serving(application, QUICK) as open_one:
        client = open_one()
        client.sendall(begun)
        with suppress(ConnectionError):
            trickle(client)


@pytest.mark.parametrize(
    "head",
    [
        ASK + b"X: 1\n\r\n",
        ASK.replace(b"\r\n", b"\n") + b"\n",
        ASK + b"X: 1\r\n more\r\n\r\n",
        ASK.replace(b"\r\n", b"\r\n ", 1) + b"\r\n",
        ASK + b"X: 1\rY: 2\r\n\r\n",
        ASK + b"X: " + b"1" * 40_000 + b"\r\n\r\n",
    ],
    ids=["bare line feed", "all bare", "folded", "folded first", "bare carriage return", "long"],
)
@pytest.mark.parametrize("how", ["whole", "in parts", "after another", "behind another"])
def test_a_head_that_others_read_otherwise_is_refused(head: bytes, how: str) -> None:
    """RFC 9112, 2.2 and 5.2: what two programs take for two different requests smuggles one past the first of them."""
    asked: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        asked.append(scope["path"])
        await application({**scope, "path": "/"}, receive, send)

    head = head.replace(b"GET / ", b"GET /smuggled ")
    with serving(app, Limits(head=5)) as open_one:
        client = open_one()
        if how == "after another":
            assert ask(client).startswith(b"HTTP/1.1 200")
        if how == "behind another":
            head = ASK + b"\r\n" + head
        size = len(head) // 4 + 1 if how == "in parts" else len(head)
        with suppress(ConnectionError):
            for at in range(0, len(head), size):
                client.sendall(head[at : at + size])
        answer = rest(client)
        assert "/smuggled" not in asked
        assert b"HTTP/1.1 400" in answer or how == "behind another" or b"1" * 1000 in head


def test_what_is_well_formed_is_answered_however_it_comes() -> None:
    """In single bytes, with a body that has line feeds, and two at once."""
    form = b"POST / HTTP/1.1\r\nHost: testserver\r\nContent-Length: 4\r\n\r\n\n\r\n "
    with serving(application, Limits()) as open_one:
        client = open_one()
        for byte in ASK + b"\r\n":
            client.sendall(bytes([byte]))
        client.sendall(form + form + ASK + b"Connection: close\r\n\r\n")
        assert rest(client).count(b"HTTP/1.1 200") == 4


def test_an_answer_that_is_not_taken_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it waits in the server whole or in parts."""
    left = threading.Semaphore(0)
    monkeypatch.setattr(ConnectionPool, "leave", lambda *_: left.release())
    with serving(application, QUICK) as open_one:
        for parts in (1, 50):
            open_one().sendall(ASK.replace(b" / ", b" /%d " % parts) + b"\r\n")
        assert all(left.acquire(timeout=TIME) for _ in range(2))


def test_an_answer_that_is_taken_slowly_comes_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long that takes, as long as some of it is taken in the time for it."""
    met: list[TimedHTTP] = []
    waiting, late, pause = threading.Event(), threading.Semaphore(0), TimedHTTP.pause_writing

    def waits(connection: TimedHTTP) -> None:
        pause(connection)
        met.append(connection)
        waiting.set()

    def time_is_over() -> None:
        met[0]._expire()
        late.release()

    monkeypatch.setattr(TimedHTTP, "pause_writing", waits)
    with serving(application, dataclasses.replace(QUICK, answer=60, idle=1)) as open_one:
        client = open_one()
        client.sendall(ASK.replace(b" / ", b" /1 ") + b"\r\n")
        assert waiting.wait(TIME)
        taken = 0
        for part in (0.3, 0.6):
            while taken < part * LONG and (read := len(client.recv(1 << 16))):
                taken += read
            met[0].loop.call_soon_threadsafe(time_is_over)
            assert late.acquire(timeout=TIME)
        assert taken + len(rest(client)) > LONG


def test_a_socket_that_does_not_answer_pings_is_closed_and_others_stay() -> None:
    """There is time for the living one to answer, however slow the machine."""
    with serving(application, dataclasses.replace(QUICK, pong=1.5)) as open_one:
        dead, half = open_one(), open_one()
        host, port = dead.getpeername()
        with connect(f"ws://{host}:{port}/") as alive:
            for client in (dead, half):
                client.sendall(UPGRADE)
            half.sendall(b"\x81\xfe")  # a frame of which the rest never comes
            for client in (dead, half):
                assert b" 101 " in rest(client)
            alive.send("still here")
            assert alive.recv(timeout=TIME) == "still here"


def test_what_is_sent_as_a_socket_is_given_up_is_no_mistake() -> None:
    """It fails as if the client had gone, which whoever sends it expects."""
    failed: list[Exception] = []

    async def talks_on(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        try:
            while True:
                await send({"type": "websocket.send", "text": ""})
                await asyncio.sleep(0)
        except Exception as error:
            failed.append(error)

    with serving(talks_on, QUICK) as connect_one:
        client = connect_one()
        client.sendall(UPGRADE)
        rest(client)
    assert [isinstance(error, OSError) for error in failed] == [True]


def test_a_new_visitor_is_let_in_before_those_who_are_waited_for() -> None:
    """The one goes for which the server has waited longest; who uses the connection stays."""
    limits = Limits(connections=3)
    with serving(application, limits) as open_one:
        half = [open_one() for _ in range(3)]
        for client in half:
            client.sendall(FORM)
        visitor = open_one()
        assert ask(visitor).startswith(b"HTTP/1.1 200")
        assert rest(half[0]) == b""
        host, port = visitor.getpeername()
        with ExitStack() as sockets:
            players = [sockets.enter_context(connect(f"ws://{host}:{port}/")) for _ in range(3)]
            refused = rest(open_one())
            assert refused.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
            assert b"Atoll has too many visitors now" in refused
            for player in players:
                player.send("here")
                assert player.recv(timeout=TIME) == "here"


@pytest.mark.parametrize("trusted", [(), ("127.0.0.1",)])
def test_one_address_does_not_take_all_connections(trusted: tuple[str, ...]) -> None:
    """Unless it is this machine or a proxy. What it gives up it may have again."""
    with serving(application, Limits(of_one_address=2, trusted=trusted)) as open_one:
        first, second = open_one(), open_one()
        assert ask(first).startswith(b"HTTP/1.1 200")
        assert ask(second).startswith(b"HTTP/1.1 200")
        third = open_one()
        answer = ask(third) if trusted else rest(third)
        assert answer.startswith(b"HTTP/1.1 200" if trusted else b"HTTP/1.1 503")
        second.sendall(ASK + b"Connection: close\r\n\r\n")
        rest(second)
        assert ask(open_one()).startswith(b"HTTP/1.1 200")


def test_who_leaves_in_the_middle_of_a_form_leaves_no_trace(
    browser: Browser, caplog: pytest.LogCaptureFixture
) -> None:
    cookie = f"Cookie: {cookie_name(read_secret())}={browser.cookie}\r\n".encode()
    form = b"Content-Type: application/x-www-form-urlencoded\r\n\r\ngame="
    with serving(browser.client.app, QUICK) as open_one:
        client = open_one()
        client.sendall(FORM.removesuffix(b"\r\n") + cookie + form)
        assert rest(client) == b""
    others = backoff.__name__  # where bots at tables of other tests may complain
    assert not [record for record in caplog.records if record.name != others]


def test_there_are_fewer_connections_than_descriptors() -> None:
    code = (
        "import resource; from atoll.web.serving.connections import Limits, within_descriptors as within\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (256, 1024))\n"
        "for limits in (Limits(backlog=50, spare=24), Limits(spare=9999), Limits(connections=300)):\n"
        "    print(within(limits).connections)\n"
        "print(*resource.getrlimit(resource.RLIMIT_NOFILE))"
    )
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert said.split() == ["850", "512", "300", "1024", "1024"]


def test_the_log_does_not_repeat_itself(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    logger, limit = logging.getLogger("tests.log_limit"), LogLimit()
    monkeypatch.setattr(logger, "filters", [limit])
    for _ in range(1000):
        logger.warning("out of %s\nfor now", "descriptors")
    logger.warning("something else")
    monkeypatch.setattr(log_limit, "INTERVAL", 0.0)
    logger.warning("out of %s\nfor now", "time")
    assert [record.getMessage() for record in caplog.records if record.name == logger.name] == [
        "out of descriptors\nfor now",
        "something else",
        "out of time\nfor now (999 more like it before)",
    ]
