"""Who may ask for hints at a table."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Tables made before give hints to people who are alone against bots."""
    op.add_column("tables", sa.Column("hints", sa.String(16), nullable=False, server_default="alone"))
