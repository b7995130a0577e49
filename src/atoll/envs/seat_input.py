"""What a seat is given when it has to decide, in one compiled call; compiled for each game with its functions."""

# mypy: disable-error-code="no-untyped-def"

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from atoll.engine.observing import observe

legal_actions: Any = None
make_view: Any = None  # not `view`, a method of arrays: functions that call these count references


class Layout(NamedTuple):
    """Where in observations and masks what a seat is given stands, and room for what these are made of."""

    program: NDArray[np.int32]  # (players, runs, COLUMNS), of `Observation`
    factors: NDArray[np.float32]  # (size,)
    turned: NDArray[np.int32]  # (players, ACTIONS)
    seat_view: NDArray[Any]  # (1,): a view
    moves: NDArray[np.int32]  # (MAX_LEGAL,)


def look_at(states, parts, seat, deciding, layout, out, mask):
    """Write what `seat` observes of `states[0]` into `out`, and 1 into `mask` for each of its legal actions.

    `mask` is all 0 before; it stays so unless the seat has to decide and `deciding` is true.
    """
    state = states[0]
    make_view(state, parts[0], seat, layout.seat_view[0])
    observe(layout.seat_view[0], layout.program, layout.factors, out)
    if deciding and state.to_act >> seat & 1:
        count = legal_actions(state, parts[0], seat, layout.moves)
        for i in range(count):
            mask[layout.turned[seat, layout.moves[i]]] = 1
