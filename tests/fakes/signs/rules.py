"""The rules of Signs."""

# mypy: disable-error-code="no-untyped-def"

import numpy as np

from atoll.core.events import Events
from atoll.core.fields import everybody, owner
from atoll.core.state import REFEREE
from atoll.engine.chance import fork_generator, set_generator, shuffle
from atoll.engine.compiling import compiled
from atoll.engine.events import emit
from atoll.engine.hiding import hide
from atoll.engine.records import clear_record, copy_record
from signs.moves import ACTIONS
from signs.state import CARDS, HAND, SignsState

__all__ = ["ACTIONS"]

MAX_LEGAL = HAND * HAND
MAX_EVENTS = 16

GONE = -2
HIDDEN = SignsState.hidden
EVENTS = Events()
CHOSE = EVENTS.kind("chose", whose=everybody("who chose"), piece=owner("the pair"))
SHOWN = EVENTS.kind("shown", whose=everybody("whose"), piece=everybody("the pair"))
POINT = EVENTS.kind("point", whose=everybody("who wins it"))
GAME_OVER = EVENTS.kind("game over")


@compiled
def start(state, parts, players, generator):
    clear_record(state)
    state.players = players
    state.seat = REFEREE
    state.round_number = 1
    cards = np.arange(CARDS)
    set_generator(state.generator, generator)
    shuffle(cards, CARDS, state.generator)
    for seat in range(players):
        for i in range(HAND):
            state.hand[seat, i] = cards[seat * HAND + i] if seat * HAND + i < CARDS else GONE
        state.chosen[seat, 0] = GONE
        state.chosen[seat, 1] = GONE
    state.to_act = (1 << players) - 1


@compiled
def legal_actions(state, parts, seat, out):
    count = 0
    for low in range(CARDS):
        for high in range(low + 1, CARDS):
            if has(state, seat, low) and has(state, seat, high):
                out[count] = low * CARDS + high
                count += 1
    return count


@compiled
def has(state, seat, card):
    for i in range(HAND):
        if state.hand[seat, i] == card:
            return True
    return False


@compiled
def play(state, parts, seat, action, events):
    state.chosen[seat, 0] = action // CARDS
    state.chosen[seat, 1] = action % CARDS
    emit(events, CHOSE, seat, action, -1, -1, 0)
    for i in range(HAND):
        if state.hand[seat, i] == action // CARDS or state.hand[seat, i] == action % CARDS:
            state.hand[seat, i] = GONE
    state.to_act = int(state.to_act) & ~(1 << seat)
    if state.to_act == 0:
        reveal(state, parts, events)


@compiled
def reveal(state, parts, events):
    best = 0
    for seat in range(state.players):
        state.shown[seat] = state.chosen[seat, 0] + state.chosen[seat, 1]
        emit(events, SHOWN, seat, state.shown[seat], -1, -1, 0)
        best = max(best, int(state.shown[seat]))
        state.chosen[seat, 0] = GONE
        state.chosen[seat, 1] = GONE
    for seat in range(state.players):
        if state.shown[seat] == best:
            state.points[seat] += 1
            emit(events, POINT, seat, -1, -1, -1, 0)
    if state.round_number == parts.rounds or state.players > 2:
        emit(events, GAME_OVER, -1, -1, -1, -1, 0)
    else:
        state.round_number += 1
        state.to_act = (1 << state.players) - 1


@compiled
def view(state, parts, seat, out):
    hide(state, seat, out, HIDDEN)
    for other in range(state.players):
        for i in range(HAND):
            if state.hand[other, i] == GONE:
                out.hand[other, i] = GONE
        for i in range(2):
            if state.chosen[other, i] == GONE:
                out.chosen[other, i] = GONE


@compiled
def resample(view, parts, generator, out):
    copy_record(view, out)
    out.seat = REFEREE
    fork_generator(generator, out.generator)


@compiled
def result(state, parts, points):
    best = 0
    for seat in range(state.players):
        points[seat] = state.points[seat]
        best = max(best, int(state.points[seat]))
    winners = 0
    if state.to_act == 0:
        for seat in range(state.players):
            if state.points[seat] == best:
                winners |= 1 << seat
    return winners


def replaceable(state):
    """Choices can be taken back until everybody has chosen."""
    return state.to_act != 0


def max_decisions(components, players):
    """Three rounds at most."""
    return 3 * players


def points_range(components, players):
    """A point a round."""
    return 0, 3
