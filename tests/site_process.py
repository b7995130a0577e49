"""A site of its own for measurements."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from atoll.text import folders

START = """
from atoll.web.serving.server import serve
serve(open_browser=False{0})
"""
BOUND = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({0}, {0})); "


@contextmanager
def serving(
    home: str, *, cached: bool = False, descriptors: int = 0, log: int | None = None
) -> Iterator[str]:
    """Serve with that home, in a process of its own; gives the address, without the last slash.

    `cached`: with the user's own cache of compiled rules. `descriptors`: with no more than so many. `log`: the file
    that gets what it complains of.
    """
    with server(home, cached=cached, descriptors=descriptors, log=log) as (address, _):
        yield address


@contextmanager
def server(
    home: str,
    *,
    cached: bool = False,
    descriptors: int = 0,
    log: int | None = None,
    sources: str | None = None,
    processes: int = 1,
) -> Iterator[tuple[str, int]]:
    """The same; gives the address and the process's number. `sources`: the folder of another commit's working tree.
    `processes`: so many serve it, which that one has started."""
    if cached:
        Path(home, "cache").symlink_to(folders.cache_folder(), target_is_directory=True)
    start = START.format(f", processes={processes}" if processes > 1 else "")
    process = subprocess.Popen(
        [sys.executable, "-c", (BOUND.format(descriptors) if descriptors else "") + start],
        env={
            **os.environ,
            "ATOLL_HOME": home,
            "PYTHONDONTWRITEBYTECODE": "",  # as make starts it
            **({} if sources is None else {"PYTHONPATH": str(Path(sources, "src").resolve())}),
        },
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().split()[3].rstrip("/"), process.pid
    finally:
        started = children(process.pid)
        process.kill()
        for child in started:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        process.wait()


def children(process: int) -> list[int]:
    """The processes that a process has started; Linux tells."""
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def resident(process: int) -> int:
    """How many bytes of a process are in memory now."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def cpu_seconds(process: int) -> float:
    """For how long a process has used cores; Linux tells."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def family_seconds(process: int) -> float:
    """The same of a process with those that it has started, the ended ones too."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    used = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    for child in children(process):
        with suppress(OSError):  # which has just ended
            used += cpu_seconds(child)
    return used


def threads_seconds(process: int) -> dict[str, float]:
    """The same of each thread that it has now, to the nanosecond, for what takes milliseconds."""
    found = {}
    for path in Path(f"/proc/{process}/task").glob("*/schedstat"):
        with suppress(OSError):  # which has just ended
            found[path.parent.name] = int(path.read_text().split()[0]) / 1e9
    return found
