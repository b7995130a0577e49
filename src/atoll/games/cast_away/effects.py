"""Carrying out what waits, and the questions in the middle of it.

A question is a phase with a pair of functions: the answers that there are, and what an answer does. Where there is
only one answer, it is given without asking.
"""

# mypy: disable-error-code="no-untyped-def"

import numpy as np

from atoll.core.compiling import compiled
from atoll.core.copying import scratch
from atoll.core.events import emit
from atoll.core.state import UNKNOWN
from atoll.games.cast_away import actions, goods, upkeep
from atoll.games.cast_away import events as ev
from atoll.games.cast_away import moves as mv
from atoll.games.cast_away import state as ca
from atoll.games.cast_away.effect_words import CARRY_OUT, PAY, take_effect

MAX_ANSWERS = ca.MAX_TILES
YES, NO = range(2)


# What waits


@compiled
def carry_on(state, parts, events):
    """Carry out the next thing that waits; True if it is a question that has to be answered."""
    top = int(state.todo_count) - 1
    word = int(state.todo_word[top])
    target = int(state.todo_target[top])
    amount = int(state.todo_amount[top])
    state.todo_count = top
    state.todo_word[top] = 0
    state.todo_target[top] = 0
    state.todo_amount[top] = 0
    if word >= ca.OTHERWISE_WORD:
        if state.learnt == 1:
            return False
        word -= ca.OTHERWISE_WORD
    if word >= ca.QUESTION:
        return ask(state, parts, word - ca.QUESTION, target, amount, events)
    take_effect(word, state, parts, int(state.actor), target, amount, events)
    return False


# Constructions that are activated


@compiled
def may_activate(state, parts, seat, tile):
    """What a tile's effect needs: its price, an incomplete domain, an action that is possible (CA-28)."""
    first = int(parts.row_first[ca.TILE_ROWS + tile])
    for row in range(first, first + int(parts.row_count[ca.TILE_ROWS + tile])):
        if parts.rows[row, 0] == ca.ACTIVATED:
            word = parts.rows[row, 1]
            target = int(parts.rows[row, 2])
            if word == PAY and state.resources[seat, target] < parts.rows[row, 3]:
                return False
            if word == ca.QUESTION + ca.DOMAIN and not actions.may_study(state, parts, seat):
                return False
            if word == CARRY_OUT and not actions.may_carry_out(state, parts, seat, target):
                return False
    return True


# Questions


@compiled
def ask(state, parts, phase, target, amount, events):
    """Put a question to the actor; True if it has to be answered, since there are several answers."""
    seat = int(state.actor)
    state.phase = phase
    if phase == ca.DOMAIN:
        state.learnt = 0
    state.asked_target = target
    state.asked_amount = amount
    options = scratch(MAX_ANSWERS, np.int32)
    count = answers(state, parts, seat, options)
    if count > 1:
        state.to_act = 1 << seat
        return True
    if count == 1:
        answer(state, parts, seat, int(options[0]), events)
    return False


@compiled
def answers(state, parts, seat, out):
    """Write the codes of the answers to the question that the phase is; returns how many."""
    phase = state.phase
    if phase == ca.BOOST:
        return boosts_to_take(state, out)
    if phase == ca.FRUIT_SPENT:  # target: resource; amount: how many for a fruit
        offered = state.asked_amount > 0 and actions.may_spend_fruit(state, seat, int(state.asked_target))
        return both(mv.SPEND_FRUIT, out) if offered else 0
    if phase == ca.FAVOUR:  # target: the step before the move
        return favours_to_take(state, parts, seat, out)
    if phase == ca.DOUBLE:
        return both(mv.DOUBLE_FISH, out) if state.bonus[seat, ca.DOUBLE_FISHING] > 0 else 0
    if phase == ca.FIRST_CHOICE:
        return both(mv.CHOOSE_FIRST, out) if state.bonus[seat, ca.FIRST_IN_ORIENTATION] > 0 else 0
    if phase == ca.FEEDING:
        return meals(state, parts, seat, out)
    if phase == ca.HEALTH:
        return ways_down(state, parts, seat, out)
    if phase == ca.TILE or phase == ca.MIRACLE:
        return tiles_to_take(state, parts, seat, out)
    return things_to_choose(state, parts, seat, out)


@compiled
def both(first_code, out):
    """Yes or no."""
    out[0] = first_code + YES
    out[1] = first_code + NO
    return 2


@compiled
def things_to_choose(state, parts, seat, out):
    """The resources, domains or designs that a question offers; its amount is how many are still to choose.

    The target of `cube` is from how many of the first resources.
    """
    phase = state.phase
    count = 0
    for i in range(len(ca.RESOURCES)):
        if phase == ca.CUBE:
            code = mv.TAKE_CUBE + i
            offered = i < state.asked_target
        elif phase == ca.DOMAIN:
            code = mv.LEARN + i
            offered = i < len(ca.DOMAINS) and state.experience[seat, i] < parts.domain_top[i]  # CA-21
        elif phase == ca.DISCOUNT:
            code = mv.SPARE_RESOURCE + i
            offered = i < ca.BUILDING and actions.may_spare(state, seat, i, int(state.asked_amount))
        elif phase == ca.SPOT:
            code = mv.CHOOSE_SPOT + i
            offered = i < ca.BUILDING and state.stock[i] > 0  # CA-14
        elif phase == ca.BOOST_TILE:
            code = mv.TAKE_MYSTERY + i
            offered = i < parts.designs[0] and actions.may_take_design(state, parts, seat, 0, i)
        else:
            code = (mv.TAKE_A_LOT if phase == ca.ORIENTATION else mv.TAKE_A_SINGLE) + i
            offered = state.lots[i] > 0  # CA-29
        if offered:
            out[count] = code
            count += 1
    return count


@compiled
def tiles_to_take(state, parts, seat, out):
    """The constructions that can be built without a place (CA-28), or the miracles that are left (CA-20)."""
    count = 0
    if state.phase == ca.MIRACLE:
        if not goods.has_free_slot(state, parts, seat):  # CA-19
            return 0
        for miracle in range(len(ca.MIRACLES)):
            if state.miracle_left[miracle] == 1:
                out[count] = mv.TAKE_MIRACLE + miracle
                count += 1
        return count
    discounts = goods.free_discounts(state, seat)
    for tile in range(parts.tiles):
        if goods.can_pay_for(state, parts, seat, tile, discounts):
            out[count] = mv.CHOOSE_TILE + tile
            count += 1
    return count


@compiled
def answer(state, parts, seat, action, events):
    """What an answer does; what comes of it may wait on the pile."""
    phase = state.phase
    if phase == ca.BOOST:
        take_boosts(state, parts, seat, action - mv.TAKE_BOOSTS, events)
    elif phase == ca.FAVOUR:
        choose_favour(state, parts, seat, action - mv.CHOOSE_FAVOUR, events)
    elif phase == ca.FRUIT_SPENT:
        if action - mv.SPEND_FRUIT == YES:
            goods.spend(state, seat, ca.FRUIT, 1, ev.RESERVE, events)
            goods.gain_from_stock(state, seat, state.asked_target, state.asked_amount, events)
    elif phase == ca.DOUBLE:
        if action - mv.DOUBLE_FISH == YES:
            actions.use_event(state, parts, seat, ca.DOUBLE_FISHING, events)
            state.doubled = 1
    elif phase == ca.FIRST_CHOICE:
        choose_first(state, parts, seat, action - mv.CHOOSE_FIRST, events)
    elif phase == ca.FEEDING:
        upkeep.feed(state, parts, seat, action - mv.EAT_FISH, events)
    elif phase == ca.HEALTH:
        if action == mv.GO_DOWN:
            upkeep.change_health(state, parts, seat, ca.LOWEST_HEALTH, events)
        else:
            upkeep.pay_for_health(state, parts, seat, events)
    elif phase == ca.MIRACLE:
        take_miracle(state, parts, seat, action - mv.TAKE_MIRACLE, events)
    elif phase == ca.TILE:
        actions.begin_building(state, parts, seat, action - mv.CHOOSE_TILE, goods.free_discounts(state, seat))
    else:
        take_choice(state, parts, seat, action, events)


@compiled
def take_choice(state, parts, seat, action, events):
    """The resource, domain or design that was chosen; what is left to choose waits."""
    phase = state.phase
    left = int(state.asked_amount) - 1
    if phase == ca.CUBE:
        goods.gain(state, seat, action - mv.TAKE_CUBE, 1, ev.RESERVE, events)
        if left > 0:
            goods.push(state, ca.QUESTION + ca.CUBE, state.asked_target, left)
    elif phase == ca.DOMAIN:
        goods.learn(state, parts, seat, action - mv.LEARN, 1, events)
        if left > 0:
            goods.push(state, ca.QUESTION + ca.DOMAIN, 0, left)
    elif phase == ca.DISCOUNT:
        state.price[action - mv.SPARE_RESOURCE] -= 1
        goods.push(state, ca.QUESTION + ca.DISCOUNT, 0, left)
    elif phase == ca.SPOT:
        actions.explore(state, parts, seat, action - mv.CHOOSE_SPOT, 0, events)
    elif phase == ca.BOOST_TILE:
        actions.take_design(state, seat, action - mv.TAKE_MYSTERY, events)
        if left > 0:
            goods.push(state, ca.QUESTION + ca.BOOST_TILE, 0, left)
    elif phase == ca.ORIENTATION:
        resource = action - mv.TAKE_A_LOT
        goods.gain(state, seat, resource, int(state.lots[resource]), ev.COMPASS, events)
        state.lots[resource] = 0
    else:
        resource = action - mv.TAKE_A_SINGLE
        goods.gain(state, seat, resource, 1, ev.COMPASS, events)
        state.lots[resource] -= 1
        if left > 0:
            goods.push(state, ca.QUESTION + ca.DUGOUT, 0, left)


# Start boosts


@compiled
def boosts_to_take(state, out):
    """The face-up one and one at random, or two at random; the last player leaves no face-up one (CA-5)."""
    count = 0
    if state.boost_face_up == 1:
        out[0] = mv.TAKE_BOOSTS
        count = 1
    if state.boost_face_up == 0 or state.turn < state.players - 1:
        out[count] = mv.TAKE_BOOSTS + 1
        count += 1
    return count


@compiled
def take_boosts(state, parts, seat, random, events):
    """Two boosts, applied as they are taken, the face-up one first (CA-5)."""
    drawn = ca.BOOSTS_EACH if random else ca.BOOSTS_EACH - 1
    if not random:
        state.boost_face_up = 0
        state.first_player = seat
        emit(events, ev.BOOST_TAKEN, seat, ca.FIRST_PLAYER, ev.NO_PLACE, ev.NO_PLACE, 0)
    for i in range(drawn - 1, -1, -1):
        goods.push_rows(
            state, parts, ca.BOOST_ROWS + int(state.boost_pile[int(state.boost_count) - 1 - i]), ca.AT_ONCE
        )
    if not random:
        goods.push_rows(state, parts, ca.BOOST_ROWS + ca.FIRST_PLAYER, ca.AT_ONCE)
    for _ in range(drawn):
        top = int(state.boost_count) - 1
        boost = int(state.boost_pile[top])
        state.boost_pile[top] = UNKNOWN
        state.boost_left[boost] = 0
        state.boost_count = top
        emit(events, ev.BOOST_TAKEN, seat, boost, ev.NO_PLACE, ev.NO_PLACE, 0)


# Favours and miracles


@compiled
def favours_to_take(state, parts, seat, out):
    """Stay, or the favour of a step passed or reached (CA-19)."""
    before = int(state.asked_target)
    out[0] = mv.CHOOSE_FAVOUR
    count = 1
    for step in range(max(1, before), int(state.favour[seat]) + 1):
        if actions.may_take_favour(state, parts, seat, before, step):
            out[count] = mv.CHOOSE_FAVOUR + step
            count += 1
    return count


@compiled
def choose_favour(state, parts, seat, step, events):
    """Stay, or take a favour and go back below A (CA-19)."""
    if step > 0:
        emit(events, ev.FAVOUR_TAKEN, seat, step, ev.NO_PLACE, ev.NO_PLACE, 0)
        emit(events, ev.FAVOUR_MOVED, seat, UNKNOWN, state.favour[seat], 0, 0)
        state.favour[seat] = 0
        goods.push_rows(state, parts, ca.STEP_ROWS + step - 1, ca.AT_ONCE)


@compiled
def take_miracle(state, parts, seat, miracle, events):
    """A miracle of one's choice covers a slot (CA-4, CA-20)."""
    state.miracle_left[miracle] = 0
    if state.asked_amount > 1:
        goods.push(state, ca.QUESTION + ca.MIRACLE, 0, int(state.asked_amount) - 1)
    emit(events, ev.MIRACLE_TAKEN, seat, miracle, ev.NO_PLACE, state.slot_count[seat], 0)
    goods.cover_slot(state, parts, seat, ca.MIRACLE_SLOT + miracle, events)


# First choice in the Orientation phase


@compiled
def choose_first(state, parts, seat, refused, events):
    """Use event 8 now, or keep it (CA-29)."""
    emit(events, ev.FIRST_CHOSEN, seat, UNKNOWN, ev.NO_PLACE, ev.NO_PLACE, 1 - refused)
    if not refused:
        actions.use_event(state, parts, seat, ca.FIRST_IN_ORIENTATION, events)
        state.chooser = seat


# Feeding


@compiled
def meals(state, parts, seat, out):
    """How many fish may be eaten (CA-31)."""
    count = 0
    for fish in range(ca.MOST_FISH_EATEN + 1):
        if upkeep.is_meal(state, parts, seat, fish):
            out[count] = mv.EAT_FISH + fish
            count += 1
    return count


@compiled
def ways_down(state, parts, seat, out):
    """Lose the meeple, or pay if one has the prestige (CA-33)."""
    out[0] = mv.GO_DOWN
    if state.prestige[seat] < parts.ransom:
        return 1
    out[1] = mv.GO_DOWN + 1
    return 2
