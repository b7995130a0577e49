"""Tables at which somebody asks the others to take something back."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0013"


def upgrade() -> None:
    """Nobody asks."""
    op.add_column("tables", sa.Column("undo_asked", sa.JSON(none_as_null=True), nullable=True))
