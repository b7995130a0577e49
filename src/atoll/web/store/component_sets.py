"""What the workshop keeps: sets of components by browser, their versions, and what was found out about them."""

import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    Column,
    Connection,
    DateTime,
    Engine,
    Float,
    ForeignKey,
    Integer,
    String,
    Table,
    Text,
    delete,
    func,
    insert,
    select,
    update,
)

from atoll.core.types import Json
from atoll.web.store.engine import writing
from atoll.web.store.schema import metadata
from atoll.web.store.store import Overtaken, now

component_sets = Table(
    "component_sets",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("revision", Integer, nullable=False),  # raised by every change
    Column("browser", String(64), nullable=False, index=True),  # whose it is
    Column("game", String(80), nullable=False),
    Column("name", String(200), nullable=False),
    Column("made_at", DateTime(timezone=True), nullable=False),
    Column("changed_at", DateTime(timezone=True), nullable=False),
    Column("source", Text, nullable=False),  # the file that it began with, for its comments and layout
    Column("draft", JSON, nullable=False),  # the data as they are now
    Column("playable", JSON, nullable=False),  # the last data that the game's checks let pass
)
component_versions = Table(
    "component_versions",
    metadata,
    Column("set_id", String(32), ForeignKey("component_sets.id"), primary_key=True),
    Column("number", Integer, primary_key=True),  # from 1
    Column("made_at", DateTime(timezone=True), nullable=False),
    Column("note", String(200), nullable=False),
    Column("data", JSON, nullable=False),
)
component_trials = Table(
    "component_trials",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("set_id", String(32), ForeignKey("component_sets.id"), nullable=False, index=True),
    Column("made_at", DateTime(timezone=True), nullable=False),
    Column("result", JSON, nullable=False),
)
running_trials = Table(  # what is not over yet, or came to nothing: `ComparisonQueue`
    "running_trials",
    metadata,
    Column("set_id", String(32), ForeignKey("component_sets.id"), primary_key=True),
    Column("id", String(32), nullable=False),
    Column("browser", String(64), nullable=False),  # who asked
    Column("question", JSON, nullable=False),
    Column("asked_at", Float, nullable=False),  # seconds since 1970
    Column("state", String(10), nullable=False),
    Column("done", Integer, nullable=False),
    Column("begun", Integer, nullable=False),  # how many times
    Column("worker", String(32), nullable=True),  # who plays it
    Column("beat_at", Float, nullable=True),  # when that one was last heard
)


@dataclass(frozen=True)
class ComponentSet:
    """A set of components as its browser has it."""

    id: str
    revision: int
    browser: str
    game: str
    name: str
    made_at: datetime
    changed_at: datetime
    source: str
    draft: Json
    playable: Json

    @property
    def is_playable(self) -> bool:
        """Whether the game's checks let the draft pass."""
        return self.draft == self.playable


@dataclass(frozen=True)
class Version:
    """A set as it was kept at some time."""

    number: int
    made_at: datetime
    note: str
    data: Json


@dataclass(frozen=True)
class Trial:
    """What came of a comparison, as `web/workshop/comparisons.py` wrote it."""

    id: str
    made_at: datetime
    result: Json


TRIALS_KEPT = 10
"""Of each set, the latest."""


class ComponentSets:
    """All sets. A change takes the revision that the caller knows, and raises Overtaken if there is a later one."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def make(self, browser: str, game: str, name: str, source: str, data: Json) -> ComponentSet:
        """A new set with its first version."""
        time = now()
        new_set = ComponentSet(
            secrets.token_urlsafe(9), 0, browser, game, name, time, time, source, draft=data, playable=data
        )
        with writing(self.engine) as connection:
            connection.execute(insert(component_sets), [vars(new_set)])
            first = {"set_id": new_set.id, "number": 1, "made_at": time, "note": "", "data": data}
            connection.execute(insert(component_versions), [first])
        return new_set

    def count(self, browser: str) -> int:
        """How many sets a browser has."""
        query = select(func.count()).where(component_sets.c.browser == browser)
        with self.engine.connect() as connection:
            return connection.scalar(query) or 0

    def of(self, browser: str, game: str | None = None) -> list[ComponentSet]:
        """A browser's sets, of one game or of all, the last changed first."""
        query = select(component_sets).where(component_sets.c.browser == browser)
        if game is not None:
            query = query.where(component_sets.c.game == game)
        with self.engine.connect() as connection:
            rows = connection.execute(query.order_by(component_sets.c.changed_at.desc())).mappings()
            return [ComponentSet(**row) for row in rows]

    def names(self, browser: str) -> list[tuple[str, str, str]]:
        """Game, id and name of a browser's sets, the last changed first."""
        columns = component_sets.c
        query = select(columns.game, columns.id, columns.name).where(columns.browser == browser)
        with self.engine.connect() as connection:
            rows = connection.execute(query.order_by(columns.changed_at.desc()))
            return [(row.game, row.id, row.name) for row in rows]

    def find(self, set_id: str, browser: str) -> ComponentSet | None:
        """A browser's set; None if it has no such set."""
        query = select(component_sets).where(
            component_sets.c.id == set_id, component_sets.c.browser == browser
        )
        with self.engine.connect() as connection:
            row = connection.execute(query).mappings().first()
            return None if row is None else ComponentSet(**row)

    def change(self, component_set: ComponentSet, name: str, draft: Json, playable: bool) -> None:
        """Replace the draft; `playable` says that the game's checks let it pass."""
        values: dict[str, Any] = {"name": name, "draft": draft, "changed_at": now()}
        if playable:
            values["playable"] = draft
        query = update(component_sets).where(
            component_sets.c.id == component_set.id, component_sets.c.revision == component_set.revision
        )
        with writing(self.engine) as connection:
            if not connection.execute(query.values(revision=component_set.revision + 1, **values)).rowcount:
                raise Overtaken(component_set.id)

    def versions(self, set_id: str) -> list[Version]:
        """All versions of a set, the first of them first."""
        columns = component_versions.c
        query = select(component_versions).where(columns.set_id == set_id).order_by(columns.number)
        with self.engine.connect() as connection:
            return [Version(row.number, row.made_at, row.note, row.data) for row in connection.execute(query)]

    def keep(self, set_id: str, note: str, data: Json) -> int:
        """Keep the data as the next version, unless the last one is the same; returns its number."""
        columns = component_versions.c
        last = select(component_versions).where(columns.set_id == set_id).order_by(columns.number.desc())
        with writing(self.engine) as connection:
            row = connection.execute(last.limit(1)).first()
            number: int = row.number if row is not None else 0
            if row is not None and row.data == data:
                if note:
                    same = update(component_versions).where(
                        columns.set_id == set_id, columns.number == number
                    )
                    connection.execute(same.values(note=note))
                return number
            values = {"set_id": set_id, "number": number + 1, "made_at": now(), "note": note, "data": data}
            connection.execute(insert(component_versions), [values])
            return number + 1

    def trials(self, set_id: str) -> list[Trial]:
        """What came of the comparisons of a set, the latest first."""
        columns = component_trials.c
        query = select(component_trials).where(columns.set_id == set_id).order_by(columns.made_at.desc())
        with self.engine.connect() as connection:
            return [Trial(row.id, row.made_at, row.result) for row in connection.execute(query)]

    def delete(self, set_id: str) -> None:
        """Delete a set with its versions; tables that were made with it keep what they are played with."""
        with writing(self.engine) as connection:
            for rows in (running_trials, component_trials, component_versions):
                connection.execute(delete(rows).where(rows.c.set_id == set_id))
            connection.execute(delete(component_sets).where(component_sets.c.id == set_id))


def keep_trial(connection: Connection, set_id: str, result: Json) -> None:
    """Keep what came of a comparison; of each set the latest are kept."""
    columns = component_trials.c
    query = select(columns.id).where(columns.set_id == set_id).order_by(columns.made_at.desc())
    values = {"id": secrets.token_urlsafe(9), "set_id": set_id, "made_at": now(), "result": result}
    connection.execute(insert(component_trials), [values])
    latest_ids = list(connection.scalars(query.limit(TRIALS_KEPT)))
    older = delete(component_trials).where(columns.set_id == set_id, columns.id.not_in(latest_ids))
    connection.execute(older)
