"""The policy of the seats in the search of Costa Ruana, learnt from the trained player (`core/policies.py`).

A move is worth the sum of the rows of a table that describe it: what it makes of an island and what it undoes there,
whom a card helps and whether the Shaman may want what it needs, whom a turned condition's cards would serve.
"""

# mypy: disable-error-code="no-untyped-def"

import numpy as np

from atoll.core.policies import read_table
from atoll.core.state import UNKNOWN
from atoll.engine.compiling import compiled
from atoll.engine.records import scratch
from atoll.games.costa_ruana import moves as mv
from atoll.games.costa_ruana import state as cr
from atoll.games.costa_ruana.advice import turned_by
from atoll.games.costa_ruana.pieces import faces_turned, is_active, kind_of, natives_on_islands

KINDS = len(cr.KINDS)
HIDDEN = KINDS
"""The kind of a card that one cannot see."""
ROUNDS_LEFT = 3  # none, one, more
NATIVES = 8  # of a seat on an island: 0 to 7, or more
TREASURES = 5  # on an island: 0 to 4, or more
LIMITS = 4  # pieces that a card can move: 0 to 3
WISHES = 5  # how much a Shaman wants what a card needs: -2, or less, to 2, or more
SUPPLIES = 6
LATEST = 9  # rounds

# What is done with an island: each of these has rows of its own.
SET_UP, PLACE, DROP_OWN, DROP_OTHER, RETURN, TAKE_OWN, TAKE_OTHER, TAKE_TREASURE, DROP_TREASURE, DEEDS = (
    range(10)
)

# The first row of each block.
ISLAND = 0
PLAYED = ISLAND + DEEDS * ROUNDS_LEFT * NATIVES * NATIVES * 2 * TREASURES
PLAYED_WISHED = PLAYED + 2 * KINDS * 2 * 3 * ROUNDS_LEFT * LIMITS
COPIED = PLAYED_WISHED + 2 * KINDS * 2 * 2 * WISHES
COPIED_WISHED = COPIED + (KINDS + 1) * 2 * 2 * ROUNDS_LEFT * LIMITS
COPIED_FACE = COPIED_WISHED + (KINDS + 1) * 2 * WISHES
KEPT = COPIED_FACE + (KINDS + 1) * 2 * 2
TURNED = KEPT + ROUNDS_LEFT * SUPPLIES * 2
ORDERED = TURNED + KINDS * 2 * ROUNDS_LEFT * LIMITS
APPOINTED = ORDERED + KINDS * 2 * 2 * ROUNDS_LEFT
ROWS = APPOINTED + 2 * LATEST
MOST = cr.TABLE_CARDS * cr.MAX_PLAYERS
"""Rows of one move, at most."""

TABLE = read_table(__file__, ROWS, "78608551dc725318")


@compiled
def rate(view, parts, moves, count, scores):
    """Write the worth of each move to the view's seat into `scores`, int32 of shape (count,)."""
    rows = scratch(MOST, np.int64)
    times = scratch(MOST, np.int64)
    context = look_around(view)
    for i in range(count):
        total = 0
        for k in range(describe(view, parts, int(moves[i]), context, rows, times)):
            total += int(TABLE[rows[k]]) * times[k]
        scores[i] = total


@compiled
def look_around(view):
    """What all moves of a decision need: how many cards known to the view's seat make the Shaman want the time turned
    rather than the tide, less those for which it is the other way round.
    """
    value = 0
    if cr.FACE_UP <= view.phase <= cr.NATIVE:
        for k in range(view.table_count):
            card = seen(view, k)
            if card != UNKNOWN:
                good = -1 if cr.RETURN_1 <= kind_of(card) <= cr.RETURN_3 else 1
                if view.table_front[k] != view.shaman:
                    good = -good
                value += good if turned_by(view, card & 3) == cr.TIME else -good
    return value


@compiled
def describe(view, parts, action, context, rows, times):
    """Write the rows that describe a move, and how often each counts; returns how many. `context` is of
    `look_around`.
    """
    phase = view.phase
    times[0] = times[1] = times[2] = 1
    if phase == cr.FACE_UP or phase == cr.FACE_DOWN:
        return describe_play(view, parts, action, context, rows)
    if phase == cr.NATIVE:
        return describe_native(view, parts, action, context, rows)
    if phase == cr.CONDITION:
        return describe_turning(view, parts, action - mv.TURN_CONDITION, rows, times)
    if phase == cr.ORDER:
        k = action - mv.RESOLVE_CARD
        own = 1 << int(view.seat)
        owners = int(view.table_natives[k])
        kind = kind_of(int(view.table_card[k]))
        on_it = 2 * (1 if owners & own else 0) + (1 if owners & ~own else 0)
        rows[0] = ORDERED + (kind * 4 + on_it) * ROUNDS_LEFT + rounds_left(view, parts)
        return 1
    if phase == cr.RESIGN:
        stays = 1 if action - mv.APPOINT_SHAMAN == view.seat else 0
        rows[0] = APPOINTED + stays * LATEST + min(LATEST, int(view.round_number)) - 1
        return 1
    times[1] = -1
    return describe_island(view, parts, action, rows)


# What is known


@compiled
def seen(view, k):
    """A card on the table, UNKNOWN if it lies face down and is another's: drawn worlds know it, their seats do not."""
    if view.table_up[k] == 0 and view.table_player[k] != view.seat:
        return UNKNOWN
    return int(view.table_card[k])


@compiled
def rounds_left(view, parts):
    """Rounds after this one: 0, 1, or 2 for more."""
    return (
        ROUNDS_LEFT - 1
        if view.phase == cr.SETUP
        else min(ROUNDS_LEFT - 1, int(parts.rounds) - int(view.round_number))
    )


@compiled
def limit(view, kind, seat, supply):
    """How many pieces a card can move for a player with so many natives in the supply."""
    pieces = int(cr.PIECES[kind])
    if kind == cr.MOVE_TREASURE or kind == cr.MOVE_NATIVE:
        return pieces
    if kind <= cr.RETURN_3:
        return min(pieces, natives_on_islands(view, seat))
    return max(0, min(pieces, supply))


@compiled
def wished(view, card, context):
    """How much the Shaman may want the condition turned that a card needs, from 0 to 4."""
    value = context if turned_by(view, card & 3) == cr.TIME else -context
    return max(-2, min(2, value)) + 2


# The rows of moves


@compiled
def describe_play(view, parts, action, context, rows):
    """A card, in front of whom, and who the Shaman is."""
    card, front = mv.decode_play(action)
    kind = kind_of(card)
    own_shaman = view.shaman == view.seat
    whom = 0 if front == view.seat else 1
    shaman = 0 if own_shaman else 1 if front == view.shaman else 2
    card_row = ((1 if view.phase == cr.FACE_DOWN else 0) * KINDS + kind) * 2 + whom
    pieces = limit(view, kind, front, int(view.supply[front]))
    rows[0] = PLAYED + ((card_row * 3 + shaman) * ROUNDS_LEFT + rounds_left(view, parts)) * LIMITS + pieces
    rows[1] = PLAYED_WISHED + (card_row * 2 + (1 if own_shaman else 0)) * WISHES + wished(view, card, context)
    return 2


@compiled
def describe_native(view, parts, action, context, rows):
    """The card that a native copies, if any, and whether the viewer is the Shaman."""
    seat = int(view.seat)
    rounds = rounds_left(view, parts)
    shaman = 1 if view.shaman == seat else 0
    if action == mv.KEEP_NATIVE:
        rows[0] = KEPT + (rounds * SUPPLIES + min(SUPPLIES - 1, int(view.supply[seat]))) * 2 + shaman
        return 1
    k = action - mv.PUT_NATIVE_ON_CARD
    card = seen(view, k)
    kind, pieces, wish = HIDDEN, 0, 2
    if card != UNKNOWN:
        kind = kind_of(card)
        pieces = limit(view, kind, seat, int(view.supply[seat]) - 1)
        wish = wished(view, card, context)
    own = 1 if view.table_front[k] == seat else 0
    rows[0] = COPIED + (((kind * 2 + own) * 2 + shaman) * ROUNDS_LEFT + rounds) * LIMITS + pieces
    rows[1] = COPIED_WISHED + (kind * 2 + shaman) * WISHES + wish
    rows[2] = COPIED_FACE + (kind * 2 + int(view.table_up[k])) * 2 + shaman
    return 3


@compiled
def describe_turning(view, parts, condition, rows, times):
    """The known cards that would live, for oneself and for others, as often as each is applied."""
    count = 0
    tide, time = faces_turned(view, condition)
    rounds = rounds_left(view, parts)
    for k in range(view.table_count):
        card = seen(view, k)
        if card != UNKNOWN and is_active(card, tide, time):
            for player in range(view.players):
                times[count] = int(view.table_front[k] == player) + (int(view.table_natives[k]) >> player & 1)
                if times[count] > 0:
                    kind = kind_of(card)
                    whom = 0 if player == view.seat else 1
                    pieces = limit(view, kind, player, int(view.supply[player]))
                    rows[count] = TURNED + ((kind * 2 + whom) * ROUNDS_LEFT + rounds) * LIMITS + pieces
                    count += 1
    return count


@compiled
def describe_island(view, parts, action, rows):
    """The island as the move leaves it, and as it was."""
    seat = int(view.seat)
    phase = view.phase
    owner, natives, treasures = seat, 1, 0
    if phase == cr.TAKE_NATIVE:
        island, owner = mv.decode_take_native(action)
        natives = -1
        deed = TAKE_OWN if owner == seat else TAKE_OTHER
    else:
        island = int(action - mv.FIRST_ISLAND[phase])
        deed = SET_UP if phase == cr.SETUP else PLACE
        if phase == cr.DROP_NATIVE:
            owner = int(view.taken_owner)
            deed = DROP_OWN if owner == seat else DROP_OTHER
        elif phase == cr.RETURN:
            natives = -1
            deed = RETURN
        elif phase == cr.TAKE_TREASURE:
            natives, treasures = 0, -1
            deed = TAKE_TREASURE
        elif phase == cr.DROP_TREASURE:
            natives, treasures = 0, 1
            deed = DROP_TREASURE
    rows[0] = island_row(view, parts, deed, island, owner, natives, treasures)
    rows[1] = island_row(view, parts, deed, island, owner, 0, 0)
    return 2


@compiled
def island_row(view, parts, deed, island, owner, natives, treasures):
    """The row of an island if `owner` had so many more natives there, and it so many more treasures: own natives, the
    most of another who argues with nobody, whether one argues oneself, and treasures.
    """
    seat = int(view.seat)
    own = int(view.natives[island, seat]) + (natives if owner == seat else 0)
    counts = ties = 0  # bit n: some other player has n natives here, several have
    for other in range(view.players):
        if other != seat:
            bit = 1 << (int(view.natives[island, other]) + (natives if owner == other else 0))
            ties |= counts & bit
            counts |= bit
    argues = 1 if own > 0 and counts >> own & 1 else 0
    alone = counts & ~ties & ~(argues << own)
    most = 0
    while alone > 1:
        alone >>= 1
        most += 1
    row = (deed * ROUNDS_LEFT + rounds_left(view, parts)) * NATIVES + min(NATIVES - 1, own)
    row = (row * NATIVES + min(NATIVES - 1, most)) * 2 + argues
    return ISLAND + row * TREASURES + min(TREASURES - 1, int(view.treasures[island]) + treasures)
