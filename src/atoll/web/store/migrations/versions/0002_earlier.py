"""In which browsers a seat's person played before."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Nobody has moved a seat of which it is known."""
    op.add_column("seats", sa.Column("earlier", sa.JSON(none_as_null=True), nullable=True))
