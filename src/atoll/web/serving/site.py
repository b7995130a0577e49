"""What all handlers share: the site's objects, and helpers for requests."""

import asyncio
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import wraps
from typing import TypeVar
from urllib.parse import urlsplit

from sqlalchemy.exc import DBAPIError
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, Response

from atoll.web.bounds import ALONE, PUBLISHED, Allowance, Bound, Bounds, Visitor, visitor_at
from atoll.web.live.analysing import Analysing
from atoll.web.live.bot_moves import BotMoves
from atoll.web.live.clock_watch import ClockWatch
from atoll.web.live.watched_tables import WatchedTables
from atoll.web.people.notifier import Notifier
from atoll.web.people.outbound import OutboundRequests
from atoll.web.refusal import TABLE_ID, Closed, NoSuchTable, Refusal
from atoll.web.serving.local_network import LocalNetwork
from atoll.web.serving.platform import Platform
from atoll.web.store.analyses import Analyses
from atoll.web.store.backoff import Backoff
from atoll.web.store.chat_messages import ChatMessages
from atoll.web.store.comparison_queue import ComparisonQueue
from atoll.web.store.component_sets import ComponentSets
from atoll.web.store.daily import DailyDeals
from atoll.web.store.devices import Devices
from atoll.web.store.history import History
from atoll.web.store.notifications import NotificationStore
from atoll.web.store.people import People
from atoll.web.store.puzzle_answers import PuzzleAnswers
from atoll.web.store.sandboxes import SandboxStore
from atoll.web.store.store import SeatRow, Store, TableRow
from atoll.web.table.creation import check_maker
from atoll.web.table.sandbox import Sandboxes
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table
from atoll.web.table.table_record import table_record
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
        self.bounds = Bounds(time.monotonic)
        self.allowance = allowance
        self._making = threading.Lock()
        self.tables = Tables(store, self.allowance_of)
        self.sets = ComponentSets(store.engine)
        self.people = People(store.engine)
        self.messages = ChatMessages(store.engine)
        self.devices = Devices(store.engine)
        self.daily = DailyDeals(store.engine)
        self.puzzles = PuzzleAnswers(store.engine)
        self.comparisons = Comparisons(ComparisonQueue(store.engine), self.bounds)
        self.watched = WatchedTables()
        self.leases = self.platform.leases(store.engine)
        search_pool = self.platform.search_pool()
        self.bots = BotMoves(self.watched, self.bounds, self.leases, search_pool)
        self.history = History(store.engine)
        self.records = WatchedRecords()
        self.analysing = Analysing(Analyses(store.engine), self.bounds, self.finished_record)
        self.sandboxes = Sandboxes(SandboxStore(store.engine))
        self.notifications = NotificationStore(store.engine)
        self.notifier = Notifier(self.notifications, self.tables, OutboundRequests(), self.bounds)
        self.clocks = ClockWatch(store, self.tables, self.watched, self.bots)

    def make_table(self, row: TableRow, seats: Sequence[SeatRow]) -> None:
        """Store a new table; raises Refusal if its maker, or their network, has as many as allowed."""
        allowance = self.allowance_of(row.maker)
        visitor, bound = self.bounds.visitor(row.maker), allowance.tables_bound
        with self._making:
            check_maker(self.store, allowance, row.maker)
            if bound is not None:
                self.bounds.take(bound, visitor, row.id, self.store.unfinished)
            if row.public:
                self.count_public(visitor, row.id)
            self.store.make_table(row, seats)

    def finished_record(self, game_of: str) -> str:
        """The record of a finished game at a table or one that was uploaded; raises Refusal if there is none."""
        place, name = game_of.split("/")
        if place == "records":
            uploaded = self.history.uploaded(name)
            if uploaded is None:
                raise NoSuchTable
            return uploaded.text
        table = self.tables.find(name)
        with table.lock:
            table.catch_up()
            check_analysable(table)
            return table_record(table, None)

    def count_public(self, visitor: Visitor, table_id: str) -> None:
        """Count a table that is shown in the lobby; raises Refusal beyond the bound."""
        self.bounds.take(PUBLISHED, visitor, table_id, self.store.offered)

    def allowance_of(self, browser: str) -> Allowance:
        """What a browser may ask for, by the address from which it came last: on other devices that joined, less."""
        if self.network is None or self.bounds.is_here(browser):
            return self.allowance
        return self.network.allowance

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


def check_analysable(table: Table) -> None:
    """Raise Refusal for a game that is not over, or whose deal others play today: what is hidden in it stays so."""
    if not table.timeline.is_over:
        raise Refusal(409, "Only a game that was played to its end is analysed.")
    if not table.tells_all:
        raise Refusal(409, "Others still play this deal today; it is analysed from tomorrow on.")


def site_of(connection: HTTPConnection) -> Site:
    """The site that serves the request."""
    return connection.app.state.site  # type: ignore[no-any-return]


def browser_of(connection: HTTPConnection) -> str:
    """The browser of the request."""
    return connection.scope["browser"]  # type: ignore[no-any-return]


def visitor_of(connection: HTTPConnection) -> Visitor:
    """Who makes the request; where their browser comes from is remembered."""
    host = connection.client.host if connection.client else ""
    return site_of(connection).bounds.note(visitor_at(browser_of(connection), host))


Handler = Callable[[Request], Awaitable[Response]]


def bounded(bound: Bound, handle: Handler) -> Handler:
    """A handler of which visitors may ask so much and no more; only looking (GET) is not counted."""

    @wraps(handle)
    async def handle_within(request: Request) -> Response:
        visitor = visitor_of(request)
        if request.method in ("GET", "HEAD"):
            return await handle(request)
        with site_of(request).bounds.under_way(bound, visitor):
            return await handle(request)

    handle_within.bound = bound  # type: ignore[attr-defined]
    return handle_within


def visitor_allowance(request: Request) -> Allowance:
    """What the browser of the request may ask for; its address is noted."""
    return site_of(request).allowance_of(visitor_of(request).browser)


def page(html: str, status: int = 200) -> HTMLResponse:
    """The response with a page, which no cache may store."""
    return HTMLResponse(html, status, headers={"Cache-Control": "no-store", "Vary": "Cookie, Atoll-Fragment"})


async def read_pairs(request: Request) -> list[tuple[str, str]]:
    """The fields of a form, without files."""
    form = await request.form(max_files=0, max_fields=64)
    return [(name, value) for name, value in form.multi_items() if isinstance(value, str)]


def return_address(address: str) -> str:
    """The address to redirect back to: `address` if it is of this site, else the start page.

    Browsers leave out tabs and line breaks, and take a backslash for a slash: what has any of them is not of this site.
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        return "/"
    is_plain = address.isprintable() and "\\" not in address
    is_here = not parts.scheme and not parts.netloc and address.startswith("/") and address[1:2] != "/"
    return address if is_plain and is_here else "/"


def table_id(connection: HTTPConnection) -> str:
    """The table id in the address; raises NoSuchTable if it is none, since databases do not take every character."""
    name: str = connection.path_params["table"]
    if not TABLE_ID.fullmatch(name):
        raise NoSuchTable
    return name


async def find_table(connection: HTTPConnection) -> Table:
    """The table of the address."""
    site = site_of(connection)
    visitor_of(connection)
    return await run_in_threadpool(site.tables.find, table_id(connection))


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
