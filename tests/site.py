"""A site of its own for tests: a real server process with a temporary home."""

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path

from atoll.text import folders

FAKES = Path(__file__).parent / "fakes"
START = (
    "import sys; from atoll.core.catalogue import games; from atoll.web.serving.server import serve; "
    "[games().pop(name) for name in list(games()) if name not in (sys.argv[3:] or games())]; "
    "serve(sys.argv[2], int(sys.argv[1]), open_browser=False)"
)


def free_port() -> int:
    """A port of this server's own: the usual one is taken by another test's as soon as this one's is killed."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """A server process; the compiled rules are cached where the test run keeps them.

    It has those games alone that are named, if any are: the others need not be loaded.
    """

    def __init__(
        self,
        home: Path,
        port: int = 0,
        packages: Sequence[str] = (str(FAKES),),
        host: str = "127.0.0.1",
        start: str = START,
        games: Sequence[str] = (),
    ) -> None:
        self.home = home
        home.mkdir(exist_ok=True)
        if not (home / "cache").exists():
            (home / "cache").symlink_to(folders.cache_folder().resolve(), target_is_directory=True)
        environment = dict(os.environ, ATOLL_HOME=str(home), PYTHONUNBUFFERED="1", PYTHONWARNINGS="default")
        environment["PYTHONPATH"] = os.pathsep.join(
            filter(None, (*packages, environment.get("PYTHONPATH", "")))
        )
        self.log = home / "server.log"
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", start, str(port or free_port()), host, *games],
                env=environment,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self.process.stdout is not None
        with self.process.stdout as output:
            line = output.readline()
        found = re.search(r"http://\S+/", line)
        assert found, f"the server did not start: {line}{self.errors}"
        self.address = found[0].rstrip("/")
        self.port = int(self.address.rpartition(":")[2])

    @property
    def errors(self) -> str:
        """What it has written to its log."""
        return self.log.read_text()

    def get(self, path: str) -> str:
        """A page, as a browser without cookies sees it."""
        with urllib.request.urlopen(self.address + path, timeout=20) as answer:
            text: str = answer.read().decode()
            return text

    def wait_until_ready(self, game: str = "") -> None:
        """Wait until tables of that game can be shown, of all games if it names none; the site answers then."""
        with urllib.request.urlopen(f"{self.address}/readyz?wait=300&game={game}", timeout=310) as answer:
            assert answer.status == 200

    def kill(self) -> None:
        """Kill it as `kill -9` does."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """Stop it as Ctrl-C does; returns the exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        return self.process.wait(60)


StartServer = Callable[..., Server]
"""Starts a server that does not outlive the test."""
