"""Recent visitors: browsers with their addresses, and limits on the tables that they make."""

import threading
from collections import OrderedDict, deque
from collections.abc import Sequence
from ipaddress import IPv6Address, ip_address

from starlette.requests import HTTPConnection

from atoll.web.refusal import Refusal
from atoll.web.store.allowance import DAY, Allowance
from atoll.web.store.store import SeatRow, Store, TableRow, now

MOST_KNOWN = 10_000
"""Browsers and addresses that are remembered, the most recent."""
THIS_MACHINE = ("127.0.0.1", "::1")
"""The addresses from which this machine comes to itself."""


class Visitors:
    """Recent browsers with their addresses, since a visitor without cookies is a new browser each time."""

    def __init__(self, store: Store, allowance: Allowance, of_others: Allowance | None = None) -> None:
        """`of_others`: the allowance of browsers on other devices, if it differs from those on this machine."""
        self.store = store
        self.allowance = allowance
        self.of_others = of_others
        self._addresses: OrderedDict[str, str] = OrderedDict()
        self._tables: OrderedDict[str, deque[TableRow]] = OrderedDict()
        self._lock = threading.Lock()

    def note(self, browser: str, address: str) -> None:
        """Remember a browser's address."""
        self._addresses[browser] = address
        self._addresses.move_to_end(browser)
        if len(self._addresses) > MOST_KNOWN:
            self._addresses.popitem(last=False)

    def name(self, browser: str) -> tuple[str, str]:
        """A browser's address, or the browser if that is not known, and the browser."""
        return self._addresses.get(browser, browser), browser

    def allowance_of(self, browser: str) -> Allowance:
        """What a browser may ask for, by the address from which it came last."""
        if self.of_others is None or self._addresses.get(browser) in THIS_MACHINE:
            return self.allowance
        return self.of_others

    def make_table(self, row: TableRow, sitting: Sequence[SeatRow]) -> None:
        """Store a new table; raises Refusal if its maker, or the maker's address, has as many as allowed."""
        allowance = self.allowance_of(row.maker)
        if allowance.tables is None:
            self.store.make_table(row, sitting)
            return
        address, browser = self.name(row.maker)
        with self._lock:
            allowance.check_maker(self.store, browser)
            tables = self._unfinished_from(address, allowance.tables_by_address)
            self.store.make_table(row, sitting)
            tables.append(row)

    def _unfinished_from(self, address: str, most: int | None) -> deque[TableRow]:
        """The unfinished tables made from an address within a day; raises Refusal if they are `most` or more."""
        tables = self._tables.setdefault(address, deque())
        self._tables.move_to_end(address)
        if len(self._tables) > MOST_KNOWN:
            self._tables.popitem(last=False)
        while tables and now() - tables[0].made_at > DAY:
            tables.popleft()
        if most is not None and len(tables) >= most:
            unfinished = self.store.unfinished({row.id for row in tables})
            tables = self._tables[address] = deque(row for row in tables if row.id in unfinished)
            if len(tables) >= most:
                raise Refusal(
                    429,
                    "Your network has %(count)s unfinished tables of the last 24 hours, as many as this site allows: "
                    "play one to its end, or let bots do so.",
                    count=most,
                )
        return tables


def is_from_here(connection: HTTPConnection) -> bool:
    """Whether somebody on this machine asks, and not through a proxy."""
    host = connection.client.host if connection.client else ""
    return host in THIS_MACHINE and "x-forwarded-for" not in connection.headers


def address_of(connection: HTTPConnection) -> str:
    """The client's address; of IPv6 its network of 64 bits, which belongs to one customer."""
    host = connection.client.host if connection.client else ""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    return str(IPv6Address(int(address) >> 64 << 64)) if isinstance(address, IPv6Address) else host
