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

from atoll.bots.bot import QUICK_BOTS
from atoll.core.catalogue import games
from atoll.core.running import read_module
from atoll.text import folders

ROOT = Path(__file__).parents[1]
FAKES = ROOT / "tests" / "fakes"
START = (
    "import sys; from atoll.core.catalogue import games; from atoll.web.serving.server import serve; "
    "from tests.site import compile_games; "
    "[games().pop(name) for name in list(games()) if name not in (sys.argv[3:] or games())]; compile_games(); "
    "serve(sys.argv[2], int(sys.argv[1]), open_browser=False)"
)


def free_port() -> int:
    """A port of this server's own: the usual one is taken by another test's as soon as this one's is killed."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def compile_games() -> None:
    """Play a game of each that has no module: Numba then has compiled what its tables need before pages wait for it."""
    for game in games().values():
        if read_module(game) is not None:
            continue
        position = game.start(game.seats.start, seed=0)
        for number in position.until_over():
            seat = position.to_act[0]
            view = position.view(seat)
            view.resample(0)
            position.play_action(seat, QUICK_BOTS[number % len(QUICK_BOTS)].choose(view, seed=0))
        assert position.outcome is not None


class Server:
    """A server process; what is compiled is cached where the test run keeps it.

    It has those games alone that are named, if any are: the others need not be compiled.
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
            filter(None, (*packages, str(ROOT), environment.get("PYTHONPATH", "")))
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
            found = next((match for line in output if (match := re.search(r"http://\S+/", line))), None)
        assert found, f"the server did not start: {self.errors}"
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
