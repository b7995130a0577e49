"""At which tables somebody is out of time."""

from sqlalchemy import Engine, func, select, update

from atoll.web.store.engine import writing
from atoll.web.store.schema import tables


def clocks_due(engine: Engine, moment: float) -> list[str] | None:
    """The tables where somebody is out of time, or whose clock is to begin; None where no clock runs at all."""
    with engine.connect() as connection:
        first = connection.scalar(select(func.min(tables.c.clock_due)))
        if first is None or first > moment:
            return None if first is None else []
        return list(connection.scalars(select(tables.c.id).where(tables.c.clock_due <= moment)))


def stop_clock(engine: Engine, table_id: str) -> None:
    """Look no longer at the clock of a table that cannot be played."""
    with writing(engine) as connection:
        connection.execute(update(tables).where(tables.c.id == table_id).values(clock_due=None))
