"""What a seat's person lets be done again and again."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Nothing so far."""
    op.add_column("seats", sa.Column("program", sa.JSON, nullable=True))
