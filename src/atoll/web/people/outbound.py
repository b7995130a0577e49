"""Requests that the site sends to addresses which visitors name: to public machines alone, and not for long.

A name is resolved once, every address that it stands for is checked, and the connection goes to an address that was
checked: a name that changes its mind in between leads nowhere else. Redirects are not followed.
"""

import socket
import ssl
from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import cached_property
from http.client import HTTPConnection, HTTPException
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from threading import Event, Timer
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from atoll.web.refusal import Refusal

PATIENCE = 10.0
"""Seconds for the whole of a request, once its name is resolved."""
LONGEST = 500
"""Characters of an address."""
LONGEST_REPLY = 4096
"""Bytes of an answer that are read."""
EMBEDDING = {
    IPv6Network("::/96"): 0,  # IPv4-compatible (RFC 4291)
    IPv6Network("::ffff:0:0/96"): 0,  # IPv4-mapped (RFC 4291)
    IPv6Network("::ffff:0:0:0/96"): 0,  # IPv4-translated (RFC 2765)
    IPv6Network("64:ff9b::/96"): 0,  # NAT64 (RFC 6052)
    IPv6Network("2002::/16"): 80,  # 6to4 (RFC 3056)
}
"""Networks of IPv6 whose addresses stand for one of IPv4, and how many bits follow it."""
OWN_TRANSLATION = IPv6Network("64:ff9b:1::/48")
"""Translation into networks of the site's own (RFC 8215)."""
ISATAP = (0x00005EFE, 0x02005EFE)
"""What comes before an address of IPv4 at the end of one of IPv6 (RFC 5214)."""


class NotSent(Exception):
    """A request that was not sent or not answered."""


class OutboundReply(NamedTuple):
    """The answer to a request: its status, and the first LONGEST_REPLY bytes of what it says."""

    status: int
    body: bytes


class OutboundRequests:
    """Sends requests. `opened` are hosts with their ports that are let through though they are not public, and without
    TLS: tests name their own receiver; nothing that a visitor or the site's settings say gets there."""

    def __init__(self, opened: Collection[tuple[str, int]] = ()) -> None:
        self.opened = frozenset(opened)

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        return ssl.create_default_context()

    def check(self, address: str) -> SplitResult:
        """The parts of an address to which something may be sent, as far as the address tells; raises Refusal."""
        try:
            parts = urlsplit(address)
            port = parts.port
        except ValueError:
            parts, port = urlsplit(""), None
        host = parts.hostname or ""
        if len(address) > LONGEST or not address.isascii() or not address.isprintable() or " " in address:
            raise Refusal(400, "An address has at most %(most)s plain characters.", most=LONGEST)
        if (host, port) in self.opened:
            return parts
        if parts.scheme != "https" or not host or parts.username is not None or parts.password is not None:
            raise Refusal(400, "That is no address of a webhook: it begins with https:// and a public name.")
        try:
            literal = is_public(ip_address(host))
        except ValueError:
            literal = "." in host.rstrip(".")
        if not literal:
            raise Refusal(400, "A webhook leads to a public machine, not into a network of this site’s own.")
        return parts

    def post(self, address: str, body: bytes, headers: Mapping[str, str]) -> OutboundReply:
        """Send it; returns the answer. Raises NotSent."""
        try:
            parts = self.check(address)
        except Refusal as refusal:
            raise NotSent(refusal.text) from None
        secure = parts.scheme == "https"
        host, port = parts.hostname or "", parts.port or (443 if secure else 80)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        try:
            connection = HTTPConnection(host, port)
            connection.sock = sock = self._connected(host, port, secure)
            too_long = Event()
            ending = Timer(PATIENCE, end, [sock, too_long])
            ending.daemon = True
            ending.start()
            try:
                connection.request("POST", path, body, {"Host": parts.netloc, **headers})
                response = connection.getresponse()
                reply = OutboundReply(response.status, response.read(LONGEST_REPLY))
            finally:
                ending.cancel()
                connection.close()
            if too_long.is_set():  # an answer that ends in the middle of its headers looks whole
                raise NotSent(f"{host} took longer than {PATIENCE:.0f} seconds")
            return reply
        except (OSError, HTTPException, ValueError) as error:
            raise NotSent(f"{type(error).__name__}: {error}") from None

    def _connected(self, host: str, port: int, secure: bool) -> socket.socket:
        infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        addresses = [str(where[0]) for *_, where in infos]
        if (host, port) not in self.opened and not all(
            is_public(ip_address(address.partition("%")[0])) for address in addresses
        ):
            raise NotSent(f"{host} is not a public machine")
        sock = socket.create_connection((addresses[0], port), PATIENCE)
        try:
            return self._tls.wrap_socket(sock, server_hostname=host) if secure else sock
        except BaseException:
            sock.close()
            raise


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address is anybody's on the internet: none of this machine, of a network of its own, or for many.
    IPv6 addresses that stand for some of IPv4 are public if all of those are."""
    if isinstance(address, IPv6Address):
        if address in OWN_TRANSLATION:
            return False
        if inner := inner_addresses(address):
            return all(is_public(one) for one in inner)
    return address.is_global and not address.is_multicast


def inner_addresses(address: IPv6Address) -> list[IPv4Address]:
    """The addresses of IPv4 by way of which, or to which, one of IPv6 leads."""
    number = int(address)
    inner = [number >> rest for network, rest in EMBEDDING.items() if address in network]
    if number >> 32 & 0xFFFFFFFF in ISATAP:
        inner.append(number)
    found = [IPv4Address(one & 0xFFFFFFFF) for one in inner]
    return [*found, *(address.teredo or ())]


def end(sock: socket.socket, too_long: Event) -> None:
    """Let whoever waits for a socket wait no longer."""
    too_long.set()
    with suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)
