"""A site of its own for measurements."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from atoll.core import places

START = "from atoll.web.serve import serve; serve(open_browser=False)"
BOUND = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({0}, {0})); "


@contextmanager
def serving(
    home: str, *, cached: bool = False, descriptors: int = 0, log: int | None = None
) -> Iterator[str]:
    """Serve with that home, in a process of its own; gives the address, without the last slash.

    `cached`: with the user's own cache of compiled rules. `descriptors`: with no more than so many. `log`: the file
    that gets what it complains of.
    """
    if cached:
        Path(home, "cache").symlink_to(places.cache_folder(), target_is_directory=True)
    server = subprocess.Popen(
        [sys.executable, "-c", (BOUND.format(descriptors) if descriptors else "") + START],
        env={**os.environ, "ATOLL_HOME": home, "PYTHONDONTWRITEBYTECODE": ""},  # as make starts it
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
    )
    try:
        assert server.stdout is not None
        yield server.stdout.readline().split()[3].rstrip("/")
    finally:
        server.kill()
        server.wait()
