"""The rules of Privateers.

In each round all cards are shuffled and everybody is dealt a hand. In turn, each player rolls the wind and sends a ship
after the gold of another player; it sails if the wind is strong enough, and takes what it can carry. When all hands are
empty the next round begins, with the next player. Whoever has most gold after the last round wins.
"""

# mypy: disable-error-code="no-untyped-def"

import numpy as np

from atoll.core.events import Events
from atoll.core.fields import everybody
from atoll.core.invariants import require
from atoll.core.moves import Kind, Moves, Part
from atoll.engine.chance import draw_below, fork_generator, shuffle
from atoll.engine.compiling import compiled
from atoll.engine.events import emit
from atoll.engine.hands import insert_card, take_from_hand
from atoll.engine.hiding import unhide
from atoll.engine.lists import list_unmarked
from atoll.engine.positions import begin_game, most_points
from atoll.engine.records import no_events
from privateers.state import MOST_CARDS, MOST_HAND, MOST_PLAYERS, NONE, SIDES, PrivateersState

HIDDEN = PrivateersState.hidden

MOVES = Moves(
    Kind(
        "send",
        Part("card", range(1, MOST_CARDS + 1), of="card", least=1),
        Part("after", range(MOST_PLAYERS), of="seat"),
    )
)
encode_send, decode_send = MOVES.coding("send")
MAX_LEGAL = MOST_HAND * (MOST_PLAYERS - 1)
MAX_EVENTS = 3

EVENTS = Events()
SHIP = {"whose": everybody("who sent it"), "piece": everybody("the card", of="card")}
TOOK = EVENTS.kind(
    "took",
    "%(name)s: %(piece)s takes %(extra)s gold of %(target)s.",
    target=everybody("whose gold", of="seat"),
    extra=everybody("how much"),
    **SHIP,
)
BECALMED = EVENTS.kind("becalmed", "%(name)s: %(piece)s does not sail.", **SHIP)
DEALT = EVENTS.kind("dealt", "All cards are shuffled and dealt.", begins_round=True)
WIND = EVENTS.kind(
    "wind", "%(name)s: wind %(extra)s.", whose=everybody("who rolls"), extra=everybody("the die")
)


@compiled
def start(state, parts, players, generator):
    """Write the first position into `state`: the first round is dealt."""
    begin_game(state, players, generator)
    for seat in range(players):
        state.gold[seat] = parts.gold
    begin_round(state, parts, no_events())


@compiled
def begin_round(state, parts, events):
    """All cards are shuffled and dealt; in each round another player begins."""
    state.first = state.round_number % state.players
    state.round_number += 1
    state.sent[:] = NONE
    state.sent_count = 0
    cards = np.arange(1, MOST_CARDS + 1)
    shuffle(cards, parts.cards, state.generator)
    for seat in range(state.players):
        for i in range(parts.hand):
            insert_card(state, seat, i, cards[seat * parts.hand + i])
        state.hand_count[seat] = parts.hand
    emit(events, DEALT, -1, -1, -1, -1, 0)
    begin_turn(state, events)


@compiled
def begin_turn(state, events):
    """Whose turn it is rolls the wind."""
    seat = (state.first + state.sent_count) % state.players
    state.wind = 1 + draw_below(state.generator, SIDES)
    state.to_act = 1 << seat
    emit(events, WIND, seat, -1, -1, -1, state.wind)


@compiled
def legal_actions(state, parts, seat, out):
    """Write the action codes that `seat` may choose, ascending: each card of its hand, after each other player."""
    if not state.to_act >> seat & 1:
        return 0
    count = 0
    for i in range(state.hand_count[seat]):
        for other in range(state.players):
            if other != seat:
                out[count] = encode_send(state.hand[seat, i], other)
                count += 1
    return count


@compiled
def play(state, parts, seat, action, events):
    """Carry out a legal action: the ship sails, or not; then it is the next one's turn."""
    card, other = decode_send(action)
    take_from_hand(state, seat, card, NONE)
    state.sent[state.sent_count] = card
    state.sent_count += 1
    if state.wind >= parts.wind[card]:
        taken = min(int(parts.takes[card]), int(state.gold[other]))
        state.gold[other] -= taken
        state.gold[seat] += taken
        emit(events, TOOK, seat, card, -1, other, taken)
    else:
        emit(events, BECALMED, seat, card, -1, -1, 0)
    if state.sent_count < state.players * parts.hand:
        begin_turn(state, events)
    elif state.round_number < parts.rounds:
        begin_round(state, parts, events)
    else:
        state.to_act = 0


@compiled
def resample(view, parts, generator, out):
    """Write into `out` a full state drawn uniformly from those that agree with `view`: hidden hands are dealt anew of
    the cards that its seat has not seen in this round.
    """
    unhide(view, out, HIDDEN)
    seen = np.zeros(MOST_CARDS + 1, np.int8)
    for card in view.sent:
        seen[card] = 1
    if view.seat >= 0:
        for card in view.hand[view.seat]:
            seen[card] = 1
    cards = np.empty(MOST_CARDS, np.int8)
    count = list_unmarked(seen[: parts.cards + 1], cards)
    shuffle(cards, count, generator)
    for seat in range(view.players):
        if seat != view.seat:
            for i in range(view.hand_count[seat]):
                count -= 1
                insert_card(out, seat, i, cards[count])
    fork_generator(generator, out.generator)


@compiled
def result(state, parts, points):
    """Write each seat's points, which are its gold; returns the bit set of the winners, 0 while the game runs."""
    for seat in range(state.players):
        points[seat] = state.gold[seat]
    return most_points(state, points)


def max_decisions(components, players):
    """Declared bound of a game's length, and always reached."""
    return components.plain.rounds * components.plain.hand * players


def points_range(components, players):
    """Declared bounds of a seat's points."""
    return 0, components.plain.gold * players


def check(state, components):
    """Raise AssertionError, naming it, if a card is in two places or gold is lost."""
    cards = [card for card in (*state.sent.tolist(), *state.hand.reshape(-1).tolist()) if card != NONE]
    require(len(cards) == len(set(cards)), "every card is in one place")
    require(sum(state.gold.tolist()) == components.plain.gold * state.players, "no gold is lost")
