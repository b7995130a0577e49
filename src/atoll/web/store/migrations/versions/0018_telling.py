"""How people are told that it is their turn."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Nobody has asked to be told so far."""
    op.create_table(
        "telling",
        sa.Column("browser", sa.String(64), primary_key=True),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("site", sa.String(200), nullable=False),
        sa.Column("push", sa.JSON, nullable=True),
        sa.Column("webhook", sa.String(500), nullable=True),
        sa.Column("failed", sa.Integer, nullable=False),
    )
    op.create_table(
        "table_webhooks",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("site", sa.String(200), nullable=False),
        sa.Column("webhook", sa.String(500), nullable=False),
        sa.Column("failed", sa.Integer, nullable=False),
    )
    op.add_column("seats", sa.Column("told", sa.Integer, nullable=True))
