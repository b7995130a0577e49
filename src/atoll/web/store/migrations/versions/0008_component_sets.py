"""What the workshop keeps: sets of components by browser, their versions, and what was found out about them."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Three new tables."""
    op.create_table(
        "component_sets",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("browser", sa.String(64), nullable=False, index=True),
        sa.Column("game", sa.String(80), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("draft", sa.JSON, nullable=False),
        sa.Column("playable", sa.JSON, nullable=False),
    )
    op.create_table(
        "component_versions",
        sa.Column("set_id", sa.String(32), sa.ForeignKey("component_sets.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("note", sa.String(200), nullable=False),
        sa.Column("data", sa.JSON, nullable=False),
    )
    op.create_table(
        "component_trials",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("set_id", sa.String(32), sa.ForeignKey("component_sets.id"), nullable=False, index=True),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("result", sa.JSON, nullable=False),
    )
