"""How long games of Cast Away were, and how they ended (CA-39)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.core.endings import rounds
from atoll.core.types import Components
from atoll.games.cast_away import state as ca
from atoll.text.translation import Translator, texts

__all__ = ["ENDINGS", "ending_text", "endings", "rounds"]

ENDINGS, _SAID = ("ship", "slots", "both"), texts("the Ship came", "last slot covered", "both in one round")


def endings(states: NDArray[Any], components: Components) -> NDArray[np.int64]:
    """Whether the Ship came, somebody covered the last slot, or both in the same round."""
    ship = states["event_turned"][:, ca.SHIP] == 1
    slots = (states["slot_count"] == components.parts[0].slots).any(axis=1)
    return np.where(ship & slots, ENDINGS.index("both"), np.where(ship, 0, ENDINGS.index("slots")))


def ending_text(translator: Translator, ending: str) -> str:
    """An ending in a few words."""
    return translator(_SAID[ENDINGS.index(ending)])
