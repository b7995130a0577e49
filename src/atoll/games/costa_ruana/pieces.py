"""The pieces and cards of Costa Ruana: what a card's number means, and how pieces go from place to place."""

# mypy: disable-error-code="no-untyped-def"

from atoll.engine.compiling import compiled
from atoll.engine.events import emit
from atoll.games.costa_ruana import events as ev
from atoll.games.costa_ruana import state as cr

# Cards


@compiled
def kind_of(card):
    """What the card does."""
    return card >> 2


@compiled
def is_active(card, tide, time):
    """Whether a card's background is one of these faces of the two condition cards (CR-2)."""
    return card & 3 == tide or card & 3 == time


@compiled
def faces_turned(state, condition):
    """The faces of tide and time once a condition card is turned over (CR-12)."""
    tide, time = int(state.tide), int(state.time)
    if condition == cr.TIDE:
        return cr.HIGH_TIDE + cr.LOW_TIDE - tide, time
    return tide, cr.DAY + cr.NIGHT - time


@compiled
def applied_to(players, front, owners, turn):
    """To whom a card is applied `turn` players after the first, or NOWHERE: first to the player it lies in front of,
    then for each native on it to its owner, from that player clockwise (CR-15). `owners` is the natives' bit set.
    """
    if turn == 0:
        return front
    seat = (front + turn - 1) % players
    return seat if owners >> seat & 1 else cr.NOWHERE


# Natives and treasures


@compiled
def move_piece(state, mover, owner, origin, target, events):
    """A native or a treasure goes from one place to another; `mover` is who chose it, or UNKNOWN, `owner` the native's
    seat, or TREASURE.
    """
    count_piece(state, owner, origin, -1)
    count_piece(state, owner, target, 1)
    note_held(state, origin, target)
    what = ev.TREASURE_MOVED if owner == ev.TREASURE else ev.NATIVE_MOVED
    emit(events, what, mover, owner, origin, target, 0)


@compiled
def count_piece(state, owner, place, by):
    """One native of an owner, or one treasure, more or fewer at a place."""
    if place >= ev.HAND_PLACE:
        if owner != ev.TREASURE:
            state.taken_owner = owner if by > 0 else cr.NOWHERE
    elif place >= ev.HUT_PLACE:
        state.hut[place - ev.HUT_PLACE] += by
        state.collected[place - ev.HUT_PLACE] += by
    elif place >= ev.SUPPLY_PLACE:
        state.supply[owner] += by
    elif place >= ev.CARD_PLACE:
        state.table_natives[place - ev.CARD_PLACE] ^= 1 << owner
    elif owner == ev.TREASURE:
        state.treasures[place - ev.ISLAND_PLACE] += by
    else:
        state.natives[place - ev.ISLAND_PLACE, owner] += by
        state.crowd[place - ev.ISLAND_PLACE] += by


@compiled
def note_held(state, origin, target):
    """Remember which island a piece in the hand came from, until it is put down."""
    if target == ev.HELD_PLACE:
        state.taken_from = origin - ev.ISLAND_PLACE
    elif origin == ev.HELD_PLACE:
        state.taken_from = cr.NOWHERE


@compiled
def natives_on_islands(state, seat):
    """How many natives a player has on islands."""
    count = 0
    for island in range(state.islands):
        count += int(state.natives[island, seat])
    return count
