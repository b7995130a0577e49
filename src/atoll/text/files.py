"""Reading files that others wrote: regular files alone, and at most as many bytes as the caller allows; and writing to
those that can be written, and that no other process may write to meanwhile.
"""

import codecs
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, BinaryIO, overload

from atoll.text.errors import AtollError
from atoll.text.messages import Amount, Message
from atoll.text.platform import READING, lock_file
from atoll.text.translation import texts

REASONS = texts(
    "Address already in use",
    "Cannot assign requested address",
    "Connection refused",
    "Connection timed out",
    "Disk quota exceeded",
    "Exec format error",
    "File exists",
    "File name too long",
    "File too large",
    "Input/output error",
    "Is a directory",
    "Network is unreachable",
    "No route to host",
    "No space left on device",
    "No such file or directory",
    "Not a directory",
    "Operation not permitted",
    "Permission denied",
    "Read-only file system",
    "Too many open files",
    "Too many levels of symbolic links",
)
"""What the system says most often, in the English that it is left to speak."""


class UnfitFile(OSError):
    """A file that is there and is not read: `why` says what is wrong with it."""

    def __init__(self, number: int, why: Message, path: Path) -> None:
        super().__init__(number, str(why), str(path))
        self.why = why


def reason_of(error: Exception) -> Message:
    """Why the system, or Atoll, refuses a file, a port or a database."""
    if isinstance(error, UnfitFile):
        return error.why
    return Message(getattr(error, "strerror", None) or str(error))


def unreadable(path: Path, error: OSError) -> Message:
    """That a file cannot be read, and why."""
    return Message("%(file)s: cannot be read: %(why)s", file=path, why=reason_of(error))


def open_file(path: Path) -> BinaryIO:
    """A regular file, to be read; raises OSError for what is not, such as a device or a pipe, which may have no end."""
    opened = os.open(path, READING)
    mode = os.fstat(opened).st_mode
    if not stat.S_ISREG(mode):
        os.close(opened)
        if stat.S_ISDIR(mode):
            raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        raise UnfitFile(errno.EINVAL, Message("it is not a regular file"), path)
    return os.fdopen(opened, "rb")


def open_stream(path: Path) -> BinaryIO:
    """A regular file or a pipe, to be read to its end; "-" is what comes in. Raises OSError for any other."""
    if str(path) == "-":
        return os.fdopen(os.dup(0), "rb")
    if path.is_fifo():
        return path.open("rb")
    return open_file(path)


@overload
def unmarked(text: bytes) -> bytes: ...


@overload
def unmarked(text: str | bytes) -> str | bytes: ...


def unmarked(text: str | bytes) -> str | bytes:
    """A text that somebody wrote, without the mark of byte order with which some editors begin it."""
    if isinstance(text, bytes):
        return text.removeprefix(codecs.BOM_UTF8)
    return text.removeprefix("\ufeff")


def read_file(path: Path, most: int) -> bytes:
    """The content of a regular file; raises OSError also if it has more than `most` bytes."""
    with open_file(path) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise UnfitFile(errno.EFBIG, Message("it has more than %(most)s bytes", most=Amount(most)), path)
    return content


def check_writable(path: Path) -> None:
    """Raise OSError if no file could be written there; the file is as before, or still missing."""
    if path.exists() and not path.is_file() and not path.is_dir():
        return  # to open a pipe or a device once more may change what is read from it
    is_new = not path.exists()
    with path.open("ab"):
        pass
    if is_new:
        path.unlink()


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that is there whole or, if that fails, as it was before; raises OSError that names it. A pipe or a
    device is written to, and stays what it is.
    """
    is_other = path.exists() and (not path.is_file() or not os.access(path.absolute().parent, os.W_OK))
    file = path if is_other else path.resolve()
    fresh = file if is_other else file.with_name(f".{file.name}.part")
    try:
        fresh.write_bytes(content)
        if fresh != file:
            fresh.replace(file)
    except OSError as error:
        if fresh != file:
            fresh.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from None


def lines_of(file: BinaryIO, longest: int) -> Iterator[bytes]:
    """The file's lines; of one with more than `longest` bytes, pieces of `longest` + 1 bytes."""
    return iter(lambda: file.readline(longest + 1), b"")


def check_regular(path: Path) -> None:
    """Raise AtollError for a device or a pipe, which may have no end, and for a folder."""
    if path.exists() and not path.is_file():
        raise AtollError(Message("%(file)s: is not a regular file; name another one", file=path))


def take_alone(file: IO[Any], refusal: Message) -> None:
    """Let no other process take an open file until it is closed; raises AtollError with `refusal` if one has it."""
    try:
        lock_file(file)
    except BlockingIOError:
        raise AtollError(refusal) from None
