"""Carrying out what waits, and the questions in the middle of it.

A question is a phase with a pair of functions: the answers that there are, and what an answer does. Where there is
only one answer, it is given without asking.
"""

# mypy: disable-error-code="no-untyped-def"

import numpy as np

from atoll.core.events import emit
from atoll.core.state import UNKNOWN
from atoll.engine.compiling import compiled, inlined
from atoll.engine.records import scratch
from atoll.games.cast_away import actions, goods, upkeep
from atoll.games.cast_away import events as ev
from atoll.games.cast_away import state as ca
from atoll.games.cast_away.effect_words import CARRY_OUT, PAY, take_effect
from atoll.games.cast_away.moves import FIRST_ANSWER, MOST_ANSWERS

MAX_ANSWERS = ca.MAX_TILES
YES = 0
GO_DOWN = 0


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
    first = int(parts.row_first[tile])
    for row in range(first, first + int(parts.row_count[tile])):
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
    phase = int(state.phase)
    count = 0
    for choice in range(MOST_ANSWERS[phase]):
        if is_offered(state, parts, seat, phase, choice):
            out[count] = FIRST_ANSWER[phase] + choice
            count += 1
    return count


@inlined
def is_offered(state, parts, seat, phase, choice):
    """Whether the question of a phase can be answered so; what its target and amount mean stands here."""
    if phase == ca.FEEDING:
        return upkeep.is_meal(state, parts, seat, choice)
    if phase == ca.ORIENTATION or phase == ca.DUGOUT:  # amount: so many single ones
        return state.lots[choice] > 0  # CA-29
    if phase == ca.BOOST:
        return boosts_there(state, choice)
    if phase == ca.FRUIT_SPENT:  # target: resource; amount: how many for a fruit
        return state.asked_amount > 0 and actions.may_spend_fruit(state, seat, int(state.asked_target))
    if phase == ca.FAVOUR:  # target: the step before the move; a choice of 0 is to stay
        return choice == 0 or actions.may_take_favour(state, parts, seat, int(state.asked_target), choice)
    if phase == ca.DOUBLE:
        return state.bonus[seat, ca.DOUBLE_FISHING] > 0
    if phase == ca.FIRST_CHOICE:
        return state.bonus[seat, ca.FIRST_IN_ORIENTATION] > 0
    if phase == ca.HEALTH:  # CA-33: to pay one needs the prestige
        return choice == GO_DOWN or state.prestige[seat] >= parts.ransom
    if phase == ca.TILE:  # CA-28
        return goods.can_pay_for(state, parts, seat, choice, goods.free_discounts(state, seat))
    if phase == ca.MIRACLE:  # CA-19, CA-20; amount: so many
        return goods.has_free_slot(state, parts, seat) and state.miracle_left[choice] == 1
    if phase == ca.CUBE:  # target: of so many of the first resources; amount: so many
        return choice < state.asked_target
    if phase == ca.DOMAIN:  # CA-21; amount: so many
        return state.experience[seat, choice] < parts.domain_top[choice]
    if phase == ca.DISCOUNT:  # amount: so many
        return actions.may_spare(state, seat, choice, int(state.asked_amount))
    if phase == ca.SPOT:  # CA-14
        return state.stock[choice] > 0
    return choice < parts.designs[0] and actions.may_take_design(state, parts, seat, 0, choice)


@compiled
def answer(state, parts, seat, action, events):
    """What an answer does; what comes of it may wait on the pile, and so do further things to choose."""
    phase = int(state.phase)
    choice = action - FIRST_ANSWER[phase]
    if state.asked_amount > 1 and phase != ca.FRUIT_SPENT:
        goods.push(state, ca.QUESTION + phase, state.asked_target, int(state.asked_amount) - 1)
    if phase == ca.FEEDING:
        upkeep.feed(state, parts, seat, choice, events)
    elif phase == ca.ORIENTATION:
        goods.gain(state, seat, choice, int(state.lots[choice]), ev.COMPASS, events)
        state.lots[choice] = 0
    elif phase == ca.DUGOUT:
        goods.gain(state, seat, choice, 1, ev.COMPASS, events)
        state.lots[choice] -= 1
    elif phase == ca.BOOST:
        take_boosts(state, parts, seat, choice, events)
    elif phase == ca.FRUIT_SPENT:
        if choice == YES:
            goods.spend(state, seat, ca.FRUIT, 1, ev.RESERVE, events)
            goods.gain_from_stock(state, seat, state.asked_target, state.asked_amount, events)
    elif phase == ca.FAVOUR:
        choose_favour(state, parts, seat, choice, events)
    elif phase == ca.DOUBLE:
        if choice == YES:
            actions.use_event(state, parts, seat, ca.DOUBLE_FISHING, events)
            state.doubled = 1
    elif phase == ca.FIRST_CHOICE:
        choose_first(state, parts, seat, choice, events)
    elif phase == ca.HEALTH:
        if choice == GO_DOWN:
            upkeep.change_health(state, parts, seat, ca.LOWEST_HEALTH, events)
        else:  # CA-33: prestige to stay above the lowest level
            emit(events, ev.HEALTH_PAID, seat, UNKNOWN, ev.NO_PLACE, ev.NO_PLACE, parts.ransom)
            goods.score(state, seat, -int(parts.ransom), ev.RANSOM, ev.NO_PLACE, events)
    elif phase == ca.TILE:
        actions.begin_building(state, parts, seat, choice, goods.free_discounts(state, seat))
    elif phase == ca.MIRACLE:
        take_miracle(state, parts, seat, choice, events)
    elif phase == ca.CUBE:
        goods.gain(state, seat, choice, 1, ev.RESERVE, events)
    elif phase == ca.DOMAIN:
        goods.learn(state, parts, seat, choice, 1, events)
    elif phase == ca.DISCOUNT:
        state.price[choice] -= 1
    elif phase == ca.SPOT:
        actions.explore(state, parts, seat, choice, 0, events)
    else:
        actions.take_design(state, seat, choice, events)


# Start boosts


@inlined
def boosts_there(state, random):
    """The face-up one and one at random, or two at random; the last player leaves no face-up one (CA-5)."""
    if random:
        return state.boost_face_up == 0 or state.turn < state.players - 1
    return state.boost_face_up == 1


@compiled
def take_boosts(state, parts, seat, random, events):
    """Two boosts, applied as they are taken, the face-up one first (CA-5)."""
    drawn = ca.BOOSTS_EACH if random else ca.BOOSTS_EACH - 1
    if not random:
        state.boost_face_up = 0
        state.first_player = seat
        emit(events, ev.BOOST_TAKEN, seat, ca.FIRST_PLAYER, ev.NO_PLACE, ev.NO_PLACE, 0)
    count = int(state.boost_count)
    for i in range(count - drawn, count):
        goods.push_rows(state, parts, ca.BOOST_ROWS + int(state.boost_pile[i]), ca.AT_ONCE)
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
