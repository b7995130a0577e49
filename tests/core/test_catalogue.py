"""Finding games, bots and components by name."""

import os
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest

from atoll.bots import bot_names, find_bot
from atoll.core.catalogue import find_game, games
from atoll.core.game import Game
from atoll.text.errors import AtollError, UnknownBot, UnknownGame


def test_games_are_found_by_their_names() -> None:
    assert games()
    for name, game in games().items():
        assert isinstance(game, Game)
        assert find_game(name) is game
    assert list(games()) == sorted(games())


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        (None, "ModuleNotFoundError: No module named 'wreck'"),
        ("game = Game(", "SyntaxError: '(' was never closed (__init__.py, line 1)"),
        ("game = 'wreck'", "TypeError: wreck:game is no Game"),
    ],
)
def test_a_game_that_cannot_be_imported_is_left_out_and_said_in_a_line(
    tmp_path: Path, source: str | None, fault: str
) -> None:
    """Its package was removed or is being written; the other games go on."""
    folder = tmp_path / "wreck-1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: wreck\nVersion: 1\n")
    (folder / "entry_points.txt").write_text("[atoll.games]\nwreck = wreck:game\n")
    if source is not None:
        (tmp_path / "wreck").mkdir()
        (tmp_path / "wreck" / "__init__.py").write_text(source)
    code = "from atoll.core.catalogue import games; print(*games())"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert done.stdout.split() == sorted(distribution("atoll").entry_points.select(group="atoll.games").names)
    assert done.stderr == f"The game 'wreck' is left out: {fault}\n"


def test_an_unknown_game_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UnknownGame, match=f"no game called “chess”; there are: {', '.join(games())}"):
        find_game("chess")


def test_an_unknown_bot_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UnknownBot, match=f"no bot called “deep”; there are: {', '.join(bot_names())}"):
        find_bot("deep")


def test_unknown_components_are_refused_with_those_that_there_are() -> None:
    for game in games().values():
        with pytest.raises(AtollError, match=", ".join(game.component_files)):
            game.components("nothing like it")


def test_the_catalogue_does_not_import_numba() -> None:
    """design.md: importing a game's description must not."""
    code = "import sys; from atoll.core.catalogue import games; games(); print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
