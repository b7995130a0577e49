"""Random games in environments, and two worlds that a seat cannot tell apart."""

from typing import Any

import numpy as np

from atoll.core.catalogue import games
from atoll.envs.referee import Referee

GAMES = tuple(games())


def any_action(mask: Any, chance: np.random.Generator) -> int:
    """A legal action, or 0 where there is none."""
    legal = np.flatnonzero(mask)
    return int(chance.choice(legal)) if len(legal) else 0


def other_world(referee: Referee, seat: int, seed: int) -> bytes:
    """The record of another full state that `seat` cannot tell from the true one."""
    content: bytes = referee.position.view(seat).resample(seed).states.tobytes()
    return content
