"""How the store's tables came to be, step by step (Alembic)."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Column, Connection, Engine, MetaData, String, Table, insert, inspect, select

HERE = Path(__file__).parent
_NOTE = Table("alembic_version", MetaData(), Column("version_num", String(32), primary_key=True))


def migrate(engine: Engine, revision: str | None = None) -> None:
    """Bring the database to `revision`, else to the newest; does nothing if it is there.

    An empty one is made as it is now, and without Alembic, which takes long to import.
    """
    with engine.connect() as connection:
        if revision_of(connection) == (revision or newest()):
            return
    with _free_of_keys(engine) as connection, connection.begin():
        if revision is None and revision_of(connection) is None:
            _make(connection)
        else:
            _upgrade(connection, revision or "head")


@contextmanager
def _free_of_keys(engine: Engine) -> Iterator[Connection]:
    """A connection to write with; on SQLite without foreign keys, since a column changes its type by being copied with
    its whole table, and dropping the old one would be refused.
    """
    with engine.connect().execution_options(writes=True) as connection:
        pragma = engine.dialect.name == "sqlite" and connection.connection.driver_connection
        if pragma:
            pragma.execute("PRAGMA foreign_keys=OFF")
        try:
            yield connection
        finally:
            if pragma:
                pragma.execute("PRAGMA foreign_keys=ON")


def _make(connection: Connection) -> None:
    from atoll.web.store import metadata

    metadata.create_all(connection)
    _NOTE.metadata.create_all(connection)
    connection.execute(insert(_NOTE).values(version_num=newest()))


def _upgrade(connection: Connection, revision: str) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(HERE).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def revision_of(connection: Connection) -> str | None:
    """The revision of a database, from where Alembic notes it; None for an empty one."""
    if not inspect(connection).has_table(_NOTE.name):
        return None
    return connection.scalar(select(_NOTE.c.version_num))


def newest() -> str:
    """The last revision: what the file of each begins with counts them."""
    return max(file.name for file in (HERE / "versions").glob("*_*.py")).partition("_")[0]
