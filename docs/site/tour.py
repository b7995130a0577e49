"""The games of the tour: of each game one that bots play, as one file that shows the table after each move."""

import subprocess
import sys
import tempfile
from pathlib import Path

TOUR = ("karuba", "costa-ruana", "cast-away")
"""The games of `tour.md`, in its order."""
BOTS = "normal"


def write_game(name: str, folder: Path) -> None:
    """Have bots play a game, and write it into the folder; raises CalledProcessError if that fails."""
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as kept:
        record = Path(kept) / "game.jsonl"
        play = ["simulate", name, "--games", "1", "--seed", "7", "--bots", BOTS, "--record", record]
        for command in (play, ["replay", record, "--html", folder / f"{name}.html"]):
            words = [sys.executable, "-m", "atoll", *map(str, command)]
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
