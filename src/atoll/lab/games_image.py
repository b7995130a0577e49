"""Games that are played elsewhere, by the game's module in a browser: what has to stand in the module's memory, and
what is taken back of each game.

Nothing goes there but components, and the seed from which the browser makes the generators of each game.
"""

import zlib
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from atoll.bots.search_image import Piece
from atoll.core import endings
from atoll.engine.constants import GENERATOR_WORDS
from atoll.engine.module import ModuleRunner
from atoll.lab import counts
from atoll.lab.chunks import Chunk, count_arrays, count_seats_from_beginners
from atoll.lab.counts import counted_games
from atoll.lab.loop import GameArrays, choose_quickly, loop_of, seated_arrays
from atoll.lab.played import PlayedGames, Setup

MOST_POINTS = 1 << 20
"""Points that somebody may have, to be believed."""


class ResultColumn(msgspec.Struct, frozen=True):
    """What is taken back of each game: of the first `width` bytes at an address, of each other `stride` after."""

    address: int
    stride: int
    width: int


class GamesImage(msgspec.Struct, frozen=True):
    """The memory before `count` games, 0 where nothing is said, and how they are played.

    `frame` is the address that `export` is called with; it leaves 0 there. The generators of chance and those of the
    bots, of each game one a seat, are those of `loop.deal_chances`.
    """

    export: str
    pieces: tuple[Piece, ...]
    size: int
    """bytes of memory that it needs"""
    frame: int
    count: int
    players: int
    chances: int
    generators: int
    columns: tuple[ResultColumn, ...]


def can_play_elsewhere(setup: Setup) -> bool:
    """Whether a module plays the games of a setup here, and what is taken back of them tells their rounds."""
    own, runner = setup.game.endings, setup.game.runner
    return (
        setup.is_quick
        and isinstance(runner, ModuleRunner)
        and runner.has(_loop(setup, _arrays(setup, 1)))
        and (own is None or own.rounds is endings.rounds)
    )


def games_image(setup: Setup, count: int) -> GamesImage:
    """What so many games begin with."""
    room: Any = setup.game.runner.room()
    pieces: list[Piece] = []

    def place(value: Any) -> Any:
        if isinstance(value, tuple):
            parts = [place(part) for part in value]
            return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
        if not isinstance(value, np.ndarray):
            return value
        placed = room.copy(value)
        if value.any() if value.dtype.names is None else any(value.tobytes()):
            pieces.append(Piece(room.address(placed), value.tobytes()))
        return placed

    arrays = place(_arrays(setup, count))
    frame, end = room.frame(arrays)
    pieces.append(Piece(frame, room.read(frame, end)))
    return GamesImage(
        export=_loop(setup, arrays).name,
        pieces=tuple(pieces),
        size=end,
        frame=frame,
        count=count,
        players=setup.players,
        chances=room.address(arrays.chances),
        generators=room.address(arrays.generators),
        columns=tuple(
            ResultColumn(room.address(column[:1]), column.strides[0], column[0].nbytes)
            for column in _columns(setup, arrays)
        ),
    )


def size_of(setup: Setup, count: int) -> int:
    """The bytes that are taken back of so many games."""
    return sum(column.nbytes for column in _columns(setup, _arrays(setup, count)))


def read_games(setup: Setup, first: int, count: int, content: bytes) -> Chunk:
    """Games first to first + count - 1 as a browser tells them, one column after another; raises ValueError where no
    such games can be.
    """
    arrays = _arrays(setup, count)
    for column in _columns(setup, arrays):
        own, content = content[: column[0].nbytes * count], content[column[0].nbytes * count :]
        column[:] = np.frombuffer(own, column.dtype).reshape(column.shape)
    if content:
        raise ValueError("more than the games")
    counted, players, games = arrays.counts, setup.players, arrays.counts.games
    points = (arrays.points, counted.round_points)
    for values, least, most in (
        (arrays.beginners, 0, players - 1),
        (arrays.winners, 1, (1 << players) - 1),
        (arrays.lengths, 1, arrays.longest),
        (games[:, counts.CHOICES], 0, arrays.lengths),
        (games[:, counts.SNAPSHOTS], 2, counts.ROUNDS),
        *((values, -MOST_POINTS, MOST_POINTS) for values in points),
    ):
        if (values < least).any() or (values > most).any():
            raise ValueError("no game has such a result")
    results = PlayedGames.empty(setup.names, setup.bots_in(first, count))
    results.take(arrays)
    if setup.game.endings is not None:
        results.rounds[:] = setup.game.endings.rounds(arrays.states[:count])
    chunk = Chunk(first, results, counted.usage, counted.rounds, games, counted.round_points, counted.flow)
    count_seats_from_beginners(chunk)
    return chunk


def unpacked(content: bytes, most: int) -> bytes:
    """What was compressed by gzip; raises ValueError if it is broken or more than `most` bytes."""
    stream = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)  # of gzip
    try:
        unpacked = stream.decompress(content, most + 1)
    except zlib.error as error:
        raise ValueError("broken") from error
    if not stream.eof or len(unpacked) > most:
        raise ValueError("too long")
    return unpacked


def _arrays(setup: Setup, count: int) -> GameArrays:
    """The arrays of so many games, whose generators are to be filled in; what the advice says of choices is not looked
    at.
    """
    counted = count_arrays(setup, 0, count, 0)
    counted.sampled[:] = False
    return seated_arrays(
        setup.game,
        setup.components,
        setup.seats(0, count),
        np.zeros((count, setup.players, GENERATOR_WORDS), np.uint64),
        np.zeros((count, GENERATOR_WORDS), np.uint64),
        counts=counted,
        events=np.zeros((setup.game.rules.MAX_EVENTS + 2, 6), dtype=np.int16),
        policy=0,
    )


def _loop(setup: Setup, arrays: GameArrays) -> Any:
    return loop_of(counted_games("quick bots", choose_quickly), setup.seats(0, 1).quick, arrays)


def _columns(setup: Setup, arrays: GameArrays) -> list[NDArray[Any]]:
    """What figures are made of, (n, ...) each."""
    games = len(arrays.bots)
    columns: list[NDArray[Any]] = [arrays.beginners, arrays.points, arrays.winners, arrays.lengths]
    columns += [arrays.counts.games[:, : counts.SNAPSHOTS + 1], arrays.counts.round_points]
    if setup.game.endings is not None:
        columns.append(arrays.states[:games]["round_number"])
    return columns
