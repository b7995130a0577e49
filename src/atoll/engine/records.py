"""Copying and clearing whole state records, and temporary arrays: as plain Python here, compiled in `lowering.py`."""

import numpy as np


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

    Compiled, it lies on the stack: nothing is allocated, and no references are counted. `size` is a constant.
    """
    return np.empty(size, dtype=dtype)


def no_events():  # type: ignore[no-untyped-def]
    """A temporary buffer that takes no events (`core/events.py`): an array of int16, shape (0, 6)."""
    return np.empty((0, 6), dtype=np.int16)
