"""What not every operating system has: Windows lacks all of it."""

import os
import signal
from typing import IO, Any

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]

try:
    import resource
except ImportError:
    resource = None  # type: ignore[assignment]

HANGUP: int | None = getattr(signal, "SIGHUP", None)
"""The signal of a closed terminal."""
_BYTES = getattr(os, "O_BINARY", 0)
READING = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0) | _BYTES
"""How a file is opened that is to be read. Without O_NONBLOCK, opening a pipe waits until somebody writes to it."""
CREATING = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BYTES
"""How a file is opened that must not be there yet."""
HAS_PROCESS_GROUPS = hasattr(os, "killpg")
"""Whether a program can be ended with all that it has started."""


def lock_file(file: IO[Any]) -> None:
    """Let no other process lock an open file until it is closed, where there are such locks; raises BlockingIOError if
    one has it.
    """
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def allow_descriptors(needed: int) -> int | None:
    """Have this process allowed so many open files, if the system does; how many it may have, None for any number."""
    if resource is None:
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if 0 <= soft < needed:
        soft = needed if hard < 0 else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return soft if soft >= 0 else None


def step_back(niceness: int) -> None:
    """Leave the cores to other processes first, where a process can say so."""
    if hasattr(os, "nice"):
        os.nice(niceness)


def hold_back(signals: set[int]) -> set[int]:
    """Let these signals wait, where they can, for `let_through`; returns those that waited before."""
    if not hasattr(signal, "pthread_sigmask"):
        return set()
    return set(signal.pthread_sigmask(signal.SIG_BLOCK, signals))


def let_through(before: set[int]) -> None:
    """Let only those signals wait that waited before `hold_back`."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
