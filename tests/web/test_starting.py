"""A site that starts with an empty home: every game can be played at once, without Numba; a game of somebody's own
whose module cannot be built is left out and says why.
"""

import html
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from urllib.error import HTTPError

import pytest

from atoll.core import catalogue
from atoll.core.catalogue import games
from atoll.core.running import MODULE
from atoll.lab import modules
from atoll.text.messages import Message
from atoll.web.pages.move_confirmation import AT_ONCE
from tests.site import FAKES, Server
from tests.visitors import Visitor
from tests.web.conftest import Browser, Page

COMMAND = (
    "import sys; from atoll.commands.serve import serve; serve(port=int(sys.argv[1])); "
    "print('imported:', *{'numba', 'llvmlite'} & set(sys.modules), file=sys.stderr)"
)
DECIDED = "SELECT seat FROM moves WHERE table_id = ? UNION ALL SELECT seat FROM choices WHERE table_id = ?"


@pytest.fixture
def start_site() -> Iterator[Callable[..., Server]]:
    """Starts a site as the command does, with those packages besides."""
    started: list[Server] = []

    def start(home: Path, *packages: Path) -> Server:
        (home / "cache").mkdir(parents=True)  # in which nothing was built
        started.append(Server(home, packages=[*map(str, packages)], start=COMMAND))
        return started[-1]

    yield start
    for server in started:
        server.kill()


def decided(home: Path, table: str) -> set[int]:
    """The seats that have decided at a table."""
    (file,) = home.rglob("*.sqlite")
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as store:
        return {seat for (seat,) in store.execute(DECIDED, (table, table))}


def test_bots_of_every_game_move_in_a_process_without_numba(
    start_site: Callable[..., Server], tmp_path: Path
) -> None:
    """Nothing was compiled before."""
    server = start_site(tmp_path / "home")
    visitor = Visitor(server.address)
    visitor.get(f"/pressing?to={AT_ONCE}")
    for game in (game.name for game in games().values() if (game.folder / MODULE).is_file()):
        path = visitor.post("/tables", game=game, players="2", seat1="bot:normal", pace="at once")
        table, until = path.rpartition("/")[2], time.monotonic() + 60
        while 1 not in decided(tmp_path, table):
            if moves := Page(visitor.get(path)).moves:
                visitor.post(moves[0].action, **dict(moves[0].fields))
            assert time.monotonic() < until
    assert server.stop() == 0
    assert server.errors == "imported:\n"


def test_a_broken_game_is_left_out_and_its_pages_say_why(
    start_site: Callable[..., Server], tmp_path: Path
) -> None:
    """The others are there."""
    packages = tmp_path / "packages"
    shutil.copytree(FAKES, packages)
    rules = packages / "signs" / "rules.py"
    rules.write_text(rules.read_text().replace("def resample(", "def sample("))
    server = start_site(tmp_path / "home", packages)
    why = "Signs cannot be built: rules.resample is missing"
    assert server.errors.startswith(why)
    assert server.errors.count("\n") == 1
    assert 'value="signs"' not in server.get("/")
    with pytest.raises(HTTPError) as refused:
        server.get("/games/signs/rules")
    assert refused.value.code == 503
    assert why in html.unescape(refused.value.read().decode())
    assert "Karuba" in server.get("/games/karuba/rules")


def test_without_what_builds_modules_a_game_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, games_for_tests: None
) -> None:
    said: list[Message] = []
    monkeypatch.setattr(modules, "CAN_BUILD", False)
    monkeypatch.setattr(modules, "read_module", lambda game: None if game.name == "signs" else b"")
    why = modules.ensure_modules(games().values(), said.append)
    assert list(why) == ["signs"]
    assert str(why["signs"]).endswith("install atoll[build] and run atoll build signs")
    assert not said


def test_tables_of_a_game_that_is_left_out_say_why(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are kept, and can be played on once it is there."""
    form = {"game": "signs", "players": "2", "seat1": "friend"}
    address = browser.post("/tables", form, follow_redirects=False).headers["location"]
    with monkeypatch.context() as patch:
        patch.setattr(catalogue, "_left_out", {})
        patch.setitem(games(), "signs", games()["signs"])  # put back at the end
        catalogue.leave_out("signs", Message("Signs cannot be built: %(problem)s", problem="it is torn"))
        for path in (address, "/games/signs/rules"):
            answer = browser.get(path)
            assert answer.status_code == 503
            assert "here now: Signs cannot be built: it is torn." in answer.text
        assert browser.post("/tables", form).status_code == 400
    assert browser.get(address).status_code == 200
