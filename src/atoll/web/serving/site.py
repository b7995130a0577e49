"""What all handlers share: the site's objects, and helpers for requests."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import TypeVar

from sqlalchemy.exc import DBAPIError
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse

from atoll.web.live.bot_moves import BotMoves
from atoll.web.live.clock_watch import ClockWatch
from atoll.web.live.rate_limits import SocketCounts
from atoll.web.live.visitors import Visitors, address_of
from atoll.web.live.watched_tables import WatchedTables
from atoll.web.people.chat import ChatLimit
from atoll.web.people.notifier import Notifier
from atoll.web.people.outbound import OutboundRequests
from atoll.web.refusal import TABLE_ID, Closed, NoSuchTable, Refusal
from atoll.web.serving.local_network import LocalNetwork
from atoll.web.serving.platform import Platform
from atoll.web.store.allowance import ALONE, Allowance
from atoll.web.store.backoff import Backoff
from atoll.web.store.chat_messages import ChatMessages
from atoll.web.store.comparison_queue import ComparisonQueue
from atoll.web.store.component_sets import ComponentSets
from atoll.web.store.history import History
from atoll.web.store.notifications import NotificationStore
from atoll.web.store.people import People
from atoll.web.store.sandboxes import SandboxStore
from atoll.web.store.seat_links import SeatLinks
from atoll.web.store.store import SeatRow, Store, TableRow
from atoll.web.table.sandbox import Sandboxes
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table
from atoll.web.table.tables import Tables
from atoll.web.table.watched_record import WatchedRecords
from atoll.web.workshop.comparisons import Comparisons

NOTES_INTERVAL = 2.0
"""Seconds between two writes of notes."""
Result = TypeVar("Result")


class Site:
    """The objects that handlers share.

    `others` is the site's address for other devices, if there is always one; `network` lets them join meanwhile.
    """

    def __init__(
        self,
        store: Store,
        allowance: Allowance = ALONE,
        others: str | None = None,
        platform: Platform | None = None,
        network: LocalNetwork | None = None,
    ) -> None:
        self.store = store
        self.platform = platform or Platform()
        self.others = others
        self.network = network
        self.visitors = Visitors(store, allowance, None if network is None else network.allowance)
        self.tables = Tables(store, self.visitors.allowance_of)
        self.sets = ComponentSets(store.engine)
        self.people = People(store.engine)
        self.messages = ChatMessages(store.engine)
        self.chat_limit = ChatLimit()
        self.seat_links = SeatLinks(store.engine)
        self.comparisons = Comparisons(ComparisonQueue(store.engine))
        self.watched = WatchedTables()
        self.sockets = SocketCounts()
        self.loading = self.platform.loading()
        self.leases = self.platform.leases(store.engine)
        search_pool = self.platform.search_pool()
        self.bots = BotMoves(self.watched, self.loading, self.visitors, self.leases, search_pool)
        self.history = History(store.engine)
        self.records = WatchedRecords()
        self.sandboxes = Sandboxes(SandboxStore(store.engine))
        self.notifications = NotificationStore(store.engine)
        self.notifier = Notifier(self.notifications, self.tables, OutboundRequests())
        self.clocks = ClockWatch(store, self.tables, self.watched, self.bots)

    @property
    def addresses(self) -> list[str]:
        """The site's addresses for other devices now, the likeliest first; none if they cannot reach it."""
        if self.others is not None:
            return [self.others]
        return [] if self.network is None else self.network.addresses

    async def watch(self) -> None:
        """Notify open pages of changes by other processes."""
        backoff = Backoff("what other processes do could not be read")
        while True:
            try:
                async for versions in self.platform.changes(self.store, self.watched):
                    self.watched.notify_newer(versions)
                    backoff.succeeded()
            except Exception as error:
                await backoff.wait(error)

    async def keep_notes(self) -> None:
        """Write notes that are held in memory (visits, seen notifications) every NOTES_INTERVAL seconds, and again
        after a failure."""
        last_error = ""
        while True:
            await asyncio.sleep(NOTES_INTERVAL)
            try:
                await run_in_threadpool(self.store.keep_notes)
                await run_in_threadpool(self.notifications.keep_notes)
                last_error = ""
            except DBAPIError as error:
                if str(error.orig) != last_error:
                    last_error = str(error.orig)
                    logging.getLogger(__name__).warning("who looked cannot be noted: %s", last_error)


def site_of(connection: HTTPConnection) -> Site:
    """The site that serves the request."""
    return connection.app.state.site  # type: ignore[no-any-return]


def browser_of(connection: HTTPConnection) -> str:
    """The browser of the request."""
    return connection.scope["browser"]  # type: ignore[no-any-return]


def visitor_allowance(request: Request) -> Allowance:
    """What the browser of the request may ask for; its address is noted."""
    visitors, browser = site_of(request).visitors, browser_of(request)
    visitors.note(browser, address_of(request))
    return visitors.allowance_of(browser)


def page(html: str, status: int = 200) -> HTMLResponse:
    """The response with a page, which no cache may store."""
    return HTMLResponse(html, status, headers={"Cache-Control": "no-store", "Vary": "Cookie, Atoll-Fragment"})


async def read_pairs(request: Request) -> list[tuple[str, str]]:
    """The fields of a form, without files."""
    form = await request.form(max_files=0, max_fields=64)
    return [(name, value) for name, value in form.multi_items() if isinstance(value, str)]


def return_address(address: str) -> str:
    """The address to redirect back to: `address` if it is of this site, else the start page."""
    elsewhere = not address.startswith("/") or address.startswith(("//", "/\\"))
    return "/" if elsewhere else address


def table_id(connection: HTTPConnection) -> str:
    """The table id in the address; raises NoSuchTable if it is none, since databases do not take every character."""
    name: str = connection.path_params["table"]
    if not TABLE_ID.fullmatch(name):
        raise NoSuchTable
    return name


async def find_table(connection: HTTPConnection) -> Table:
    """The table of the address."""
    if await awaited_game(connection) is not None:
        raise Refusal(503, "The rules are still being made ready; try again in a moment.")
    site = site_of(connection)
    site.visitors.note(browser_of(connection), address_of(connection))
    return await run_in_threadpool(site.tables.find, table_id(connection))


async def awaited_game(connection: HTTPConnection) -> str | None:
    """The game of the address's table, if it is not loaded yet."""
    site = site_of(connection)
    if site.loading.ready.is_set():
        return None
    contents = await run_in_threadpool(site.store.read, table_id(connection))
    if contents is None or site.loading.is_ready(contents.row.game):
        return None
    return contents.row.game


def check_may_watch(row: TableRow, seats: Sequence[SeatRow], browser: str) -> None:
    """Raise Closed if a browser neither plays at a table nor made it, and others may not watch."""
    if not row.watchable and browser != row.maker and all(seat.browser != browser for seat in seats):
        raise Closed


def with_viewer(
    table: Table, browser: str, do: Callable[[Viewer], Result], version: int | None = None
) -> Result:
    """Call `do` with a browser's viewer of a table, which is locked and up to date.

    `version` is the latest of which the caller was notified: the store is not read if the table has it.
    """
    with table.lock:
        table.catch_up(version)
        viewer = table.seating.viewer(browser)
        if not table.seating.open_to_all(table.has_ended):
            check_may_watch(table.row, table.seating.seats, browser)
        table.see(viewer)
        return do(viewer)
