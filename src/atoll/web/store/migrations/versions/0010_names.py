"""What people are called, by browser."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """A new table."""
    op.create_table(
        "people",
        sa.Column("browser", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(100), nullable=False),
    )
