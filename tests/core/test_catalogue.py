"""Finding games, bots and components by name."""

import subprocess
import sys

import pytest

from atoll.bots import bot_names, find_bot
from atoll.core.catalogue import find_game, games
from atoll.core.errors import AtollError, UnknownBot, UnknownGame
from atoll.core.game import Game


def test_games_are_found_by_their_names() -> None:
    assert games()
    for name, game in games().items():
        assert isinstance(game, Game)
        assert find_game(name) is game
    assert list(games()) == sorted(games())


def test_an_unknown_game_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UnknownGame, match=f"no game called 'chess'; there are: {', '.join(games())}"):
        find_game("chess")


def test_an_unknown_bot_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UnknownBot, match=f"no bot called 'deep'; there are: {', '.join(bot_names())}"):
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
