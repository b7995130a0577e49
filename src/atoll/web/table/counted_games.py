"""Finished games that reports may count, as records without names."""

from collections.abc import Iterator

from atoll.bots import RECORDED_BOT
from atoll.core.records import encode
from atoll.web.refusal import Refusal
from atoll.web.store.store import Store
from atoll.web.table.table_record import whole_record
from atoll.web.table.tables import Tables


def counted_games(store: Store, game: str) -> Iterator[str | None]:
    """The records of a game that its tables' makers let reports count, with seats for names; None for one whose rules
    or components are no longer here, and for today's deal.
    """
    tables = Tables(store)
    for table_id in store.counted(game):
        try:
            table = tables.find(table_id)
        except Refusal:
            yield None
            continue
        with table.lock:
            names = [
                RECORDED_BOT + one.bot if one.bot is not None else str(one.seat + 1)
                for one in table.seating.seats
            ]
            yield encode(whole_record(table, names)) if table.tells_all else None
