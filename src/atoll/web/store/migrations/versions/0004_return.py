"""Whole browsers instead of seats go to other devices; deals of the day; tables that bots fill up after a while."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Links of seats that were not used yet lead nowhere; seats that went to other devices stay there."""
    op.drop_table("seat_links")
    op.create_table(
        "devices",
        sa.Column("browser", sa.String(64), primary_key=True),
        sa.Column("person", sa.String(64), nullable=False, index=True),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "device_codes",
        sa.Column("person", sa.String(64), primary_key=True),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("settings", sa.JSON, nullable=False),
    )
    op.create_table(
        "daily_deals",
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("game", sa.String(80), primary_key=True),
        sa.Column("seed", sa.String(32), nullable=False),
    )
    op.create_table(
        "daily_games",
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("game", sa.String(80), primary_key=True),
        sa.Column("browser", sa.String(64), primary_key=True, index=True),
        sa.Column("table_id", sa.String(32), nullable=False),
    )
    op.add_column("tables", sa.Column("daily", sa.String(10), nullable=True))
    op.add_column("tables", sa.Column("begins_at", sa.Float, nullable=True))
    op.create_index("ix_tables_begins_at", "tables", ["begins_at"])
