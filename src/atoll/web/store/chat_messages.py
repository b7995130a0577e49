"""Chat messages at tables."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Engine, delete, insert, select, update

from atoll.web.store.engine import writing
from atoll.web.store.schema import messages, tables
from atoll.web.store.store import now

KEPT = 200
"""Messages of a table that are kept: the last ones."""


@dataclass(frozen=True)
class ChatMessage:
    """A message of a seat, or of a spectator (None): a phrase, or else a text."""

    number: int
    seat: int | None
    name: str | None
    phrase: str | None
    text: str
    made_at: datetime


class ChatMessages:
    """All messages. A new one raises its table's version, so that open pages show it."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def add(self, table_id: str, seat: int | None, name: str | None, phrase: str | None, text: str) -> None:
        """Store a message."""
        here = tables.c.id == table_id
        with writing(self.engine) as connection:
            more = update(tables).where(here)
            connection.execute(more.values(version=tables.c.version + 1, said=tables.c.said + 1))
            number = connection.scalar(select(tables.c.said).where(here))
            if number is None:
                return
            row = {"table_id": table_id, "number": number, "seat": seat, "name": name, "phrase": phrase}
            connection.execute(insert(messages), [{**row, "text": text, "made_at": now()}])
            old = delete(messages).where(messages.c.table_id == table_id)
            connection.execute(old.where(messages.c.number <= number - KEPT))

    def of(self, table_id: str) -> list[ChatMessage]:
        """The messages of a table, the oldest first."""
        query = select(messages).where(messages.c.table_id == table_id).order_by(messages.c.number)
        with self.engine.connect() as connection:
            return [
                ChatMessage(row.number, row.seat, row.name, row.phrase, row.text, row.made_at)
                for row in connection.execute(query)
            ]
