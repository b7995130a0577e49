"""What the site knows of a browser's person: the name."""

from collections.abc import Iterable

from sqlalchemy import Engine, delete, insert, select, update

from atoll.web.store.engine import writing
from atoll.web.store.schema import people, seats, tables


class People:
    """The people, each known by a browser."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def name(self, browser: str) -> str | None:
        """What its person is called, if that was said."""
        return self.names([browser]).get(browser)

    def names(self, browsers: Iterable[str]) -> dict[str, str]:
        """The names of those that have one."""
        query = select(people.c.browser, people.c.name).where(people.c.browser.in_(list(browsers)))
        with self.engine.connect() as connection:
            return {row.browser: row.name for row in connection.execute(query)}

    def rename(self, browser: str, name: str | None) -> list[str]:
        """Call a browser's person otherwise, or no longer by a name; returns the tables that show it."""
        mine = select(seats.c.table_id).where(seats.c.browser == browser)
        with writing(self.engine) as connection:
            connection.execute(delete(people).where(people.c.browser == browser))
            if name is not None:
                connection.execute(insert(people), [{"browser": browser, "name": name}])
            table_ids = list(connection.scalars(mine))
            their_tables = update(tables).where(tables.c.id.in_(mine))
            connection.execute(their_tables.values(version=tables.c.version + 1))
        return table_ids
