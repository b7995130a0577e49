"""The whole suite, for the games that a test class names."""

from collections.abc import Sequence
from typing import ClassVar

import pytest

from atoll.core.catalogue import games
from atoll.core.game import Game
from atoll.testing.fingerprints import ENDS_ONLY
from atoll.testing.lesson_tests import LessonTests
from atoll.testing.many_tests import ManyTests
from atoll.testing.play_tests import PlayTests
from atoll.testing.record_tests import RecordTests
from atoll.testing.secrecy_tests import SecrecyTests


def run_for_each(metafunc: pytest.Metafunc, games: Sequence[Game]) -> None:
    """Have a test that asks for `game` run for each of these, one that asks for `players` for each number of players.

    Where pytest has an option `--ends-only` (a conftest may add it) and it is given, these are the fewest and the most.
    """
    if "game" not in metafunc.fixturenames:
        return
    if "players" not in metafunc.fixturenames:
        metafunc.parametrize("game", games, ids=[game.name for game in games])
        return
    ends_only = metafunc.config.getoption(ENDS_ONLY, default=False)
    cases = [
        (game, players)
        for game in games
        for players in game.seats
        if not ends_only or players in (game.seats[0], game.seats[-1])
    ]
    names = [f"{game.name}-{players}" for game, players in cases]
    metafunc.parametrize(("game", "players"), cases, ids=names)


@pytest.mark.filterwarnings("ignore:First-class function type feature is experimental")
class GameTests(PlayTests, SecrecyTests, RecordTests, ManyTests, LessonTests):
    """Tests of games: whatever asks for `game` runs for each of `games`, and what asks for `players` too for each
    number of players.
    """

    games: ClassVar[Sequence[Game]] = ()

    @classmethod
    def pytest_generate_tests(cls, metafunc: pytest.Metafunc) -> None:
        """Name the cases by the game and the number of players."""
        run_for_each(metafunc, cls.games)

    @pytest.fixture(autouse=True)
    def listed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The games are in the catalogue, be their package installed or not: records name their game."""
        for game in self.games:
            monkeypatch.setitem(games(), game.name, game)
