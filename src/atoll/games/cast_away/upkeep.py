"""The Orientation and Feeding phases, the end of a round, and the final count, in the rulebook's order."""

# mypy: disable-error-code="no-untyped-def"

from atoll.core.state import UNKNOWN
from atoll.engine.compiling import compiled, inlined
from atoll.engine.events import emit
from atoll.games.cast_away import events as ev
from atoll.games.cast_away import state as ca
from atoll.games.cast_away.effect_words import count_of, mystery_tiles
from atoll.games.cast_away.goods import gain, score, spend

# The Orientation phase


@compiled
def by_compass(state, first, step, out):
    """Write the seats into `out`: event 8's user, then those on the compass from the first of these positions on."""
    count = 0
    if state.chooser != ca.NOBODY:
        out[0] = state.chooser
        count = 1
    for i in range(state.players):
        seat = state.markers[first + step * i]
        if seat != state.chooser:
            out[count] = seat
            count += 1


@compiled
def may_take_lot(state, parts, seat, resource):
    """A resource that lies on the compass; or none, where lots may stay and one is there (CA-29)."""
    if resource < ca.NO_RESOURCE:
        return state.lots[resource] > 0
    if parts.lots_may_stay == 1:
        for other in range(len(ca.RESOURCES)):
            if state.lots[other] > 0:
                return True
    return False


@compiled
def take_lot(state, parts, seat, resource, events):
    """All of a resource on the compass, or nothing (CA-29)."""
    if resource == ca.NO_RESOURCE:
        emit(events, ev.LOT_LEFT, seat, UNKNOWN, ev.NO_PLACE, ev.NO_PLACE, 0)
        return
    gain(state, seat, resource, int(state.lots[resource]), ev.COMPASS, events)
    state.lots[resource] = 0


@inlined
def may_take_single(state, parts, seat, resource):
    """A resource that lies on the compass (CA-29)."""
    return state.lots[resource] > 0


@compiled
def take_single(state, parts, seat, resource, events):
    """One from the compass, as often as the player's bonus allows (CA-29)."""
    gain(state, seat, resource, 1, ev.COMPASS, events)
    state.lots[resource] -= 1


# The Feeding phase


@compiled
def is_meal(state, parts, seat, fish):
    """Whether so many fish, and fruit for the rest, are what the player needs and has (CA-31)."""
    level = int(state.health[seat]) - ca.LOWEST_HEALTH
    food = int(parts.food_need[level])
    worth = int(parts.fish_food)
    if state.resources[seat, ca.WATER] < parts.water_need[level]:
        return False
    if fish > edible_fish(state, seat) or fish > (food + worth - 1) // worth:
        return False
    return fruit_beside(state, parts, seat, fish) <= state.resources[seat, ca.FRUIT]


@inlined
def edible_fish(state, seat):
    """Fish that the player may eat: all with Fire, else none (CA-31)."""
    return int(state.resources[seat, ca.FISH]) if state.experience[seat, ca.FIRE] > 0 else 0


@inlined
def fruit_beside(state, parts, seat, fish):
    """Fruit that the player needs beside so many fish (CA-31)."""
    return max(
        0, int(parts.food_need[int(state.health[seat]) - ca.LOWEST_HEALTH]) - int(parts.fish_food) * fish
    )


@compiled
def food_held(state, parts, seat):
    """The food that the player has (CA-31)."""
    return int(state.resources[seat, ca.FRUIT]) + int(parts.fish_food) * edible_fish(state, seat)


@compiled
def can_feed(state, parts, seat):
    """Whether the player has what the Feeding phase asks (CA-31)."""
    for fish in range(ca.MOST_FISH_EATEN + 1):
        if is_meal(state, parts, seat, fish):
            return True
    return False


@compiled
def feed(state, parts, seat, fish, events):
    """Eat and drink, and go up one level; on the top level stay (CA-31, CA-32)."""
    health = int(state.health[seat])
    level = health - ca.LOWEST_HEALTH
    water = int(parts.water_need[level])
    fruit = fruit_beside(state, parts, seat, fish)
    emit(events, ev.FED, seat, water, fruit, fish, 0)
    spend(state, seat, ca.WATER, water, ev.RESERVE, events)
    spend(state, seat, ca.FRUIT, fruit, ev.RESERVE, events)
    spend(state, seat, ca.FISH, fish, ev.RESERVE, events)
    score(state, seat, int(parts.met_prestige[level]), ev.FOR_NEEDS, health, events)
    if health < parts.health_top:
        change_health(state, parts, seat, health + 1, events)
        score(state, seat, int(parts.arrival_prestige[level + 1]), ev.FOR_HEALTH, health + 1, events)


@compiled
def change_health(state, parts, seat, health, events):
    """To another level, whose number of meeples the player then has (CA-32, CA-33)."""
    emit(events, ev.HEALTH_CHANGED, seat, UNKNOWN, state.health[seat], health, 0)
    state.health[seat] = health
    change = int(parts.meeples[health - ca.LOWEST_HEALTH]) - int(state.meeples[seat])
    if change > 0:
        state.meeples[seat] += change
        emit(events, ev.MEEPLES_CHANGED, seat, UNKNOWN, ev.NO_PLACE, ev.NO_PLACE, change)
    for _ in range(-change):
        lose_meeple(state, seat, events)


@compiled
def lose_meeple(state, seat, events):
    """Lose one that is not above the candle; if all are there, one comes back first (CA-34)."""
    if state.candle[seat] == state.meeples[seat]:
        state.candle[seat] -= 1
        state.white[seat] -= 1
        state.white_left += 1
        emit(events, ev.MEEPLE_CALLED, seat, UNKNOWN, ev.NO_PLACE, ev.NO_PLACE, 0)
    state.meeples[seat] -= 1
    emit(events, ev.MEEPLES_CHANGED, seat, UNKNOWN, ev.NO_PLACE, ev.NO_PLACE, -1)


@inlined
def may_go_down(state, parts, seat, choice):
    """To the lowest health, or pay, which needs the prestige (CA-33)."""
    return choice == 0 or state.prestige[seat] >= parts.ransom


@compiled
def go_down(state, parts, seat, choice, events):
    """To the lowest health, or prestige to stay above it (CA-33)."""
    if choice == 0:
        change_health(state, parts, seat, ca.LOWEST_HEALTH, events)
    else:
        emit(events, ev.HEALTH_PAID, seat, UNKNOWN, ev.NO_PLACE, ev.NO_PLACE, parts.ransom)
        score(state, seat, -int(parts.ransom), ev.RANSOM, ev.NO_PLACE, events)


@compiled
def keep_fish(state, parts, events):
    """After all have fed, fish above the limit are lost (CA-36)."""
    for seat in range(state.players):
        limit = fish_limit(state, parts, seat)
        lost = int(state.resources[seat, ca.FISH]) - limit
        if lost > 0:
            state.resources[seat, ca.FISH] = limit
            emit(events, ev.FISH_LOST, seat, UNKNOWN, ev.NO_PLACE, ev.NO_PLACE, lost)


@inlined
def fish_limit(state, parts, seat):
    """Fish that a player may keep (CA-36)."""
    return int(parts.fish_kept) + int(state.bonus[seat, ca.KEEP_FISH])


# The end of a round


@compiled
def most_above_candle(state):
    """How many own meeples above the candle who has most of them has."""
    most = 0
    for seat in range(state.players):
        most = max(most, int(state.candle[seat]))
    return most


@compiled
def majority_leader(state):
    """Who has most own meeples above the candle, some at least; on a tie who has the calumet, else NOBODY (CA-37)."""
    most = max(1, most_above_candle(state))
    leader = ca.NOBODY
    leaders = 0
    smoker = ca.NOBODY
    smokers = 0
    for seat in range(state.players):
        if state.candle[seat] == most:
            leader = seat
            leaders += 1
            if state.bonus[seat, ca.CALUMET] > 0:
                smoker = seat
                smokers += 1
    if leaders > 1:
        leader = smoker if smokers == 1 else ca.NOBODY
    return leader


@compiled
def score_majority(state, parts, events):
    """The majority above the candle scores, if anybody is there (CA-37)."""
    if most_above_candle(state) == 0:
        return
    leader = majority_leader(state)
    emit(events, ev.MAJORITY, leader, UNKNOWN, ev.NO_PLACE, ev.NO_PLACE, 0)
    if leader != ca.NOBODY:
        prestige = int(parts.majority) + int(state.bonus[leader, ca.MAJORITY_PRESTIGE])
        score(state, leader, prestige, ev.FOR_MAJORITY, ev.NO_PLACE, events)


# The final count: tiles, their effects at the end, miracles and the mystery


@compiled
def end_points(state, parts, seat, tile):
    """What a construction's effect at the end scores (CA-40)."""
    points = 0
    first = int(parts.row_first[tile])
    for row in range(first, first + int(parts.row_count[tile])):
        if parts.rows[row, 0] == ca.AT_END:
            effect_points = count_of(int(parts.rows[row, 1]), state, seat) * int(parts.rows[row, 3])
            points += max(0, min(effect_points, int(parts.rows[row, 2])))
    return points


@compiled
def miracle_points(state, parts, seat, miracle):
    """A player's rank in the count; a tie is worth the rank below (CA-41)."""
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
def all_miracles(state, parts, seat):
    """What a player scores for miracles: their own, or all players' where everybody scores for each (CA-41)."""
    points = 0
    for owner in range(state.players):
        if owner == seat or parts.miracles_for_all == 1:
            for slot in range(state.slot_count[owner]):
                tile = int(state.slots[owner, slot])
                if tile >= ca.MIRACLE_SLOT:
                    points += miracle_points(state, parts, seat, tile - ca.MIRACLE_SLOT)
    return points


@compiled
def storey_complete(state, parts, seat, storey):
    """Whether a player has every design of a storey (CA-18)."""
    for design in range(parts.designs[storey]):
        if state.mystery[seat, storey * ca.MAX_DESIGNS + design] == 0:
            return False
    return True


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
    points = int(state.prestige[seat]) + mystery_points(state, parts, seat) + all_miracles(state, parts, seat)
    for slot in range(state.slot_count[seat]):
        tile = int(state.slots[seat, slot])
        if tile < ca.MIRACLE_SLOT:
            points += int(parts.tile_prestige[tile]) + end_points(state, parts, seat, tile)
    return points
