"""A new game and the examples, installed in a fresh virtual environment with pip, are found, tested and played."""

import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.examples.packages import EXAMPLES, ROOT, new_game

ATOLL = ("-c", "from atoll.commands.main import main; main()")
SHORT = "keeps_the_contract or pearl or drawn_is_uniform or replays_to_the_same"
"""The suite itself runs elsewhere."""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment that has the games installed, and of this one nothing but what they need."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder, with_pip=False)
    found = folder / "bin" / "python"
    here = sysconfig.get_path("purelib")
    there = subprocess.run(
        [found, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    (Path(there) / "what-they-need.pth").write_text(f"import site; site.addsitedir({here!r})\n")
    base = Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}"
    packages = [new_game("reef"), *EXAMPLES]
    command = [str(base), "-m", "pip", "--python", str(found), "--disable-pip-version-check", "install"]
    command += ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", *map(str, packages)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr
    return found


def run(python: Path, *command: str) -> str:
    """What a command says there."""
    done = subprocess.run([python, *command], capture_output=True, text=True, cwd=python.parent)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_new_game_passes_its_tests_and_is_simulated_recorded_and_replayed(python: Path) -> None:
    tests = new_game("reef") / "tests"
    said = run(
        python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", SHORT, str(tests), "-c", "/dev/null"
    )
    assert "passed" in said
    assert str(ROOT) not in run(python, "-c", "import reef; print(reef.__file__)")
    run(python, *ATOLL, "simulate", "reef", "--games", "20", "--record", "reef.jsonl")
    assert run(python, *ATOLL, "replay", "reef.jsonl").count("\n") >= 20


def test_all_of_them_are_in_the_catalogue(python: Path) -> None:
    said = run(python, "-c", "from atoll.core.catalogue import games; print(*games())")
    assert {"reef", *(folder.name for folder in EXAMPLES)} <= set(said.split())
