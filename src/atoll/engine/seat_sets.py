"""Sets of seats as bit sets."""

# mypy: disable-error-code="no-untyped-def"

from atoll.engine.compiling import inlined


@inlined
def highest(values, players):
    """The seats of the players with the highest of the values, which are by seat."""
    found = 0
    best = values[0]
    for seat in range(players):
        if values[seat] > best:
            best = values[seat]
            found = 0
        if values[seat] == best:
            found |= 1 << seat
    return found
