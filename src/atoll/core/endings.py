"""How games ended that are played through all their rounds: what such a game's module `endings` has."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.core.types import Components
from atoll.text.translation import Translator

ENDINGS = ("rounds",)


def rounds(states: NDArray[Any]) -> NDArray[np.int8]:
    """The rounds that were played, where the state has them as `round_number`."""
    numbers: NDArray[np.int8] = states["round_number"]
    return numbers


def endings(states: NDArray[Any], components: Components) -> NDArray[np.int8]:
    """All end alike."""
    return np.zeros(len(states), dtype=np.int8)


def ending_text(translator: Translator, ending: str) -> str:
    """The ending in a few words."""
    return translator("all rounds played")
