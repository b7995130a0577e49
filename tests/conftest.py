"""What all tests share: data in a temporary folder, compiled rules in the user's own cache, so that they are
compiled once.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from atoll.core import places


@pytest.fixture(scope="session", autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The session's ATOLL_HOME, for subprocesses too: empty but for the cache of compiled rules."""
    cache = places.cache_folder()
    folder = tmp_path_factory.mktemp("atoll")
    (folder / "cache").symlink_to(cache, target_is_directory=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ATOLL_HOME", str(folder))
        yield folder


def pytest_configure(config: pytest.Config) -> None:
    """Pytest makes every warning an error anew for each test; this one `atoll.core.compiling` silences for good."""
    config.addinivalue_line("filterwarnings", "ignore:First-class function type feature is experimental")
