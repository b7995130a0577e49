"""What clients do to the site that hold connections and use none: `python -m bench.slow_clients`.

A server of its own, with few descriptors. Clients connect and say nothing, send half of a request's headers, or half of
its body, or open a table's web socket and never answer a ping, all at once and more than the server has room for.
Prints for each kind how many were held at all and after how many seconds the last was gone, how long a new visitor
waited for the start page meanwhile, and how much the server has written to its log. Ends after two minutes at most.
"""

import argparse
import resource
import selectors
import socket
import statistics
import tempfile
import time
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import HTTPCookieProcessor, build_opener, urlopen

from bench.site import serving

LONGEST = 120.0
"""Seconds."""

EVERY = 0.5
"""Seconds between two visitors."""


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
    upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
    return [
        Kind("says nothing", b""),
        Kind("half of the headers", b"GET / HTTP/1.1\r\n" + named),
        Kind("half of the body", b"POST /tables HTTP/1.1\r\n" + named + FORM),
        Kind(
            "a silent web socket",
            f"GET {table}/live HTTP/1.1\r\n".encode() + named + f"{upgrade}{'A' * 22}==\r\n\r\n".encode(),
        ),
    ]


def make_table(address: str) -> tuple[str, str]:
    """The path of a new table, whose rules are ready, and the cookie of who made it."""
    jar = CookieJar()
    opener = build_opener(HTTPCookieProcessor(jar))
    opener.open(address).close()
    with opener.open(f"{address}/tables", b"game=karuba&seat1=friend") as answer:
        path = urlsplit(answer.url).path
    while b'id="table"' not in opener.open(address + path).read():
        time.sleep(EVERY)
    return path, "; ".join(f"{cookie.name}={cookie.value}" for cookie in jar)


def attack(address: str, clients: list[Kind], number: int) -> list[float]:
    """Open so many connections, and wait until the server has closed them all; returns how long visitors waited."""
    where, waits = urlsplit(address), []
    selector = selectors.DefaultSelector()
    began = time.monotonic()
    for place in range(number):
        kind = clients[place % len(clients)]
        client = socket.create_connection((str(where.hostname), int(where.port or 0)), LONGEST)
        client.sendall(kind.sends)
        selector.register(client, selectors.EVENT_READ, (kind, time.monotonic()))
        kind.count += 1
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


def main() -> None:
    """Start a server, hold its connections and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--clients", type=int, default=2000)
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
        waits = attack(address, clients, arguments.clients)
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
