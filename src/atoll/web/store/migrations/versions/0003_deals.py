"""Deals that can be checked: a table's key, to which the site commits, and what its players add."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Tables from before have none, and go on as they were dealt."""
    op.add_column("tables", sa.Column("key", sa.String(32), nullable=True))
    op.add_column("tables", sa.Column("contributions", sa.JSON(none_as_null=True), nullable=True))
