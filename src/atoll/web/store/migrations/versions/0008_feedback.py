"""What people say of a game is called feedback."""

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """What was said before stays."""
    op.execute("ALTER TABLE seats RENAME COLUMN answer TO feedback")
