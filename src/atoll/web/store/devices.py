"""Which browsers are used by the person of another one, and the codes that let one be. Of a code its digest is kept."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, Engine, delete, insert, or_, select, update

from atoll.web.store.engine import aware, writing
from atoll.web.store.schema import device_codes, devices, seats, tables, telling
from atoll.web.store.store import now

GOOD_FOR = timedelta(minutes=10)
"""How long a code leads somewhere."""
_UNFINISHED = tables.c.to_act.is_(None) | (tables.c.to_act != 0)


@dataclass(frozen=True)
class Device:
    """A browser that is used by the person of another one."""

    browser: str
    person: str
    made_at: datetime


class Devices:
    """All browsers that are used by the person of another one, who is known by that other browser's name."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def person_of(self, browser: str) -> str | None:
        """By which other browser's name the person is known who uses this one; None for its own."""
        with self.engine.connect() as connection:
            return connection.scalar(select(devices.c.person).where(devices.c.browser == browser))

    def of(self, person: str) -> list[Device]:
        """The other browsers that a person uses, the oldest first."""
        query = select(devices).where(devices.c.person == person).order_by(devices.c.made_at)
        with self.engine.connect() as connection:
            return [Device(row.browser, row.person, aware(row.made_at)) for row in connection.execute(query)]

    def make_code(self, person: str, digest: str, settings: Mapping[str, str]) -> None:
        """Keep a code of that digest, in place of an earlier one of the person."""
        row = {"person": person, "digest": digest, "made_at": now(), "settings": dict(settings)}
        with writing(self.engine) as connection:
            connection.execute(delete(device_codes).where(device_codes.c.person == person))
            connection.execute(insert(device_codes), [row])

    def owner(self, digest: str) -> str | None:
        """Whose code that is; None for one that leads nowhere, or no longer."""
        with self.engine.connect() as connection:
            row = connection.execute(select(device_codes).where(device_codes.c.digest == digest)).first()
        return None if row is None or now() - aware(row.made_at) > GOOD_FOR else row.person

    def use(self, digest: str, browser: str) -> dict[str, str] | None:
        """Let the code's person use a browser, and the code lead nowhere any more; returns the settings that go along,
        None if somebody else was first.
        """
        with writing(self.engine) as connection:
            row = connection.execute(select(device_codes).where(device_codes.c.digest == digest)).first()
            if row is None:
                return None
            taken = delete(device_codes).where(device_codes.c.digest == digest)
            if not connection.execute(taken).rowcount:
                return None
            values = {"browser": browser, "person": row.person, "made_at": now()}
            connection.execute(insert(devices), [values])
            return dict(row.settings)

    def meet(self, browser: str, person: str) -> bool:
        """Whether both have a seat in one game that goes on, or have seen the hands there."""
        mine = select(seats.c.table_id).where(seats.c.browser == browser)
        query = select(seats.c.browser, seats.c.earlier).where(
            seats.c.table_id.in_(mine), seats.c.table_id == tables.c.id, _UNFINISHED
        )
        theirs = {person, *(device.browser for device in self.of(person))}
        with self.engine.connect() as connection:
            rows = connection.execute(query).all()
        return any({row.browser, *(row.earlier or ())} & theirs for row in rows)

    def end(self, person: str, browser: str | None = None) -> list[str]:
        """Give that browser, or all that the person uses besides the own one, back to whom they were; codes lead
        nowhere. Returns the person's tables, whose pages have to look anew.

        In games that go on they are noted as browsers that have seen the hand.
        """
        with writing(self.engine) as connection:
            theirs = devices.c.person == person
            if browser is not None:
                theirs &= devices.c.browser == browser
            ended = list(connection.scalars(select(devices.c.browser).where(theirs)))
            connection.execute(delete(devices).where(theirs))
            connection.execute(delete(device_codes).where(device_codes.c.person == person))
            _note_seen(connection, person, ended)
            row = connection.execute(select(telling).where(telling.c.browser == person)).first()
            if row is not None and row.push is not None and row.push.get("device") in ended:
                connection.execute(update(telling).where(telling.c.browser == person).values(push=None))
            mine = select(seats.c.table_id).where(seats.c.browser == person)
            table_ids = list(connection.scalars(mine))
            their_tables = update(tables).where(tables.c.id.in_(mine))
            connection.execute(their_tables.values(version=tables.c.version + 1))
        return table_ids


def _note_seen(connection: Connection, person: str, browsers: Iterable[str]) -> None:
    """Note in the person's seats of games that go on that these browsers have seen the hand."""
    query = select(seats.c.table_id, seats.c.seat, seats.c.earlier).where(
        seats.c.browser == person, seats.c.table_id == tables.c.id, _UNFINISHED, ~tables.c.waiting
    )
    for row in connection.execute(query).all():
        earlier = [*(row.earlier or ()), *(b for b in browsers if b not in (row.earlier or ()))]
        whose = (seats.c.table_id == row.table_id) & (seats.c.seat == row.seat)
        connection.execute(update(seats).where(whose).values(earlier=earlier or None))


def browsers_of(engine: Engine, browser: str) -> set[str]:
    """The browsers of the person who is known by this one, and of whom it is used by."""
    query = select(devices).where(or_(devices.c.browser == browser, devices.c.person == browser))
    with engine.connect() as connection:
        return {browser, *(name for row in connection.execute(query) for name in (row.browser, row.person))}
