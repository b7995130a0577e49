"""`atoll examples`: from the sources, and from the package as it is built."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from tests.conftest import Run
from tests.examples.packages import EXAMPLES, ROOT, texts

PACKAGED = ("src", "backend", "examples", "pyproject.toml", "README.md", "LICENSE", "NOTICE")


def test_examples_are_listed_and_copied_by_goal_and_by_name(run: Run, tmp_path: Path) -> None:
    status, said, _ = run("examples")
    assert status == 0
    listed = {line.split()[1]: line.split()[0] for line in said.splitlines()}
    assert {folder.name for folder in EXAMPLES} == {name for name, goal in listed.items() if goal == "game"}
    assert set(listed.values()) == {"design", "game", "research"}
    assert run("examples", "game", "--into", tmp_path / "games")[0] == 0
    for folder in EXAMPLES:
        assert texts(tmp_path / "games" / folder.name) == texts(folder)
    assert run("examples", "ppo", "--into", tmp_path)[0] == 0
    assert (tmp_path / "ppo.py").read_bytes() == (ROOT / "examples" / "ppo.py").read_bytes()


def test_what_is_there_is_left_alone(run: Run, tmp_path: Path) -> None:
    (tmp_path / "aims.toml").write_text("mine")
    status, _, complaint = run("examples", "design", "--into", tmp_path)
    assert (status, complaint) == (
        2,
        f"atoll: {tmp_path / 'aims.toml'} is there already: take another folder with --into, or remove it.\n",
    )
    assert [file.read_text() for file in tmp_path.iterdir()] == ["mine"]
    status, _, complaint = run("examples", "nothing", "--into", tmp_path / "new")
    assert (status, complaint.count("\n")) == (2, 1)
    assert "there are: design, research, game, aims" in complaint
    assert not (tmp_path / "new").exists()


def test_the_wheel_holds_them_and_the_sources_stay_as_they_are(tmp_path: Path) -> None:
    for name in PACKAGED:
        path = ROOT / name
        copy = shutil.copytree if path.is_dir() else shutil.copyfile
        copy(path, tmp_path / name)
    build = "import sys; sys.path.insert(0, 'backend'); import atoll_backend; print(atoll_backend.build_wheel('.'))"
    done = subprocess.run(
        [sys.executable, "-c", build], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    names = set(zipfile.ZipFile(tmp_path / done.stdout.strip()).namelist())
    modules = {
        file.relative_to(ROOT / "src").as_posix() for file in ROOT.glob("src/atoll/games/*/module.wasm")
    }
    assert modules
    assert {"atoll/examples/aims.toml", "atoll/examples/kuhn-poker/pyproject.toml"} | modules <= names
    assert not (tmp_path / "src" / "atoll" / "examples").exists()
