"""An index of who made a table, for a browser's list and how many tables it may make."""

from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """SQLite and PostgreSQL alike."""
    op.create_index("ix_tables_maker", "tables", ["maker"])
