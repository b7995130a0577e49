"""Tables at which a finished game is played on from a position in its middle."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Tables made before begin at the beginning."""
    op.add_column("tables", sa.Column("branched_from", sa.String(32), nullable=True))
    op.add_column("tables", sa.Column("branched_at", sa.Integer, nullable=True))
