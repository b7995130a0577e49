"""Several people at one screen: what each is called, and whose hand is shown."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """At tables made before everybody has a screen."""
    op.add_column("seats", sa.Column("guest", sa.String(100), nullable=True))
    op.add_column("tables", sa.Column("opened", sa.Integer, nullable=True))
