"""Broken components files, a few of those that `python -m bench.mutated_components` tries."""

import subprocess
import sys
from pathlib import Path

from atoll.core.catalogue import games

ROOT = Path(__file__).parents[1]


def test_broken_files_are_refused_and_those_accepted_are_played_to_the_end(tmp_path: Path) -> None:
    """With checked bounds, in a process of its own, since that is chosen before anything is compiled."""
    command = [sys.executable, "-m", "bench.mutated_components", "--count", "100", "--folder", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("played to the end") == len(games())
    assert list(tmp_path.iterdir()) == []
