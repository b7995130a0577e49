"""What the cards of Costa Ruana do: move a treasure, return natives, place natives, move a native (CR-16)."""

# mypy: disable-error-code="no-untyped-def"

from atoll.engine.compiling import compiled
from atoll.games.costa_ruana import events as ev
from atoll.games.costa_ruana import moves as mv
from atoll.games.costa_ruana import state as cr
from atoll.games.costa_ruana.pieces import move_piece, natives_on_islands


@compiled
def pieces_to_move(state, parts, kind, seat):
    """How many pieces of a kind of card a player can move (CR-16)."""
    most = int(cr.PIECES[kind])
    if kind == cr.MOVE_TREASURE:
        return most if can_move_treasure(state) else 0
    if kind == cr.MOVE_NATIVE:
        return most if can_move_native(state, parts) else 0
    if kind <= cr.RETURN_3:
        return min(most, natives_on_islands(state, seat))
    return min(most, int(state.supply[seat]), room_on_islands(state, parts))


# Islands to choose from


@compiled
def has_room(state, parts, island):
    """Whether another native can land on an island (CR-5)."""
    return state.crowd[island] < parts.island_capacity


@compiled
def may_choose(state, parts, seat, island):
    """Whether an island can be chosen in this phase: one with room (CR-5), with a treasure, with a native of one's own,
    or for a treasure any; a piece goes to another island than it came from (CR-16).
    """
    phase = state.phase
    if phase == cr.TAKE_TREASURE:
        return state.treasures[island] > 0
    if phase == cr.RETURN:
        return state.natives[island, seat] > 0
    other = island != state.taken_from
    return other and (phase == cr.DROP_TREASURE or has_room(state, parts, island))


@compiled
def islands_to_choose(state, parts, seat, out):
    """The moves with each island that can be chosen."""
    count = 0
    first = mv.FIRST_ISLAND[state.phase]
    for island in range(state.islands):
        if may_choose(state, parts, seat, island):
            out[count] = first + island
            count += 1
    return count


# Move a treasure


@compiled
def can_move_treasure(state):
    """Whether there is a treasure, and another island for it (CR-16)."""
    if state.islands < 2:
        return False
    for i in range(state.islands):
        if state.treasures[i] > 0:
            return True
    return False


# Return and place natives


@compiled
def room_on_islands(state, parts):
    """How many more natives the islands hold (CR-5)."""
    room = 0
    for i in range(state.islands):
        room += int(parts.island_capacity) - int(state.crowd[i])
    return room


# Move a native


@compiled
def open_islands(state, parts):
    """How many islands have room (CR-5)."""
    count = 0
    for i in range(state.islands):
        if has_room(state, parts, i):
            count += 1
    return count


@compiled
def can_leave(state, parts, island, open_count):
    """Whether a native of this island has another island to go to (CR-16)."""
    others = open_count - 1 if has_room(state, parts, island) else open_count
    return state.crowd[island] > 0 and others > 0


@compiled
def can_move_native(state, parts):
    """Whether any native of any player can move (CR-16)."""
    open_count = open_islands(state, parts)
    for i in range(state.islands):
        if can_leave(state, parts, i, open_count):
            return True
    return False


@compiled
def natives_to_take(state, parts, out):
    """One native of any player from any island (CR-16)."""
    open_count = open_islands(state, parts)
    count = 0
    for i in range(state.islands):
        if can_leave(state, parts, i, open_count):
            for owner in range(state.players):
                if state.natives[i, owner] > 0:
                    out[count] = mv.encode_take_native(i, owner)
                    count += 1
    return count


# Carrying out


@compiled
def carry_out(state, seat, action, events):
    """Move a piece as the phase asks for it; True unless it was only taken up (CR-8, CR-16)."""
    phase = state.phase
    if phase == cr.TAKE_NATIVE:
        island, owner = mv.decode_take_native(action)
        move_piece(state, seat, owner, ev.ISLAND_PLACE + island, ev.HELD_PLACE, events)
        state.phase = cr.DROP_NATIVE
        return False
    place, supply = ev.ISLAND_PLACE + action - mv.FIRST_ISLAND[phase], ev.SUPPLY_PLACE + seat
    if phase == cr.TAKE_TREASURE:
        move_piece(state, seat, ev.TREASURE, place, ev.HELD_PLACE, events)
        state.phase = cr.DROP_TREASURE
        return False
    if phase == cr.DROP_TREASURE:
        move_piece(state, seat, ev.TREASURE, ev.HELD_PLACE, place, events)
    elif phase == cr.DROP_NATIVE:
        move_piece(state, seat, int(state.taken_owner), ev.HELD_PLACE, place, events)
    elif phase == cr.RETURN:
        move_piece(state, seat, seat, place, supply, events)
    else:
        move_piece(state, seat, seat, supply, place, events)
    return True
