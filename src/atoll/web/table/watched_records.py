"""The uploaded records that this process has read to show them."""

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

from atoll.web.store.history import Upload

if TYPE_CHECKING:
    from atoll.web.table.watched_record import WatchedRecord

WATCHED = 8
"""Records that stay read in memory."""


class WatchedRecords:
    """The records that are watched now, the latest of them read."""

    def __init__(self) -> None:
        self._read: OrderedDict[str, WatchedRecord] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, upload: Upload) -> "WatchedRecord":
        """An uploaded record as a table."""
        with self._lock:
            found = self._read.get(upload.id)
        if found is None:
            from atoll.web.table.watched_record import WatchedRecord  # reads positions, which imports Numba

            found = WatchedRecord(upload)
        with self._lock:
            self._read[upload.id] = found
            self._read.move_to_end(upload.id)
            while len(self._read) > WATCHED:
                self._read.popitem(last=False)
        return found
