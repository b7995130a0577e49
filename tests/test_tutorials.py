"""The tutorials are followed to the letter, with fewer games: every command runs, and every button is there."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from atoll import find_game
from atoll.text.translation import Translator
from tests.conftest import Run

ROOT = Path(__file__).parents[1]
TUTORIALS = ("first-evening", "prototype-to-print", "first-policy")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
FEWER = {"--games": "10", "--deals": "2", "--trials": "1"}
"""What takes its time in the tutorials, and what it is here."""
WITHOUT = ("--deals", "0", "--seats", "0")
"""The parts of a report that play games of their own."""
FEWER_IN_AIMS = ("games = 200", "games = 100")


def fewer(words: list[str]) -> list[str]:
    """The words of a command, with fewer games."""
    found = [FEWER.get(before, word) for before, word in zip(["", *words], words, strict=False)]
    return [*found, *WITHOUT] if found[:2] == ["atoll", "report"] else found


def follow(line: str, folder: Path, run: Run) -> None:
    """Carry out a command of a tutorial in a folder."""
    words = fewer(shlex.split(line))
    if words[:2] == [
        "atoll",
        "train",
    ]:  # which takes minutes, and has tests: the player that a game brings along
        trained = folder / "runs" / words[2] / "trained.npz"
        trained.parent.mkdir(parents=True)
        trained.write_bytes((find_game(words[2]).folder / "trained.npz").read_bytes())
    elif words[0] == "atoll":
        status, _, complaint = run(*words[1:])
        assert status == 0, f"{line}: {complaint}"
    else:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        subprocess.run(["bash", "-ec", line], cwd=folder, env=os.environ | {"PATH": path}, check=True)


@pytest.mark.parametrize("name", TUTORIALS)
def test_a_tutorial_is_followed(name: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = BLOCK.findall((ROOT / "docs" / f"{name}.md").read_text("utf-8"))
    assert any(language == "sh" for language, _ in blocks)
    for language, text in blocks:
        match language:
            case "sh":
                for line in text.splitlines():
                    follow(line, tmp_path, run)
            case "python":  # a file, named in its first line
                (tmp_path / text.partition("\n")[0].removeprefix("# ")).write_text(text, "utf-8")
            case "toml":  # what an example holds
                aims = tmp_path / "aims.toml"
                assert aims.read_text("utf-8") == text
                aims.write_text(text.replace(*FEWER_IN_AIMS), "utf-8")


@pytest.mark.parametrize("name", TUTORIALS)
def test_what_a_tutorial_says_to_press_is_on_the_site(name: str) -> None:
    """What stands in bold is a message of the site, and so it is in French, too."""
    french = Translator("fr")
    for text in re.findall(r"\*\*([^*]+)\*\*", (ROOT / "docs" / f"{name}.md").read_text("utf-8")):
        assert french(text) != text, text


def test_every_picture_of_a_tutorial_is_taken_by_a_command() -> None:
    pages = "".join((ROOT / "docs" / f"{name}.md").read_text("utf-8") for name in TUTORIALS)
    used = set(re.findall(r"\(pictures/([\w-]+)\.png\)", pages))
    taken = (ROOT / "docs" / "site" / "pictures.py").read_text("utf-8")
    assert used == {picture.stem for picture in (ROOT / "docs" / "pictures").iterdir()}
    assert used <= set(re.findall(r'"([\w-]+?)(?:\.png)?"', taken))
