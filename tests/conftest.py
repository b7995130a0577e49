"""What all tests share: data in a temporary folder, compiled rules in the user's own cache, so that they are
compiled once.
"""

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from atoll.commands import main
from atoll.text import folders

Run = Callable[..., tuple[int, str, str]]
"""The command line, run in this process: exit status, what it says, what it complains about."""

# A shell has what it runs in the background ignore Ctrl-C, and so has all that is started from there.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--ends-only",
        action="store_true",
        help="games of the fewest and of the most players, none in between",
    )


@pytest.fixture(scope="session", autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The session's ATOLL_HOME, for subprocesses too: empty but for the cache of compiled rules."""
    cache = folders.cache_folder()
    folder = tmp_path_factory.mktemp("atoll")
    (folder / "cache").symlink_to(cache, target_is_directory=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ATOLL_HOME", str(folder))
        yield folder


@pytest.fixture(autouse=True)
def no_loop_of_the_browser(request: pytest.FixtureRequest) -> Iterator[None]:
    """The loop of Playwright stands still between the browser's tests, and `asyncio.run` would take it for one that
    runs: tests may come in any order.
    """
    loop = asyncio._get_running_loop()
    if loop is None or "browser" in request.path.parts:
        yield
        return
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(loop)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command line."""

    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["atoll", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main.main()
        said = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, said.out, said.err

    return run


MEMORY = Path("/dev/shm")
ROOM = 1 << 30


def pytest_configure(config: pytest.Config) -> None:
    """Temporary files lie in memory, where there is a folder with room: databases then wait for no disk.

    Pytest makes every warning an error anew for each test; one `atoll.engine.compiling` silences for good.
    """
    if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
    config.addinivalue_line("filterwarnings", "ignore:First-class function type feature is experimental")
