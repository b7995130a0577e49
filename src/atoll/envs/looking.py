"""What a seat is given when it has to decide, in one compiled call; compiled for each game with its functions."""

# mypy: disable-error-code="no-untyped-def"

from typing import Any

from atoll.engine.observing import observe

legal_actions: Any = None
make_view: Any = None  # not `view`, a method of arrays: functions that call these count references


def look_at(states, parts, seat, deciding, seen, moves, program, factors, turned, out, mask):
    """Write what `seat` observes of `states[0]` into `out`, and 1 into `mask` for each of its legal actions.

    `mask` is all 0 before; it stays so unless the seat has to decide and `deciding` is true. `seen` has room for a
    view, `moves` for the legal actions; `turned` translates them.
    """
    state = states[0]
    make_view(state, parts[0], seat, seen[0])
    observe(seen[0], program, factors, out)
    if deciding and state.to_act >> seat & 1:
        count = legal_actions(state, parts[0], seat, moves)
        for i in range(count):
            mask[turned[seat, moves[i]]] = 1
