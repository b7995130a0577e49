"""Heuristic advice for Costa Ruana: a number for each legal move; higher is better.

An island counts for whoever would collect from it now. Cards that help go in front of oneself, cards that hurt in
front of others, and every card counts half, since the Shaman decides which backgrounds live.
"""

# mypy: disable-error-code="no-untyped-def"

from atoll.core.state import UNKNOWN
from atoll.engine.compiling import compiled
from atoll.games.costa_ruana import moves as mv
from atoll.games.costa_ruana import state as cr
from atoll.games.costa_ruana.pieces import faces_turned, is_active, kind_of, natives_on_islands
from atoll.games.costa_ruana.rounds import collection

# In sixtieths of a point, so that shares among up to six players stay whole.
COLLECTING = 120  # being the one who collects from an island
PRESENCE = 12  # each own native beyond the collecting one, where there is treasure
PLACED = 60  # placing a native by a card
PLACED_LAST_ROUND = 15  # in the last round natives at home count at the end
RETURNED = -55  # taking a native back
RETURNED_LAST_ROUND = -20
MOVED_NATIVE = 75
MOVED_TREASURE = 45
HIDDEN_CARD = 40  # copying a card that one cannot see


@compiled
def advise(view, parts, moves, count, scores):
    """Write the worth of each move to the view's seat into `scores`, int32 of shape (count,)."""
    for i in range(count):
        scores[i] = worth(view, parts, int(moves[i]))


@compiled
def worth(view, parts, action):
    """The worth of one legal move to the view's seat."""
    seat = int(view.seat)
    phase = view.phase
    if phase == cr.FACE_UP or phase == cr.FACE_DOWN:
        card, front = mv.decode_play(action)
        value = half_worth(view, parts, card, front, int(view.supply[front]))
        return value if front == seat else -value // int(view.players)
    if action == mv.KEEP_NATIVE:
        return 0
    if phase == cr.NATIVE:
        card = int(view.table_card[action - mv.PUT_NATIVE_ON_CARD])
        return half_worth(view, parts, card, seat, int(view.supply[seat]) - 1)
    if phase == cr.CONDITION:
        return worth_of_turning(view, parts, seat, action - mv.TURN_CONDITION)
    if phase == cr.ORDER:
        return kind_of(int(view.table_card[action - mv.RESOLVE_CARD]))
    if phase == cr.TAKE_NATIVE:
        island, owner = mv.decode_take_native(action)
        return worth_of_moving(view, parts, island, owner)
    if phase == cr.RESIGN:
        return 1 if action - mv.APPOINT_SHAMAN == seat else 0
    island = int(action - mv.FIRST_ISLAND[phase])
    if phase == cr.TAKE_TREASURE or phase == cr.DROP_TREASURE:
        return worth_of_moving_treasure(view, island, -1 if phase == cr.TAKE_TREASURE else 1)
    owner = int(view.taken_owner) if phase == cr.DROP_NATIVE else seat
    return change(view, island, owner, -1 if phase == cr.RETURN else 1)


# Islands


@compiled
def treasure_worth(view, island, mover, by):
    """What having treasure on an island is worth to the view's seat, if seat `mover` had `by` more natives there: all
    of it to who collects, or a loss spread over the others.
    """
    collector, _ = collection(view, island, mover, by)
    if collector == cr.NOWHERE:
        return 0
    return COLLECTING if collector == view.seat else -COLLECTING // int(view.players)


@compiled
def standing(view, island, mover, by):
    """What an island is worth to the view's seat as it stands, if seat `mover` had `by` more natives there."""
    if view.treasures[island] == 0:
        return -PRESENCE * int(view.natives[island, view.seat]) if mover != view.seat else -PRESENCE * by
    value = treasure_worth(view, island, mover, by)
    own = int(view.natives[island, view.seat]) + (by if mover == view.seat else 0)
    return value + PRESENCE * min(own, 3)


@compiled
def change(view, island, mover, by):
    """What moving a native of `mover` onto (by = 1) or off (by = -1) an island is worth."""
    return standing(view, island, mover, by) - standing(view, island, mover, 0)


@compiled
def worth_of_moving(view, parts, island, owner):
    """Taking a native of `owner` from an island to wherever it is best."""
    best = -1000000
    for other in range(view.islands):
        if other != island and view.crowd[other] < parts.island_capacity:
            best = max(best, change(view, other, owner, 1))
    return change(view, island, owner, -1) + best


@compiled
def worth_of_moving_treasure(view, island, by):
    """Taking a treasure (by = -1) from an island, or putting one (by = 1) there: the last and the first count most."""
    value = by * treasure_worth(view, island, cr.NOWHERE, 0)
    last = view.treasures[island] == (1 if by < 0 else 0)
    return value if last else value // 4


# Cards


@compiled
def effect(view, parts, kind, seat, supply):
    """What a card's effect is worth to the player to whom it applies, with that many natives in the supply."""
    last = view.round_number == parts.rounds
    if kind == cr.MOVE_TREASURE:
        return MOVED_TREASURE
    if kind <= cr.RETURN_3:
        returns = min(int(cr.PIECES[kind]), natives_on_islands(view, seat))
        return returns * (RETURNED_LAST_ROUND if last else RETURNED)
    if kind < cr.MOVE_NATIVE:
        return min(int(cr.PIECES[kind]), supply) * (PLACED_LAST_ROUND if last else PLACED)
    return MOVED_NATIVE


@compiled
def half_worth(view, parts, card, seat, supply):
    """Half of a card's effect on a player with so many natives in the supply; a Shaman plans which cards will live."""
    if card == UNKNOWN:
        return HIDDEN_CARD // 2
    value = effect(view, parts, kind_of(card), seat, supply) // 2
    if view.shaman == view.seat:
        value += value * agreement(view, int(view.seat), card & 3) // 4
    return value


@compiled
def agreement(view, seat, background):
    """Own cards on the table that live with this background, less those that do not: a Shaman plans ahead."""
    value = 0
    for k in range(view.table_count):
        if view.table_player[k] == seat and view.table_card[k] != UNKNOWN:
            value += 1 if turned_by(view, int(view.table_card[k]) & 3) == turned_by(view, background) else -1
    return value


@compiled
def turned_by(view, background):
    """The condition that must turn for a background to live: its own if it is not visible, else the other."""
    visible = is_active(background, view.tide, view.time)
    own = 0 if background < cr.DAY else 1
    return 1 - own if visible else own


@compiled
def worth_of_turning(view, parts, seat, condition):
    """The known cards that would live, for oneself and against the others."""
    tide, time = faces_turned(view, condition)
    value = 0
    for k in range(view.table_count):
        card = int(view.table_card[k])
        if card != UNKNOWN and is_active(card, tide, time):
            for player in range(view.players):
                applications = int(view.table_front[k] == player) + (int(view.table_natives[k]) >> player & 1)
                if applications > 0:
                    gain = applications * effect(view, parts, kind_of(card), player, int(view.supply[player]))
                    value += gain if player == seat else -gain // int(view.players)
    return value
