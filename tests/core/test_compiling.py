"""The cache of compiled code follows the sources."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

import atoll
from atoll.core import compiling

PACKAGE = Path(atoll.__file__).parent

DRAW = """
import numpy as np
from atoll.core import compiling
from atoll.core.chance import draw_below
value, word = draw_below(np.uint64(0x0123456789ABCDEF), 1000)
hits = sum(draw_below.stats.cache_hits.values())
print(compiling.sources_digest(), value, hits)
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of Atoll's source."""
    copy = tmp_path / "source" / "atoll"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def draw(package: Path) -> tuple[str, int, int]:
    """A process with that copy of Atoll: digest of the sources, a number drawn, functions found in the cache."""
    home = package.parent.parent / "home"
    environment = {**os.environ, "PYTHONPATH": str(package.parent), "ATOLL_HOME": str(home)}
    done = subprocess.run(
        [sys.executable, "-c", DRAW], env=environment, capture_output=True, text=True, check=True
    )
    digest, value, hits = done.stdout.split()
    return digest, int(value), int(hits)


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_a_changed_rule_is_compiled_anew_and_an_unchanged_one_is_not(package: Path) -> None:
    """Numba alone would keep the old callee inside a cached caller in another file."""
    first, value, hits = draw(package)
    assert hits == 0
    assert draw(package) == (first, value, 1)
    edit(package / "core" / "chance.py", "word << np.uint64(13)", "word << np.uint64(12)")
    second, other, hits = draw(package)
    assert second != first
    assert other != value
    assert hits == 0


def test_what_compiled_code_is_made_of(package: Path) -> None:
    """Every game's rules and advice and what they import; not what draws, serves or tells."""
    names = {path.relative_to(PACKAGE).as_posix() for path in compiling.compiled_sources()}
    rules = {path.relative_to(PACKAGE).as_posix() for path in PACKAGE.glob("games/*/rules.py")}
    assert rules
    assert rules <= names
    assert {name.replace("rules.py", "state.py") for name in rules} <= names
    assert {
        "core/chance.py",
        "core/events.py",
        "core/copying.py",
        "lab/simulate.py",
        "bots/greedy.py",
    } <= names
    assert not [name for name in names if name.startswith("web/") or name in ("cli.py", "core/records.py")]


def test_an_edited_rule_changes_the_digest_and_an_edited_page_does_not(package: Path) -> None:
    code = "from atoll.core.compiling import sources_digest; print(sources_digest())"

    def digest() -> str:
        home = package.parent.parent / "home"
        environment = {**os.environ, "PYTHONPATH": str(package.parent), "ATOLL_HOME": str(home)}
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout

    before = digest()
    (package / "cli.py").write_text("# another command line\n")
    assert digest() == before
    rules = next(package.glob("games/*/rules.py"))
    rules.write_text(rules.read_text() + "\n# a comment is a change too\n")
    assert digest() != before


def test_old_caches_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of the last versions stay, for whoever goes back and forth."""
    monkeypatch.setenv("ATOLL_HOME", str(tmp_path))
    monkeypatch.setattr(numba.config, "CACHE_DIR", numba.config.CACHE_DIR)
    home = tmp_path / "cache" / "compiled"
    for age in range(6):
        (home / f"old{age}").mkdir(parents=True)
        (home / f"old{age}" / "code.nbi").write_text("x")
        os.utime(home / f"old{age}", (1000 - age, 1000 - age))
    current = compiling.use_cache_folder.__wrapped__()
    assert current.is_dir()
    assert str(current) == numba.config.CACHE_DIR
    kept = {folder.name for folder in home.iterdir()}
    assert kept == {current.name, *(f"old{age}" for age in range(compiling.KEPT_CACHES))}


def test_uncompiled_functions_are_left_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)

    def plain(number: int) -> int:
        return number + 1

    assert compiling.compiled(plain) is plain
    assert compiling.compiled_as(None, plain) is plain
