"""Broken input of every kind, by compiled rules with checked bounds: a few of the cases that
`python -m tests.soak mutations` tries, in processes of their own, since bounds are chosen before anything is compiled.
"""

import random
import subprocess
import sys
from pathlib import Path

from atoll.core.catalogue import games
from tests.soak.mutations import KINDS

ROOT = Path(__file__).parents[1]
GAMES = tuple(games())  # before other tests add games of their own


def test_broken_input_is_refused_with_a_sentence_or_played_to_the_end(tmp_path: Path) -> None:
    """Of every kind, whatever the seed."""
    seed = random.randrange(1 << 30)
    command = [sys.executable, "-m", "tests.soak.mutations", "--count", "20", "--seed", str(seed)]
    done = subprocess.run([*command, "--folder", tmp_path], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), f"seed {seed}: {done.stderr}"
    assert done.stdout.count("played to the end") == len(KINDS) * len(GAMES)
    assert list(tmp_path.iterdir()) == []


UNCHECKED = """
import sys
from pathlib import Path
from tests.soak.mutations import Failure, games, try_cases
from atoll.core.game import Position
Position.check = lambda self: None
found = (try_cases("positions", name, 1, 0, 60, Path(sys.argv[1])) for name in games())
print(any(isinstance(one, Failure) for one in found))
"""


def test_positions_that_pass_unchecked_are_noticed(tmp_path: Path) -> None:
    """The same cases without `check`, which stands before compiled code."""
    command = [sys.executable, "-c", UNCHECKED, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("True\n", "")
