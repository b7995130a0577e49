"""Writing a view: what is declared visible is copied, every other byte is hidden."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.engine.compiling import compiled
from atoll.engine.constants import REFEREE
from atoll.engine.records import copy_record

HIDDEN_BYTE = 255


@compiled
def hide(state, seat, out, hidden):  # type: ignore[no-untyped-def]
    """Write what the declarations of `state` show to `seat`, or SPECTATOR, into `out`; all else is UNKNOWN.

    `hidden` is the class's: shape (n, 4), int64.
    """
    copy_record(state, out)
    for i in range(hidden.shape[0]):
        first, end, row = hidden[i, 0], hidden[i, 1], hidden[i, 2]
        if row == 0 or seat < 0:
            fill_bytes(out, first, end)
        else:
            fill_bytes(out, first, first + seat * row)
            fill_bytes(out, first + (seat + 1) * row, end)
    out.seat = seat


@compiled
def unhide(view, out, hidden):  # type: ignore[no-untyped-def]
    """Copy a view into `out` as a full state to be filled in: 0 stands for all that is hidden."""
    copy_record(view, out)
    for i in range(hidden.shape[0]):
        if hidden[i, 3] != HIDDEN_BYTE:
            empty_bytes(out, hidden[i, 0], hidden[i, 1])
    out.seat = REFEREE


def fill_bytes(record, first, end):  # type: ignore[no-untyped-def]
    """Hide the bytes from `first` to before `end`, all of one field of the record, an array."""
    _bytes_of(record, first, end)[:] = HIDDEN_BYTE


def empty_bytes(record, first, end):  # type: ignore[no-untyped-def]
    """Set the hidden bytes from `first` to before `end`, all of one field of the record, an array, to 0."""
    found = _bytes_of(record, first, end)
    found[found == HIDDEN_BYTE] = 0


def _bytes_of(record: Any, first: int, end: int) -> NDArray[np.uint8]:
    """Bytes of a record, to be written; of no field if there are none."""
    for name, (kind, offset, *_) in record.dtype.fields.items():
        if offset <= first < offset + kind.itemsize:
            found: NDArray[np.uint8] = record[name].reshape(-1).view(np.uint8)[first - offset : end - offset]
            return found
    return np.empty(0, dtype=np.uint8)
