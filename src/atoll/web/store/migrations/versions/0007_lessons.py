"""Tables at which a lesson is played."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Tables made before have none."""
    op.add_column("tables", sa.Column("lesson", sa.String(40), nullable=True))
