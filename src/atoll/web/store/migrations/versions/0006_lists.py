"""What a browser's list of tables shows: the last move and its round, and what is archived."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Of tables made before, the last move and its round become known with the next one."""
    op.add_column("tables", sa.Column("moved_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("tables", sa.Column("round", sa.Integer, nullable=True))
    op.create_table(
        "archived",
        sa.Column("browser", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    )
