"""The rules of Lantern Bay, numbered as in `rules.en.md`: gear is drafted in secret, then all fish by the same dice."""

# mypy: disable-error-code="no-untyped-def"

import numpy as np

from atoll.core.events import Events
from atoll.core.fields import everybody
from atoll.core.invariants import require
from atoll.core.moves import Kind, Moves, Part
from atoll.core.state import UNKNOWN
from atoll.engine.chance import draw_below, fork_generator, shuffle
from atoll.engine.compiling import compiled
from atoll.engine.events import emit
from atoll.engine.hands import insert_card, pass_hands, take_from_hand
from atoll.engine.hiding import unhide
from atoll.engine.lists import list_unmarked
from atoll.engine.positions import begin_game, most_points
from atoll.engine.records import no_events
from lantern_bay import state as lb

HIDDEN = lb.LanternBayState.hidden
CARD = Part("card", range(1, lb.MOST_CARDS + 1), of="card", least=1)
MOVES = Moves(Kind("keep", CARD, ask="keep a card"), Kind("fish on"), Kind("sail home"))
GO_ON = MOVES.first("fish on")  # then to sail home, as the plans are numbered
MAX_LEGAL = lb.MOST_HAND
MAX_EVENTS = 3 * lb.MOST_PLAYERS + 2

EVENTS = Events()
WHO, COINS, SQUALLS = everybody("who"), everybody("coins"), everybody("squalls of the night")
NIGHT = EVENTS.kind("night", "Everybody is dealt a hand of gear.", begins_round=True)
TOOK = EVENTS.kind("took", "%(name)s keeps %(piece)s.", whose=WHO, piece=everybody("the card", of="card"))
THROWN = EVENTS.kind("thrown", "The dice are thrown; squalls so far: %(extra)s.", extra=SQUALLS)
CAUGHT = EVENTS.kind("caught", "%(name)s catches %(extra)s.", whose=WHO, extra=COINS)
SANK = EVENTS.kind("sank", "%(name)s is wrecked and loses %(extra)s.", whose=WHO, extra=COINS)
LANDED = EVENTS.kind("landed", "%(name)s lands: %(extra)s coins.", whose=WHO, extra=COINS)


@compiled
def start(state, parts, players, generator):
    """Write the first position into `state`: the first night begins."""
    begin_game(state, players, generator)
    begin_night(state, parts, no_events())


@compiled
def begin_night(state, parts, events):
    """Rule 1: all cards that no boat has are shuffled, and everybody is dealt a hand."""
    state.round_number += 1
    state.phase = lb.OUTFITTING
    emit(events, NIGHT, -1, -1, -1, -1, 0)
    cards = np.empty(lb.MOST_CARDS, np.int8)
    shuffle(cards, left_over(state, parts, cards), state.generator)
    state.boat[:] = lb.IN_HARBOUR
    for seat in range(state.players):
        state.hand_count[seat] = parts.hand
        for i in range(parts.hand):
            insert_card(state, seat, i, cards[seat * parts.hand + i])
    state.to_act = (1 << state.players) - 1


@compiled
def left_over(state, parts, out):
    """Write the cards that are in no boat and no known hand; returns how many."""
    marks = np.zeros(lb.MOST_CARDS + 1, np.int8)
    for seat in range(state.players):
        for card in state.gear[seat]:
            marks[card] = 1
        for card in state.hand[seat]:
            marks[max(card, lb.NONE)] = 1
    return list_unmarked(marks[: parts.cards + 1], out)


@compiled
def legal_actions(state, parts, seat, out):
    """Write the action codes that `seat` may choose, ascending: the cards of its hand, or to fish on or sail home."""
    if not state.to_act >> seat & 1:
        return 0
    if state.phase == lb.AT_SEA:
        out[0], out[1] = GO_ON, GO_ON + 1
        return 2
    for i in range(state.hand_count[seat]):
        out[i] = state.hand[seat, i] - 1
    return state.hand_count[seat]


@compiled
def play(state, parts, seat, action, events):
    """Carry out a legal action: it is kept secret until everybody has decided (rules 2 and 6)."""
    state.to_act ^= 1 << seat
    if state.phase == lb.OUTFITTING:
        state.chosen[seat] = action + 1
        if state.to_act == 0:
            keep_gear(state, parts, events)
    else:
        state.plan[seat] = lb.FISH_ON + action - GO_ON
        if state.to_act == 0 and land(state, parts, events) > 0:
            throw_dice(state, parts, events)
    if state.to_act == 0 and state.round_number < parts.nights:
        begin_night(state, parts, events)


@compiled
def keep_gear(state, parts, events):
    """Rules 2 and 3: everybody keeps a card, and the hands go on; once all have kept enough, they put to sea."""
    for seat in range(state.players):
        emit(events, TOOK, seat, state.chosen[seat], -1, -1, 0)
        take_from_hand(state, seat, state.chosen[seat], lb.NONE)
        state.gear[seat, state.gear_count[seat]] = state.chosen[seat]
        state.gear_count[seat] += 1
        state.chosen[seat] = lb.NONE
    if parts.hand - state.hand_count[0] < parts.picks:
        pass_hands(state)
        state.to_act = (1 << state.players) - 1
        return
    state.hand_count[:] = 0
    state.hand[:] = lb.NONE
    state.boat[: state.players] = lb.OUT
    state.phase = lb.AT_SEA
    state.squalls = state.haul = 0
    throw_dice(state, parts, events)


@compiled
def throw_dice(state, parts, events):
    """Rules 4, 5 and 8: dice are thrown; boats are wrecked or catch what they show; after the last haul all land."""
    state.dice[:] = 0
    state.dice_count = parts.dice[state.haul]
    state.haul += 1
    for i in range(state.dice_count):
        state.dice[i] = parts.die[draw_below(state.generator, parts.sides)]
        state.squalls += state.dice[i] == lb.SQUALL
    emit(events, THROWN, -1, -1, -1, -1, state.squalls)
    for seat in range(state.players):
        if state.boat[seat] != lb.OUT:
            continue
        if state.squalls > parts.hull + total(state, parts, seat, lb.HULL):
            lost = max(0, state.hold[seat] - total(state, parts, seat, lb.SAVES))
            emit(events, SANK, seat, -1, -1, -1, lost)
            state.coins[seat] += state.hold[seat] - lost
            state.hold[seat] = 0
            state.boat[seat] = lb.WRECKED
            continue
        caught = 0
        for i in range(state.dice_count):
            if state.dice[i] != lb.SQUALL:
                caught += parts.worth[state.dice[i]] + total(state, parts, seat, state.dice[i])
        state.hold[seat] += caught
        emit(events, CAUGHT, seat, -1, -1, -1, caught)
        state.to_act |= 1 << seat
    if state.haul == parts.hauls:
        state.to_act = 0
        land(state, parts, events)


@compiled
def total(state, parts, seat, gift):
    """How much of something a boat's gear gives it."""
    found = 0
    for i in range(state.gear_count[seat]):
        found += int(parts.gives[state.gear[seat, i], gift])
    return found


@compiled
def land(state, parts, events):
    """Rules 6 and 7: boats that do not fish on sell their hold, and are paid for those that do; returns how many do."""
    staying = 0
    for seat in range(state.players):
        staying += state.plan[seat] == lb.FISH_ON
    for seat in range(state.players):
        if state.boat[seat] == lb.OUT and state.plan[seat] != lb.FISH_ON:
            paid = parts.quay * staying + min(staying, 1) * total(state, parts, seat, lb.DRUM)
            emit(events, LANDED, seat, -1, -1, -1, state.hold[seat] + paid)
            state.coins[seat] += state.hold[seat] + paid
            state.hold[seat] = 0
            state.boat[seat] = lb.IN_HARBOUR
    state.plan[:] = lb.UNDECIDED
    return staying


@compiled
def reveal(state, parts, seat, out):
    """Show who has not decided yet, and to a seat the hands that it has passed on: it knows what is in them."""
    for other in range(state.players):
        if state.chosen[other] == lb.NONE:
            out.chosen[other] = lb.NONE
        if state.plan[other] == lb.UNDECIDED:
            out.plan[other] = lb.UNDECIDED
        if seat >= 0 and 0 < (other - seat) % state.players <= parts.hand - state.hand_count[other]:
            for i in range(state.hand_count[other]):
                out.hand[other, i] = state.hand[other, i]


@compiled
def resample(view, parts, generator, out):
    """Write into `out` a full state drawn uniformly from those that agree with `view`."""
    unhide(view, out, HIDDEN)
    cards = np.empty(lb.MOST_CARDS, np.int8)
    count = left_over(view, parts, cards)
    shuffle(cards, count, generator)
    for seat in range(view.players):
        if view.hand_count[seat] > 0 and view.hand[seat, 0] == UNKNOWN:
            for i in range(view.hand_count[seat]):
                count -= 1
                insert_card(out, seat, i, cards[count])
        if view.chosen[seat] == UNKNOWN:
            out.chosen[seat] = out.hand[seat, draw_below(generator, view.hand_count[seat])]
        if view.plan[seat] == UNKNOWN:
            out.plan[seat] = lb.FISH_ON + draw_below(generator, 2)
    fork_generator(generator, out.generator)


@compiled
def result(state, parts, points):
    """Rule 9: write each seat's coins with those for its pearls; returns the bit set of the winners, 0 before that."""
    for seat in range(state.players):
        pearls = min(total(state, parts, seat, lb.PEARL), parts.pearl_steps - 1)
        points[seat] = state.coins[seat] + parts.pearls[pearls]
    return most_points(state, points)


def max_decisions(components, players):
    """Declared bound of a game's length: everybody is always out to the last haul."""
    numbers = components.plain
    return numbers.nights * players * (numbers.picks + numbers.hauls - 1)


def points_range(components, players):
    """Declared bounds of a seat's points: none, and whatever there is room for."""
    return 0, lb.MOST_COINS + max(components.plain.pearls)


def check(state, components):
    """Raise AssertionError, naming it, if a card is in two places or a choice not in its hand."""
    cards = [card for card in (*state.gear.flat, *state.hand.flat) if card != lb.NONE]
    require(len(cards) == len(set(cards)), "every card is in one place")
    for seat in range(state.players):
        require(state.chosen[seat] in (lb.NONE, *state.hand[seat]), "what is chosen is in the hand")
