"""Components of Signs: how many rounds there are."""

from pathlib import Path

import numpy as np

from atoll.core.components import digest, read_toml
from atoll.core.game import Components, Json
from signs.state import PARTS


def read(path: Path, *, shipped: bool) -> Components:
    """Read a components file."""
    return _components("plain", read_toml(path), shipped)


def from_data(name: str, data: Json) -> Components:
    """Components from a record."""
    return _components(name, data, False)


def _components(name: str, data: Json, shipped: bool) -> Components:
    parts = np.zeros(1, dtype=PARTS)
    parts[0].rounds = data["rounds"]
    return Components(name, data, digest(data), shipped, parts)
