"""Room for a key of chance of 128 bits."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Tables made before keep their seeds of 64 bits."""
    with op.batch_alter_table("tables") as table:
        table.alter_column("seed", existing_type=sa.String(16), type_=sa.String(32), existing_nullable=False)
