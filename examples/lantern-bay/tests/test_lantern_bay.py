"""Lantern Bay: what every game must do, and its own rules."""

from lantern_bay import game

from atoll.testing import GameTests


class TestLanternBay(GameTests):
    """Atoll's suite."""

    games = (game,)
