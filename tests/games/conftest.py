"""Every test that asks for `game` runs for each game of the catalogue, one that asks for `players` for each number
of players of the game; classes say themselves for which.
"""

import pytest

from atoll.core.catalogue import games
from atoll.testing.suite import run_for_each


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.cls is None:
        run_for_each(metafunc, list(games().values()))
