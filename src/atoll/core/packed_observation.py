"""What a seat's view shows in the form `bytes` (`core/observation.py`), in code written out for a game.

Where each field of the record lies is then known when that code is compiled: fields side by side become one copy, and
what seats have, a byte each, one word that is rotated. `observe` looks it up in a program, run by run, instead.
"""

# mypy: disable-error-code="no-untyped-def"

from collections.abc import Iterator
from functools import cache
from math import prod
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload

from atoll.core.fields import UNKNOWN, Field
from atoll.core.game import Game
from atoll.core.observation import counts_seats, holds_seats, names_seats
from atoll.engine.compiling import inlined
from atoll.engine.hiding import HIDDEN_BYTE
from atoll.engine.observing import LEAST, byte_at

WORD = 8
"""Bytes of a word: as many as there can be seats."""


@cache
def byte_writer(game: Game) -> Any:
    """A compiled function `(view, program, factors, out)` that does what `observe` does in the form `bytes`."""
    options = sum(bool(part.option) for part in game.declared_parts.fields)
    source = [
        "def write_bytes(view, program, factors, out):",
        "seat, players, t = max(0, int(view.seat)), int(view.players), 0",
        *_lines(game),
        f"for k in range({options}):",
        "    out[t + k] = program[seat, k, LEAST]",
    ]
    module = f"{game.package}.rules"
    known: dict[str, Any] = {
        "__name__": module, "LEAST": LEAST, "copy_bytes": copy_bytes, "turn_row": turn_row,
        "turn_seats": turn_seats, "write_set": write_set, "write_last_set": write_last_set,
    }  # fmt: skip
    rules: Any = game.rules
    exec(compile("\n    ".join(source), rules.__file__, "exec"), known)
    known["write_bytes"].made_in = (__name__,)
    return inlined(known["write_bytes"])


def _lines(game: Game) -> Iterator[str]:
    """Statements that write every field, from `t` = 0 on."""
    fields = [field for field in game.declared.fields if field.name not in ("generator", "players")]
    left = sum(_least_size(game, field) for field in fields)
    first = end = 0  # bytes to be copied that lie side by side
    named: list[str] = []
    for field in fields:
        kind, offset = game.declared.dtype.fields[field.name][:2]  # type: ignore[index]
        left -= _least_size(game, field)
        plain = not _turns(field) and not holds_seats(field)
        if not plain or offset != end:
            yield from _copied(first, end, named)
            first, end, named = offset, offset, []
        if plain:
            if names_seats(field):
                named.append(f"turn_seats(out, t + {end - first}, {kind.itemsize}, seat, players)")
            end = offset + kind.itemsize
        else:
            yield from _turned(game, field, offset, left)
    yield from _copied(first, end, named)


def _turns(field: Field) -> int:
    """How many of a field's first axes there are up to the last that counts seats."""
    return max((axis + 1 for axis in range(len(field.shape)) if counts_seats(field, axis)), default=0)


def _least_size(game: Game, field: Field) -> int:
    """The bytes that are written of a field with the fewest players."""
    sizes = (game.seats.start if counts_seats(field, axis) else n for axis, n in enumerate(field.shape))
    return prod(sizes) * (game.seats.start if holds_seats(field) else np.dtype(field.kind).itemsize)


def _copied(first: int, end: int, named: list[str]) -> Iterator[str]:
    """Statements that copy the bytes from `first` to before `end`, and turn the seats among them."""
    if end > first:
        yield f"copy_bytes(view, {first}, out, t, {end - first})"
        yield from named
        yield f"t += {end - first}"


def _turned(game: Game, field: Field, offset: int, left: int) -> Iterator[str]:
    """Statements that write a field of which an axis counts seats, or whose values are sets of seats; at least `left`
    bytes are written behind it.

    Words may be written beyond its end, and read beyond its end, where more follows.
    """
    shape, width = field.shape, np.dtype(field.kind).itemsize
    sets = holds_seats(field)
    outer = len(shape) if sets else _turns(field)
    size = prod(shape[outer:]) * width
    follows = game.declared.dtype.itemsize - offset - prod(shape)
    row = size == 1 and not sets and min(left, follows) >= WORD
    source, indent = str(offset), ""
    if names_seats(field):
        yield "start = t"
    for axis in range(outer - row):
        turned = counts_seats(field, axis)
        yield f"{indent}for p{axis} in range({'players' if turned else shape[axis]}):"
        indent += "    "
        if turned:
            yield f"{indent}r{axis} = p{axis} + seat"
            yield f"{indent}r{axis} = r{axis} if r{axis} < players else r{axis} - players"
        source += f" + {'r' if turned else 'p'}{axis} * {prod(shape[axis + 1 :]) * width}"
    if sets:
        name = "write_set" if left >= WORD else "write_last_set"
        yield f"{indent}{name}(view, {source}, out, t, seat, players, {field.seen_by != 'everybody'})"
    elif row:
        yield f"{indent}turn_row(view, {source}, out, t, seat, players)"
    else:
        yield f"{indent}copy_bytes(view, {source}, out, t, {size})"
    yield f"{indent}t += {'players' if sets or row else size}"
    if names_seats(field):
        yield "turn_seats(out, start, t - start, seat, players)"


@inlined
def turn_seats(out, first, count, seat, players):
    """Count `count` seats from `first` on from the viewer's; what is no seat stays."""
    viewer, around = np.int8(seat), np.int8(players)
    for k in range(np.uint64(first), np.uint64(first + count)):
        value = out[k]
        turned = np.int8(value - viewer)
        turned = turned if turned >= 0 else np.int8(turned + around)
        out[k] = value if value < 0 else turned


@inlined
def turn_row(view, source, out, target, seat, players):
    """What seats have, a byte each, from the viewer's on."""
    word = word_at(view, source) & ALL >> np.uint64(8 * (WORD - players))
    above = word << np.uint64(8 * (players - 1 - seat)) << EIGHT
    put_word(out, target, word >> np.uint64(8 * seat) | above)


@inlined
def write_set(view, source, out, target, seat, players, hides):
    """A bit set of seats: a number a seat from the viewer's on, UNKNOWN if the view hides it."""
    byte = int(byte_at(view, source))
    bits = (byte >> seat | byte << (players - seat)) & 255
    word = (np.uint64(bits) * EACH & DIAGONAL) + BELOW >> SEVEN & EACH
    put_word(out, target, ALL if hides and byte == HIDDEN_BYTE else word)


@inlined
def write_last_set(view, source, out, target, seat, players, hides):
    """`write_set`, and nothing beyond its end."""
    byte = int(byte_at(view, source))
    bits = byte >> seat | byte << (players - seat)
    for i in range(players):
        out[target + i] = UNKNOWN if hides and byte == HIDDEN_BYTE else bits >> i & 1


ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
EACH = np.uint64(0x0101010101010101)
"""1 in every byte."""
DIAGONAL = np.uint64(0x8040201008040201)
"""Bit i in byte i."""
BELOW = np.uint64(0x7F7F7F7F7F7F7F7F)
"""What carries any bit of a byte into its highest."""
SEVEN, EIGHT = np.uint64(7), np.uint64(8)


def copy_bytes(record, first, out, goal, count):
    """Copy `count` bytes of a record from the one at `first` on into an array of int8 at `goal`."""
    out[goal : goal + count] = np.frombuffer(record.tobytes(), dtype=np.int8)[first : first + count]


def word_at(record, place):
    """Eight bytes of a record as a word, the lowest first."""
    return np.frombuffer(record.tobytes(), dtype="<u8", count=1, offset=place)[0]


def put_word(out, place, word):
    """Write a word into an array of int8, the lowest byte first."""
    out[place : place + WORD] = np.array([word], dtype="<u8").view(np.int8)


@intrinsic  # type: ignore[untyped-decorator]
def _copy_bytes(typing_context: Any, record: Any, first: Any, out: Any, goal: Any, count: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        held, begin, made, at, size = arguments
        source = builder.gep(builder.bitcast(held, cgutils.voidptr_t), [begin])
        target = builder.gep(context.make_array(out)(context, builder, made).data, [at])
        cgutils.raw_memcpy(builder, target, source, size, 1)
        return context.get_dummy_value()

    return types.void(record, types.intp, out, types.intp, types.intp), generate


@intrinsic  # type: ignore[untyped-decorator]
def _word_at(typing_context: Any, record: Any, place: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        first = builder.gep(builder.bitcast(arguments[0], cgutils.voidptr_t), [arguments[1]])
        return builder.load(builder.bitcast(first, ir.IntType(64).as_pointer()), align=1)

    return types.uint64(record, types.intp), generate


@intrinsic  # type: ignore[untyped-decorator]
def _put_word(typing_context: Any, out: Any, place: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        first = builder.gep(context.make_array(out)(context, builder, arguments[0]).data, [arguments[1]])
        builder.store(arguments[2], builder.bitcast(first, ir.IntType(64).as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(out, types.intp, types.uint64), generate


@overload(copy_bytes)
def _compile_copy_bytes(record, first, out, goal, count):
    return lambda record, first, out, goal, count: _copy_bytes(record, first, out, goal, count)


@overload(word_at)
def _compile_word_at(record, place):
    return lambda record, place: _word_at(record, place)


@overload(put_word)
def _compile_put_word(out, place, word):
    return lambda out, place, word: _put_word(out, place, word)
