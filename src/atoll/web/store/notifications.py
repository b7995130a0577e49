"""Notifications: by which channels people get them, and up to which decision they have been notified."""

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, bindparam, delete, func, insert, or_, select, update

from atoll.core.types import Json
from atoll.web.store.engine import writing
from atoll.web.store.schema import seats, table_webhooks, tables, telling

MOST_FAILURES = 10
"""Messages in a row that a webhook does not take, after which it is sent no more until it is named again."""

KNOWN = 10_000
"""Seats whose last decision of which their persons know is remembered."""

_KNOW = (
    update(seats)
    .where(seats.c.table_id == bindparam("of"), seats.c.seat == bindparam("by"))
    .where(func.coalesce(seats.c.told, -1) < bindparam("decision"))
    .values(told=bindparam("decision"))
)


@dataclass(frozen=True)
class NotificationChannels:
    """How one browser's person, or a table's people, get notifications; not at all without `push` and `webhook`."""

    language: str
    site: str
    """the address by which that browser comes, without a slash at its end"""
    push: Json | None = None
    """the subscription as the browser's push service gave it"""
    webhook: str | None = None
    failed: int = 0
    """messages in a row that the webhook did not take"""


class NotificationStore:
    """All channels, and the last decision of each seat of which its person knows."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._known: OrderedDict[tuple[str, int], int] = OrderedDict()
        self._fresh: set[tuple[str, int]] = set()

    # Channels

    def of(self, browser: str) -> NotificationChannels | None:
        """How a browser's person is told; None if that was never said."""
        return self.of_all([browser]).get(browser)

    def of_all(self, browsers: Iterable[str]) -> dict[str, NotificationChannels]:
        """How the persons of some browsers are told."""
        query = select(telling).where(telling.c.browser.in_(list(browsers)))
        with self.engine.connect() as connection:
            return {row.browser: _ways(row) for row in connection.execute(query)}

    def keep(self, browser: str, ways: NotificationChannels) -> None:
        """Tell a browser's person so from now on; ways that lead nowhere are forgotten."""
        with writing(self.engine) as connection:
            connection.execute(delete(telling).where(telling.c.browser == browser))
            if ways.push is not None or ways.webhook is not None:
                connection.execute(insert(telling), [{"browser": browser, **vars(ways)}])

    def of_table(self, table_id: str) -> NotificationChannels | None:
        """The webhook of a table."""
        return self.of_tables([table_id]).get(table_id)

    def of_tables(self, table_ids: Iterable[str]) -> dict[str, NotificationChannels]:
        """The webhooks of some tables."""
        query = select(table_webhooks).where(table_webhooks.c.table_id.in_(list(table_ids)))
        with self.engine.connect() as connection:
            return {
                row.table_id: NotificationChannels(row.language, row.site, None, row.webhook, row.failed)
                for row in connection.execute(query)
            }

    def keep_for_table(self, table_id: str, ways: NotificationChannels) -> None:
        """Let a table have that webhook, or none."""
        with writing(self.engine) as connection:
            connection.execute(delete(table_webhooks).where(table_webhooks.c.table_id == table_id))
            if ways.webhook is not None:
                row = {name: value for name, value in vars(ways).items() if name != "push"}
                connection.execute(insert(table_webhooks), [{"table_id": table_id, **row}])

    def forget(self, browser: str) -> None:
        """Delete everything that is kept of how a browser's person is told, and its tables' webhooks."""
        mine = select(tables.c.id).where(tables.c.maker == browser)
        with writing(self.engine) as connection:
            connection.execute(delete(telling).where(telling.c.browser == browser))
            connection.execute(delete(table_webhooks).where(table_webhooks.c.table_id.in_(mine)))

    def forget_push(self, endpoint: str) -> None:
        """Forget a push subscription that is over."""
        with writing(self.engine) as connection:
            for row in connection.execute(select(telling).where(telling.c.push.is_not(None))).all():
                if row.push["endpoint"] == endpoint:
                    mine = telling.c.browser == row.browser
                    connection.execute(update(telling).where(mine).values(push=None))

    def note_webhook(self, webhook: str, succeeded: bool) -> None:
        """Count what a webhook does not take, from its last success on."""
        with writing(self.engine) as connection:
            for rows in (telling, table_webhooks):
                failed = 0 if succeeded else rows.c.failed + 1
                mine = (rows.c.webhook == webhook) & ((rows.c.failed > 0) | (not succeeded))
                connection.execute(update(rows).where(mine).values(failed=failed))

    # What people know of

    def note(self, table_id: str, seat: int, decision: int) -> None:
        """The seat's person sees that decision; kept by `keep_notes`."""
        key = table_id, seat
        if self._known.get(key) == decision:
            return
        self._known[key] = decision
        self._known.move_to_end(key)
        self._fresh.add(key)
        if len(self._known) > KNOWN:
            self._known.popitem(last=False)

    def claim(self, table_id: str, seat: int, decision: int) -> bool:
        """Whether the seat's person does not know of that decision, and is to be told by the caller alone."""
        if self._known.get((table_id, seat), -1) >= decision:
            return False
        unknown = or_(seats.c.told.is_(None), seats.c.told < decision)
        with writing(self.engine) as connection:
            claimed = update(seats).where(seats.c.table_id == table_id, seats.c.seat == seat, unknown)
            return bool(connection.execute(claimed.values(told=decision)).rowcount)

    def keep_notes(self) -> None:
        """Keep which decisions people have seen, so that other processes know it; what could not be kept stays
        noted."""
        fresh = {key: self._known[key] for key in self._fresh.copy() if key in self._known}
        if not fresh:
            return
        notes = [{"of": of, "by": by, "decision": decision} for (of, by), decision in fresh.items()]
        with writing(self.engine) as connection:
            connection.execute(_KNOW, notes)
        self._fresh -= {key for key, decision in fresh.items() if self._known.get(key) == decision}

    def awaiting(self) -> list[str]:
        """Running tables at which somebody who wants to be told has a seat: whom to tell is looked at anew when the
        site starts."""
        channels = select(seats.c.table_id).join(telling, telling.c.browser == seats.c.browser)
        hooks = select(table_webhooks.c.table_id)
        query = select(tables.c.id).where(
            tables.c.to_act > 0, tables.c.ended.is_(None), tables.c.id.in_(channels.union(hooks))
        )
        with self.engine.connect() as connection:
            return list(connection.scalars(query))


def _ways(row: Any) -> NotificationChannels:
    return NotificationChannels(row.language, row.site, row.push, row.webhook, row.failed)
