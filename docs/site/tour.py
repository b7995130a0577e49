"""The games of the tour: of each game one between bots, to be watched, and mostly to guess the moves of a seat."""

import subprocess
import sys
import tempfile
from pathlib import Path

TOUR = ("karuba", "costa-ruana", "cast-away")
"""The games of `tour.md`, in its order."""
BOTS = "normal"
GUESS = ["--guess", "1"]
WATCHED = ("cast-away",)
"""Games of which quick bots miss too much to judge a guess."""


def files_of(name: str) -> dict[str, list[str]]:
    """What is written of a game: how each file's name ends, and its options."""
    guessed = {"-guess": GUESS, "-guess-fr": [*GUESS, "--language", "fr"]}
    return {"": []} if name in WATCHED else {"": [], **guessed}


def write_game(name: str, folder: Path) -> None:
    """Have bots play a game, and write its files into the folder; raises CalledProcessError if that fails."""
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as kept:
        record = Path(kept) / "game.jsonl"
        play = ["simulate", name, "--games", "1", "--seed", "7", "--bots", BOTS, "--record", record]
        draw = [
            ["replay", record, "--html", folder / f"{name}{end}.html", *options]
            for end, options in files_of(name).items()
        ]
        for command in (play, *draw):
            words = [sys.executable, "-m", "atoll", *map(str, command)]
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
