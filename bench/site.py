"""A site of its own for measurements."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from atoll.core import places

START = """
try:
    from atoll.web.serving.serve import serve
except ImportError:  # sources of before it was moved there
    from atoll.web.serve import serve
serve(open_browser=False)
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
) -> Iterator[tuple[str, int]]:
    """The same; gives the address and the process's number. `sources`: the folder of another commit's working tree."""
    if cached:
        Path(home, "cache").symlink_to(places.cache_folder(), target_is_directory=True)
    process = subprocess.Popen(
        [sys.executable, "-c", (BOUND.format(descriptors) if descriptors else "") + START],
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
        process.kill()
        process.wait()


def cpu_seconds(process: int) -> float:
    """For how long a process has used cores; Linux tells."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def threads_seconds(process: int) -> float:
    """The same of the threads that it has now, to the nanosecond, for what takes milliseconds."""
    found = [path.read_text().split()[0] for path in Path(f"/proc/{process}/task").glob("*/schedstat")]
    return sum(map(int, found)) / 1e9
