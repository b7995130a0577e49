"""What people say at a table, what they agree to, and whether others may watch."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """At tables made before people can talk, and others watch."""
    for name in ("watchable", "chat"):
        op.add_column("tables", sa.Column(name, sa.Boolean, nullable=False, server_default=sa.true()))
    op.add_column("tables", sa.Column("said", sa.Integer, nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("agreed", sa.JSON, nullable=True))
    op.add_column("tables", sa.Column("ended", sa.String(16), nullable=True))
    op.create_table(
        "messages",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("seat", sa.Integer, nullable=True),
        sa.Column("name", sa.String(100), nullable=True),
        sa.Column("phrase", sa.String(16), nullable=True),
        sa.Column("text", sa.String(400), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
    )
