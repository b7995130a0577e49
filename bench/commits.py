"""Another commit beside this tree: its sources run in this environment, with a cache of their own."""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]


@contextmanager
def worktree(commit: str) -> Iterator[Path]:
    """The folder of a worktree of a commit, which goes at the end. Exits where there is no such commit."""
    with tempfile.TemporaryDirectory() as folder:
        other = Path(folder) / "base"
        command = ["git", "worktree", "add", "--detach", str(other), commit]
        added = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        if added.returncode:
            raise SystemExit(f"There is no worktree of {commit!r}: {added.stderr.strip()}")
        try:
            yield other
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(other)], cwd=ROOT, check=True)


def environment_of(root: Path, home: str) -> dict[str, str]:
    """The environment of a process that runs the sources below `root`."""
    return {**os.environ, "ATOLL_HOME": home, "PYTHONPATH": str(root / "src")}
