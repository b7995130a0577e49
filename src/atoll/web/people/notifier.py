"""Notifications that it is somebody's turn while no page of theirs shows it: by Web Push, and by webhooks.

Each decision of a seat is notified once, by one process, and not at all if its person has seen it: a visible page notes
which decision it shows (`Notifier.seen`). A notification has only what every seat may know: whose turn it is, and at
which table.
"""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import anyio
import msgspec
from starlette.concurrency import run_in_threadpool

from atoll.core.types import Json
from atoll.text.translation import seat_names
from atoll.web.people.outbound import NotSent, OutboundRequests
from atoll.web.people.proposals import own_seats
from atoll.web.people.push import GONE, NOT_OURS, Push, is_installed, read_key
from atoll.web.refusal import Refusal
from atoll.web.store.backoff import Backoff
from atoll.web.store.notifications import MOST_FAILURES, NotificationChannels, NotificationStore
from atoll.web.table.names import distinct_names
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
"""Threads that send."""
WAITING = 500
"""Messages that wait to be sent, at most."""
MOST, WITHIN = 20, 600.0
"""So many messages to one address within so many seconds."""
KNOWN = 10_000
"""Addresses whose latest messages are remembered."""


@dataclass(frozen=True)
class Notification:
    """A notification, and its channels."""

    ways: NotificationChannels
    table_id: str
    title: str
    text: str

    @property
    def path(self) -> str:
        """The table's page."""
        return f"/tables/{self.table_id}"

    def for_webhook(self) -> Json:
        """As chat services take it: Slack, Mattermost and others read `text`, Discord `content`, in which nobody's name
        calls anybody."""
        text = f"{self.title} – {self.ways.site}{self.path}"
        rest = {"title": self.title, "table": self.table_id, "url": f"{self.ways.site}{self.path}"}
        return {"text": text, "content": text, "allowed_mentions": {"parse": []}, **rest}

    def for_push(self) -> Json:
        """As the site's service worker shows it."""
        return {"title": self.title, "body": self.text, "url": self.path, "topic": self.table_id}


class Awaited(NamedTuple):
    """Somebody who has to decide."""

    seat: int
    decision: int
    browser: str


class Rate:
    """Lets no address get more than so many messages within so many seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._sent: OrderedDict[str, deque[float]] = OrderedDict()

    def allows(self, address: str) -> bool:
        """Whether one more may go there now; it counts if so."""
        sent = self._sent.setdefault(address, deque(maxlen=MOST))
        self._sent.move_to_end(address)
        if len(self._sent) > KNOWN:
            self._sent.popitem(last=False)
        if len(sent) == MOST and self._clock() - sent[0] < WITHIN:
            return False
        sent.append(self._clock())
        return True


class Notifier:
    """Sends notifications, once people have had time to see the change themselves."""

    def __init__(
        self,
        notifications: NotificationStore,
        tables: Tables,
        outbound: OutboundRequests,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.notifications = notifications
        self.tables = tables
        self.outbound = outbound
        self.retry_after = RETRY_AFTER
        self.rate = Rate(clock)
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

    async def run(self, ready: Callable[[], bool]) -> None:
        """Tell people for ever; of what waited for them when the site started once all rules are `ready`, and so the
        processor is free to read the key of Web Push, if nobody has wanted it before.
        """
        backoff = Backoff("people could not be told")
        limiter, awake = anyio.CapacityLimiter(AT_ONCE), False
        try:
            while True:
                await asyncio.sleep(LOOK_EVERY)
                try:
                    if not awake and ready():
                        if is_installed():
                            await run_in_threadpool(read_key)
                        await run_in_threadpool(self.awaken)
                        awake = True
                    for message in await run_in_threadpool(self.look):
                        self._begin(message, limiter)
                    backoff.succeeded()
                except Exception as error:
                    await backoff.wait(error)
        finally:
            for task in self._sending:
                task.cancel()

    def _begin(self, message: Notification, limiter: anyio.CapacityLimiter) -> None:
        if len(self._sending) < WAITING:
            task = asyncio.create_task(self.send(message, limiter), name="telling")
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
            with suppress(Refusal):  # a table that is deleted, or whose rules have gone
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
        return Notification(ways, table.row.id, title, words("With %(names)s", names=words.both(others)))

    def _to_table(self, table: Table, ways: NotificationChannels, seats: list[int]) -> Notification:
        translator = translator_for(ways.language)
        names = distinct_names(translator, table.seating.names, seat_names(translator))
        seat_list = translator.both([names[seat] for seat in seats])
        title = translator("%(names)s to play at %(game)s", names=seat_list, game=table.game.title)
        return Notification(ways, table.row.id, title, "")

    # Sending

    async def send(self, message: Notification, limiter: anyio.CapacityLimiter | None = None) -> None:
        """Send a message in every way that its receiver has chosen; what is over for good is forgotten."""
        ways = message.ways
        if ways.push is not None and is_installed() and self.rate.allows(ways.push["endpoint"]):
            send = partial(self.push.send, ways.push, message.for_push(), ways.site)
            status = await self._twice(send, limiter)
            if status in (*GONE, *NOT_OURS):
                await run_in_threadpool(self.notifications.forget_push, ways.push["endpoint"])
        if ways.webhook is not None and ways.failed < MOST_FAILURES and self.rate.allows(ways.webhook):
            await self.send_webhook(ways.webhook, message.for_webhook(), limiter)

    async def send_webhook(
        self, webhook: str, content: Json, limiter: anyio.CapacityLimiter | None = None
    ) -> bool:
        """Send something to a webhook; returns whether it was taken."""
        body = msgspec.json.encode(content)
        headers = {"Content-Type": "application/json", "User-Agent": "Atoll"}
        status = await self._twice(partial(self.outbound.post, webhook, body, headers), limiter)
        is_taken = status is not None and 200 <= status < 300
        await run_in_threadpool(self.notifications.note_webhook, webhook, is_taken)
        return is_taken

    async def _twice(self, send: Callable[[], int], limiter: anyio.CapacityLimiter | None) -> int | None:
        """The status of the answer; a server that fails, and one that does not answer, is asked once more."""
        status: int | None = None
        for attempt in range(2):
            if attempt:
                await asyncio.sleep(self.retry_after)
            try:
                status = await anyio.to_thread.run_sync(send, limiter=limiter)
            except NotSent:
                status = None
            if status is not None and status < 500 and status != 429:
                break
        return status
