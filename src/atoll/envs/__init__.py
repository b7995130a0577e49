"""Interfaces that researchers use, for every game of the catalogue: PettingZoo, and Gymnasium with vectors of games.

They need the extra `envs`; `docs/envs.md` tells what each gives.
"""

from importlib.util import find_spec

from atoll.text.errors import AtollError


def require(package: str) -> None:
    """Raise AtollError, naming the command that installs it, unless a package is there."""
    if find_spec(package) is None:
        raise AtollError(f"this needs {package}: make envs installs it (or pip install 'atoll[envs]')")
