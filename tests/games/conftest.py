"""Every test that asks for `game` runs for each game of the catalogue; classes say themselves for which."""

import pytest

from atoll.core.catalogue import games


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.cls is None and "game" in metafunc.fixturenames:
        metafunc.parametrize("game", games().values(), ids=list(games()))
