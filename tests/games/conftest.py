"""Every test that asks for `game` runs for each game of the catalogue, one that asks for `players` for each number
of players of the game; classes say themselves for which.
"""

import pytest

from atoll.core.catalogue import games


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.cls is not None or "game" not in metafunc.fixturenames:
        return
    if "players" in metafunc.fixturenames:
        cases = [(game, players) for game in games().values() for players in game.seats]
        names = [f"{game.name}-{players}" for game, players in cases]
        metafunc.parametrize(("game", "players"), cases, ids=names)
    else:
        metafunc.parametrize("game", games().values(), ids=list(games()))
