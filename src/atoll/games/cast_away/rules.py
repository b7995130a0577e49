"""Cast Away, a prototype by Nicolas Douarec (rulebook version 2, 17 February 2016): castaways place meeples to find
food and materials, learn, build, pray and solve the island's mystery; a ship, or a settled castaway, ends it.

Every `CA-` number is a rule of this project's page of rules. Where the rulebook leaves something open:

- What is printed on tiles and cards alone is data, `components.toml`; effects are rows of when, word, target, amount.
- The compass marker is placed instead of a meeple, on one of as many positions as there are players (CA-13); with the
  option `free_compass` the player goes on, and may place it after the last meeple in the same turn.
- The Mystery boost gives any design of the first storey, with the option `boost_of_first_design` the first (CA-5).
- Slots are filled in order (CA-4); their bonus comes before the effect of the tile that covers them.
- A design of the mystery is taken once, a storey after the whole one below it, with the option `any_storey` in any
  order (CA-18).
- Prayer needs Faith, and the favour of any step passed or reached may be taken (CA-19).
- Event cards stay with a player only while they have an effect to come (CA-23).
- Who took a white meeple back does not meet the tribe again in that round (CA-25).
- Taking a lot is mandatory unless the option `lots_may_stay` is on (CA-29), and so is eating if one can (CA-31); on the
  lowest health nothing is lost (CA-33).
- The last meeple above the candle comes back to be lost (CA-34).
- Of several calumets among those who tie, none counts; of several first choices, the first in turn order counts.
- Only the owner of a miracle scores for it, with the option `miracles_for_all` every player; a tie is worth the rank
  below (CA-41).
"""

# mypy: disable-error-code="no-untyped-def"

import numpy as np

from atoll.core.state import REFEREE, UNKNOWN
from atoll.engine.chance import draw_below, set_generator, shuffle
from atoll.engine.compiling import compiled
from atoll.engine.events import emit
from atoll.engine.records import copy_record, scratch
from atoll.games.cast_away import effects, goods, placement, upkeep
from atoll.games.cast_away import events as ev
from atoll.games.cast_away import state as ca
from atoll.games.cast_away.bounds import max_decisions, points_range
from atoll.games.cast_away.invariants import SOURCES, check
from atoll.games.cast_away.moves import MOVES
from atoll.games.cast_away.state import MAX_EVENT_CARDS, CastAwayState
from atoll.games.cast_away.view import resample, reveal

__all__ = ["MOVES", "SOURCES", "check", "max_decisions", "points_range", "resample", "reveal"]

BLANK = CastAwayState.blank

MAX_LEGAL = 384
"""Every tile with either kind of meeple, every tile of others, and every way to solve the mystery."""

MAX_EVENTS = 512
"""The last placement of a round, everybody's feeding, the end of the round and the incomes of the next."""


# Setup


@compiled
def start(state, parts, players, generator):
    """The position in which the first start boosts are taken (CA-5 to CA-8); `generator` is copied, not changed."""
    copy_record(BLANK[0], state)
    state.players = players
    state.seat = REFEREE
    set_generator(state.generator, generator)
    state.round_number = 1
    set_board(state, parts)
    for seat in range(players):  # CA-6
        state.health[seat] = parts.health
        state.meeples[seat] = parts.meeples[int(parts.health) - ca.LOWEST_HEALTH]
        state.left_own[seat] = state.meeples[seat]
        state.left_compass[seat] = 1
    first = draw_below(state.generator, players)  # CA-5
    for turn in range(players):
        seat = (first + turn) % players
        state.order[turn] = seat
        state.prestige[seat] = parts.start_prestige[players, turn]  # none, unless a file says so
        state.happiness[seat] = parts.start_happiness[players, turn]
    deal_boosts(state)
    make_event_pile(state, parts)
    effects.make_fishing_pile(state, parts)
    state.stage = ca.BOOSTING
    state.phase = ca.BOOST  # the first player always has the choice
    state.actor = state.order[0]
    state.to_act = 1 << int(state.order[0])


@compiled
def set_board(state, parts):
    """Everything where it lies at the start of the game."""
    state.white_left = parts.white
    for resource in range(ca.STOCKED):
        state.stock[resource] = parts.stock[resource]
    for tile in range(ca.MAX_TILES):
        state.tile_owner[tile] = ca.NOBODY if parts.tile_there[tile] == 1 else ca.NOT_IN_GAME
    for miracle in range(len(ca.MIRACLES)):
        state.miracle_left[miracle] = parts.miracle_there[miracle]
    for storey in range(ca.STOREYS):
        state.designs[storey] = parts.designs[storey]
        for design in range(parts.designs[storey]):
            state.mystery_left[storey * ca.MAX_DESIGNS + design] = parts.copies[storey]


@compiled
def deal_boosts(state):
    """The first player's boost lies face up, the others are shuffled (CA-5)."""
    state.boost_face_up = 1
    for boost in range(ca.FIRST_PLAYER):
        state.boost_left[boost] = 1
    state.boost_count = goods.shuffle_left(state.boost_left, state.boost_pile, state.generator)


@compiled
def make_event_pile(state, parts):
    """The Ship among the last cards; some cards go back into the box unseen (CA-7)."""
    others = int(parts.event_cards) - 1
    cards = scratch(MAX_EVENT_CARDS, np.int8)
    for i in range(others):
        cards[i] = parts.event_card[i + 1]
    shuffle(cards, others, state.generator)
    state.event_pile[0] = ca.SHIP
    for i in range(others - int(parts.events_boxed)):
        state.event_pile[i + 1] = cards[i]
    shuffle(state.event_pile, int(parts.ship_cards), state.generator)
    state.event_count = others + 1 - int(parts.events_boxed)


@compiled
def next_boosts(state):
    """The next player takes two boosts; when all have, the first player's boost begins the turn order (CA-5)."""
    state.turn += 1
    state.learnt = 0
    if state.turn < state.players:
        state.actor = state.order[state.turn]
        effects.push(state, ca.QUESTION + ca.BOOST, 0, 0)
        return
    for i in range(state.boost_count):
        state.boost_pile[i] = UNKNOWN
    state.boost_count = 0
    for boost in range(len(state.boost_left)):
        state.boost_left[boost] = 0
    first = int(state.first_player)
    state.first_player = ca.NOBODY
    for turn in range(state.players):  # CA-5: clockwise from the first player
        state.order[turn] = (first + turn) % int(state.players)
    state.stage = ca.ROUND_START


# Start of a round


@compiled
def start_round(state, parts, events):
    """The top event's bonus resources, the stocks, the incomes, and all meeples at home (CA-9, CA-10)."""
    emit(events, ev.ROUND_BEGUN, UNKNOWN, UNKNOWN, ev.NO_PLACE, ev.NO_PLACE, state.round_number)
    top = int(state.event_count) - 1
    card = int(state.event_pile[top])
    state.event_pile[top] = UNKNOWN
    state.event_count = top
    state.event = card
    state.event_turned[card] = 1
    emit(events, ev.EVENT_TURNED, UNKNOWN, card, ev.NO_PLACE, ev.NO_PLACE, 0)
    for resource in range(len(ca.RESOURCES)):
        added = int(parts.event_lots[card, resource])
        if added > 0:
            state.lots[resource] += added
            emit(events, ev.LOT_ADDED, UNKNOWN, resource, ev.NO_PLACE, ev.NO_PLACE, added)
    if card == ca.SHIP and state.last_round == 0:
        state.last_round = 1
        emit(events, ev.LAST_ROUND, ca.NOBODY, UNKNOWN, ev.NO_PLACE, ev.NO_PLACE, 0)
    for resource in range(ca.STOCKED):
        state.stock[resource] = parts.stock[resource]
    for seat in range(state.players):
        for resource in range(len(ca.RESOURCES)):
            income = int(state.bonus[seat, ca.INCOME + resource])
            goods.gain(state, seat, resource, income, ev.RESERVE, events)
        state.seen_count[seat] = max(0, int(state.seen_count[seat]) - 1)
        state.left_own[seat] = int(state.meeples[seat]) - int(state.candle[seat])
        state.left_white[seat] = state.white[seat]
        state.left_compass[seat] = 1
        state.rests[seat] = 0
        state.tribe[seat] = ca.NOTHING
        state.markers[seat] = ca.NOBODY
    clear_places(state)
    state.stage = ca.ACTING
    state.turn = int(state.players) - 1


@compiled
def clear_places(state):
    """No meeple on the board or on a construction (CA-38)."""
    for i in range(state.arrivals):
        state.arrival_place[i] = ca.NOBODY
        state.arrival_seat[i] = ca.NOBODY
    state.arrivals = 0
    for place in range(len(ca.PLACES)):
        state.place_count[place] = 0
    for tile in range(ca.MAX_TILES):
        state.tile_used[tile] = 0


# The Orientation and Feeding phases, seat by seat


@compiled
def next_first_choice(state):
    """Whoever has event 8 is asked, in turn order, until one uses it (CA-29)."""
    state.turn += 1
    if state.turn == state.players or state.chooser != ca.NOBODY:
        upkeep.by_compass(state, int(state.players) - 1, -1, state.queue)  # CA-29: the last position first
        state.stage = ca.ORIENTING
        state.turn = -1
    else:
        state.actor = state.order[state.turn]
        effects.push(state, ca.QUESTION + ca.FIRST_CHOICE, 0, 0)


@compiled
def next_in_line(state, next_stage):
    """The next seat of the Orientation phase is the actor; False, on to the next stage, when all had their turn."""
    state.turn += 1
    if state.turn == state.players:
        state.stage = next_stage
        state.turn = -1
        return False
    state.actor = state.queue[state.turn]
    return True


@compiled
def next_to_feed(state, parts, events):
    """The next seat in turn order feeds, unless it rested (CA-31, CA-35)."""
    state.turn += 1
    if state.turn == state.players:
        state.stage = ca.ROUND_END
        return
    state.actor = state.order[state.turn]
    if state.rests[state.actor] == 0:
        call_to_meal(state, parts, int(state.actor), events)


@compiled
def call_to_meal(state, parts, seat, events):
    """Who can feed must, and chooses how; who cannot goes down one level (CA-31, CA-33)."""
    if upkeep.can_feed(state, parts, seat):
        effects.push(state, ca.QUESTION + ca.FEEDING, 0, 0)
        return
    emit(events, ev.NOT_FED, seat, UNKNOWN, ev.NO_PLACE, ev.NO_PLACE, 0)
    if state.health[seat] > ca.LOWEST_HEALTH + 1:
        upkeep.change_health(state, parts, seat, int(state.health[seat]) - 1, events)
    elif state.health[seat] == ca.LOWEST_HEALTH + 1:
        effects.push(state, ca.QUESTION + ca.HEALTH, 0, 0)


@compiled
def end_round(state, parts, events):
    """Fish rot, the tribe's majority scores; then the next round, or the end (CA-36 to CA-39)."""
    upkeep.keep_fish(state, parts, events)
    upkeep.score_majority(state, parts, events)
    for turn in range(state.players):
        state.queue[turn] = ca.NOBODY
    if state.last_round == 1:
        state.stage = ca.ENDED
        state.phase = ca.OVER
        state.to_act = 0
        state.chooser = ca.NOBODY
        state.turn = 0
        state.actor = 0
        state.learnt = 0
        state.asked_target = 0
        state.asked_amount = 0
        emit(events, ev.GAME_OVER, UNKNOWN, UNKNOWN, ev.NO_PLACE, ev.NO_PLACE, 0)
        return
    if state.event != ca.NOBODY:  # CA-38: nobody took it
        emit(events, ev.EVENT_DISCARDED, UNKNOWN, state.event, ev.NO_PLACE, ev.NO_PLACE, 0)
        state.event = ca.NOBODY
    upkeep.by_compass(state, 0, 1, state.order)  # CA-30, CA-38: the next turn order
    state.chooser = ca.NOBODY
    state.round_number += 1
    state.stage = ca.ROUND_START


@compiled
def go_on(state, parts, events):
    """Everything that follows without a decision: what waits, then the stages of the round in turn."""
    while True:
        stage = state.stage
        if state.todo_count > 0:
            if effects.carry_on(state, parts, events):
                return
        elif stage == ca.BOOSTING:
            next_boosts(state)
        elif stage == ca.ROUND_START:
            start_round(state, parts, events)
        elif stage == ca.ACTING:
            if placement.next_turn(state):
                return
            state.stage = ca.CHOOSING_FIRST
            state.turn = -1
        elif stage == ca.CHOOSING_FIRST:
            next_first_choice(state)
        elif stage == ca.ORIENTING:
            if next_in_line(state, ca.TAKING_SINGLES):
                effects.push(state, ca.QUESTION + ca.ORIENTATION, 0, 0)
        elif stage == ca.TAKING_SINGLES:
            if next_in_line(state, ca.FEEDING_ALL):  # CA-29
                singles = int(state.bonus[state.actor, ca.SINGLES])
                if singles > 0:
                    effects.push(state, ca.QUESTION + ca.DUGOUT, 0, singles)
        elif stage == ca.FEEDING_ALL:
            next_to_feed(state, parts, events)
        elif stage == ca.ROUND_END:
            end_round(state, parts, events)
        else:
            return


# End of the game


@compiled
def result(state, parts, points):
    """Write each seat's points; returns the winner as a bit set, 0 while the game runs (CA-42)."""
    best = -1
    winner = 0
    for position in range(state.players):
        seat = int(state.markers[position])
        if state.phase != ca.OVER:
            seat = position
        points[seat] = upkeep.total_points(state, parts, seat)
        if points[seat] > best:  # CA-42: of equals, who stands nearest to compass position 1
            best = int(points[seat])
            winner = 1 << seat
    if state.phase != ca.OVER:
        return 0
    return winner


# The contract


@compiled
def legal_actions(state, parts, seat, out):
    """Write the codes of the legal moves of `seat`, ascending, and return how many there are.

    `out` is int32 of shape (MAX_LEGAL,). A seat that has nothing to decide has none.
    """
    if not int(state.to_act) >> seat & 1:
        return 0
    if state.phase == ca.ACTION:
        return placement.actions_to_take(state, parts, seat, out)
    return effects.legal_answers(state, parts, seat, out)


@compiled
def play(state, parts, seat, action, events):
    """Carry out a legal move of `seat` and all that follows without a decision; trusts its caller."""
    if state.phase == ca.ACTION:
        placement.act(state, parts, seat, action, events)
    else:
        effects.answer(state, parts, seat, action, events)
    go_on(state, parts, events)
