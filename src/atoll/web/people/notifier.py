"""Notifications that it is somebody's turn while no page of theirs shows it: by Web Push, and by webhooks.

Each decision of a seat is notified once, by one process, and not at all if its person has seen it: a visible page notes
which decision it shows (`Notifier.seen`). A notification has only what every seat may know: whose turn it is, and at
which table.
"""

import asyncio
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec
from sqlalchemy.exc import DBAPIError
from starlette.concurrency import run_in_threadpool

from atoll.core.types import Json
from atoll.text.errors import AtollError
from atoll.text.translation import seat_names
from atoll.web.bounds import CHALLENGES, NOTIFIED, PUSHED, SENDING, Bound, Bounds, Visitor
from atoll.web.people.chat_services import for_chat
from atoll.web.people.outbound import NotSent, OutboundReply, OutboundRequests
from atoll.web.people.proposals import own_seats
from atoll.web.people.push import GONE, NOT_OURS, TAKEN, Push, is_installed, read_key
from atoll.web.refusal import Refusal
from atoll.web.store.backoff import Backoff
from atoll.web.store.notifications import MOST_FAILURES, NotificationChannels, NotificationStore
from atoll.web.table.names import distinct_names
from atoll.web.table.search_pool import FairQueue, in_own_thread
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table
from atoll.web.table.tables import Tables
from atoll.web.translation import translator_for

LOOK_EVERY = 1.0
"""Seconds between looks for notifications that are due."""
GRACE = 4.0
"""Seconds from a change until its notifications: other processes note within two what their pages show."""
RETRY_AFTER = 5.0
"""Seconds until what was not taken is sent once more."""
AT_A_LOOK = 1_000
"""Tables that are looked at, at most."""
AT_ONCE = 4
"""Notifications that are being sent; as many again to webhooks that did not take the last one."""
WAITING = 500
"""Notifications that wait to be sent, at most."""
DEADLINE = 12.0
"""Seconds after which somebody who waits for a message to be sent waits no longer, whatever takes so long."""


@dataclass(frozen=True)
class Notification:
    """A notification, and its channels."""

    ways: NotificationChannels
    table_id: str
    title: str
    text: str
    sender: str = ""
    """the browser that has asked for it"""

    @property
    def path(self) -> str:
        """The table's page."""
        return f"/tables/{self.table_id}"

    def for_webhook(self) -> Json:
        """As chat services take it: Slack, Mattermost and others read `text`, Discord `content`, in which nobody's name
        calls anybody, is a link, or is drawn as anything but a name."""
        title = for_chat(self.title)
        text = f"{title} – {self.ways.site}{self.path}"
        rest = {"title": title, "table": self.table_id, "url": f"{self.ways.site}{self.path}"}
        return {"text": text, "content": text, "allowed_mentions": {"parse": []}, **rest}

    def for_push(self) -> Json:
        """As the site's service worker shows it."""
        return {"title": self.title, "body": self.text, "url": self.path, "topic": self.table_id}


class Awaited(NamedTuple):
    """Somebody who has to decide."""

    seat: int
    decision: int
    browser: str


class Notifier:
    """Sends notifications, once people have had time to see the change themselves."""

    def __init__(
        self,
        notifications: NotificationStore,
        tables: Tables,
        outbound: OutboundRequests,
        bounds: Bounds,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.notifications = notifications
        self.tables = tables
        self.outbound = outbound
        self.retry_after = RETRY_AFTER
        self.bounds = bounds
        self._places = {False: FairQueue(AT_ONCE), True: FairQueue(AT_ONCE)}
        """for those that took the last message, and for those that did not"""
        self._clock = clock
        self._pending: dict[str, float] = {}
        self._push: Push | None = None
        self._sending: set[asyncio.Task[None]] = set()

    @property
    def push(self) -> Push:
        """What sends Web Push, where it is installed."""
        if self._push is None:
            self._push = Push(self.outbound)
        return self._push

    def seen(self, table: Table, viewer: Viewer) -> None:
        """A page in sight shows the viewer that it is their turn, if it is. The caller holds the table's lock."""
        for seat in own_seats(viewer):
            if seat in table.timeline.to_act:
                self.notifications.note(table.row.id, seat, table.timeline.decision(seat))

    async def run(self) -> None:
        """Tell people for ever; first of what waited for them when the site started."""
        backoff = Backoff("people could not be told")
        awake = False
        try:
            while True:
                await asyncio.sleep(LOOK_EVERY)
                try:
                    if not awake:
                        await run_in_threadpool(self.awaken)
                        awake = True
                        if is_installed():  # a key that is damaged keeps webhooks from nothing
                            await run_in_threadpool(read_key)
                    for message in await run_in_threadpool(self.look):
                        self._begin(message)
                    backoff.succeeded()
                except Exception as error:
                    await backoff.wait(error)
        finally:
            for task in self._sending:
                task.cancel()

    def _begin(self, message: Notification) -> None:
        if len(self._sending) < WAITING:
            task = asyncio.create_task(self.send(message), name="telling")
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)

    def awaken(self) -> None:
        """Look at all running tables at which somebody wants to be told: the site has started."""
        for table_id in self.notifications.awaiting():
            self._pending.setdefault(table_id, self._clock())

    def look(self) -> list[Notification]:
        """The notifications that are due: of tables that changed, and then did not for GRACE seconds."""
        changed_tables, now = self.tables.store.changed, self._clock()
        while changed_tables:
            self._pending[changed_tables.pop()] = now
        due = [table_id for table_id, since in self._pending.items() if now - since >= GRACE][:AT_A_LOOK]
        notifications = self.messages_of(due) if due else []
        for table_id in due:
            del self._pending[table_id]
        return notifications

    def messages_of(self, table_ids: Collection[str]) -> list[Notification]:
        """The notifications of some tables, which count as sent."""
        awaited = list[tuple[Table, list[Awaited]]]()
        for table_id, version in self.tables.store.versions(table_ids).items():
            # A table may be deleted, or its rules have gone or be others now
            with suppress(Refusal, AtollError):
                table = self.tables.find(table_id)
                awaited.append((table, self._awaited_at(table, version)))
        of_tables = self.notifications.of_tables(table_ids)
        ways = self.notifications.of_all({each.browser for _, all_awaited in awaited for each in all_awaited})
        return [
            message
            for table, all_awaited in awaited
            for message in self._messages_of(table, all_awaited, of_tables.get(table.row.id), ways)
        ]

    def _awaited_at(self, table: Table, version: int) -> list[Awaited]:
        """The people who have to decide at a table that has come to that version."""
        with table.lock:
            table.catch_up(version)
            timeline, seating = table.timeline, table.seating
            if table.row.waiting or table.row.ended is not None or timeline.is_over:
                return []
            return [
                Awaited(seat, timeline.decision(seat), browser)
                for seat in timeline.to_act
                if (browser := seating.seats[seat].browser) is not None and seating.seats[seat].bot is None
            ]

    def _messages_of(
        self,
        table: Table,
        awaited: Iterable[Awaited],
        of_table: NotificationChannels | None,
        ways: Mapping[str, NotificationChannels],
    ) -> list[Notification]:
        """Their notifications."""
        untold = [
            (seat, browser)
            for seat, decision, browser in awaited
            if (of_table or browser in ways) and self.notifications.claim(table.row.id, seat, decision)
        ]
        notifications = [
            self._to_person(table, ways[browser], browser)
            for browser in dict.fromkeys(browser for _, browser in untold)
            if browser in ways
        ]
        if of_table is not None and untold:
            notifications.append(self._to_table(table, of_table, [seat for seat, _ in untold]))
        return notifications

    def _to_person(self, table: Table, ways: NotificationChannels, browser: str) -> Notification:
        words, seating = translator_for(ways.language), table.seating
        names = distinct_names(words, seating.names, seat_names(words))
        others = [names[occupant.seat] for occupant in seating.seats if occupant.browser != browser]
        title = words("Your turn at %(game)s", game=table.game.title)
        return Notification(
            ways, table.row.id, title, words("With %(names)s", names=words.both(others)), browser
        )

    def _to_table(self, table: Table, ways: NotificationChannels, seats: list[int]) -> Notification:
        translator = translator_for(ways.language)
        names = distinct_names(translator, table.seating.names, seat_names(translator))
        seat_list = translator.both([names[seat] for seat in seats])
        title = translator("%(names)s to play at %(game)s", names=seat_list, game=table.game.title)
        return Notification(ways, table.row.id, title, "", table.row.maker)

    # Sending

    async def send(self, message: Notification) -> None:
        """Send a message in every way that its receiver has chosen; what is over for good is forgotten."""
        ways = message.ways
        if ways.push is not None and is_installed():
            to = ways.push["endpoint"]
            send = partial(self.push.send, ways.push, message.for_push(), ways.site)
            if self._may_send(PUSHED, message, to):
                reply = await self._twice(send, message, to)
                if reply is not None and reply.status in (*GONE, *NOT_OURS):
                    with suppress(DBAPIError):  # it says so again
                        await run_in_threadpool(self.notifications.forget_push, to)
        if ways.webhook is not None and ways.failed < MOST_FAILURES:
            send = partial(self.outbound.post, ways.webhook, *webhook_request(message.for_webhook()))
            if self._may_send(NOTIFIED, message, ways.webhook):
                reply = await self._twice(send, message, ways.webhook)
                is_taken = reply is not None and 200 <= reply.status < 300
                with suppress(DBAPIError):  # that one does not count
                    await run_in_threadpool(self.notifications.note_webhook, ways.webhook, is_taken)

    def _may_send(self, bound: Bound, message: Notification, to: str) -> bool:
        """Whether one more may be sent there for who asked for it; it counts if so."""
        try:
            self.bounds.take(bound, self.bounds.visitor(message.sender)._replace(host=host_of(to)))
        except Refusal:
            return False
        return True

    async def _twice(
        self, send: Callable[[], OutboundReply], message: Notification, to: str
    ) -> OutboundReply | None:
        """The answer; a server that fails, and one that does not answer, is asked once more."""
        reply: OutboundReply | None = None
        host = host_of(to)
        for attempt in range(2):
            if attempt:
                await asyncio.sleep(self.retry_after)
            async with self._places[message.ways.failed > 0 or attempt > 0].one((host, message.sender)):
                try:
                    reply = await in_own_thread(send)
                except NotSent:
                    reply = None
            if reply is not None and reply.status < 500 and reply.status != 429:
                break
        return reply

    async def send_now(
        self, visitor: Visitor, to: str, send: Callable[[], OutboundReply]
    ) -> OutboundReply | None:
        """The answer to a message for which its sender waits; None if there is none in time. Raises Refusal beyond the
        bounds. Whatever a thread waits for, its place is taken until it ends.
        """
        visitor = visitor._replace(host=host_of(to))
        place = self.bounds.take(SENDING, visitor)
        try:
            self.bounds.take(CHALLENGES, visitor)
            sending = in_own_thread(send)
        except BaseException:
            self.bounds.leave(place)
            raise

        def ended(answer: asyncio.Future[OutboundReply]) -> None:
            self.bounds.leave(place)
            if not answer.cancelled():
                answer.exception()  # nobody may be there to hear of it

        sending.add_done_callback(ended)
        with suppress(NotSent, TimeoutError):
            async with asyncio.timeout(DEADLINE):
                return await asyncio.shield(sending)
        return None

    async def send_webhook(self, visitor: Visitor, webhook: str, content: Json) -> OutboundReply | None:
        """The answer of a webhook to something that its sender waits for; None if it did not take it."""
        reply = await self.send_now(
            visitor, webhook, partial(self.outbound.post, webhook, *webhook_request(content))
        )
        return reply if reply is not None and 200 <= reply.status < 300 else None

    async def try_push(self, visitor: Visitor, subscription: Json, content: Json, site: str) -> bool:
        """Whether the push service of a new subscription takes a first message."""
        send = partial(self.push.send, subscription, content, site)
        reply = await self.send_now(visitor, subscription["endpoint"], send)
        return reply is not None and reply.status in TAKEN


def webhook_request(content: Json) -> tuple[bytes, dict[str, str]]:
    """Body and headers of what is sent to a webhook."""
    return msgspec.json.encode(content), {"Content-Type": "application/json", "User-Agent": "Atoll"}


def host_of(address: str) -> str:
    """The host to which something is sent, by which it is counted."""
    return (urlsplit(address).hostname or "").rstrip(".")
