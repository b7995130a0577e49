"""Stored sandboxes, with which any process of the site goes on; kept for a day."""

import time
from collections.abc import Collection
from dataclasses import asdict, dataclass

from sqlalchemy import ColumnElement, Engine, and_, delete, insert, select

from atoll.web.store.engine import writing
from atoll.web.store.schema import tries
from atoll.web.store.store import Answer

KEPT = 24 * 3600.0
"""Seconds for which an unused sandbox is kept."""


@dataclass(frozen=True)
class StoredSandbox:
    """A sandbox: its first position, and what was played there since."""

    stamp: str
    """another after each step"""
    of: int
    """how many lines the table had"""
    rules_version: int
    start: bytes
    """the state of the guessed position"""
    lines: tuple[Answer, ...]
    choices: tuple[Answer, ...]


class SandboxStore:
    """All of them, one for each browser and table."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def read(self, browser: str, table_id: str) -> StoredSandbox | None:
        """A browser's copy of a table; None if there is none."""
        with self.engine.connect() as connection:
            row = connection.execute(select(tries).where(_of(browser, table_id))).first()
        if row is None:
            return None
        lines, choices = (tuple(Answer(**line) for line in entries) for entries in (row.lines, row.choices))
        return StoredSandbox(row.stamp, row.of, row.rules_version, row.start, lines, choices)

    def keep(self, browser: str, table_id: str, sandbox: StoredSandbox) -> None:
        """Keep a copy as it is now, and forget those that have not been used for long."""
        now = time.time()
        row = {**asdict(sandbox), "browser": browser, "table_id": table_id, "used_at": now}
        with writing(self.engine) as connection:
            connection.execute(delete(tries).where(tries.c.used_at < now - KEPT))
            connection.execute(delete(tries).where(_of(browser, table_id)))
            connection.execute(insert(tries), [row])

    def kept(self, names: Collection[str]) -> set[str]:
        """Those of some copies that are kept, by their names."""
        query = select(tries.c.browser, tries.c.table_id).where(
            tries.c.table_id.in_({name.partition(" ")[2] for name in names})
        )
        with self.engine.connect() as connection:
            return {kept_name(row.browser, row.table_id) for row in connection.execute(query)} & set(names)

    def end(self, browser: str, table_id: str) -> None:
        """Throw a copy away."""
        with writing(self.engine) as connection:
            connection.execute(delete(tries).where(_of(browser, table_id)))


def kept_name(browser: str, table_id: str) -> str:
    """What a browser's copy of a table is called where copies are counted."""
    return f"{browser} {table_id}"


def _of(browser: str, table_id: str) -> ColumnElement[bool]:
    return and_(tries.c.browser == browser, tries.c.table_id == table_id)
