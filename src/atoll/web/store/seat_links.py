"""Links that move a seat to another device. Only a digest of what a link says is kept."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Delete, Engine, delete, insert, select

from atoll.web.store.engine import aware, writing
from atoll.web.store.schema import seat_links
from atoll.web.store.store import now


@dataclass(frozen=True)
class SeatLink:
    """The link of a seat: whose seat it was, and the digest of what the link says."""

    seat: int
    browser: str
    digest: str
    made_at: datetime


class SeatLinks:
    """All links; a seat has one at most."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def make(self, table_id: str, seat: int, browser: str, digest: str) -> None:
        """Keep a link, in place of an earlier one of that seat."""
        with writing(self.engine) as connection:
            connection.execute(_of(table_id, seat))
            row = {"table_id": table_id, "seat": seat, "browser": browser, "digest": digest, "made_at": now()}
            connection.execute(insert(seat_links), [row])

    def of(self, table_id: str) -> list[SeatLink]:
        """The links of a table's seats."""
        query = select(seat_links).where(seat_links.c.table_id == table_id)
        with self.engine.connect() as connection:
            return [
                SeatLink(row.seat, row.browser, row.digest, aware(row.made_at))
                for row in connection.execute(query)
            ]

    def take(self, table_id: str, link: SeatLink) -> bool:
        """Use a link up; False if somebody else did."""
        with writing(self.engine) as connection:
            used = _of(table_id, link.seat).where(seat_links.c.digest == link.digest)
            return bool(connection.execute(used).rowcount)

    def revoke(self, table_id: str, seat: int) -> None:
        """Let the link of a seat lead nowhere."""
        with writing(self.engine) as connection:
            connection.execute(_of(table_id, seat))


def _of(table_id: str, seat: int) -> Delete:
    return delete(seat_links).where(seat_links.c.table_id == table_id, seat_links.c.seat == seat)
