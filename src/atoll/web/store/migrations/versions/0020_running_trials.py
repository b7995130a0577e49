"""Comparisons of the workshop that wait, are played or came to nothing."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """None so far."""
    op.create_table(
        "running_trials",
        sa.Column("set_id", sa.String(32), sa.ForeignKey("component_sets.id"), primary_key=True),
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("browser", sa.String(64), nullable=False),
        sa.Column("question", sa.JSON, nullable=False),
        sa.Column("asked_at", sa.Float, nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("done", sa.Integer, nullable=False),
        sa.Column("begun", sa.Integer, nullable=False),
        sa.Column("worker", sa.String(32), nullable=True),
        sa.Column("beat_at", sa.Float, nullable=True),
    )
