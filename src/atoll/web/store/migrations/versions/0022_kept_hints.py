"""The hint that a seat's person has asked for, which was in a process's memory before."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    """None so far."""
    op.add_column("seats", sa.Column("hint", sa.JSON, nullable=True))
