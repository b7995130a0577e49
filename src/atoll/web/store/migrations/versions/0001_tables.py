"""Tables, seats, moves and choices."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "tables",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("maker", sa.String(64), nullable=False),
        sa.Column("game", sa.String(80), nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("components_name", sa.String(200), nullable=False),
        sa.Column("components_sha256", sa.String(64), nullable=False),
        sa.Column("components_data", sa.JSON, nullable=True),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("seed", sa.String(16), nullable=False),
        sa.Column("pace", sa.String(16), nullable=False),
        sa.Column("to_act", sa.Integer, nullable=True),
        sa.Column("next", sa.String(32), nullable=True),
    )
    op.create_table(
        "seats",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("browser", sa.String(64), nullable=True, index=True),
        sa.Column("bot", sa.String(80), nullable=True),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=True),
    )
    op.create_table(
        "moves",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("decision", sa.Integer, nullable=False),
        sa.Column("move", sa.JSON, nullable=False),
        sa.UniqueConstraint("table_id", "seat", "decision"),
    )
    op.create_table(
        "choices",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("decision", sa.Integer, nullable=False),
        sa.Column("move", sa.JSON, nullable=False),
    )
