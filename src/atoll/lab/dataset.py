"""Games and decisions as Parquet: folders of part files, each written whole as soon as its games are over.

A part holds the same games, in the same order, whatever the number of workers, and so the same bytes. Beside the parts
lies what a later run goes on from: what is played, and the sums over the games of the whole parts. Needs pyarrow, which
the extra `lab` brings.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from atoll.core.game import Game
from atoll.core.types import Json
from atoll.lab import counts
from atoll.lab.chunks import Chunk
from atoll.lab.played import Setup, game_seed
from atoll.lab.totals import Totals
from atoll.text.errors import AtollError
from atoll.text.files import read_file, take_alone
from atoll.text.messages import Message

FORMAT = 1
"""Raised when columns or what they mean change: a run does not go on in a folder of another format."""
GAMES = pa.schema(
    [
        ("game", pa.int64()),
        ("seed", pa.uint64()),
        ("beginner", pa.int8()),
        ("bots", pa.list_(pa.string())),
        ("points", pa.list_(pa.int32())),
        ("won", pa.list_(pa.float64())),
        ("decisions", pa.int32()),
        ("choices", pa.int32()),
        ("rounds", pa.int16()),
        ("ending", pa.string()),
        ("course", pa.list_(pa.list_(pa.int32()))),
    ]
)
EVENT = pa.struct([("event", pa.int16()), ("whose", pa.int16()), ("piece", pa.int16())])
DECISIONS = pa.schema(
    [
        ("game", pa.int64()),
        ("number", pa.int32()),
        ("seat", pa.int8()),
        ("round", pa.int16()),
        ("action", pa.int32()),
        ("legal", pa.list_(pa.int32())),
        ("spread", pa.float32()),
        ("margin", pa.float32()),
        ("events", pa.list_(EVENT)),
    ]
)
MOVES = pa.schema([("action", pa.int32()), ("kind", pa.string()), ("move", pa.string())])
KINDS = pa.schema([("event", pa.int16()), ("name", pa.string())])
STATE, SUMS = "state.json", "sums.npz"
MOST_STATE = 1_000_000


class DatasetState(msgspec.Struct):
    """What a folder holds: everything that its games depend on, and how many games its whole parts have."""

    played: Json
    games: int


class Dataset:
    """A folder of data; a context that nobody else writes to meanwhile.

    `games` of its games are in whole parts and counted in `totals`, from which a run goes on. Raises AtollError, and
    changes nothing, if it holds other games, or if somebody else is writing to it.
    """

    def __init__(self, folder: Path, setup: Setup, header: Json, totals: Totals, part: int) -> None:
        self.folder = folder
        self.part = part
        self.totals = totals
        self._setup = setup
        self._header = msgspec.json.decode(msgspec.json.encode(header | {"part": part, "format": FORMAT}))
        self._waiting: list[Chunk] = []
        self.games = 0
        if folder.exists() and not folder.is_dir():
            raise AtollError(Message("%(file)s: is no folder; name another one", file=folder))
        if folder.is_dir() and not (folder / STATE).exists() and any(folder.iterdir()):
            raise AtollError(
                Message("%(folder)s: holds other files; name a new folder, or an empty one", folder=folder)
            )
        for name in ("games", "decisions"):
            (folder / f"{name}.parquet").mkdir(parents=True, exist_ok=True)
        self._lock = (folder / ".lock").open("w")
        try:
            take_alone(
                self._lock,
                Message("%(folder)s: another run is writing to this folder now", folder=folder),
            )
            self._go_on()
        except BaseException:
            self._lock.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._lock.close()

    def _go_on(self) -> None:
        path = self.folder / STATE
        if not path.exists():
            _write_tables(self.folder, self._setup.game)
            self._save()
            return
        try:
            state = msgspec.json.decode(read_file(path, MOST_STATE), type=DatasetState)
        except (msgspec.DecodeError, OSError):
            raise AtollError(
                Message("%(file)s: is not the state of a report’s data; name another folder", file=path)
            ) from None
        for key, value in self._header.items():
            if state.played.get(key) != value:
                there, own = (
                    ", ".join(map(str, one)) if isinstance(one, list) else repr(one)
                    for one in (state.played.get(key), value)
                )
                raise AtollError(
                    Message(
                        "%(folder)s: holds other games, with %(key)s %(found)s and not %(wanted)s; name another folder",
                        folder=self.folder,
                        key=key,
                        found=there,
                        wanted=own,
                    )
                )
        if state.games:
            try:
                self.totals.load(self.folder / f"{state.games}-{SUMS}")
            except (OSError, ValueError, KeyError):
                raise AtollError(
                    Message(
                        "%(folder)s: the sums of its %(games)s games cannot be read; name another folder",
                        folder=self.folder,
                        games=state.games,
                    )
                ) from None
        self.games = state.games

    def _save(self) -> None:
        """Say how many games there are; a run that is killed at any place goes on from the last that was said."""
        if self.games:
            self.totals.save(self.folder / f"{self.games}-{SUMS}")
        unfinished = self.folder / f"{STATE}.new"
        unfinished.write_bytes(msgspec.json.encode(DatasetState(self._header, self.games)))
        unfinished.replace(self.folder / STATE)
        for old in self.folder.glob(f"*-{SUMS}"):
            if old.name != f"{self.games}-{SUMS}":
                old.unlink()

    def add(self, chunk: Chunk) -> None:
        """Take the next games; written as soon as a part is whole. The chunk's sums are in `totals` already."""
        self._waiting.append(chunk)
        first = self._waiting[0].first
        if chunk.first + len(chunk) == first + self.part:
            self._write(first)
            self.games = first + self.part
            self._save()

    def finish(self) -> None:
        """Write the games of the last part, which is not whole: a run with more games writes it anew."""
        if self._waiting:
            self._write(self._waiting[0].first)

    def _write(self, first: int) -> None:
        name = f"part-{first // self.part:06}.parquet"
        tables = {
            "games": [games_table(chunk, self._setup) for chunk in self._waiting],
            "decisions": [decisions_table(chunk) for chunk in self._waiting],
        }
        for kind, parts in tables.items():
            unfinished = self.folder / f"{kind}.parquet" / f".{name}"
            pq.write_table(pa.concat_tables(parts), unfinished, compression="zstd")
            unfinished.replace(unfinished.with_name(name))
        self._waiting.clear()


def _write_tables(folder: Path, game: Game) -> None:
    """What action codes and numbers of events mean."""
    actions = range(len(game.moves))
    moves = {
        "action": list(actions),
        "kind": [game.moves.kind_of(action).word for action in actions],
        "move": [json.dumps(game.moves.move_of(action), ensure_ascii=False) for action in actions],
    }
    pq.write_table(pa.table(moves, MOVES), folder / "moves.parquet")
    kinds = {
        "event": [kind.code for kind in game.events.kinds],
        "name": [kind.name for kind in game.events.kinds],
    }
    pq.write_table(pa.table(kinds, KINDS), folder / "events.parquet")


def _lists(values: Any, lengths: Sequence[int] | Any) -> Any:
    """An Arrow list array of so many values each."""
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    return pa.ListArray.from_arrays(pa.array(offsets), values)


def games_table(chunk: Chunk, setup: Setup) -> Any:
    """The games of a chunk as rows."""
    count, players = len(chunk), chunk.players
    game, names = setup.game, np.array(setup.names, dtype=object)
    snapshots = chunk.games[:, counts.SNAPSHOTS]
    in_game = np.arange(chunk.round_points.shape[1])[None, :] < snapshots[:, None]
    seats = np.full(count, players)
    course = _lists(pa.array(chunk.round_points[in_game].ravel()), np.full(int(snapshots.sum()), players))
    endings = [] if game.endings is None else list(game.endings.ENDINGS)
    return pa.Table.from_arrays(
        [
            pa.array(np.arange(chunk.first, chunk.first + count)),
            pa.array([game_seed(setup.seed, chunk.first + i) for i in range(count)], pa.uint64()),
            pa.array((chunk.played.beginners + 1).astype(np.int8)),
            _lists(pa.array(names[chunk.played.bots].ravel(), pa.string()), seats),
            _lists(pa.array(chunk.played.points.ravel()), seats),
            _lists(pa.array((chunk.shares / counts.WIN).ravel()), seats),
            pa.array(chunk.played.lengths),
            pa.array(chunk.games[:, counts.CHOICES].astype(np.int32)),
            pa.array(chunk.played.rounds.astype(np.int16), mask=chunk.played.rounds == 0),
            pa.array(
                [endings[number] if endings else None for number in chunk.played.endings.tolist()],
                pa.string(),
            ),
            _lists(course, snapshots),
        ],
        schema=GAMES,
    )


def decisions_table(chunk: Chunk) -> Any:
    """The decisions of a chunk as rows."""
    log = chunk.log
    assert log is not None
    rows = log.rows
    game = rows[:, counts.IN_GAME]
    starts = np.searchsorted(game, np.arange(len(chunk)))
    legal = np.diff(rows[:, counts.LEGAL_END], prepend=0)
    events = np.diff(rows[:, counts.EVENTS_END], prepend=0)
    looked = rows[:, counts.SPREAD] < 0
    happened = pa.StructArray.from_arrays(
        [pa.array(log.events[:, column].astype(np.int16)) for column in range(3)], fields=list(EVENT)
    )
    return pa.Table.from_arrays(
        [
            pa.array(game.astype(np.int64) + chunk.first),
            pa.array((np.arange(len(rows)) - starts[game]).astype(np.int32)),
            pa.array((rows[:, counts.BY] + 1).astype(np.int8)),
            pa.array(rows[:, counts.IN_ROUND].astype(np.int16)),
            pa.array(rows[:, counts.ACTION]),
            _lists(pa.array(log.legal), legal),
            pa.array((rows[:, counts.SPREAD] / counts.PARTS_OF_STD).astype(np.float32), mask=looked),
            pa.array(rows[:, counts.MARGIN].astype(np.float32), mask=looked),
            _lists(happened, events),
        ],
        schema=DECISIONS,
    )


def seed_in(folder: Path) -> int | None:
    """The seed of the games that a folder holds; None if it holds none that can be read."""
    try:
        state = msgspec.json.decode(read_file(folder / STATE, MOST_STATE), type=DatasetState)
    except (msgspec.DecodeError, OSError):
        return None
    seed = state.played.get("seed")
    return seed if isinstance(seed, int) else None
