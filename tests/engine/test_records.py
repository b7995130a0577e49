"""Arrays for a moment, compiled and uncompiled."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call,attr-defined"

import numba
import numpy as np
import pytest

from atoll.engine.compiling import compiled, inlined
from atoll.engine.native import native
from atoll.engine.records import scratch

FEW, MORE = 3, 5
ONES = np.ones


@inlined
def count_up(numbers, first):
    for i in range(len(numbers)):
        numbers[i] = first + i


@compiled
def sums(times):
    """Two arrays at once, made again each time round; the second is wider than a byte."""
    total = 0
    for time in range(times):
        few = scratch(FEW, np.int8)
        more = scratch(MORE, np.int64)
        count_up(few, time)
        count_up(more, 1000)
        total += few[0] + few[FEW - 1] + more[0] + more[MORE - 1] + 100000 * len(few) * len(more)
    return total


def test_scratch_arrays_keep_apart_and_have_their_length_and_type() -> None:
    wanted = sum(time + time + 2 + 1000 + 1004 + 100000 * 15 for time in range(4))
    assert sums(4) == native(sums)(4) == wanted


def test_a_function_may_make_arrays_unless_it_hides_that() -> None:
    @compiled
    def open_about_it(size):
        return np.ones(size).sum()

    @compiled
    def secretive(size):
        return ONES(size).sum()

    assert native(open_about_it)(3) == 3
    with pytest.raises(numba.core.errors.TypingError, match="array passed into the function"):
        native(secretive)(3)
