"""Copies of tables on which people try moves out, which were in a process's memory before."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """None so far."""
    op.create_table(
        "tries",
        sa.Column("browser", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("stamp", sa.String(16), nullable=False),
        sa.Column("used_at", sa.Float, nullable=False),
        sa.Column("of", sa.Integer, nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("start", sa.LargeBinary, nullable=False),
        sa.Column("lines", sa.JSON, nullable=False),
        sa.Column("choices", sa.JSON, nullable=False),
    )
