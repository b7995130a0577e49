"""Databases of every released schema, with a game in progress, migrate and are played on."""

import random
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Engine, MetaData, Table, insert, make_url

from atoll.core.catalogue import find_game
from atoll.testing.playing import state_bytes
from atoll.web.store import migrations
from atoll.web.store.engine import open_engine
from atoll.web.store.migrations import migrate
from atoll.web.store.store import Answer, Store
from atoll.web.table.move_choice import Fields, fields_of
from atoll.web.table.tables import Tables
from tests.postgresql import PostgreSQL
from tests.web.test_store import empty, row

GAME, MOVES = "signs", 3


def keep(engine: Engine, schema: MetaData, name: str, **values: object) -> None:
    """A row with those of the values for which the schema, as far as it has been looked at, has columns."""
    table = Table(name, schema, autoload_with=engine)
    with engine.begin() as connection:
        connection.execute(
            insert(table).values({key: values[key] for key in values.keys() & table.columns.keys()})
        )


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def new_engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[str], Engine]]:
    """Makes an empty database."""
    if request.param == "SQLite":
        yield lambda name: empty(tmp_path, name)
        return
    with closing(PostgreSQL()) as server:
        engine = open_engine(make_url(server.new_database()))

        def empty_again(_: str) -> Engine:
            with engine.begin() as connection:
                connection.exec_driver_sql("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
            return engine

        yield empty_again


def test_a_game_in_progress_in_every_schema_is_played_on(
    new_engine: Callable[[str], Engine], games_for_tests: None
) -> None:
    """Whatever the revision at which it was kept: the same position then, and on to the end of the game."""
    game = find_game(GAME)
    made = row(game=GAME, players=2, components_name=game.components().name)
    made_values = {**vars(made), "components_sha256": game.components().sha256}
    for revision in migrations.revisions():
        engine = new_engine(f"at-{revision}")
        migrate(engine, revision)
        schema = MetaData()
        keep(engine, schema, "tables", **made_values)
        position = game.start(2, int(made.seed, 16), None, keyed=made.keyed)
        chance, decided = random.Random(revision), [0, 0]
        for seat in range(2):
            keep(engine, schema, "seats", table_id=made.id, seat=seat, browser=str(seat))
        for number in range(MOVES):
            seat = position.to_act[0]
            move = chance.choice(list(position.view(seat).legal_moves()))
            keep(
                engine,
                schema,
                "moves",
                table_id=made.id,
                **{"number": number, **vars(Answer(seat, decided[seat], move))},
            )
            decided[seat] += 1
            position.play(seat, move)
        migrate(engine)
        table = Tables(Store(engine)).find(made.id)
        assert state_bytes(table.timeline.position) == state_bytes(position), revision
        while not table.timeline.is_over:
            seat = table.timeline.to_act[0]
            move = chance.choice(table.timeline.legal_moves(seat))
            fields: Fields = {name: (text,) for name, text in fields_of(move).items()}
            table.answer(seat, table.timeline.decision(seat), fields)
        engine.dispose()
