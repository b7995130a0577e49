"""What people answered to puzzles."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Nobody has answered any yet."""
    op.create_table(
        "puzzle_answers",
        sa.Column("browser", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(80), primary_key=True),
        sa.Column("puzzle", sa.String(64), primary_key=True, index=True),
        sa.Column("answer", sa.JSON, nullable=False),
        sa.Column("first_right", sa.Boolean, nullable=False),
        sa.Column("right", sa.Boolean, nullable=False),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("due", sa.String(10), nullable=True),
        sa.Column("first_at", sa.DateTime(timezone=True), nullable=False),
    )
