"""A new game beside the examples, importable like them."""

import sys

from tests.examples.packages import new_game

sys.path.append(str(new_game("reef") / "src"))
