"""A site of its own for measurements."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from atoll.core import places

START = "from atoll.web.serve import serve; serve(open_browser=False)"


@contextmanager
def serving(home: str, *, cached: bool = False) -> Iterator[str]:
    """Serve with that home, in a process of its own; gives the address, without the last slash.

    `cached`: with the user's own cache of compiled rules.
    """
    if cached:
        Path(home, "cache").symlink_to(places.cache_folder(), target_is_directory=True)
    server = subprocess.Popen(
        [sys.executable, "-c", START],
        env={**os.environ, "ATOLL_HOME": home, "PYTHONDONTWRITEBYTECODE": ""},  # as make starts it
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        yield server.stdout.readline().split()[3].rstrip("/")
    finally:
        server.kill()
        server.wait()
