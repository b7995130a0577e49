"""The action phase: what may be placed where, and placing it (CA-11)."""

# mypy: disable-error-code="no-untyped-def"

from atoll.core.state import UNKNOWN
from atoll.engine.compiling import compiled, inlined
from atoll.engine.events import emit
from atoll.engine.lists import insert_at
from atoll.games.cast_away import effects, goods
from atoll.games.cast_away import events as ev
from atoll.games.cast_away import moves as mv
from atoll.games.cast_away import state as ca
from atoll.games.cast_away.moves import FIRST_AT, WHERE


@compiled
def next_turn(state):
    """The next player in turn order who has something left to place; False when nobody has (CA-11)."""
    for i in range(1, int(state.players) + 1):
        turn = (int(state.turn) + i) % int(state.players)
        seat = int(state.order[turn])
        if state.left_own[seat] + state.left_white[seat] + state.left_compass[seat] > 0:
            state.turn = turn
            state.phase = ca.ACTION
            state.actor = seat
            state.to_act = 1 << seat
            state.learnt = 0
            state.asked_target = 0
            state.asked_amount = 0
            return True
    return False


# What one may do

WHY_CLOSED = (None, "full", "empty", "slots", "fire", "faith", "fruit", "complete", "left", "gift")
"""What is against it that a player does something somewhere: no room or nothing is left, no slot is free, a level in
fire or faith or fruit is missing, all is learnt, the player has left the tribe in this round, or has nothing to give.
"""
OPEN, FULL, EMPTY, NO_SLOT, NO_FIRE, NO_FAITH, NO_FRUIT, COMPLETE, LEFT_TRIBE, NO_GIFT_LEFT = range(
    len(WHY_CLOSED)
)


@inlined
def why_closed(state, parts, seat, place):
    """OPEN if the place has room (CA-12) and is of use to the player, whatever meeples are left; else why not."""
    if state.place_count[place] >= parts.places[place]:
        return FULL
    if place < ca.CONSTRUCTION_PLACE:
        return OPEN if state.stock[place - ca.EXPLORATION_PLACE] > 0 else EMPTY  # CA-14
    if place == ca.CONSTRUCTION_PLACE:
        return OPEN if effects.has_free_slot(state, parts, seat) else NO_SLOT  # CA-15
    if place == ca.GATHERING_PLACE:
        return OPEN if state.stock[ca.FRUIT] > 0 else EMPTY  # CA-16
    if place == ca.EVENT_PLACE:
        return OPEN if state.event != ca.NOBODY else EMPTY  # CA-23
    if place == ca.PRAYER_PLACE:
        return OPEN if state.experience[seat, ca.FAITH] > 0 else NO_FAITH  # CA-19
    if place == ca.MYSTERY_PLACE:
        return OPEN if state.experience[seat, ca.FIRE] > 0 else NO_FIRE  # CA-18
    if place == ca.STUDY_PLACE:
        if state.resources[seat, ca.FRUIT] < study_cost(state, parts):
            return NO_FRUIT
        return OPEN if effects.may_study(state, parts, seat) else COMPLETE  # CA-21
    return OPEN


@inlined
def study_cost(state, parts):
    """Fruit that the next place to study costs (CA-21)."""
    return 0 if state.place_count[ca.STUDY_PLACE] < parts.study_free_places else int(parts.study_price)


@compiled
def why_not_met(state, seat):
    """OPEN if a player with an own meeple left may meet the tribe (CA-24); else why not."""
    if state.white_left == 0:
        return EMPTY
    if state.tribe[seat] == ca.LEFT:
        return LEFT_TRIBE
    if state.bonus[seat, ca.NO_GIFT] == 0:
        for resource in range(len(ca.RESOURCES)):
            if state.resources[seat, resource] > 0:
                return OPEN
        return NO_GIFT_LEFT
    return OPEN


@compiled
def actions_to_take(state, parts, seat, out):
    """Everything that one may do in one's turn (CA-11); codes ascending."""
    count = 0
    own = state.left_own[seat] > 0
    white = state.left_white[seat] > 0
    if own or white:
        for resource in range(ca.BUILDING):  # CA-14
            count = at_place(state, parts, seat, ca.EXPLORATION_PLACE + resource, own, white, out, count)
        if why_closed(state, parts, seat, ca.CONSTRUCTION_PLACE) == OPEN:  # CA-15
            count = tiles_to_build(state, parts, seat, own, white, out, count)
        count = at_place(state, parts, seat, ca.GATHERING_PLACE, own, white, out, count)  # CA-16
        count = at_place(state, parts, seat, ca.WATER_PLACE, own, white, out, count)  # CA-17
        count = at_place(state, parts, seat, ca.FISHING_PLACE, own, white, out, count)  # CA-27
        count = at_place(state, parts, seat, ca.EVENT_PLACE, own, white, out, count)  # CA-23
        if own:  # CA-26
            count = own_actions(state, parts, seat, out, count)
        if why_closed(state, parts, seat, ca.MYSTERY_PLACE) == OPEN:  # CA-18
            count = designs_to_take(state, parts, seat, out, count)
        count = tiles_to_activate(state, parts, seat, own, white, out, count)
        count = tribe_exchanges(state, parts, seat, own, white, out, count)
    if state.left_compass[seat] > 0:  # CA-13
        for position in range(state.players):
            if state.markers[position] == ca.NOBODY:
                out[count] = mv.PLACE_COMPASS + position
                count += 1
    return count


@compiled
def add_either(code, own, white, out, count):
    """The move with an own meeple, whose code this is, and with a white one, as far as there are."""
    if own:
        out[count] = code
        count += 1
    if white:
        out[count] = code + ca.WHITE - ca.OWN
        count += 1
    return count


@inlined
def at_place(state, parts, seat, place, own, white, out, count):
    """What is done at a place of the board and asks for nothing more, with either meeple, if it can be done."""
    if why_closed(state, parts, seat, place) == OPEN:
        count = add_either(FIRST_AT[place], own, white, out, count)
    return count


@compiled
def tiles_to_build(state, parts, seat, own, white, out, count):
    """The constructions that one can pay, less one resource for the first to arrive (CA-15)."""
    discounts = effects.build_discounts(state, parts, seat)
    for tile in range(parts.tiles):
        if effects.can_pay_for(state, parts, seat, tile, discounts):
            count = add_either(mv.encode_build(tile, ca.OWN), own, white, out, count)
    return count


@compiled
def own_actions(state, parts, seat, out, count):
    """Prayer, leisure, rest and study, which white meeples do not do (CA-19, CA-21, CA-22, CA-26)."""
    count = at_place(state, parts, seat, ca.PRAYER_PLACE, True, False, out, count)
    count = at_place(state, parts, seat, ca.LEISURE_PLACE, True, False, out, count)
    count = at_place(state, parts, seat, ca.REST_PLACE, True, False, out, count)
    if why_closed(state, parts, seat, ca.STUDY_PLACE) == OPEN:
        for domain in range(len(ca.DOMAINS)):
            if effects.may_learn(state, parts, seat, domain):
                out[count] = mv.STUDY + domain
                count += 1
    return count


@compiled
def designs_to_take(state, parts, seat, out, count):
    """Designs of the mystery, with every split into own and white meeples (CA-18)."""
    own_left = int(state.left_own[seat])
    white_left = int(state.left_white[seat])
    for storey in range(ca.STOREYS):
        solvers = int(parts.solvers[storey])
        if own_left + white_left >= solvers:
            for design in range(parts.designs[storey]):
                if effects.may_take_design(state, parts, seat, storey, design):
                    for own in range(max(0, solvers - white_left), min(solvers, own_left) + 1):
                        out[count] = mv.encode_solve(storey, design, own, solvers - own)
                        count += 1
    return count


@compiled
def tiles_to_activate(state, parts, seat, own, white, out, count):
    """One's own constructions; with white meeples those of others (CA-26, CA-28)."""
    for tile in range(parts.tiles):
        owner = int(state.tile_owner[tile])
        use = parts.tile_use[tile]
        if owner < 0 or use == ca.NOBODY or state.tile_used[tile] == 1:
            continue
        with_own = own and owner == seat
        with_white = white and use == ca.ACTIVATED
        if (with_own or with_white) and effects.may_activate(state, parts, seat, tile):
            code = mv.encode_activate(tile, owner, ca.OWN)
            count = add_either(code, with_own, with_white, out, count)
    return count


@compiled
def tribe_exchanges(state, parts, seat, own, white, out, count):
    """Meet the tribe for a gift, or send a white meeple back for one (CA-24, CA-25)."""
    if own and why_not_met(state, seat) == OPEN:
        if state.bonus[seat, ca.NO_GIFT] > 0:
            out[count] = mv.MEET_TRIBE + ca.NO_RESOURCE
            count += 1
        else:
            for resource in range(len(ca.RESOURCES)):
                if state.resources[seat, resource] > 0:
                    out[count] = mv.MEET_TRIBE + resource
                    count += 1
    if white and state.candle[seat] > 0:
        before = count
        for resource in range(len(ca.RESOURCES)):
            if state.gifts[resource] > 0:
                out[count] = mv.LEAVE_TRIBE + resource
                count += 1
        if count == before:
            out[count] = mv.LEAVE_TRIBE + ca.NO_RESOURCE
            count += 1
    return count


# Doing it


@compiled
def act(state, parts, seat, action, events):
    """Place a meeple or the compass marker, or exchange with the tribe (CA-11)."""
    if parts.free_compass == 1:  # CA-13: asked when all that comes of the last meeple is done
        effects.push(state, ca.QUESTION + ca.MARKER, 0, 0)
    if action < mv.SOLVE:
        place, white = int(WHERE[action, 0]), int(WHERE[action, 1])
        if place == ca.CONSTRUCTION_PLACE:
            build(state, parts, seat, action, events)
        elif place == ca.STUDY_PLACE:
            study(state, parts, seat, action - mv.STUDY, events)
        else:
            arrivals = place_meeple(state, seat, white, place, ca.NOBODY, events)
            effects.act_at(state, parts, seat, place, arrivals, events)
    elif action < mv.ACTIVATE_WITH:
        storey, design, own, white = mv.decode_solve(action)
        solve_mystery(state, parts, seat, storey * ca.MAX_DESIGNS + design, own, white, events)
    elif action < mv.MEET_TRIBE:
        tile, owner, white = mv.decode_activate(action)
        activate(state, parts, seat, tile, owner, white, events)
    elif action < mv.LEAVE_TRIBE:
        meet_tribe(state, seat, action - mv.MEET_TRIBE, events)
    elif action < mv.PLACE_COMPASS:
        leave_tribe(state, seat, action - mv.LEAVE_TRIBE, events)
    else:
        place_compass(state, parts, seat, action - mv.PLACE_COMPASS, events)


@compiled
def place_meeple(state, seat, white, place, owner, events):
    """A meeple goes to a place and stays there (CA-12); returns how many were there before."""
    if white == ca.WHITE:
        state.left_white[seat] -= 1
    else:
        state.left_own[seat] -= 1
    note_arrival(state, seat, place)
    emit(events, ev.MEEPLE_PLACED, seat, white, ev.NO_PLACE, place, owner)
    if place >= ca.TILE_PLACE:
        state.tile_used[place - ca.TILE_PLACE] = 1
        return 0
    arrivals = int(state.place_count[place])
    state.place_count[place] = arrivals + 1
    return arrivals


@compiled
def note_arrival(state, seat, place):
    """Behind those on the same place; places come in the order in which they were first taken."""
    count = int(state.arrivals)
    behind = count
    while behind > 0 and state.arrival_place[behind - 1] != place:
        behind -= 1
    if behind == 0:
        behind = count
    insert_at(state.arrival_place, count, behind, place)
    insert_at(state.arrival_seat, count, behind, seat)
    state.arrivals = count + 1


@compiled
def build(state, parts, seat, action, events):
    """A construction (CA-15)."""
    tile, white = mv.decode_build(action)
    discounts = effects.build_discounts(state, parts, seat)
    place_meeple(state, seat, white, ca.CONSTRUCTION_PLACE, ca.NOBODY, events)
    effects.begin_building(state, parts, seat, tile, discounts)


@compiled
def study(state, parts, seat, domain, events):
    """A level of a domain, for fruit once the free places are taken (CA-21)."""
    cost = study_cost(state, parts)
    place_meeple(state, seat, ca.OWN, ca.STUDY_PLACE, ca.NOBODY, events)
    goods.spend(state, seat, ca.FRUIT, cost, ev.RESERVE, events)
    goods.learn(state, parts, seat, domain, 1, events)


@compiled
def solve_mystery(state, parts, seat, design, own, white, events):
    """One, two or three meeples at once for a tile (CA-18)."""
    for i in range(own + white):
        place_meeple(state, seat, ca.OWN if i < own else ca.WHITE, ca.MYSTERY_PLACE, ca.NOBODY, events)
    state.place_count[ca.MYSTERY_PLACE] = 1  # CA-18: one place, however many stand on it
    effects.take_design(state, parts, seat, design, events)


@compiled
def activate(state, parts, seat, tile, owner, white, events):
    """A construction's effect goes to whoever places the meeple (CA-26, CA-28)."""
    place_meeple(state, seat, white, ca.TILE_PLACE + tile, owner, events)
    effects.push_rows(state, parts, tile, ca.ACTIVATED)


@compiled
def meet_tribe(state, seat, gift, events):
    """An own meeple above the candle, a gift on it, and a white meeple (CA-24)."""
    state.left_own[seat] -= 1
    state.candle[seat] += 1
    state.white_left -= 1
    state.white[seat] += 1
    state.left_white[seat] += 1
    state.tribe[seat] = ca.MET
    emit(events, ev.TRIBE_MET, seat, gift, ev.NO_PLACE, ev.NO_PLACE, 0)
    if gift != ca.NO_RESOURCE:
        state.gifts[gift] += 1
        goods.spend(state, seat, gift, 1, ev.CANDLE, events)


@compiled
def leave_tribe(state, seat, resource, events):
    """A white meeple goes back, an own one and a gift come back (CA-25)."""
    state.left_white[seat] -= 1
    state.white[seat] -= 1
    state.white_left += 1
    state.candle[seat] -= 1
    state.left_own[seat] += 1
    state.tribe[seat] = ca.LEFT
    emit(events, ev.TRIBE_LEFT, seat, resource, ev.NO_PLACE, ev.NO_PLACE, 0)
    if resource != ca.NO_RESOURCE:
        state.gifts[resource] -= 1
        goods.gain(state, seat, resource, 1, ev.CANDLE, events)


@compiled
def place_compass(state, parts, seat, position, events):
    """The compass marker on a free position (CA-13)."""
    if parts.free_compass == 1:
        state.turn -= 1  # the next turn is the same player's, who may have meeples left
    state.left_compass[seat] = 0
    state.markers[position] = seat
    emit(events, ev.COMPASS_PLACED, seat, UNKNOWN, ev.NO_PLACE, position, 0)
