"""Sockets on which the site listens, and this machine's addresses by which others reach them."""

import contextlib
import errno
import socket
from collections.abc import Sequence
from ipaddress import ip_address

from atoll.text.errors import AtollError
from atoll.text.files import reason_of
from atoll.text.messages import Message

PORT = 7180
"""The default port, so that addresses and open pages survive a restart."""
HTTP_PORT = 80
"""The port that browsers leave out of an address."""
PORTS_TRIED = 100
"""How many ports are tried, one after another, for one that is free on several addresses."""


def listening_socket(host: str, port: int) -> socket.socket:
    """A listening socket; raises OSError."""
    # asyncio turns Nagle's algorithm off only for a socket that names TCP.
    listener = socket.socket(
        socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP
    )
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen()  # of two that are bound to a port, only one can
    except OSError:
        listener.close()
        raise
    return listener


def unusable(host: str, port: int, why: OSError) -> AtollError:
    """Raised where a port cannot be had."""
    return AtollError(
        Message("%(host)s port %(port)s cannot be used: %(why)s", host=host, port=port, why=reason_of(why))
    )


def listen(host: str, port: int) -> socket.socket:
    """A socket on that port; 0 is the usual one, or any that is free. Raises AtollError if it cannot be had."""
    for candidate in (port,) if port else (PORT, 0):
        try:
            return listening_socket(host, candidate)
        except OSError as error:
            problem = error
    raise unusable(host, port or PORT, problem)


def listen_on_all(hosts: Sequence[str], port: int) -> list[socket.socket]:
    """Sockets on all these addresses with one port: this one, or the next that is free on all of them. Raises
    AtollError."""
    for candidate in range(port, min(port + PORTS_TRIED, 1 << 16)):
        listeners: list[socket.socket] = []
        try:
            for host in hosts:
                listeners.append(listening_socket(host, candidate))
        except OSError as error:
            for listener in listeners:
                listener.close()
            problem = unusable(host, candidate, error)
            if error.errno != errno.EADDRINUSE:
                break
        else:
            return listeners
    raise problem


def address_for_others(host: str) -> str:
    """The host name or address by which other devices reach this machine."""
    if host not in ("0.0.0.0", "::"):
        return host
    with contextlib.closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        try:
            probe.connect(
                ("192.0.2.1", 9)
            )  # sends nothing: asks which of its addresses the machine would use
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()


def private_addresses() -> list[str]:
    """This machine's addresses in the networks that it is in, the likeliest first, as far as the internet cannot reach
    them; those of IPv6 only where there is none of IPv4."""
    import psutil  # imported late: rarely needed

    states = psutil.net_if_stats()
    networks = [
        name for name, state in states.items() if state.isup and "broadcast" in state.flags.split(",")
    ]
    # An address with a % is of one link alone, which browsers cannot open
    addresses = [
        ip_address(entry.address)
        for name, entries in psutil.net_if_addrs().items()
        if name in networks
        for entry in entries
        if entry.family in (socket.AF_INET, socket.AF_INET6) and "%" not in entry.address
    ]
    private = [address for address in addresses if address.is_private and not address.is_loopback]
    found = [address for address in private if address.version == 4] or private
    usual = address_for_others("0.0.0.0")
    found.sort(key=lambda address: (str(address) != usual, address.is_link_local))
    return [str(address) for address in found]


def netloc(host: str, port: int) -> str:
    """Host and port as they stand in an address, and in the header of who opens it."""
    name = f"[{host}]" if ":" in host else host
    return name if port == HTTP_PORT else f"{name}:{port}"
