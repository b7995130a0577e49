"""Whether who visits a table may take a bot's seat."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Tables made before keep their bots."""
    op.add_column("tables", sa.Column("open_bots", sa.Boolean, nullable=False, server_default=sa.false()))
