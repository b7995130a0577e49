"""What the site keeps: tables, who sits there, and the moves that were played, in SQLite or PostgreSQL.

The database is the one that `ATOLL_DATABASE_URL` names, else the file `atoll.sqlite` in the data folder. Everything
that changes a table raises its `version` in the same transaction, so that any process sees that it has to catch up.
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    Connection,
    Engine,
    Select,
    bindparam,
    delete,
    func,
    insert,
    select,
    union,
    update,
)

from atoll.core.types import Json
from atoll.engine.commitments import KEY_DIGITS
from atoll.web.refusal import Refusal
from atoll.web.store.engine import writing
from atoll.web.store.history import Result, keep_results
from atoll.web.store.schema import (
    OF_A_TABLE,
    analyses,
    archived,
    choices,
    daily_games,
    moves,
    people,
    seats,
    tables,
)
from atoll.web.store.site_time import SiteTime

# What every move takes, made once: SQLAlchemy takes longer to make a statement than SQLite to carry it out
_VERSION = select(tables.c.version).where(tables.c.id == bindparam("of"))
_CHANGE = update(tables).where(tables.c.id == bindparam("of"), tables.c.version == bindparam("known"))
_CHANGE_AND_TELL = _CHANGE.returning(func.pg_notify(bindparam("channel"), bindparam("what")))
_APPEND = insert(moves)
_CHOOSE = insert(choices)
_FORGET = delete(choices).where(choices.c.table_id == bindparam("of"), choices.c.seat == bindparam("by"))
_SEEN = (
    update(seats)
    .where(seats.c.table_id == bindparam("of"), seats.c.seat == bindparam("by"))
    .values(seen_at=bindparam("seen"))
)
_BEGUN = (
    update(tables)
    .where(tables.c.id == bindparam("of"), tables.c.to_act.is_(None))
    .values(to_act=bindparam("deciding"))
)
_FORGET_ALL = delete(choices).where(choices.c.table_id == bindparam("of"))
_SITTING = (
    select(seats, people.c.name).outerjoin(people, people.c.browser == seats.c.browser).order_by(seats.c.seat)
)
_UNFINISHED = tables.c.to_act.is_(None) | (tables.c.to_act != 0)
_FREE = select(seats.c.table_id).where(seats.c.browser.is_(None), seats.c.bot.is_(None))
_OFFERED = tables.c.public & _UNFINISHED & tables.c.id.in_(_FREE)


@dataclass(frozen=True)
class TableRow:
    """A table as it was made, with the little that can change."""

    id: str
    version: int
    made_at: datetime
    maker: str
    game: str
    rules_version: int
    components_name: str
    components_sha256: str
    components_data: Json | None
    options: dict[str, bool]
    players: int
    seed: str
    pace: str
    to_act: int | None = None
    next: str | None = None
    open_bots: bool = False
    hints: str = "alone"
    lesson: str | None = None
    branched_from: str | None = None
    branched_at: int | None = None
    undo_asked: Json | None = None
    clock: Json | None = None
    clock_state: Json | None = None
    clock_due: float | None = None
    waiting: bool = False
    public: bool = False
    opened: int | None = None
    watchable: bool = True
    chat: bool = True
    said: int = 0
    agreed: Json | None = None
    ended: str | None = None
    key: str | None = None
    contributions: list[str | None] | None = None
    daily: str | None = None
    begins_at: float | None = None
    counted: bool = False
    """whether reports may count its game, without names"""
    asks: bool = False
    """whether its people are asked about it at the end"""

    @property
    def keyed(self) -> bool:
        """Whether `seed` is a key; a lesson's table is dealt by the seed of 64 bits that the lesson names."""
        return len(self.seed) == KEY_DIGITS

    @property
    def is_over(self) -> bool:
        """Whether the game is over, by the rules that played it."""
        return self.to_act == 0 and self.ended is None


@dataclass(frozen=True)
class SeatRow:
    """Who sits there: a browser, a bot, nobody, or a browser for which a bot plays until it wants to play itself."""

    seat: int
    browser: str | None = None
    bot: str | None = None
    seen_at: datetime | None = None
    guest: str | None = None
    """the name, which may be empty, of who plays at that browser's screen besides its own person; None for that one"""
    name: str | None = None
    """of who plays there; the browser's own person's is read with the seat and kept elsewhere"""
    away_until: str | None = None
    """the day until which that person is away, such as 2026-08-31"""
    program: Json | None = None
    """what that person lets be done: its `name`, and `since` how many moves"""
    hint: Json | None = None
    """the last hint that was asked for: after how many lines (`played`), and `moves` with their chances to win"""
    earlier: list[str] | None = None
    """browsers in which that person has played here before, and has seen the hand"""
    feedback: Json | None = None
    """what that person said of the game at the end: its `fun`, from 1 to 5, and what was `confusing`"""

    def stored(self, table_id: str) -> dict[str, Any]:
        """Its row in the database."""
        columns = {name: value for name, value in vars(self).items() if name != "name"}
        return {"table_id": table_id, **columns}


@dataclass(frozen=True)
class Answer:
    """A seat's answer to one of its decisions."""

    seat: int
    decision: int
    move: Json


@dataclass(frozen=True)
class Contents:
    """Everything about a table that can have changed."""

    row: TableRow
    seats: tuple[SeatRow, ...]
    choices: tuple[Answer, ...]
    moves: tuple[Answer, ...]


@dataclass(frozen=True)
class ListedTable:
    """A table in a browser's list, and whether that browser has archived it."""

    row: TableRow
    seats: tuple[SeatRow, ...]
    archived: bool
    moved_at: datetime | None
    """when somebody last decided; None where nobody has"""
    round: int | None
    """of the last move; 0 in games without rounds, None where nobody has moved"""


LISTED = ("moved_at", "round")
"""Columns of a table that only lists show."""


class Overtaken(Exception):
    """Somebody else changed the table first; nothing was written."""


class Gone(Refusal):
    """A stored table whose rules, game or components are no longer here; its `record` can still be downloaded."""

    def __init__(self, text: str, row: TableRow) -> None:
        super().__init__(410, text)
        self.game = row.game
        self.record = f"/tables/{row.id}/record"
        self.is_over = row.is_over


CHANNEL = "atoll"
"""Where PostgreSQL tells of changes: a table and its version, as soon as both can be read."""


class Store:
    """All tables.

    What changes a table takes the version that the caller knows, and raises Overtaken if there is a later one.

    Looking writes nothing: what it finds out is noted in memory, read as if it were kept, and kept by `keep_notes`.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.tells = engine.dialect.name == "postgresql"
        """whether the database tells all processes of a change, by CHANNEL"""
        self.time = SiteTime(engine)
        self.changed: set[str] = set()  # by this process, until somebody takes them out
        self._seen: dict[tuple[str, int], datetime] = {}
        self._begun: dict[str, int] = {}
        self._kept_seen: dict[tuple[str, int], datetime] = {}
        self._kept_begun: dict[str, int] = {}
        """what the last `keep_notes` has kept of these two"""

    @contextmanager
    def _changing(self, table_id: str, version: int, **values: Any) -> Iterator[Connection]:
        """A transaction that takes a table from `version` to the next; raises Overtaken if it is not there."""
        values |= {"of": table_id, "known": version, "version": version + 1}
        if self.tells:  # which happens once it is committed
            values |= {"channel": CHANNEL, "what": f"{table_id} {version + 1}"}
        with writing(self.engine) as connection:
            if not connection.execute(_CHANGE_AND_TELL if self.tells else _CHANGE, values).rowcount:
                raise Overtaken(table_id)
            yield connection
        self.changed.add(table_id)

    def make_table(self, row: TableRow, occupant: Iterable[SeatRow]) -> None:
        """Keep a new table. One of a day's deal takes its maker's one try at it: a second one raises IntegrityError."""
        with writing(self.engine) as connection:
            if row.daily is not None:
                played = {"day": row.daily, "game": row.game, "browser": row.maker, "table_id": row.id}
                connection.execute(insert(daily_games), [played])
            self._insert(connection, row, occupant)

    def _insert(self, connection: Connection, row: TableRow, occupant: Iterable[SeatRow]) -> None:
        connection.execute(insert(tables), [vars(row)])
        connection.execute(insert(seats), [seat.stored(row.id) for seat in occupant])

    def version(self, table_id: str) -> int | None:
        """The version of a table; None if there is no such table."""
        with self.engine.connect() as connection:
            return connection.scalar(_VERSION, {"of": table_id})

    def versions(self, table_ids: Iterable[str]) -> dict[str, int]:
        """The versions of some tables."""
        query = select(tables.c.id, tables.c.version).where(tables.c.id.in_(list(table_ids)))
        with self.engine.connect() as connection:
            return {row.id: row.version for row in connection.execute(query)}

    def row(self, table_id: str) -> TableRow | None:
        """A table as it was made; None if there is no such table."""
        with self.engine.connect() as connection:
            return self._find_row(connection, table_id)

    def read(self, table_id: str, moves_known: int = 0) -> Contents | None:
        """A table and its moves from number `moves_known` on; None if there is no such table."""
        with self.engine.connect() as connection:
            row_and_seats = self._read_seats(connection, table_id)
            if row_and_seats is None:
                return None
            choices_query = select(choices).where(choices.c.table_id == table_id).order_by(choices.c.seat)
            moves_query = select(moves).where(moves.c.table_id == table_id, moves.c.number >= moves_known)
            return Contents(
                *row_and_seats,
                self._answers(connection, choices_query),
                self._answers(connection, moves_query.order_by(moves.c.number)),
            )

    def _read_seats(
        self, connection: Connection, table_id: str
    ) -> tuple[TableRow, tuple[SeatRow, ...]] | None:
        """A table and who sits there; None if there is no such table."""
        row = self._find_row(connection, table_id)
        return None if row is None else (row, self._seats(connection, table_id))

    def _find_row(self, connection: Connection, table_id: str) -> TableRow | None:
        columns = connection.execute(select(tables).where(tables.c.id == table_id)).mappings().first()
        return None if columns is None else self._row(columns)

    def _seats(self, connection: Connection, table_id: str) -> tuple[SeatRow, ...]:
        occupant = _SITTING.where(seats.c.table_id == table_id)
        return tuple(
            seat_row(seat, self._seen.get((table_id, seat.seat))) for seat in connection.execute(occupant)
        )

    def _listed(self, values: Mapping[Any, Any], occupant: Sequence[SeatRow], archived: bool) -> ListedTable:
        columns = {name: values[name] for name in LISTED}
        return ListedTable(self._row(values), tuple(occupant), archived, **columns)

    def _row(self, values: Mapping[Any, Any]) -> TableRow:
        row = TableRow(**{name: value for name, value in values.items() if name not in LISTED})
        return row if row.to_act is not None else replace(row, to_act=self._begun.get(row.id))

    def _answers(self, connection: Connection, query: Select[Any]) -> tuple[Answer, ...]:
        return tuple(Answer(row.seat, row.decision, row.move) for row in connection.execute(query))

    def append(
        self,
        table_id: str,
        version: int,
        number: int,
        answers: Sequence[Answer],
        to_act: int,
        round_number: int = 0,
        opened: int | None = None,
        results: Sequence[Result] = (),
        has_choices: bool = True,
        **also: Any,
    ) -> None:
        """Append lines, the first of which is the table's line `number`; choices that became moves are forgotten, and
        so is what was asked to be taken back.

        `round_number` is the round of the last of them, `opened` the seat whose hand a shared screen shows then,
        `results` what is kept of the game if it ends with them, and without `chosen` there are no choices.
        """
        rows = [
            {"table_id": table_id, "number": number + i, **vars(answer)} for i, answer in enumerate(answers)
        ]
        with self._changing(
            table_id,
            version,
            to_act=to_act,
            moved_at=now(),
            round=round_number,
            opened=opened,
            undo_asked=None,
            **also,
        ) as connection:
            connection.execute(_APPEND, rows)
            keep_results(connection, results)
            if has_choices:
                connection.execute(_FORGET_ALL, {"of": table_id})

    def choose(
        self, table_id: str, version: int, answer: Answer, to_act: int, opened: int | None = None, **also: Any
    ) -> None:
        """Keep a choice that may be taken back, in place of an earlier one."""
        values = {"to_act": to_act, "moved_at": now(), "opened": opened, **also}
        with self._changing(table_id, version, **values) as connection:
            connection.execute(_FORGET, {"of": table_id, "by": answer.seat})
            connection.execute(_CHOOSE, [{"table_id": table_id, **vars(answer)}])

    def take_back(self, table_id: str, version: int, seat: int, to_act: int, **also: Any) -> None:
        """Forget a choice."""
        with self._changing(table_id, version, to_act=to_act, **also) as connection:
            connection.execute(_FORGET, {"of": table_id, "by": seat})

    def sit(self, table_id: str, version: int, occupant: SeatRow, **also: Any) -> None:
        """Change who sits in a seat."""
        with self._changing(table_id, version, **also) as connection:
            self._sit(connection, table_id, occupant)

    def sit_and_redeal(
        self, table_id: str, version: int, occupant: SeatRow, number: int, line: Answer, **also: Any
    ) -> None:
        """Let somebody take a seat after all that is hidden was dealt anew, by the table's line of that number; what
        was chosen, and what was asked to be taken back, is forgotten."""
        with self._changing(table_id, version, moved_at=now(), undo_asked=None, **also) as connection:
            connection.execute(_APPEND, [{"table_id": table_id, "number": number, **vars(line)}])
            connection.execute(_FORGET_ALL, {"of": table_id})
            self._sit(connection, table_id, occupant)

    def _sit(self, connection: Connection, table_id: str, occupant: SeatRow) -> None:
        query = update(seats).where(seats.c.table_id == table_id, seats.c.seat == occupant.seat)
        connection.execute(query.values(occupant.stored(table_id)))

    def begin_game(self, table_id: str, version: int, filled: Iterable[SeatRow], **also: Any) -> None:
        """Leave the waiting room, with these seats as they are then."""
        with self._changing(table_id, version, waiting=False, **also) as connection:
            for occupant in filled:
                self._sit(connection, table_id, occupant)

    def resize(self, table_id: str, version: int, occupants: Sequence[SeatRow], **also: Any) -> None:
        """Give a table in its waiting room these seats, and no others."""
        with self._changing(table_id, version, players=len(occupants), **also) as connection:
            connection.execute(delete(seats).where(seats.c.table_id == table_id))
            connection.execute(insert(seats), [occupant.stored(table_id) for occupant in occupants])

    def change(self, table_id: str, version: int, values: Mapping[str, Any]) -> None:
        """Change what a table's row says."""
        with self._changing(table_id, version, **values):
            pass

    def continue_at(self, table_id: str, version: int, row: TableRow, occupant: Iterable[SeatRow]) -> None:
        """Make the table at which the same is played again."""
        with self._changing(table_id, version, next=row.id) as connection:
            self._insert(connection, row, occupant)

    def see(self, table_id: str, seat: int, now: datetime) -> None:
        """Note that a seat's browser looked at the table; not a change that anybody need see."""
        self._seen[table_id, seat] = now

    def begin(self, table_id: str, to_act: int) -> None:
        """Note who has to decide at the start, for lists of tables."""
        self._begun[table_id] = to_act

    def keep_notes(self) -> None:
        """Keep what was noted; what could not be kept stays noted. What was kept does until the next time, for those
        who read the rows before."""
        for key, moment in self._kept_seen.items():
            if self._seen.get(key) == moment:
                self._seen.pop(key, None)
        for table_id in self._kept_begun:
            self._begun.pop(table_id, None)
        self._kept_seen, self._kept_begun = {}, {}
        seen, begun = self._seen.copy(), self._begun.copy()
        if not (seen or begun):
            return
        with writing(self.engine) as connection:
            if looks := [{"of": of, "by": by, "seen": moment} for (of, by), moment in seen.items()]:
                connection.execute(_SEEN, looks)
            if notes := [{"of": of, "deciding": bits} for of, bits in begun.items()]:
                connection.execute(_BEGUN, notes)
        self._kept_seen, self._kept_begun = seen, begun

    def tables_of(self, browser: str, limit: int = 200) -> list[ListedTable]:
        """The tables that a browser made or has a seat at, those where something happened last first."""
        made_query = select(tables.c.id).where(tables.c.maker == browser)
        played_query = select(seats.c.table_id).where(seats.c.browser == browser)
        last_change = func.coalesce(tables.c.moved_at, tables.c.made_at)
        query = (
            select(tables)
            .where(tables.c.id.in_(union(made_query, played_query)))
            .order_by(last_change.desc())
            .limit(limit)
        )
        archived_query = select(archived.c.table_id).where(archived.c.browser == browser)
        with self.engine.connect() as connection:
            rows = connection.execute(query).mappings().all()
            table_ids = [row["id"] for row in rows]
            occupant = _SITTING.where(seats.c.table_id.in_(table_ids))
            occupants: dict[str, list[SeatRow]] = {name: [] for name in table_ids}
            for seat in connection.execute(occupant):
                occupants[seat.table_id].append(seat_row(seat))
            archived_ids = set(connection.scalars(archived_query))
        return [self._listed(row, occupants[row["id"]], row["id"] in archived_ids) for row in rows]

    def public_tables(self, since: datetime, limit: int = 100) -> list[ListedTable]:
        """Public tables made since then that have a free seat, the newest first."""
        query = select(tables).where(_OFFERED, tables.c.made_at > since)
        with self.engine.connect() as connection:
            rows = connection.execute(query.order_by(tables.c.made_at.desc()).limit(limit)).mappings().all()
            return [self._listed(row, self._seats(connection, row["id"]), False) for row in rows]

    def running_tables(self, since: datetime, limit: int = 20) -> list[ListedTable]:
        """Public tables that all may watch, at which somebody has decided since then, and that have no free seat; the
        latest first.
        """
        query = select(tables).where(
            tables.c.public,
            tables.c.watchable,
            _UNFINISHED,
            ~tables.c.waiting,
            tables.c.moved_at > since,
            tables.c.id.not_in(_FREE),
        )
        with self.engine.connect() as connection:
            rows = connection.execute(query.order_by(tables.c.moved_at.desc()).limit(limit)).mappings().all()
            return [self._listed(row, self._seats(connection, row["id"]), False) for row in rows]

    def gathering(self, game: str) -> list[str]:
        """The tables of a game that begin by themselves and have a free seat, the first to begin first."""
        query = select(tables.c.id).where(_OFFERED, tables.c.waiting, tables.c.game == game)
        query = query.where(tables.c.begins_at.is_not(None)).order_by(tables.c.begins_at)
        with self.engine.connect() as connection:
            return list(connection.scalars(query))

    def beginning(self, moment: float) -> list[str]:
        """The tables that are to begin by themselves then."""
        query = select(tables.c.id).where(tables.c.begins_at <= moment)
        with self.engine.connect() as connection:
            return list(connection.scalars(query))

    def offered(self, table_ids: Iterable[str]) -> set[str]:
        """Those of some tables that are public and have a free seat."""
        query = select(tables.c.id).where(tables.c.id.in_(list(table_ids)), _OFFERED)
        with self.engine.connect() as connection:
            return set(connection.scalars(query))

    def listed(self, table_id: str, browser: str) -> ListedTable | None:
        """A table as it would stand in a browser's list; None if there is no such table."""
        whose = (archived.c.table_id == table_id) & (archived.c.browser == browser)
        with self.engine.connect() as connection:
            row = connection.execute(select(tables).where(tables.c.id == table_id)).mappings().first()
            is_archived = connection.scalar(select(func.count()).select_from(archived).where(whose))
            if row is None:
                return None
            return self._listed(row, self._seats(connection, table_id), bool(is_archived))

    def archive(self, table_id: str, browser: str, is_archived: bool) -> None:
        """Show a table apart in a browser's list, or no longer so; nothing that anybody else need see."""
        whose = (archived.c.table_id == table_id) & (archived.c.browser == browser)
        with writing(self.engine) as connection:
            connection.execute(delete(archived).where(whose))
            if is_archived:
                connection.execute(insert(archived), [{"table_id": table_id, "browser": browser}])

    def delete(self, table_id: str) -> None:
        """Delete a table for everybody, with its moves; a table that was to go on there goes on nowhere."""
        with writing(self.engine) as connection:
            before = update(tables).where(tables.c.next == table_id)
            connection.execute(before.values(next=None, version=tables.c.version + 1))
            for rows in OF_A_TABLE:
                connection.execute(delete(rows).where(rows.c.table_id == table_id))
            connection.execute(delete(analyses).where(analyses.c.game_of == f"tables/{table_id}"))
            connection.execute(delete(tables).where(tables.c.id == table_id))
        self._begun.pop(table_id, None)

    def counted(self, game: str) -> list[str]:
        """The tables of finished games of a game that reports may count, the first made first."""
        over = (tables.c.game == game) & tables.c.counted & (tables.c.to_act == 0) & tables.c.ended.is_(None)
        with self.engine.connect() as connection:
            return list(connection.scalars(select(tables.c.id).where(over).order_by(tables.c.made_at)))

    def feedback(self, game: str, sha256: str) -> list[Json]:
        """What people said at the end of games with a set of components, in the order in which tables were made."""
        played = (
            (tables.c.game == game) & (tables.c.components_sha256 == sha256) & seats.c.feedback.is_not(None)
        )
        query = select(seats.c.feedback).join(tables, tables.c.id == seats.c.table_id).where(played)
        with self.engine.connect() as connection:
            return list(connection.scalars(query.order_by(tables.c.made_at, seats.c.seat)))

    def unfinished_by(self, maker: str, since: datetime) -> int:
        """How many tables a browser has made since then at which somebody has to decide."""
        query = select(func.count()).where(tables.c.maker == maker, tables.c.made_at > since, _UNFINISHED)
        with self.engine.connect() as connection:
            return connection.scalar(query) or 0

    def unfinished(self, table_ids: Iterable[str]) -> set[str]:
        """Those of some tables at which somebody has to decide."""
        query = select(tables.c.id).where(tables.c.id.in_(list(table_ids)), _UNFINISHED)
        with self.engine.connect() as connection:
            return set(connection.scalars(query))


def seat_row(row: Any, seen_at: datetime | None = None) -> SeatRow:
    """A seat as the database has it with its person's name; `seen_at` is what is noted, kept or not."""
    name = row.name if row.guest is None else row.guest or None
    rest = seen_at or row.seen_at, row.guest, name, row.away_until, row.program, row.hint, row.earlier
    return SeatRow(row.seat, row.browser, row.bot, *rest, row.feedback)


def now() -> datetime:
    """The time, with its zone."""
    return datetime.fromtimestamp(time.time(), UTC)
