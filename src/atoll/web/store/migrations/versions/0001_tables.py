"""The tables of the first release."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make them all."""
    op.create_table(
        "component_sets",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("browser", sa.String(64), nullable=False, index=True),
        sa.Column("game", sa.String(80), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("draft", sa.JSON, nullable=False),
        sa.Column("playable", sa.JSON, nullable=False),
    )
    op.create_table(
        "people",
        sa.Column("browser", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(100), nullable=False),
    )
    op.create_table(
        "results",
        sa.Column("browser", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("game", sa.String(80), nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("points", sa.JSON, nullable=False),
        sa.Column("against", sa.JSON, nullable=False),
    )
    op.create_table(
        "site_time",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("ran_at", sa.Float, nullable=False),
        sa.Column("down", sa.Float, nullable=False),
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("maker", sa.String(64), nullable=False, index=True),
        sa.Column("game", sa.String(80), nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("components_name", sa.String(200), nullable=False),
        sa.Column("components_sha256", sa.String(64), nullable=False),
        sa.Column("components_data", sa.JSON, nullable=True),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("seed", sa.String(32), nullable=False),
        sa.Column("pace", sa.String(16), nullable=False),
        sa.Column("to_act", sa.Integer, nullable=True),
        sa.Column("next", sa.String(32), nullable=True),
        sa.Column("open_bots", sa.Boolean, nullable=False),
        sa.Column("hints", sa.String(16), nullable=False),
        sa.Column("moved_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("round", sa.Integer, nullable=True),
        sa.Column("lesson", sa.String(40), nullable=True),
        sa.Column("branched_from", sa.String(32), nullable=True),
        sa.Column("branched_at", sa.Integer, nullable=True),
        sa.Column("undo_asked", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("clock", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("clock_state", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("clock_due", sa.Float, nullable=True, index=True),
        sa.Column("waiting", sa.Boolean, nullable=False),
        sa.Column("watchable", sa.Boolean, nullable=False),
        sa.Column("chat", sa.Boolean, nullable=False),
        sa.Column("said", sa.Integer, nullable=False),
        sa.Column("agreed", sa.JSON, nullable=True),
        sa.Column("ended", sa.String(16), nullable=True),
        sa.Column("opened", sa.Integer, nullable=True),
        sa.Column("public", sa.Boolean, nullable=False),
    )
    op.create_table(
        "telling",
        sa.Column("browser", sa.String(64), primary_key=True),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("site", sa.String(200), nullable=False),
        sa.Column("push", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("webhook", sa.String(500), nullable=True),
        sa.Column("failed", sa.Integer, nullable=False),
    )
    op.create_table(
        "uploads",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("browser", sa.String(64), nullable=False, index=True),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("game", sa.String(80), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_table(
        "archived",
        sa.Column("browser", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    )
    op.create_table(
        "choices",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("decision", sa.Integer, nullable=False),
        sa.Column("move", sa.JSON, nullable=False),
    )
    op.create_table(
        "component_trials",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("set_id", sa.String(32), sa.ForeignKey("component_sets.id"), nullable=False, index=True),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("result", sa.JSON, nullable=False),
    )
    op.create_table(
        "component_versions",
        sa.Column("set_id", sa.String(32), sa.ForeignKey("component_sets.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("note", sa.String(200), nullable=False),
        sa.Column("data", sa.JSON, nullable=False),
    )
    op.create_table(
        "messages",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("seat", sa.Integer, nullable=True),
        sa.Column("name", sa.String(100), nullable=True),
        sa.Column("phrase", sa.String(16), nullable=True),
        sa.Column("text", sa.String(400), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "moves",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("decision", sa.Integer, nullable=False),
        sa.Column("move", sa.JSON, nullable=False),
        sa.UniqueConstraint("table_id", "seat", "decision"),
    )
    op.create_table(
        "running_trials",
        sa.Column("set_id", sa.String(32), sa.ForeignKey("component_sets.id"), primary_key=True),
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("browser", sa.String(64), nullable=False),
        sa.Column("question", sa.JSON, nullable=False),
        sa.Column("asked_at", sa.Float, nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("done", sa.Integer, nullable=False),
        sa.Column("begun", sa.Integer, nullable=False),
        sa.Column("worker", sa.String(32), nullable=True),
        sa.Column("beat_at", sa.Float, nullable=True),
    )
    op.create_table(
        "seat_links",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("browser", sa.String(64), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "seats",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("browser", sa.String(64), nullable=True, index=True),
        sa.Column("bot", sa.String(80), nullable=True),
        sa.Column("guest", sa.String(100), nullable=True),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("away_until", sa.String(10), nullable=True),
        sa.Column("program", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("hint", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("told", sa.Integer, nullable=True),
    )
    op.create_table(
        "table_webhooks",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("site", sa.String(200), nullable=False),
        sa.Column("webhook", sa.String(500), nullable=False),
        sa.Column("failed", sa.Integer, nullable=False),
    )
    op.create_table(
        "tries",
        sa.Column("browser", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("stamp", sa.String(16), nullable=False),
        sa.Column("used_at", sa.Float, nullable=False),
        sa.Column("of", sa.Integer, nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("start", sa.LargeBinary, nullable=False),
        sa.Column("lines", sa.JSON, nullable=False),
        sa.Column("choices", sa.JSON, nullable=False),
    )
