"""Games that reports may count, and what people say of them at the end."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Nobody has said that a game before may be counted."""
    for name in ("counted", "asks"):
        op.add_column("tables", sa.Column(name, sa.Boolean, nullable=True))
    op.add_column("seats", sa.Column("answer", sa.JSON, nullable=True))
