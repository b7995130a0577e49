"""How the store's tables came to be, step by step (Alembic)."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Column, Connection, Engine, MetaData, String, Table, insert, inspect, select

from atoll.text.errors import AtollError
from atoll.text.messages import Message
from atoll.web.store.engine import to_write

HERE = Path(__file__).parent
_NOTE = Table("alembic_version", MetaData(), Column("version_num", String(32), primary_key=True))


def migrate(engine: Engine, revision: str | None = None) -> None:
    """Bring the database to `revision`, else to the newest; does nothing if it is there.

    An empty one is made as it is now, and without Alembic, which takes long to import. Raises AtollError for one of a
    later Atoll or of something else, and changes nothing.
    """
    with engine.connect() as connection:
        if revision_of(connection) == (revision or newest()):
            return
        check_origin(connection)
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
    with to_write(engine) as connection:
        pragma = engine.dialect.name == "sqlite" and connection.connection.driver_connection
        if pragma:
            pragma.execute("PRAGMA foreign_keys=OFF")
        try:
            yield connection
        finally:
            if pragma:
                pragma.execute("PRAGMA foreign_keys=ON")


def check_origin(connection: Connection) -> None:
    """Raise AtollError for a database that this Atoll, or an earlier one, did not make."""
    import atoll.web.store.component_sets  # noqa: F401, its tables
    from atoll.web.store.schema import metadata

    found, name = revision_of(connection), connection.engine.url.database
    if found is None and metadata.tables.keys() & set(inspect(connection).get_table_names()):
        raise AtollError(
            Message(
                "the database %(name)s has tables of something else: let ATOLL_DATABASE_URL name another, or none",
                name=name,
            )
        )
    if found is not None and found not in revisions():
        raise AtollError(
            Message(
                "the database %(name)s was used by a later Atoll (its tables are of revision %(found)s, this one "
                "knows %(known)s): start that one, or let ATOLL_DATABASE_URL name another",
                name=name,
                found=found,
                known=newest(),
            )
        )


def _make(connection: Connection) -> None:
    import atoll.web.store.component_sets  # noqa: F401, its tables
    from atoll.web.store.schema import metadata

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


def revisions() -> list[str]:
    """All revisions, the last one last: what the file of each begins with counts them."""
    return sorted(file.name.partition("_")[0] for file in (HERE / "versions").glob("*_*.py"))


def newest() -> str:
    """The last revision."""
    return revisions()[-1]
