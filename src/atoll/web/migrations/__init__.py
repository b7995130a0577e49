"""How the store's tables came to be, step by step (Alembic)."""

from pathlib import Path

from sqlalchemy import Engine


def migrate(engine: Engine, revision: str = "head") -> None:
    """Bring the database to `revision`; does nothing if it is there."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
