"""Clocks at tables, the time by which they go, and notes of people who are away."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Tables made before have no clock."""
    op.add_column("tables", sa.Column("clock", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("tables", sa.Column("clock_state", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("tables", sa.Column("clock_due", sa.Float, nullable=True))
    op.create_index("ix_tables_clock_due", "tables", ["clock_due"])
    op.add_column("seats", sa.Column("away_until", sa.String(10), nullable=True))
    op.create_table(
        "site_time",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("ran_at", sa.Float, nullable=False),
        sa.Column("down", sa.Float, nullable=False),
    )
