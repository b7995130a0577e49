"""Uploaded records as tables that are replayed; nothing can be decided there."""

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

from atoll.bots import RECORDED_BOT
from atoll.core import records
from atoll.core.types import Json
from atoll.text.errors import AtollError
from atoll.text.messages import Amount
from atoll.text.translation import seat_names
from atoll.text.visible import visible
from atoll.web.refusal import Refusal
from atoll.web.store.history import LONGEST, Upload
from atoll.web.store.store import Answer, SeatRow, now
from atoll.web.table.memory_table import MemoryTable
from atoll.web.table.seats import Seating
from atoll.web.table.timeline import Redeal, Timeline, UndoneMoves, with_one_more
from atoll.web.translation import translator_for

if TYPE_CHECKING:
    from atoll.core.records import Record

WATCHED = 8
"""Records that stay read in memory."""

NOT_WATCHED = "This record cannot be watched: %(why)s."


def read_record(text: str) -> "Record":
    """The first record of a text, every line checked; raises Refusal with the sentence that says what is wrong."""
    if len(text.encode()) > LONGEST:
        raise Refusal(413, "A record to be watched has at most %(most)s bytes.", most=Amount(LONGEST))
    try:
        record = next(records.read_records(text.splitlines()))
        for _ in records.replay(record):
            pass
    except AtollError as error:
        raise Refusal(422, NOT_WATCHED, why=error.message) from None
    return record


def timeline_of(record: "Record") -> Timeline:
    """The timeline of a checked record: the moves that stand, and notes of those that were taken back."""
    timeline = Timeline(records.first_position(record))
    standing: list[tuple[Answer, Json | None]] = []
    undone: list[UndoneMoves] = []
    redeals: list[Redeal] = []
    for line in record.decisions:
        if "undo" in line:
            at = line["undo"]
            agreed = tuple(line.get("agreed", ()))
            undone = with_one_more(undone, UndoneMoves(line["player"], at, len(standing) - at, agreed))
            del standing[at:]
        elif "redeal" in line:
            number = line.get("number")
            number = number if type(number) is int else None
            redeals.append(Redeal(line["player"], len(standing), line["redeal"], number=number))
        else:
            standing.append((Answer(line["player"], 0, line["move"]), line.get("chance")))
    timeline.chance = {number: chance for number, (_, chance) in enumerate(standing) if chance is not None}
    for number, (answer, _) in enumerate(standing):
        timeline.redeal_after(number, redeals)
        timeline.replay(answer)
    timeline.redeal_after(len(standing), redeals)
    timeline.undone = undone
    return timeline


class WatchedRecord(MemoryTable):
    """A record as a table."""

    is_record = True

    def __init__(self, record: "Record", name: str) -> None:
        seats = tuple(occupant_of(seat, player) for seat, player in enumerate(record.header["players"]))
        super().__init__(name, records.first_position(record), Seating("", False, seats), timeline_of(record))
        self.record = record
        self.opens_at = min(max(0, records.moment_of(record) - 1), len(self.timeline.answers))

    @property
    def address(self) -> str:
        """Where it is watched."""
        return f"/records/{self.row.id}"


def watched(upload: Upload) -> WatchedRecord:
    """An uploaded record as a table; raises Refusal for one that cannot be watched."""
    return WatchedRecord(read_record(upload.text), upload.id)


def occupant_of(seat: int, player: str) -> SeatRow:
    """Who sat there by what a record calls them (`player_names`): a bot, or a person, perhaps without a name."""
    if player.startswith(RECORDED_BOT):
        return SeatRow(seat, bot=player.removeprefix(RECORDED_BOT))
    nameless = player == seat_names(translator_for("en"))[seat]
    return SeatRow(
        seat, browser="recorded", seen_at=now(), name=None if nameless else visible(player) or None
    )


class WatchedRecords:
    """The records that are watched now, the latest of them read."""

    def __init__(self) -> None:
        self._read: OrderedDict[str, WatchedRecord] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, upload: Upload) -> WatchedRecord:
        """An uploaded record as a table."""
        with self._lock:
            table = self._read.get(upload.id)
        if table is None:
            table = watched(upload)
        with self._lock:
            self._read[upload.id] = table
            self._read.move_to_end(upload.id)
            while len(self._read) > WATCHED:
                self._read.popitem(last=False)
        return table
