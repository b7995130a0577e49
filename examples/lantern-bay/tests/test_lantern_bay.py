"""Lantern Bay does what every game must do."""

from lantern_bay import game

from atoll.testing import GameTests


class TestLanternBay(GameTests):
    """Atoll's suite."""

    games = (game,)
