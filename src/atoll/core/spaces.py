"""The spaces of what seats observe, for all interfaces."""

import numpy as np
from gymnasium import spaces

from atoll.core.observation import Observation


def observation_box(observation: Observation) -> spaces.Box:
    """The space of the numbers that a seat observes."""
    return spaces.Box(observation.low, observation.high, dtype=observation.dtype.type)


def masked_space(observation: Observation, actions: int) -> spaces.Dict:
    """The same beside the mask of so many actions, as `observation` and `action_mask`."""
    mask = spaces.Box(0, 1, (actions,), np.int8)
    return spaces.Dict({"observation": observation_box(observation), "action_mask": mask})
