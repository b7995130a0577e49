"""A later migration, planted: a database of today is brought up to date, and games in progress there are played on."""

import random
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Engine, insert, inspect, make_url, text
from sqlalchemy.exc import IntegrityError

from atoll.core.catalogue import find_game
from atoll.testing.playing import state_bytes
from atoll.text.errors import AtollError
from atoll.web.store import migrations
from atoll.web.store.engine import open_engine
from atoll.web.store.migrations import migrate
from atoll.web.store.schema import seats
from atoll.web.store.store import SeatRow, Store
from atoll.web.table.creation import new_table
from atoll.web.table.move_choice import Fields, fields_of
from atoll.web.table.tables import Tables
from tests.postgresql import PostgreSQL
from tests.web.test_store import described, empty

GAME, MOVES = "signs", 3
LATER = """
import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = "{last}"


def upgrade():
    op.add_column("seats", sa.Column("chair", sa.String(16), nullable=False, server_default="stool"))
    with op.batch_alter_table("tables") as table:
        table.alter_column("seed", existing_type=sa.String(32), type_=sa.String(64), existing_nullable=False)
"""
"""A migration as they come: a column more, and one that changes its type, for which SQLite copies the table."""


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """A database as this version of Atoll makes it."""
    if request.param == "SQLite":
        found = empty(tmp_path)
        migrate(found)
        yield found
        return
    with closing(PostgreSQL()) as server:
        found = open_engine(make_url(server.new_database()))
        migrate(found)
        yield found
        found.dispose()


@pytest.fixture
def later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Plants a migration, which is there until this is undone."""
    folder = shutil.copytree(migrations.HERE, tmp_path / "migrations")
    (folder / "versions" / "9999_later.py").write_text(LATER.format(last=migrations.newest()))
    monkeypatch.setattr(migrations, "HERE", folder)
    return monkeypatch


def play(store: Store, table_id: str, count: int | None) -> None:
    """Play so many random moves, or all that are left."""
    table, chance = Tables(store).find(table_id), random.Random(1)
    while not table.timeline.is_over and count != 0:
        seat = table.timeline.to_act[0]
        move = chance.choice(table.timeline.legal_moves(seat))
        fields: Fields = {name: (text,) for name, text in fields_of(move).items()}
        table.answer(seat, table.timeline.decision(seat), fields)
        count = None if count is None else count - 1


def test_a_game_in_progress_is_played_on_after_an_upgrade(
    engine: Engine, later: pytest.MonkeyPatch, games_for_tests: None
) -> None:
    """The same position then, and on to the end of the game; the version before refuses what this one has used."""
    made, store = new_table(find_game(GAME), 2, {}, "fast", None, "0", False, "alone"), Store(engine)
    store.make_table(made, [SeatRow(seat, str(seat)) for seat in range(2)])
    play(store, made.id, MOVES)
    before = state_bytes(Tables(store).find(made.id).timeline.position)
    migrate(engine)
    with engine.connect() as connection:
        assert connection.scalars(text("SELECT chair FROM seats")).all() == ["stool", "stool"]
    [seed] = [column for column in inspect(engine).get_columns("tables") if column["name"] == "seed"]
    assert str(seed["type"]) == "VARCHAR(64)"
    assert state_bytes(Tables(store).find(made.id).timeline.position) == before
    play(store, made.id, None)
    assert Tables(store).find(made.id).timeline.is_over
    with pytest.raises(IntegrityError), engine.begin() as connection:  # SQLite copies without foreign keys
        connection.execute(insert(seats), [{"table_id": "none", "seat": 0}])
    later.undo()
    with pytest.raises(AtollError, match="was used by a later Atoll"):
        migrate(engine)


def test_an_upgrade_that_fails_leaves_the_database_as_it_was(
    engine: Engine, later: pytest.MonkeyPatch
) -> None:
    before = described(engine)

    def fail(*rest: object, **settings: object) -> None:
        raise RuntimeError("no more room")

    with later.context() as patch:
        patch.setattr("alembic.runtime.migration.HeadMaintainer.update_to_step", fail)
        with pytest.raises(RuntimeError):
            migrate(engine)
    assert described(engine) == before
    migrate(engine)
    assert described(engine) != before
