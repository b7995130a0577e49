"""The final count: tiles, their effects at the end, miracles and the mystery."""

# mypy: disable-error-code="no-untyped-def"

from atoll.core.compiling import compiled
from atoll.games.cast_away.effect_words import (
    COUNT_CANDLE,
    COUNT_CONSTRUCTIONS,
    COUNT_EVENTS,
    COUNT_HAPPINESS,
    COUNT_HEALTH,
    COUNT_LEVELS,
    COUNT_MIRACLES,
    COUNT_MYSTERY,
    COUNT_RESOURCES,
)
from atoll.games.cast_away.state import (
    AT_END,
    DESIGNS,
    DOMAINS,
    MAX_DESIGNS,
    MIRACLE_SLOT,
    RESOURCES,
    STOREYS,
)


@compiled
def count_of(state, seat, what):
    """What miracles and tiles count (CA-41)."""
    total = 0
    if what == COUNT_RESOURCES:
        for resource in range(len(RESOURCES)):
            total += int(state.resources[seat, resource])
    elif what == COUNT_HAPPINESS:
        total = int(state.happiness[seat])
    elif what == COUNT_HEALTH:
        total = int(state.health[seat])
    elif what == COUNT_LEVELS:
        for domain in range(len(DOMAINS)):
            total += int(state.experience[seat, domain])
    elif what == COUNT_CANDLE:
        total = int(state.candle[seat])
    elif what == COUNT_MYSTERY:
        for design in range(DESIGNS):
            total += int(state.mystery[seat, design])
    elif what == COUNT_EVENTS:
        for i in range(state.held_count):
            total += 1 if state.held_by[i] == seat else 0
    elif what == COUNT_CONSTRUCTIONS or what == COUNT_MIRACLES:
        for slot in range(state.slot_count[seat]):
            is_miracle = state.slots[seat, slot] >= MIRACLE_SLOT
            total += 1 if is_miracle == (what == COUNT_MIRACLES) else 0
    return total


@compiled
def end_points(state, parts, seat, tile):
    """What a construction's effect at the end scores (CA-40)."""
    points = 0
    first = int(parts.row_first[tile])
    for row in range(first, first + int(parts.row_count[tile])):
        if parts.rows[row, 0] == AT_END:
            scored = count_of(state, seat, int(parts.rows[row, 1])) * int(parts.rows[row, 3])
            points += max(0, min(scored, int(parts.rows[row, 2])))
    return points


@compiled
def miracle_points(state, parts, seat, miracle):
    """Its owner's rank in the count; a tie is worth the rank below (CA-41)."""
    what = int(parts.miracle_counts[miracle])
    own = count_of(state, seat, what)
    before = 0
    equal = 0
    for other in range(state.players):
        if other != seat:
            count = count_of(state, other, what)
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
    points = 0
    for storey in range(STOREYS):
        complete = True
        for design in range(parts.designs[storey]):
            if state.mystery[seat, storey * MAX_DESIGNS + design] == 1:
                points += int(parts.mystery_prestige)
            else:
                complete = False
        if complete:
            points += int(parts.storey_prestige[storey])
    return points


@compiled
def total_points(state, parts, seat):
    """The final count of a seat (CA-40)."""
    points = int(state.prestige[seat]) + mystery_points(state, parts, seat)
    for slot in range(state.slot_count[seat]):
        tile = int(state.slots[seat, slot])
        if tile >= MIRACLE_SLOT:
            points += miracle_points(state, parts, seat, tile - MIRACLE_SLOT)
        else:
            points += int(parts.tile_prestige[tile]) + end_points(state, parts, seat, tile)
    return points
