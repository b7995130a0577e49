"""Bounds on what visitors may ask of the site, so that nobody uses up what all share.

One rule for everything that writes or waits: it is counted by browser, by address, by network and in all, and refused
where any of these has as many as its bound says. What counts is what was begun within some seconds, what is under way,
or what still stands, such as unfinished tables. Every route that writes or waits names its bound (`bounded` in
`web/serving/site.py`), or a test fails. Each process counts for itself.
"""

import math
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from ipaddress import IPv6Address, ip_address, ip_network
from typing import NamedTuple

from starlette.requests import HTTPConnection

from atoll.text.translation import texts
from atoll.web.refusal import Refusal

DAY = timedelta(days=1)
"""How long a table counts that is never finished."""
THIS_MACHINE = ("127.0.0.1", "::1")
"""The addresses from which this machine comes to itself."""
NAMES_OF_THIS_MACHINE = (*THIS_MACHINE, "localhost")
"""The hosts by which it calls itself."""
MOST_KNOWN = 10_000
"""Browsers, addresses and so on that are remembered for each bound, the most recent."""
TOO_MUCH, TOO_MUCH_AROUND, TOO_MUCH_IN_ALL = texts(
    "That is too much at once from this browser: wait a moment, and try again.",
    "That is too much at once from your network: wait a moment, and try again.",
    "Too many ask for that on this site now: try again later.",
)
TABLES_STAND, TABLES_STAND_AROUND = texts(
    "This browser has %(count)s unfinished tables of the last 24 hours, as many as this site allows: play one to its "
    "end, or let bots do so.",
    "Your network has %(count)s unfinished tables of the last 24 hours, as many as this site allows: play one to its "
    "end, or let bots do so.",
)
SHOWN, SHOWN_AROUND = texts(
    "This browser shows %(count)s tables to all already, as many as this site allows.",
    "Your network shows %(count)s tables to all already, as many as this site allows.",
)
COMPARED, COMPARED_AROUND, COMPARED_IN_ALL = texts(
    "Your last comparison is still under way; wait for it, or cancel it.",
    "Your network has %(count)s comparisons under way, as many as this site allows: wait for one.",
    "Too many comparisons wait on this site; try again later.",
)
ANALYSED, ANALYSED_AROUND, ANALYSED_IN_ALL = texts(
    "Another game of yours is still being analysed: wait for it, or stop it.",
    "Your network has %(count)s games that are being analysed, as many as this site allows: wait for one.",
    "Too many games wait to be analysed on this site; try again later.",
)
TOO_FAST, SENT = texts(
    "Not so fast: wait a few seconds before you write again.",
    "Enough messages were sent for now: try again in ten minutes.",
)


class Visitor(NamedTuple):
    """Who asks. What is empty is not counted."""

    browser: str
    address: str = ""
    """of IPv6 its network of 64 bits, which belongs to one customer; empty for this machine's own"""
    network: str = ""
    """the neighbours that one owner may have: 24 bits of IPv4, 48 of IPv6; empty inside the site's own networks"""
    host: str = ""
    """to which something is to be sent"""
    everybody: str = "everybody"


@dataclass(frozen=True)
class Bound:
    """So many of something by each of these; None: as many as they like."""

    name: str
    within: float = math.inf
    """seconds for which one counts; without end for what is under way or stands"""
    browser: int | None = None
    address: int | None = None
    network: int | None = None
    host: int | None = None
    everybody: int | None = None
    text: str = TOO_MUCH
    text_around: str = TOO_MUCH_AROUND
    text_in_all: str = TOO_MUCH_IN_ALL

    def keys(self, visitor: Visitor) -> Iterator[tuple[str, str, int]]:
        """By what a visitor is counted, the key, and how many there may be of it."""
        for level, key in visitor._asdict().items():
            most = getattr(self, level)
            if key and most is not None:
                yield level, key, most

    def refusal(self, level: str, most: int) -> Refusal:
        """What is said to whom has as many."""
        text = {"browser": self.text, "address": self.text_around, "network": self.text_around}
        return Refusal(429, text.get(level, self.text_in_all), count=most)


CHANGES = Bound("changes", 6, browser=240, address=600, network=1200)
"""Moves, seats, settings, names: what is written at once."""
MAKING = Bound("making", 60, address=60, network=120)
"""New tables; how many of them stand unfinished is counted besides, by `Allowance.tables_bound`."""
PUBLISHED = Bound(
    "published",
    DAY.total_seconds(),
    browser=3,
    address=6,
    network=12,
    text=SHOWN,
    text_around=SHOWN_AROUND,
)
"""Tables in the lobby that still have a free seat."""
CODES = Bound("codes", 600, browser=5, address=20, network=40, everybody=200)
"""Codes of other devices that are tried."""
WORKSHOP = Bound("workshop", 60, browser=120, address=360, network=720)
"""Changes of component sets."""
COMPARISONS = Bound(
    "comparisons",
    browser=1,
    address=3,
    network=5,
    everybody=20,
    text=COMPARED,
    text_around=COMPARED_AROUND,
    text_in_all=COMPARED_IN_ALL,
)
"""Comparisons of the workshop that wait or are played."""
ANALYSES = Bound(
    "analyses",
    browser=1,
    address=3,
    network=5,
    everybody=20,
    text=ANALYSED,
    text_around=ANALYSED_AROUND,
    text_in_all=ANALYSED_IN_ALL,
)
"""Analyses of finished games for which somebody waits."""
PRINTS = Bound("prints", browser=1, address=2, network=4, everybody=8)
"""Sets of components that wait for the browser that prints them."""
SANDBOXES = Bound("sandboxes", DAY.total_seconds(), browser=50, address=150, network=300)
"""Sandboxes that are kept, which each is for a day."""
SEARCHES = Bound("searches", browser=2, address=8, network=16, everybody=60)
"""Hints and checks of records that wait for a thread or have one."""
CHAT = Bound(
    "chat",
    10,
    browser=5,
    address=20,
    network=40,
    text=TOO_FAST,
    text_around=TOO_FAST,
)
SOCKETS = Bound("sockets", browser=60, address=1000, everybody=8000)
"""Open pages' sockets."""
HEARD = Bound("heard", 3, browser=60, address=600, network=1200)
"""Messages of open pages; those beyond wait in their sockets."""
SENDING = Bound("sending", browser=1, address=2, network=4, host=2, everybody=8)
"""Requests to others' machines for which somebody waits; each has a deadline besides."""
CHALLENGES = Bound(
    "challenges",
    600,
    browser=5,
    address=10,
    network=20,
    host=30,
    text=SENT,
    text_around=SENT,
    text_in_all=SENT,
)
"""First messages to a machine that has not agreed to any, and tests."""
NOTIFIED = Bound("notified", 600, browser=30, address=60, network=120, host=300)
"""Notifications, counted for who asked for them."""
PUSHED = Bound("pushed", 600, browser=30, address=60, network=120)
"""The same by Web Push: the services of the browsers' makers serve everybody."""


@dataclass(frozen=True)
class Allowance:
    """What the site allows by its settings: low where strangers can reach it."""

    milliseconds: int
    """that a bot may search for a move"""
    tables: int | None = None
    """unfinished ones that one browser may have made within a day; None: as many as it likes"""
    component_sets: int | None = None
    """that one browser may have in the workshop; None: as many as it likes"""
    trial_games: int = 20_000
    """that a comparison of the workshop plays under each set, at most"""

    @property
    def tables_bound(self) -> Bound | None:
        """Unfinished tables made within a day; several people can be behind an address."""
        if self.tables is None:
            return None
        return Bound(
            "tables",
            DAY.total_seconds(),
            address=5 * self.tables,
            network=10 * self.tables,
            text_around=TABLES_STAND_AROUND,
        )

    def check_unfinished(self, count: int) -> None:
        """Raise Refusal for a browser that has so many unfinished tables, if it may have no more."""
        if self.tables is not None and count >= self.tables:
            raise Refusal(429, TABLES_STAND, count=self.tables)


ALONE = Allowance(milliseconds=10_000)
"""Where the site answers on its own machine only."""
OPEN = Allowance(milliseconds=2_000, tables=20, component_sets=20, trial_games=5_000)
"""Where others can come."""


AllowanceOf = Callable[[str], Allowance]
"""The allowance of a browser."""


def alone(browser: str) -> Allowance:
    """The allowance of a browser on the site's own machine."""
    return ALONE


@dataclass(eq=False, frozen=True)
class Occurrence:
    """One that was counted: when, what it is, and by what it counts."""

    bound: Bound
    time: float
    thing: str
    keys: tuple[tuple[str, str], ...]


class Bounds:
    """What was counted, and the addresses of recent browsers. Any thread may call it; nothing waits in it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._entries: dict[str, OrderedDict[tuple[str, str], deque[Occurrence]]] = {}
        self._visitors: OrderedDict[str, Visitor] = OrderedDict()
        self._lock = threading.Lock()

    # Who

    def note(self, visitor: Visitor) -> Visitor:
        """Remember where a browser comes from."""
        with self._lock:
            self._visitors[visitor.browser] = visitor
            self._visitors.move_to_end(visitor.browser)
            if len(self._visitors) > MOST_KNOWN:
                self._visitors.popitem(last=False)
        return visitor

    def visitor(self, browser: str) -> Visitor:
        """A browser with what is remembered of it."""
        return self._visitors.get(browser) or Visitor(browser)

    def is_here(self, browser: str) -> bool:
        """Whether a browser came from this machine last."""
        visitor = self._visitors.get(browser)
        return visitor is not None and not visitor.address

    def owner(self, browser: str) -> tuple[str, str]:
        """A browser's address, or the browser if that is not known, and the browser, for fair queues."""
        return self.visitor(browser).address or browser, browser

    # How many

    def take(
        self,
        bound: Bound,
        visitor: Visitor,
        thing: str = "",
        standing: Callable[[Collection[str]], Collection[str]] | None = None,
    ) -> Occurrence:
        """Count one more; raises Refusal beyond the bound.

        `thing` names it where it counts as long as it stands: `standing` gives those of some that still do.
        """
        if standing is not None and (things := self._things_at_most(bound, visitor)):
            still = set(standing(things))
            self._drop(bound, lambda entry: entry.thing in things and entry.thing not in still)
        with self._lock:
            now = self._clock()
            counted = list(self._counted(bound, visitor, now))
            for level, most, entries in counted:
                if standing is not None and (same := [one for one in entries if one.thing == thing]):
                    return same[0]
                if len(entries) >= most:
                    raise bound.refusal(level, most)
            entry = Occurrence(
                bound, now, thing, tuple((level, key) for level, key, _ in bound.keys(visitor))
            )
            for _, _, entries in counted:
                entries.append(entry)
            return entry

    def leave(self, entry: Occurrence) -> None:
        """What was counted is over."""
        with self._lock:
            known = self._entries[entry.bound.name]
            for key in entry.keys:
                with suppress(ValueError, KeyError):
                    known[key].remove(entry)
                    if not known[key]:
                        del known[key]

    @contextmanager
    def under_way(self, bound: Bound, visitor: Visitor) -> Iterator[None]:
        """Count one as long as this lasts, or for the bound's seconds; raises Refusal beyond the bound."""
        entry = self.take(bound, visitor)
        try:
            yield
        finally:
            if bound.within == math.inf:
                self.leave(entry)

    def wait(self, bound: Bound, visitor: Visitor) -> float:
        """Seconds until one more is within the bound; it is counted if that is now, and 0."""
        with self._lock:
            now = self._clock()
            full = [
                entries[0].time + bound.within - now
                for _, most, entries in self._counted(bound, visitor, now)
                if len(entries) >= most
            ]
        if full:
            return max(full)
        with suppress(Refusal):  # another thread was faster: the next is counted instead
            self.take(bound, visitor)
        return 0.0

    def count(self, bound: Bound) -> int:
        """How many count now in all, of a bound for everybody."""
        known = self._entries.get(bound.name)
        return 0 if known is None else len(known.get(("everybody", "everybody"), ()))

    def _counted(
        self, bound: Bound, visitor: Visitor, now: float
    ) -> Iterator[tuple[str, int, deque[Occurrence]]]:
        """What counts for a visitor, by what it does and how many there may be; the caller holds the lock."""
        known = self._entries.setdefault(bound.name, OrderedDict())
        for level, key, most in bound.keys(visitor):
            entries = known.setdefault((level, key), deque())
            known.move_to_end((level, key))
            while entries and now - entries[0].time >= bound.within:
                entries.popleft()
            yield level, most, entries
        while len(known) > MOST_KNOWN:
            known.popitem(last=False)

    def _things_at_most(self, bound: Bound, visitor: Visitor) -> set[str]:
        """The things that count where there may be no more."""
        with self._lock:
            return {
                entry.thing
                for _, most, entries in self._counted(bound, visitor, self._clock())
                if len(entries) >= most
                for entry in entries
            }

    def _drop(self, bound: Bound, is_over: Callable[[Occurrence], bool]) -> None:
        known = self._entries[bound.name]
        with self._lock:
            over = {entry for entries in known.values() for entry in entries if is_over(entry)}
        for entry in over:
            self.leave(entry)


def is_from_here(connection: HTTPConnection) -> bool:
    """Whether somebody on this machine asks, and not through a proxy."""
    host = connection.client.host if connection.client else ""
    return host in THIS_MACHINE and "x-forwarded-for" not in connection.headers


def visitor_at(browser: str, host: str) -> Visitor:
    """A browser that comes from an address, as the server tells it."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return Visitor(browser)  # no network is between: a socket of this machine, a test
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address
    if str(address) in THIS_MACHINE:
        return Visitor(browser)
    own, around = (64, 48) if isinstance(address, IPv6Address) else (32, 24)
    network = str(ip_network((address, around), strict=False)) if address.is_global else ""
    return Visitor(browser, str(ip_network((address, own), strict=False).network_address), network)
