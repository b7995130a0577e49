"""The whole suite, for the games that a test class names."""

from collections.abc import Sequence
from typing import ClassVar

import pytest

from atoll.core.catalogue import games
from atoll.core.game import Game
from atoll.testing.lesson_tests import LessonTests
from atoll.testing.many_tests import ManyTests
from atoll.testing.play_tests import PlayTests
from atoll.testing.record_tests import RecordTests
from atoll.testing.secrecy_tests import SecrecyTests


@pytest.mark.filterwarnings("ignore:First-class function type feature is experimental")
class GameTests(PlayTests, SecrecyTests, RecordTests, ManyTests, LessonTests):
    """Tests of games: whatever asks for `game` runs for each of `games`, and what asks for `players` too for each
    number of players.
    """

    games: ClassVar[Sequence[Game]] = ()

    @classmethod
    def pytest_generate_tests(cls, metafunc: pytest.Metafunc) -> None:
        """Name the cases by the game and the number of players."""
        if "players" in metafunc.fixturenames:
            cases = [(game, players) for game in cls.games for players in game.seats]
            names = [f"{game.name}-{players}" for game, players in cases]
            metafunc.parametrize(("game", "players"), cases, ids=names)
        elif "game" in metafunc.fixturenames:
            metafunc.parametrize("game", cls.games, ids=[game.name for game in cls.games])

    @pytest.fixture(autouse=True)
    def listed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The games are in the catalogue, be their package installed or not: records name their game."""
        for game in self.games:
            monkeypatch.setitem(games(), game.name, game)
