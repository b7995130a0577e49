"""The games of a file of records, as commands read them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from atoll.text.errors import AtollError, RecordError
from atoll.text.files import lines_of, open_stream, unreadable
from atoll.text.messages import Message

if TYPE_CHECKING:
    from atoll.core.records import Record


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Raise what is wrong with a record with the file's name before it."""
    try:
        yield
    except RecordError as error:
        raise RecordError(Message("%(file)s: %(problem)s", file=path, problem=error.message)) from None


def records_in(path: Path) -> list["Record"]:
    """All games of a file, or of standard input for `-`; raises AtollError naming the file and the line that is
    wrong."""
    from atoll.core.records import LONGEST_LINE, read_records

    try:
        with naming(path), open_stream(path) as file:
            return list(read_records(lines_of(file, LONGEST_LINE)))
    except OSError as error:
        raise AtollError(unreadable(path, error)) from None


def record_in(path: Path, number: int) -> "Record":
    """The game of that number, from 1; raises AtollError."""
    records = records_in(path)
    if number > len(records):
        raise RecordError(
            Message(
                "%(file)s: it holds %(count)s games, not %(number)s",
                file=path,
                count=len(records),
                number=number,
            )
        )
    return records[number - 1]
