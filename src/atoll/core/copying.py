"""Copying and clearing whole state records, compiled and uncompiled."""

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload


def copy_record(source, target):  # type: ignore[no-untyped-def]
    """Write every byte of `source` over `target`, a record of the same dtype."""
    for name in source.dtype.names:
        target[name] = source[name]


def clear_record(record):  # type: ignore[no-untyped-def]
    """Set every field of `record` to 0."""
    for name in record.dtype.names:
        record[name] = 0


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
