"""What do clients do to the site that hold connections and use none?

`python -m tests.soak slow_clients`.

A server of its own, with few descriptors. Clients connect and say nothing, send half of a request's headers, or half of
its body, or open a table's web socket and never answer a ping, all at once and more than the server has room for.
Prints for each kind how many were held at all and after how many seconds the last was gone, how long a new visitor
waited for the start page meanwhile, and how much the server has written to its log. Ends after two minutes at most.

With `--moves 200` what they do to who plays: four people move in turn while nobody else is there, and while so many
(500) hold connections, each opened anew as soon as it is closed, and a page's socket sends as fast as it is read; in
turns, so that a machine that is busy slows both. Prints the 95th percentile from a move to its answer with and without,
and their ratio.
"""

import argparse
import asyncio
import multiprocessing
import random
import resource
import selectors
import socket
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from multiprocessing.synchronize import Event
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import HTTPCookieProcessor, build_opener, urlopen

from websockets.exceptions import ConnectionClosed

from atoll.web.bounds import HEARD
from tests.site_process import serving
from tests.visitors import PeopleTable, Visitor

LONGEST = 120.0
"""Seconds."""

EVERY = 0.5
"""Seconds between two visitors."""

TURNS = 5
"""How often moves are made with them, and without."""


FORM = b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 99\r\n\r\ngame="


@dataclass
class Kind:
    """Clients that do the same: what they send, and when each was gone."""

    name: str
    sends: bytes
    gone: list[float] = field(default_factory=list)
    count: int = 0


def kinds(host: str, table: str, cookie: str) -> list[Kind]:
    """Every way of holding a connection."""
    named = f"Host: {host}\r\nCookie: {cookie}\r\n".encode()
    nobody = f"Host: {host}\r\n".encode()  # one browser has 60 sockets; without a cookie each is another's
    upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
    return [
        Kind("says nothing", b""),
        Kind("half of the headers", b"GET / HTTP/1.1\r\n" + named),
        Kind("half of the body", b"POST /tables HTTP/1.1\r\n" + named + FORM),
        Kind(
            "a silent web socket",
            f"GET {table}/live HTTP/1.1\r\n".encode() + nobody + f"{upgrade}{'A' * 22}==\r\n\r\n".encode(),
        ),
    ]


def make_table(address: str) -> tuple[str, str]:
    """The path of a new table, and the cookie of who made it."""
    jar = CookieJar()
    opener = build_opener(HTTPCookieProcessor(jar))
    opener.open(address).close()
    with opener.open(f"{address}/tables", b"game=karuba&seat1=friend") as answer:
        path = urlsplit(answer.url).path
    return path, "; ".join(f"{cookie.name}={cookie.value}" for cookie in jar)


def connected(address: str, selector: selectors.BaseSelector, kind: Kind) -> None:
    """Open a connection that does what its kind does."""
    where = urlsplit(address)
    client = socket.create_connection((str(where.hostname), int(where.port or 0)), LONGEST)
    client.sendall(kind.sends)
    selector.register(client, selectors.EVENT_READ, (kind, time.monotonic()))
    kind.count += 1


def attack(address: str, clients: list[Kind], number: int) -> list[float]:
    """Open so many connections, and wait until the server has closed them all; returns how long visitors waited."""
    waits = []
    selector = selectors.DefaultSelector()
    began = time.monotonic()
    for place in range(number):
        connected(address, selector, clients[place % len(clients)])
    print(f"{number} connections in {time.monotonic() - began:.1f} s", flush=True)
    while selector.get_map() and time.monotonic() - began < LONGEST:
        asked = time.monotonic()
        with urlopen(address, timeout=LONGEST) as answer:
            answer.read()
        waits.append(time.monotonic() - asked)
        until = time.monotonic() + EVERY
        while (left := until - time.monotonic()) > 0 and selector.get_map():
            for key, _ in selector.select(left):
                hear(selector, key)
    return waits


def hear(selector: selectors.BaseSelector, key: selectors.SelectorKey) -> None:
    """Take what the server sends; note when it has closed the connection."""
    client, (kind, since) = key.fileobj, key.data
    assert isinstance(client, socket.socket)
    try:
        ended = not client.recv(1 << 16)
    except ConnectionError:
        ended = True
    if ended:
        selector.unregister(client)
        client.close()
        kind.gone.append(time.monotonic() - since)


def hold(address: str, clients: list[Kind], number: int, held: Event, enough: Event) -> None:
    """Hold so many connections and flood a socket until it is enough."""
    flooder = Visitor(address)
    path = flooder.post("/tables", game="costa-ruana", players="2", seat1="friend")
    selector = selectors.DefaultSelector()
    with flooder.watch(path) as page:
        flooding = threading.Event()

        def flood() -> None:
            with suppress(ConnectionClosed):
                while True:
                    page.send("7 0 ?")

        def read() -> None:
            with suppress(ConnectionClosed):
                for number, _ in enumerate(page):
                    if number > (HEARD.browser or 0):  # past what a page may say at once
                        flooding.set()

        for do in (flood, read):
            threading.Thread(target=do, daemon=True).start()
        while not enough.is_set():
            for kind in clients:
                while kind.count - len(kind.gone) < number // len(clients):
                    connected(address, selector, kind)
            if flooding.is_set():
                held.set()
            for key, _ in selector.select(EVERY):
                hear(selector, key)


@contextmanager
def attacked(address: str, clients: list[Kind], number: int) -> Iterator[None]:
    """So many slow connections and one flood meanwhile, from a process of its own."""
    spawn = multiprocessing.get_context("spawn")
    held, enough = spawn.Event(), spawn.Event()
    process = spawn.Process(target=hold, args=(address, clients, number, held, enough), daemon=True)
    process.start()
    if not held.wait(LONGEST):
        raise SystemExit("the connections could not be opened")
    try:
        yield
    finally:
        enough.set()
        process.terminate()
        process.join()


async def moved(address: str, number: int) -> list[float]:
    """Seconds from so many moves to their answers, of four people in turn."""
    chance, seconds = random.Random(1), list[float]()
    table = PeopleTable(address, "costa-ruana", 0)
    while len(seconds) + len(table.answers) < number:
        if not await table.move(chance):
            seconds += table.answers
            table = PeopleTable(address, "costa-ruana", 0)
    return seconds + table.answers


def others(address: str, clients: list[Kind], number: int, moves: int) -> None:
    """Print how long moves take with and without slow connections and a flood."""
    alone, beside = list[float](), list[float]()
    for _ in range(TURNS):
        alone += asyncio.run(moved(address, moves // TURNS))
        with attacked(address, clients, number):
            beside += asyncio.run(moved(address, moves // TURNS))
    last = []
    for name, seconds in (("alone", alone), (f"beside {number} slow connections and a flood", beside)):
        cuts = statistics.quantiles([1000 * second for second in seconds], n=20)
        last.append(cuts[-1])
        print(f"{name}: {len(seconds)} moves, median {cuts[9]:.1f} ms, 95th percentile {cuts[-1]:.1f}")
    print(f"95th percentile {last[1] / last[0]:.2f} times that of who is alone")


def main() -> None:
    """Start a server, hold its connections and print."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak slow_clients",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--clients", type=int, help="connections: 2000, or 500 with --moves")
    parser.add_argument("--moves", type=int, help="that are made with them, and without")
    parser.add_argument("--descriptors", type=int, default=1024, help="that the server may have")
    arguments = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with (
        tempfile.TemporaryDirectory() as home,
        Path(home, "log").open("wb") as log,
        serving(home, cached=True, descriptors=arguments.descriptors, log=log.fileno()) as address,
    ):
        clients = kinds(urlsplit(address).netloc, *make_table(address))
        if arguments.moves is not None:
            others(address, clients, arguments.clients or 500, arguments.moves)
            return
        waits = attack(address, clients, arguments.clients or 2000)
        for kind in clients:
            last = f"the last gone after {max(kind.gone):5.1f} s" if kind.gone else "none gone"
            print(f"{kind.name:20} {kind.count:5} of which {kind.count - len(kind.gone)} still open, {last}")
        print(
            f"{len(waits)} visitors meanwhile: median {statistics.median(waits) * 1000:.0f} ms, "
            f"slowest {max(waits) * 1000:.0f} ms"
        )
        said = Path(home, "log").read_bytes()
        print(f"log: {len(said)} bytes")
        print(said.decode(errors="replace")[:1000])


if __name__ == "__main__":
    main()
