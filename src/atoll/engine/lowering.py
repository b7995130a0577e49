"""How Numba compiles what plain Python does slowly: whole records as bytes, temporary arrays on the stack."""

import os
import re
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, lower_builtin, overload, type_callable

from atoll.engine.hiding import HIDDEN_BYTE, empty_bytes, fill_bytes
from atoll.engine.observing import byte_at
from atoll.engine.records import clear_record, copy_record, no_events, scratch

TESTED_NUMBA = ((0, 65), (0, 68))
"""The first and the last version of Numba with which `engine/linking.py` was tested."""


def is_tested(version: str) -> bool:
    """Whether `engine/linking.py` was tested with that version of Numba."""
    found = re.match(r"(\d+)\.(\d+)", version)
    return found is not None and TESTED_NUMBA[0] <= tuple(map(int, found.groups())) <= TESTED_NUMBA[1]


PLAIN = os.environ.get("ATOLL_PLAIN_NUMBA", "") not in ("", "0") or not is_tested(numba.__version__)
"""Whether Numba compiles in its own way, with its public interface alone: the same results, compiled more slowly."""

if not PLAIN:
    from numba.np.arrayobj import make_array, populate_array

ALIGNED = 8
"""What the place of a temporary array is a multiple of: the width of the widest numbers."""
EVENTS = types.Array(types.int16, 2, "C")


@intrinsic  # type: ignore[untyped-decorator]
def _copy_bytes(typing_context: Any, source: Any, target: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        origin, goal = arguments
        size = context.get_constant(types.intp, source.size)
        cgutils.raw_memcpy(builder, goal, origin, size, 1)
        return context.get_dummy_value()

    return types.void(source, target), generate


@intrinsic  # type: ignore[untyped-decorator]
def _clear_bytes(typing_context: Any, record: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        size = ir.Constant(ir.IntType(64), record.size)
        cgutils.memset(builder, arguments[0], size, 0)
        return context.get_dummy_value()

    return types.void(record), generate


@overload(copy_record)
def _compile_copy_record(source, target):  # type: ignore[no-untyped-def]
    if isinstance(source, types.Record) and source == target:
        return lambda source, target: _copy_bytes(source, target)
    return None


@overload(clear_record)
def _compile_clear_record(record):  # type: ignore[no-untyped-def]
    if isinstance(record, types.Record):
        return lambda record: _clear_bytes(record)
    return None


if PLAIN:

    @overload(scratch)
    def _compile_scratch(size, dtype):  # type: ignore[no-untyped-def]
        return lambda size, dtype: np.empty(size, dtype=dtype)

    @overload(no_events)
    def _compile_no_events():  # type: ignore[no-untyped-def]
        return lambda: np.empty((0, 6), dtype=np.int16)

else:

    @type_callable(scratch)  # type: ignore[untyped-decorator]
    def _type_scratch(context: Any) -> Any:
        def kind_of(size: Any, dtype: Any) -> Any:
            return types.Array(dtype.dtype, 1, "C") if isinstance(size, types.IntegerLiteral) else None

        return kind_of

    @lower_builtin(scratch, types.IntegerLiteral, types.Any)  # type: ignore[untyped-decorator]
    def _lower_scratch(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind, size = signature.return_type, signature.args[0].literal_value
        element = context.get_data_type(kind.dtype)
        length, width = (context.get_constant(types.intp, n) for n in (size, context.get_abi_sizeof(element)))
        array = make_array(kind)(context, builder)
        data = cgutils.alloca_once(builder, element, size)
        data.align = ALIGNED
        populate_array(array, data=data, shape=[length], strides=[width], itemsize=width, meminfo=None)
        return array._getvalue()

    @type_callable(no_events)  # type: ignore[untyped-decorator]
    def _type_no_events(context: Any) -> Any:
        return lambda: EVENTS

    @lower_builtin(no_events)  # type: ignore[untyped-decorator]
    def _lower_no_events(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = make_array(EVENTS)(context, builder)
        shape, strides = (
            [context.get_constant(types.intp, n) for n in numbers] for numbers in ((0, 6), (12, 2))
        )
        nowhere = cgutils.get_null_value(array.data.type)
        width = context.get_constant(types.intp, 2)
        populate_array(array, data=nowhere, shape=shape, strides=strides, itemsize=width, meminfo=None)
        return array._getvalue()


@intrinsic  # type: ignore[untyped-decorator]
def _fill_bytes(typing_context: Any, record: Any, first: Any, end: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place, start, stop = arguments
        base = builder.bitcast(place, cgutils.voidptr_t)
        byte = ir.Constant(ir.IntType(8), HIDDEN_BYTE)
        cgutils.memset(builder, builder.gep(base, [start]), builder.sub(stop, start), byte)
        return context.get_dummy_value()

    return types.void(record, types.intp, types.intp), generate


@intrinsic  # type: ignore[untyped-decorator]
def _empty_bytes(typing_context: Any, record: Any, first: Any, end: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place, start, stop = arguments
        base = builder.bitcast(place, cgutils.voidptr_t)
        hidden = ir.Constant(ir.IntType(8), HIDDEN_BYTE)
        with cgutils.for_range(builder, builder.sub(stop, start)) as loop:
            byte = builder.gep(base, [builder.add(start, loop.index)])
            held = builder.load(byte)
            kept = builder.select(
                builder.icmp_unsigned("==", held, hidden), ir.Constant(ir.IntType(8), 0), held
            )
            builder.store(kept, byte)
        return context.get_dummy_value()

    return types.void(record, types.intp, types.intp), generate


@overload(fill_bytes)
def _compile_fill_bytes(record, first, end):  # type: ignore[no-untyped-def]
    if isinstance(record, types.Record):
        return lambda record, first, end: _fill_bytes(record, first, end)
    return None


@overload(empty_bytes)
def _compile_empty_bytes(record, first, end):  # type: ignore[no-untyped-def]
    if isinstance(record, types.Record):
        return lambda record, first, end: _empty_bytes(record, first, end)
    return None


@intrinsic  # type: ignore[untyped-decorator]
def _byte_at(typing_context: Any, record: Any, place: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = builder.bitcast(arguments[0], cgutils.voidptr_t)
        return builder.load(builder.gep(data, [arguments[1]]))

    return types.uint8(record, types.uintp), generate


@overload(byte_at)
def _compile_byte_at(record, place):  # type: ignore[no-untyped-def]
    if isinstance(record, types.Record):
        return lambda record, place: _byte_at(record, place)
    return None
