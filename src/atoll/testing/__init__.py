"""What every game must do, as tests that any package runs on its own game:

    from atoll.testing import GameTests

    from my_game import game

    class TestMyGame(GameTests):
        games = (game,)

It needs pytest and Hypothesis: `pip install 'atoll[testing]'`.
"""

import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from atoll.text.errors import AtollError

if TYPE_CHECKING:
    from atoll.testing.suite import GameTests

REWRITTEN = (
    "information_sets",
    "lesson_tests",
    "machine",
    "many_tests",
    "play_tests",
    "playing",
    "record_tests",
    "secrecy",
    "secrecy_tests",
)
"""The modules whose assertions say what they compared."""

__all__ = ["GameTests"]

if "pytest" in sys.modules:  # in its tests; before any of the modules is imported
    sys.modules["pytest"].register_assert_rewrite(*(f"{__name__}.{module}" for module in REWRITTEN))


def __getattr__(name: str) -> Any:
    if name != "GameTests":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    missing = [package for package in ("pytest", "hypothesis") if find_spec(package) is None]
    if missing:
        raise AtollError(
            f"atoll.testing needs {' and '.join(missing)}: install them with pip install 'atoll[testing]'"
        )
    from atoll.testing.suite import GameTests

    return GameTests
