"""Copying and clearing whole state records, and temporary arrays, compiled and uncompiled."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, lower_builtin, overload, type_callable

from atoll.engine.compiling import EVENTS, PLAIN

ALIGNED = 8
"""What the place of a temporary array is a multiple of: the width of the widest numbers."""

if not PLAIN:
    from numba.np.arrayobj import make_array, populate_array


def copy_record(source, target):  # type: ignore[no-untyped-def]
    """Write every byte of `source` over `target`, a record of the same dtype."""
    for name in source.dtype.names:
        target[name] = source[name]


def clear_record(record):  # type: ignore[no-untyped-def]
    """Set every field of `record` to 0."""
    for name in record.dtype.names:
        record[name] = 0


def scratch(size, dtype):  # type: ignore[no-untyped-def]
    """An uninitialised temporary array of shape (size,), which must not outlive the function that calls this.

    Compiled, it lies on the stack unless Numba is `PLAIN`: nothing is allocated, and no references are counted. `size`
    is a constant.
    """
    return np.empty(size, dtype=dtype)


def no_events():  # type: ignore[no-untyped-def]
    """A temporary buffer that takes no events (`core/events.py`): an array of int16, shape (0, 6)."""
    return np.empty((0, 6), dtype=np.int16)


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
