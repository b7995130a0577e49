"""Writing a view as numbers, compiled: by a program, a table that `Observation` (`core/observation.py`) lays out.

Its rows are runs of values that lie side by side in the view's record and in the observation, so that one function
serves all games: a new one costs no compiling.
"""

from typing import Any

import numpy as np

from atoll.engine.compiling import compiled, inlined
from atoll.engine.constants import UNKNOWN
from atoll.engine.hiding import HIDDEN_BYTE

HIDDEN = np.uint8(HIDDEN_BYTE)
assert UNKNOWN == -1  # every byte 255
NUMBERS, ONE_HOT, SEATS, SEATS_ONE_HOT, SEAT_BITS, OPTION, COPY = range(7)
"""How a run of values becomes numbers; an option is no value of the record: its number is the least value itself. A
copy has the bytes as they are, which the form `bytes` has of most values."""
(SOURCE, COUNT, WIDTH, SIGNED, TARGET, KNOWN, CODING, LEAST, VALUES, SOURCE_STEP, TARGET_STEP) = range(11)
"""The columns of a program's rows: a run of values that lie side by side in the record and in the observation.

Its first byte, how many values, bytes of a value, whether it is signed; where its numbers go, where what is known
goes, or -1; how it is coded, its least value, and the numbers of a value. A copy may take a seat's column of a table:
then its bytes lie SOURCE_STEP apart in the record and TARGET_STEP in the observation, else both are 1.
"""
COLUMNS = 11


@compiled
def observe(view, program, factors, out):  # type: ignore[no-untyped-def]
    """Write every number of what a view shows into `out`, as an `Observation`'s `program` and `factors` say."""
    seat = max(0, int(view.seat))
    rows = program[seat]
    players = len(program)
    for i in range(len(rows)):
        row = rows[i]
        if row[COUNT] == 0:
            return
        if row[CODING] == COPY:
            copy_bytes(view, row, out)
        elif row[CODING] == NUMBERS:
            if row[WIDTH] == 1:
                write_bytes(view, row, factors, out)
            elif row[WIDTH] == 2:
                write_pairs(view, row, factors, out)
            else:
                for k in range(row[COUNT]):
                    place = row[TARGET] + k
                    out[place] = np.float32(number_at(view, row, k)) * factors[place]
        elif row[CODING] == SEAT_BITS:
            write_seat_bits(view, row, out, seat, players)
        elif row[CODING] == SEATS:
            write_seats(view, row, factors, out, seat, players)
        elif row[CODING] == OPTION:
            out[row[TARGET]] = np.float32(row[LEAST])
        else:
            write_one_hot(view, row, out, seat, players)


@inlined
def copy_bytes(view, row, out):  # type: ignore[no-untyped-def]
    """A run of bytes as they are."""
    source, target, count = np.uint64(row[SOURCE]), np.uint64(row[TARGET]), np.uint64(row[COUNT])
    if row[TARGET_STEP] == 1:  # by itself, so that LLVM writes several at once
        for k in range(count):
            out[target + k] = np.int8(byte_at(view, source + k))
        return
    source_step, target_step = np.uint64(row[SOURCE_STEP]), np.uint64(row[TARGET_STEP])
    for k in range(count):
        out[target + k * target_step] = np.int8(byte_at(view, source + k * source_step))


@inlined
def write_bytes(view, row, factors, out):  # type: ignore[no-untyped-def]
    """A run of one-byte values as numbers."""
    # Of unsigned indices none counts from the end, so that LLVM writes several numbers at once.
    source, target, count = np.uint64(row[SOURCE]), np.uint64(row[TARGET]), np.uint64(row[COUNT])
    # Bytes become float32 at once: as wider integers, which sums would make of them, LLVM converts them one by one.
    if row[SIGNED] == 1:
        for k in range(count):
            out[target + k] = np.float32(np.int8(byte_at(view, source + k))) * factors[target + k]
    else:
        for k in range(count):
            out[target + k] = np.float32(byte_at(view, source + k)) * factors[target + k]
    if row[KNOWN] >= 0:
        known, one, zero = np.uint64(row[KNOWN]), np.float32(1), np.float32(0)
        for k in range(count):
            out[known + k] = zero if byte_at(view, source + k) == HIDDEN else one
        for k in range(count):
            out[target + k] = zero if byte_at(view, source + k) == HIDDEN else out[target + k]


@inlined
def write_pairs(view, row, factors, out):  # type: ignore[no-untyped-def]
    """A run of two-byte values as numbers."""
    source, target, count = np.uint64(row[SOURCE]), np.uint64(row[TARGET]), np.uint64(row[COUNT])
    one = np.uint64(1)
    for k in range(count):
        place = source + k + k
        value = np.int16(np.int32(byte_at(view, place)) | np.int32(byte_at(view, place + one)) << 8)
        out[target + k] = np.float32(value) * factors[target + k]


@inlined
def number_at(view, row, k):  # type: ignore[no-untyped-def]
    """Value k of a run."""
    place = row[SOURCE] + k * row[WIDTH]
    if row[WIDTH] == 1:
        return np.int32(np.int8(byte_at(view, place))) if row[SIGNED] == 1 else np.int32(byte_at(view, place))
    low = np.int32(byte_at(view, place)) | np.int32(byte_at(view, place + 1)) << 8
    if row[WIDTH] == 2:
        return np.int32(np.int16(low))
    return np.int32(low | np.int32(byte_at(view, place + 2)) << 16 | np.int32(byte_at(view, place + 3)) << 24)


@inlined
def note_known(view, row, out, k):  # type: ignore[no-untyped-def]
    """Whether value k of a run is shown; written where the program says, too."""
    if row[KNOWN] < 0:
        return True
    shown = byte_at(view, row[SOURCE] + k) != HIDDEN_BYTE
    out[row[KNOWN] + k] = np.float32(1) if shown else np.float32(0)
    return shown


@inlined
def from_viewer(value, seat, players):  # type: ignore[no-untyped-def]
    """A seat counted from the viewer's; what is no seat stays."""
    turned = value - seat
    return value if value < 0 else (turned if turned >= 0 else turned + players)


@inlined
def write_seats(view, row, factors, out, seat, players):  # type: ignore[no-untyped-def]
    """A run of seats, one-byte values, as numbers counted from the viewer."""
    source, target, count = np.uint64(row[SOURCE]), np.uint64(row[TARGET]), np.uint64(row[COUNT])
    if row[KNOWN] >= 0:
        for k in range(int(row[COUNT])):
            note_known(view, row, out, k)
    hides = row[KNOWN] >= 0
    viewer, around = np.int32(seat), np.int32(players)
    for k in range(count):
        byte = byte_at(view, source + k)
        value = np.int32(np.int8(byte))
        turned = value - viewer
        turned = turned if turned >= 0 else turned + around
        turned = value if value < 0 else turned
        out[target + k] = np.float32(0 if hides and byte == HIDDEN_BYTE else turned) * factors[target + k]


@inlined
def write_seat_bits(view, row, out, seat, players):  # type: ignore[no-untyped-def]
    """A run of bit sets of seats: a number a seat, counted from the viewer."""
    for k in range(row[COUNT]):
        shown = note_known(view, row, out, k)
        bits = int(number_at(view, row, k)) if shown else 0
        unknown = row[LEAST] == UNKNOWN and bits == HIDDEN_BYTE
        bits = bits >> seat | bits << (players - seat)
        target = row[TARGET] + k * players
        for i in range(players):
            out[target + i] = np.float32(UNKNOWN if unknown else bits >> i & 1)


@inlined
def write_one_hot(view, row, out, seat, players):  # type: ignore[no-untyped-def]
    """A run of values: a number for each that it could be, of which one is 1, or none if the view hides it."""
    values = row[VALUES]
    for k in range(row[COUNT]):
        target = row[TARGET] + k * values
        out[target : target + values] = 0
        if note_known(view, row, out, k):
            value = number_at(view, row, k)
            if row[CODING] == SEATS_ONE_HOT:
                value = from_viewer(value, seat, players)
            if row[LEAST] <= value < row[LEAST] + values:
                out[target + value - row[LEAST]] = np.float32(1)


def byte_at(record: Any, place: Any) -> np.uint8:
    """A byte of a record."""
    found: np.uint8 = np.frombuffer(record.tobytes(), dtype=np.uint8)[place]
    return found
