"""Leases: which of several processes moves the bots of a table. Exactly one, and another as soon as it has died.

PostgreSQL keeps a lock for each such table (an advisory lock) as long as the process that took it is connected. On
SQLite every process may: that two choose the same move costs time alone, since only one of them is kept.
"""

from hashlib import blake2b
from threading import Lock

from sqlalchemy import Connection, Engine, text


class Leases:
    """Every process may."""

    def take(self, table_id: str) -> bool:
        """Take the lease of a table; whether this process has it now. Does not wait."""
        return True

    def give_back(self, table_id: str) -> None:
        """Let another process."""

    def close(self) -> None:
        """Give all of them back."""


class SharedLeases(Leases):
    """One process at a time, told apart by its connection to PostgreSQL."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Connection | None = None
        self._using = Lock()

    def take(self, table_id: str) -> bool:
        """Whether this process may, as long as it is connected; raises DBAPIError if the database cannot be asked."""
        return self._ask("SELECT pg_try_advisory_lock(:key)", table_id)

    def give_back(self, table_id: str) -> None:
        """Let another process; raises DBAPIError if the database cannot be asked, which then has taken it back."""
        self._ask("SELECT pg_advisory_unlock(:key)", table_id)

    def close(self) -> None:
        """Give all of them back."""
        with self._using:
            self._drop()

    def _ask(self, question: str, table_id: str) -> bool:
        with self._using:
            if self._connection is None:
                self._connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            try:
                return bool(self._connection.scalar(text(question), {"key": key_of(table_id)}))
            except BaseException:
                self._drop()
                raise

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
            self._connection = None


def key_of(table_id: str) -> int:
    """A table's number among PostgreSQL's locks, which have 64 bits with a sign."""
    return int.from_bytes(blake2b(table_id.encode(), digest_size=8).digest(), signed=True)


def leases_in(engine: Engine) -> Leases:
    """The leases of the processes that share a database."""
    return SharedLeases(engine) if engine.dialect.name == "postgresql" else Leases()
