"""The final count: tiles, their effects at the end, miracles and the mystery."""

# mypy: disable-error-code="no-untyped-def"

from atoll.core.compiling import compiled
from atoll.games.cast_away import state as ca
from atoll.games.cast_away.actions import storey_complete
from atoll.games.cast_away.effect_words import count_of, mystery_tiles


@compiled
def end_points(state, parts, seat, tile):
    """What a construction's effect at the end scores (CA-40)."""
    points = 0
    first = int(parts.row_first[tile])
    for row in range(first, first + int(parts.row_count[tile])):
        if parts.rows[row, 0] == ca.AT_END:
            scored = count_of(int(parts.rows[row, 1]), state, seat) * int(parts.rows[row, 3])
            points += max(0, min(scored, int(parts.rows[row, 2])))
    return points


@compiled
def miracle_points(state, parts, seat, miracle):
    """Its owner's rank in the count; a tie is worth the rank below (CA-41)."""
    what = int(parts.miracle_counts[miracle])
    own = count_of(what, state, seat)
    before = 0
    equal = 0
    for other in range(state.players):
        if other != seat:
            count = count_of(what, state, other)
            before += 1 if count > own else 0
            equal += 1 if count == own else 0
    if before == 0 and equal == 0:
        return int(parts.miracle_first)
    if before == 0 or (before == 1 and equal == 0):
        return int(parts.miracle_second)
    return 0


@compiled
def mystery_points(state, parts, seat):
    """Each tile of the mystery, and each complete storey (CA-40)."""
    points = mystery_tiles(state, seat) * int(parts.mystery_prestige)
    for storey in range(ca.STOREYS):
        if storey_complete(state, parts, seat, storey):
            points += int(parts.storey_prestige[storey])
    return points


@compiled
def total_points(state, parts, seat):
    """The final count of a seat (CA-40)."""
    points = int(state.prestige[seat]) + mystery_points(state, parts, seat)
    for slot in range(state.slot_count[seat]):
        tile = int(state.slots[seat, slot])
        if tile >= ca.MIRACLE_SLOT:
            points += miracle_points(state, parts, seat, tile - ca.MIRACLE_SLOT)
        else:
            points += int(parts.tile_prestige[tile]) + end_points(state, parts, seat, tile)
    return points
