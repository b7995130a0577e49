"""Asking a processor for memory before it is needed: compiled; uncompiled nothing happens."""

# mypy: disable-error-code="no-untyped-def"

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload

LINE = 64
"""Bytes that processors load at a time."""


def prefetch(array, i, count):
    """Begin to load the first `count` bytes of row `i` of an array, or as many as it has, to be read and written."""


@intrinsic  # type: ignore[untyped-decorator]
def _prefetch(typing_context: Any, array: Any, i: Any, count: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view, byte, word = (
            context.make_array(array)(context, builder, arguments[0]),
            ir.IntType(8),
            ir.IntType(32),
        )
        row, wanted = cgutils.unpack_tuple(builder, view.strides)[0], arguments[2]
        size = builder.select(builder.icmp_signed("<", row, wanted), row, wanted)
        first = builder.gep(builder.bitcast(view.data, cgutils.voidptr_t), [builder.mul(row, arguments[1])])
        kind = ir.FunctionType(ir.VoidType(), [byte.as_pointer(), word, word, word])
        ask = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        hints = [ir.Constant(word, hint) for hint in (1, 3, 1)]  # to be written too, into all caches, data
        none, line = (ir.Constant(row.type, bytes) for bytes in (0, LINE))
        with cgutils.for_range_slice(builder, none, size, line, row.type) as (at, _):
            builder.call(ask, [builder.gep(first, [at]), *hints])
        return context.get_dummy_value()

    return types.void(array, types.intp, types.intp), generate


@overload(prefetch)
def _compile_prefetch(array, i, count):
    return lambda array, i, count: _prefetch(array, i, count)
