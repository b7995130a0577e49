"""Analyses of finished games."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """None is kept yet."""
    op.create_table(
        "analyses",
        sa.Column("game_of", sa.String(48), primary_key=True),
        sa.Column("browser", sa.String(64), nullable=False),
        sa.Column("asked_at", sa.Float, nullable=False),
        sa.Column("looked_at", sa.Float, nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("begun", sa.Integer, nullable=False),
        sa.Column("worker", sa.String(32), nullable=True),
        sa.Column("beat_at", sa.Float, nullable=True),
        sa.Column("done", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("findings", sa.Text, nullable=False),
    )
