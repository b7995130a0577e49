"""What a sensible player of Costa Ruana goes by, as a number for each legal move; higher is better.

An island counts for whoever would collect from it now. Cards that help go in front of oneself, cards that hurt in
front of others, and every card counts half, since the Shaman decides which backgrounds live.
"""

# mypy: disable-error-code="no-untyped-def"

from atoll.core.compiling import compiled
from atoll.core.state import UNKNOWN
from atoll.games.costa_ruana.collecting import collection
from atoll.games.costa_ruana.moves import (
    APPOINT_SHAMAN,
    DROP_NATIVE_ON,
    DROP_TREASURE_ON,
    KEEP_NATIVE,
    PLACE_NATIVE_ON,
    PUT_NATIVE_ON_CARD,
    RESOLVE_CARD,
    RETURN_NATIVE_FROM,
    TAKE_TREASURE_FROM,
    TURN_CONDITION,
    decode_play,
    decode_take_native,
)
from atoll.games.costa_ruana.state import (
    CONDITION,
    DAY,
    DROP_NATIVE,
    DROP_TREASURE,
    FACE_DOWN,
    FACE_UP,
    HIGH_TIDE,
    LOW_TIDE,
    MOVE_NATIVE,
    MOVE_TREASURE,
    NATIVE,
    NIGHT,
    NOWHERE,
    ORDER,
    PLACE,
    PLACE_1,
    RETURN,
    RETURN_1,
    RETURN_3,
    SETUP,
    TAKE_NATIVE,
    TAKE_TREASURE,
    TIDE,
)

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
    if phase == SETUP or phase == PLACE:
        return change(view, action - PLACE_NATIVE_ON, seat, 1)
    if phase == FACE_UP or phase == FACE_DOWN:
        card, front = decode_play(action)
        return worth_of_playing(view, parts, seat, card, front)
    if phase == NATIVE:
        return (
            0 if action == KEEP_NATIVE else worth_of_copying(view, parts, seat, action - PUT_NATIVE_ON_CARD)
        )
    if phase == CONDITION:
        return worth_of_turning(view, parts, seat, action - TURN_CONDITION)
    if phase == ORDER:
        return int(view.table_card[action - RESOLVE_CARD]) >> 2
    if phase == TAKE_TREASURE:
        island = action - TAKE_TREASURE_FROM
        return (
            -treasure_worth(view, island)
            if view.treasures[island] == 1
            else -treasure_worth(view, island) // 4
        )
    if phase == DROP_TREASURE:
        island = action - DROP_TREASURE_ON
        return (
            treasure_worth(view, island) if view.treasures[island] == 0 else treasure_worth(view, island) // 4
        )
    if phase == RETURN:
        return change(view, action - RETURN_NATIVE_FROM, seat, -1)
    if phase == TAKE_NATIVE:
        island, owner = decode_take_native(action)
        return worth_of_moving(view, parts, island, owner)
    if phase == DROP_NATIVE:
        return change(view, action - DROP_NATIVE_ON, int(view.taken_owner), 1)
    return 1 if action - APPOINT_SHAMAN == seat else 0


# Islands


@compiled
def collector(view, island, moved, by):
    """Who would collect from an island if seat `moved` had `by` more natives there."""
    found, _ = collection(view, island, moved, by)
    return found


@compiled
def share(view, seat):
    """What a treasure for `seat` is worth to the view's seat: all of it, or a loss spread over the others."""
    if seat == NOWHERE:
        return 0
    if seat == view.seat:
        return COLLECTING
    return -COLLECTING // int(view.players)


@compiled
def standing(view, island, moved, by):
    """What an island is worth to the view's seat as it stands, if seat `moved` had `by` more natives there."""
    if view.treasures[island] == 0:
        return -PRESENCE * int(view.natives[island, view.seat]) if moved != view.seat else -PRESENCE * by
    value = share(view, collector(view, island, moved, by))
    own = int(view.natives[island, view.seat]) + (by if moved == view.seat else 0)
    return value + PRESENCE * min(own, 3)


@compiled
def change(view, island, moved, by):
    """What moving a native of `moved` onto (by = 1) or off (by = -1) an island is worth."""
    return standing(view, island, moved, by) - standing(view, island, moved, 0)


@compiled
def worth_of_moving(view, parts, island, owner):
    """Taking a native of `owner` from an island to wherever it is best."""
    best = -1000000
    for other in range(view.islands):
        if other != island and view.crowd[other] < parts.island_capacity:
            best = max(best, change(view, other, owner, 1))
    return change(view, island, owner, -1) + best


@compiled
def treasure_worth(view, island):
    """What having treasure on an island is worth."""
    return share(view, collector(view, island, NOWHERE, 0))


# Cards


@compiled
def effect(view, parts, kind, seat, supply):
    """What a card's effect is worth to the player to whom it applies, with that many natives in the supply."""
    last = view.round_number == parts.rounds
    if kind == MOVE_TREASURE:
        return MOVED_TREASURE
    if kind <= RETURN_3:
        there = 0
        for island in range(view.islands):
            there += int(view.natives[island, seat])
        return min(kind - RETURN_1 + 1, there) * (RETURNED_LAST_ROUND if last else RETURNED)
    if kind < MOVE_NATIVE:
        return min(kind - PLACE_1 + 1, supply) * (PLACED_LAST_ROUND if last else PLACED)
    return MOVED_NATIVE


@compiled
def worth_of_playing(view, parts, seat, card, front):
    """Laying a card in front of a player: half its effect, for oneself or against the others."""
    value = effect(view, parts, card >> 2, front, int(view.supply[front])) // 2
    if view.shaman == seat:
        value += value * agreement(view, seat, card & 3) // 4
    if front == seat:
        return value
    return -value // int(view.players)


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
    visible = background == view.tide or background == view.time
    own = 0 if background < DAY else 1
    return 1 - own if visible else own


@compiled
def worth_of_copying(view, parts, seat, k):
    """Putting a native on a card: half its effect."""
    card = int(view.table_card[k])
    if card == UNKNOWN:
        return HIDDEN_CARD // 2
    value = effect(view, parts, card >> 2, seat, int(view.supply[seat]) - 1) // 2
    if view.shaman == seat:
        value += value * agreement(view, seat, card & 3) // 4
    return value


@compiled
def worth_of_turning(view, parts, seat, condition):
    """The known cards that would live, for oneself and against the others."""
    tide, time = int(view.tide), int(view.time)
    if condition == TIDE:
        tide = HIGH_TIDE + LOW_TIDE - tide
    else:
        time = DAY + NIGHT - time
    value = 0
    for k in range(view.table_count):
        card = int(view.table_card[k])
        if card != UNKNOWN and (card & 3 == tide or card & 3 == time):
            for player in range(view.players):
                applications = int(view.table_front[k] == player) + (int(view.table_natives[k]) >> player & 1)
                if applications > 0:
                    gain = applications * effect(view, parts, card >> 2, player, int(view.supply[player]))
                    value += gain if player == seat else -gain // int(view.players)
    return value
