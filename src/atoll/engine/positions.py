"""What the rules of most games begin and end with: an empty first position, and whoever has most points."""

# mypy: disable-error-code="no-untyped-def"

from atoll.engine.chance import set_generator
from atoll.engine.compiling import compiled
from atoll.engine.constants import REFEREE
from atoll.engine.records import clear_record


@compiled
def begin_game(state, players, generator):
    """Make `state` the referee's, of so many players, with every other field 0; chance goes on from `generator`."""
    clear_record(state)
    state.players = players
    state.seat = REFEREE
    set_generator(state.generator, generator)


@compiled
def most_points(state, points):
    """The bit set of the seats that have most of these points; 0 while somebody has to decide."""
    if state.to_act != 0:
        return 0
    best = points[0]
    for seat in range(state.players):
        best = max(best, points[seat])
    winners = 0
    for seat in range(state.players):
        if points[seat] == best:
            winners |= 1 << seat
    return winners
