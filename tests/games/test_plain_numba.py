"""Where Numba is not one of the tested versions, it compiles in its own way: more slowly, and the same rules."""

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from atoll.core.catalogue import games
from atoll.engine import lowering

from .plain import played

ROOT = Path(__file__).parents[2]
FAKES = ROOT / "tests" / "fakes"

REPLAYED = ("costa-ruana",)
"""A game in which a seat decides after the other; in the tests' own all decide at once. The others take several times
as long to compile: `ATOLL_PLAIN_NUMBA=1 python -m tests.soak recorded_games` replays all."""


def play_plain(home: Path, *names: str) -> list[str]:
    """What a process says that plays with plain Numba and keeps in `home` what it compiles; warnings are errors."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.games.plain", *names],
        cwd=ROOT,
        env={
            **os.environ,
            "ATOLL_HOME": str(home),
            "ATOLL_PLAIN_NUMBA": "1",
            "ATOLL_RUNNER": "native",
            "PYTHONPATH": str(FAKES),
        },
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


@pytest.mark.timeout(600)
def test_plain_numba_plays_the_same_games_and_finds_its_loops_in_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """State by state; a loop over a game's functions is compiled once, as in the usual way."""
    assert not lowering.PLAIN
    plain = play_plain(tmp_path, *REPLAYED)
    monkeypatch.syspath_prepend(FAKES)
    monkeypatch.setitem(games(), "signs", import_module("signs").game)
    assert plain[:-1] == list(played())
    again = play_plain(tmp_path)
    assert again[:-1] == plain[:-1]
    assert int(plain[-1]) == 0 < int(again[-1])


@pytest.mark.parametrize(
    ("version", "tested"),
    [
        *[("0.64.0", False), ("0.65.0", True), ("0.66.1rc1", True), ("0.68.9", True), ("0.69.0dev0", False)],
        *[("1.0.0", False), ("unknown", False)],
    ],
)
def test_only_tested_versions_of_numba_are_compiled_in_our_way(version: str, tested: bool) -> None:
    assert lowering.is_tested(version) is tested
