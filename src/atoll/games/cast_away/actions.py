"""The actions of the board and of constructions: what each may be and what it does, in the rulebook's order.

`may_...` says whether an action has an effect for a player; places and meeples are checked in `rules.py`.
"""

# mypy: disable-error-code="no-untyped-def"

import numpy as np

from atoll.core.events import emit
from atoll.core.state import UNKNOWN
from atoll.engine.compiling import compiled, inlined
from atoll.engine.lists import insert_at, remove_at
from atoll.games.cast_away import events as ev
from atoll.games.cast_away import goods
from atoll.games.cast_away import state as ca

# Places of the board

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
        return OPEN if goods.has_free_slot(state, parts, seat) else NO_SLOT  # CA-15
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
        return OPEN if may_study(state, parts, seat) else COMPLETE  # CA-21
    return OPEN


@compiled
def act_at(state, parts, seat, place, arrived, events):
    """What a meeple does on a place of the board, to which `arrived` came before it; to build and to study is more."""
    if place < ca.CONSTRUCTION_PLACE:
        explore(state, parts, seat, place - ca.EXPLORATION_PLACE, arrived, events)
    elif place == ca.GATHERING_PLACE:
        goods.gain_from_stock(state, seat, ca.FRUIT, gathered(state, parts, seat), events)  # CA-9, CA-16
    elif place == ca.WATER_PLACE:
        goods.gain(state, seat, ca.WATER, int(parts.water_drawn), ev.RESERVE, events)  # CA-17
    elif place == ca.FISHING_PLACE:  # CA-27: event 6 is offered, then a card is drawn
        goods.push(state, ca.DRAW_FISH, 0, 0)
        goods.push(state, ca.QUESTION + ca.DOUBLE, 0, 0)
    elif place == ca.EVENT_PLACE:
        take_event(state, parts, seat, events)
    elif place == ca.PRAYER_PLACE:
        pray(state, parts, seat, events)
    elif place == ca.LEISURE_PLACE:
        goods.be_happier(state, parts, seat, int(parts.leisure_happiness), events)  # CA-22
    elif place == ca.REST_PLACE:  # CA-22: no Feeding in this round
        state.rests[seat] = 1
        emit(events, ev.RESTED, seat, UNKNOWN, ev.NO_PLACE, ev.NO_PLACE, 0)


# Exploration


@compiled
def explore(state, parts, seat, resource, arrived, events):
    """Resources of a spot, more for the first to arrive, then one more for a fruit (CA-14)."""
    goods.gain_from_stock(state, seat, resource, explored(parts, arrived), events)
    extra = extra_for_fruit(state, parts, seat)
    if state.bonus[seat, ca.FREE_EXPLORATION] > 0:
        goods.gain_from_stock(state, seat, resource, extra, events)
    else:
        goods.push(state, ca.QUESTION + ca.FRUIT_SPENT, resource, extra)


@inlined
def explored(parts, arrived):
    """Resources of a spot, to which `arrived` meeples came before (CA-14)."""
    return int(parts.exploration_first) if arrived == 0 else int(parts.exploration_later)


@inlined
def extra_for_fruit(state, parts, seat):
    """Resources that an Exploration brings more for a fruit (CA-14)."""
    return int(parts.exploration_extra) + int(state.bonus[seat, ca.EXPLORATION_BONUS])


@compiled
def may_spend_fruit(state, seat, resource):
    """Whether a fruit would bring more of the resource (CA-14)."""
    return state.stock[resource] > 0 and state.resources[seat, ca.FRUIT] > 0


@compiled
def may_explore(state):
    """Whether any spot has something in stock (CA-14)."""
    return state.stock[ca.BAMBOO] + state.stock[ca.LIANA] + state.stock[ca.PALM] > 0


# Construction


@compiled
def may_build(state, parts, seat, discounts):
    """Whether any construction can be built (CA-15)."""
    for tile in range(parts.tiles):
        if goods.can_pay_for(state, parts, seat, tile, discounts):
            return True
    return False


@compiled
def begin_building(state, parts, seat, tile, discounts):
    """The price after reductions; what is spared freely comes next (CA-15)."""
    state.building = tile
    for resource in range(ca.BUILDING):
        state.price[resource] = goods.reduced_price(state, parts, seat, tile, resource)
    goods.push(state, ca.FINISH_BUILDING, 0, 0)
    goods.push(state, ca.QUESTION + ca.DISCOUNT, 0, discounts)


@compiled
def may_spare(state, seat, resource, discounts):
    """Whether one of `discounts` may spare this resource: a price is left, and the tile stays payable (CA-15)."""
    if state.price[resource] == 0:
        return False
    missing = 0
    for other in range(ca.BUILDING):
        price = int(state.price[other]) - (1 if other == resource else 0)
        missing += max(0, price - int(state.resources[seat, other]))
    return missing < discounts


@compiled
def finish_building(state, parts, seat, target, amount, events):
    """Pay, place the tile, take its slot's bonus and its effect (CA-4, CA-15)."""
    tile = int(state.building)
    state.building = ca.NOBODY
    emit(events, ev.TILE_BUILT, seat, tile, ev.NO_PLACE, state.slot_count[seat], 0)
    for resource in range(ca.BUILDING):
        goods.spend(state, seat, resource, int(state.price[resource]), ev.RESERVE, events)
        state.price[resource] = 0
    state.tile_owner[tile] = seat
    goods.push_rows(state, parts, ca.TILE_ROWS + tile, ca.AT_ONCE)
    goods.cover_slot(state, parts, seat, tile, events)
    goods.add_bonuses(state, parts, ca.TILE_ROWS + tile, seat, 1)


# Gathering


@inlined
def gathered(state, parts, seat):
    """Fruit of a Gathering, if the stock has so many (CA-16)."""
    more = int(state.experience[seat, ca.NATURE]) + int(state.bonus[seat, ca.GATHERING_BONUS])
    return int(parts.gathering_fruit) + more


# Island mystery


@compiled
def storey_complete(state, parts, seat, storey):
    """Whether a player has every design of a storey (CA-18)."""
    for design in range(parts.designs[storey]):
        if state.mystery[seat, storey * ca.MAX_DESIGNS + design] == 0:
            return False
    return True


@compiled
def may_take_design(state, parts, seat, storey, design):
    """A design that is left and that one does not have, above complete storeys (CA-18)."""
    index = storey * ca.MAX_DESIGNS + design
    if state.mystery_left[index] == 0 or state.mystery[seat, index] == 1:
        return False
    for below in range(storey):
        if not storey_complete(state, parts, seat, below):
            return False
    return True


@compiled
def take_design(state, seat, index, events):
    """A tile of the mystery."""
    state.mystery_left[index] -= 1
    state.mystery[seat, index] = 1
    emit(events, ev.MYSTERY_TAKEN, seat, index, ev.NO_PLACE, ev.NO_PLACE, 0)


# Prayer


@compiled
def pray(state, parts, seat, events):
    """Up by the level in faith, stopping at the last step; then a favour, or not (CA-19)."""
    before = int(state.favour[seat])
    after = min(before + prayer_steps(state, seat), int(parts.steps))
    state.favour[seat] = after
    emit(events, ev.FAVOUR_MOVED, seat, UNKNOWN, before, after, 0)
    goods.push(state, ca.QUESTION + ca.FAVOUR, before, 0)


@inlined
def prayer_steps(state, seat):
    """Steps of divine favour that a Prayer takes (CA-19)."""
    return int(state.experience[seat, ca.FAITH]) + int(state.bonus[seat, ca.PRAYER_BONUS])


@compiled
def may_take_favour(state, parts, seat, before, step):
    """A step passed or reached in this move; the last one again and again (CA-19)."""
    if step > state.favour[seat] or (step <= before and not (step == before and before == parts.steps)):
        return False
    return parts.step_miracle[step] == 0 or may_take_miracle(state, parts, seat)


@compiled
def may_take_miracle(state, parts, seat):
    """A miracle needs to be left, and a free slot (CA-19)."""
    if not goods.has_free_slot(state, parts, seat):
        return False
    for miracle in range(len(ca.MIRACLES)):
        if state.miracle_left[miracle] == 1:
            return True
    return False


# Study


@inlined
def study_cost(state, parts):
    """Fruit that the next place to study costs (CA-21)."""
    return 0 if state.place_count[ca.STUDY_PLACE] < parts.study_free_places else int(parts.study_price)


@compiled
def may_study(state, parts, seat):
    """Whether any domain is not complete (CA-21)."""
    for domain in range(len(ca.DOMAINS)):
        if state.experience[seat, domain] < parts.domain_top[domain]:
            return True
    return False


# Event


@compiled
def take_event(state, parts, seat, events):
    """Take the round's card: what works at once is done, what is still to come stays with the player (CA-23)."""
    card = int(state.event)
    state.event = ca.NOBODY
    emit(events, ev.EVENT_TAKEN, seat, card, ev.NO_PLACE, ev.NO_PLACE, 0)
    if parts.event_kept[card] == 1:
        count = int(state.held_count)
        i = count
        while i > 0 and state.held_by[i - 1] > seat:
            i -= 1
        insert_at(state.held_event, count, i, card)
        insert_at(state.held_by, count, i, seat)
        state.held_count = count + 1
        goods.add_bonuses(state, parts, ca.EVENT_ROWS + card, seat, 1)
    else:
        emit(events, ev.EVENT_DISCARDED, UNKNOWN, card, ev.NO_PLACE, ev.NO_PLACE, 0)
    goods.score(state, seat, int(state.bonus[seat, ca.EVENT_PRESTIGE]), ev.FOR_EVENT, ev.NO_PLACE, events)
    goods.push_rows(state, parts, ca.EVENT_ROWS + card, ca.AT_ONCE)


@compiled
def use_event(state, parts, seat, word, events):
    """An event card that is used once leaves the game (CA-23): the first held that has this word."""
    found = ca.NOBODY
    for i in range(state.held_count):
        if found == ca.NOBODY and state.held_by[i] == seat:
            owner = ca.EVENT_ROWS + int(state.held_event[i])
            first = int(parts.row_first[owner])
            for row in range(first, first + int(parts.row_count[owner])):
                if parts.rows[row, 1] == word:
                    found = i
    card = int(state.held_event[found])
    goods.add_bonuses(state, parts, ca.EVENT_ROWS + card, seat, -1)
    emit(events, ev.EVENT_USED, seat, card, ev.NO_PLACE, ev.NO_PLACE, 0)
    count = int(state.held_count)
    remove_at(state.held_event, count, found, UNKNOWN)
    remove_at(state.held_by, count, found, ca.NOBODY)
    state.held_count = count - 1


# Fishing


@inlined
def catch(state, parts, seat, card, doubled):
    """Fish that a fishing card gives a player: by level, twice with event 6, and what holds always (CA-27)."""
    fish = int(parts.fish[card, int(state.experience[seat, ca.FISHING])])
    return fish * (1 + doubled) + int(state.bonus[seat, ca.FISHING_BONUS])


@compiled
def draw_fish(state, parts, seat, target, amount, events):
    """Turn over a fishing card: its fish by level, then its extra, then the arrow (CA-27)."""
    doubled = int(state.doubled)
    state.doubled = 0
    card = turn_over_fish(state, parts, seat, doubled, events)
    goods.gain(state, seat, ca.FISH, catch(state, parts, seat, card, doubled), ev.RESERVE, events)
    goods.push_rows(state, parts, ca.FISHING_ROWS + card, ca.AT_ONCE)


@compiled
def turn_over_fish(state, parts, seat, doubled, events):
    """The top fishing card leaves the pile; with an arrow, or as the last one, it has all shuffled (CA-27)."""
    top = int(state.fishing_count) - 1
    card = int(state.fishing_pile[top])
    state.fishing_pile[top] = UNKNOWN
    state.fishing_count = top
    state.fishing_left[card] = 0
    emit(events, ev.FISH_DRAWN, seat, card, ev.NO_PLACE, ev.NO_PLACE, doubled)
    if parts.fishing_arrow[card] == 1 or top == 0:
        goods.push(state, ca.SHUFFLE_FISHING, 0, 0)
    return card


@compiled
def shuffle_fishing(state, parts, seat, target, amount, events):
    """All fishing cards become the pile again (CA-27)."""
    make_fishing_pile(state, parts)
    emit(events, ev.FISHING_SHUFFLED, UNKNOWN, UNKNOWN, ev.NO_PLACE, ev.NO_PLACE, 0)


@compiled
def make_fishing_pile(state, parts):
    """All fishing cards as a shuffled pile (CA-8)."""
    for i in range(parts.fishing_cards):
        state.fishing_left[parts.fishing_card[i]] = 1
    state.fishing_count = goods.shuffle_left(state.fishing_left, state.fishing_pile, state.generator)


# The tribe


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


# Constructions that are activated

PLACE_OF = np.array(
    (
        *(ev.NO_PLACE, ev.NO_PLACE, ca.GATHERING_PLACE, ca.WATER_PLACE),
        *(ca.FISHING_PLACE, ca.PRAYER_PLACE, ca.LEISURE_PLACE, ca.REST_PLACE),
    ),
    dtype=np.int64,
)
"""The place of the board of each action, but for EXPLORE and BUILD, which ask for more."""


@compiled
def may_carry_out(state, parts, seat, action):
    """Whether an action without its place would do anything (CA-28)."""
    if action == ca.EXPLORE:
        return may_explore(state)
    if action == ca.BUILD:
        return may_build(state, parts, seat, goods.free_discounts(state, seat))
    if action == ca.GATHER:
        return state.stock[ca.FRUIT] > 0
    if action == ca.PRAY:
        return state.experience[seat, ca.FAITH] > 0
    return True


@compiled
def carry_out(state, parts, seat, action, amount, events):
    """An action without its place (CA-28): an Exploration asks for the spot, a Construction for the tile."""
    if action == ca.EXPLORE:
        goods.push(state, ca.QUESTION + ca.SPOT, 0, 0)
    elif action == ca.BUILD:
        goods.push(state, ca.QUESTION + ca.TILE, 0, 0)
    elif action != ca.PRAY or state.experience[seat, ca.FAITH] > 0:
        act_at(state, parts, seat, int(PLACE_OF[action]), 0, events)
