"""What a seat may know of a game of Cast Away, and drawing a full position that agrees with it.

Hidden are the events to come but for those that the seat has looked at, which events went back into the box, and
the order of the fishing cards and of the boosts; which of those are left is public. What can only be one thing, such
as the last card of a pile, is in the view.
"""

# mypy: disable-error-code="no-untyped-def"

import numpy as np

from atoll.core.state import UNKNOWN
from atoll.engine.chance import draw_below, fork_generator, shuffle
from atoll.engine.compiling import compiled
from atoll.engine.hiding import unhide
from atoll.engine.records import scratch
from atoll.games.cast_away import state as ca
from atoll.games.cast_away.goods import shuffle_left
from atoll.games.cast_away.state import MAX_EVENT_CARDS, CastAwayState

HIDDEN = CastAwayState.hidden


@compiled
def reveal(state, parts, seat, out):
    """Show the events that the seat has looked at (CA-23), and what can only be one thing."""
    seen_count = int(state.seen_count[seat]) if seat >= 0 else 0
    for i in range(int(state.event_count) - seen_count, int(state.event_count)):
        out.event_pile[i] = state.event_pile[i]
    if ship_places(out, parts) == 1:
        out.event_pile[0] = ca.SHIP
    if state.fishing_count == 1:
        out.fishing_pile[0] = state.fishing_pile[0]
    if state.boost_count == 1:
        out.boost_pile[0] = state.boost_pile[0]


@compiled
def ship_places(view, parts):
    """On how many places of the pile the Ship may lie, all at the bottom (CA-7); 0 if it is known where it is."""
    if view.event_turned[ca.SHIP] == 1:
        return 0
    for i in range(view.event_count):
        if view.event_pile[i] == ca.SHIP:
            return 0
    places = 0
    while places < parts.ship_cards and places < view.event_count and view.event_pile[places] == UNKNOWN:
        places += 1
    return places


@compiled
def ship_rounds(view, parts):
    """The first and the last round in which the Ship may come (CA-7), as far as the view shows; 0 and 0 once it has."""
    if view.event_turned[ca.SHIP] == 1:
        return 0, 0
    first = last = 0  # depths in the pile, counted from its bottom
    places = ship_places(view, parts)
    if places > 0:
        last = places - 1
    else:
        while first < view.event_count - 1 and view.event_pile[first] != ca.SHIP:
            first += 1
        last = first
    rounds = int(view.round_number) + int(view.event_count) - (1 if view.stage == ca.BOOSTING else 0)
    return rounds - last, rounds - first


@compiled
def resample(view, parts, generator, out):
    """Write into `out` a full state drawn uniformly from those that agree with `view`.

    `generator` is advanced.
    """
    unhide(view, out, HIDDEN)
    draw_events(view, parts, generator, out)
    shuffle_left(view.fishing_left, out.fishing_pile, generator)
    shuffle_left(view.boost_left, out.boost_pile, generator)
    fork_generator(generator, out.generator)


@compiled
def draw_events(view, parts, generator, out):
    """Deal the events that the seat does not know to the pile and the box.

    The Ship is one of the lowest cards (CA-7), each of those places equally likely; the others go anywhere.
    """
    is_known = scratch(MAX_EVENT_CARDS, np.int8)
    for card in range(MAX_EVENT_CARDS):
        is_known[card] = 0
    for i in range(view.event_count):
        if view.event_pile[i] != UNKNOWN:
            is_known[view.event_pile[i]] = 1
    unseen = scratch(MAX_EVENT_CARDS, np.int8)
    count = 0
    for i in range(parts.event_cards):
        card = int(parts.event_card[i])
        if card != ca.SHIP and view.event_turned[card] == 0 and is_known[card] == 0:
            unseen[count] = card
            count += 1
    shuffle(unseen, count, generator)
    ship = UNKNOWN
    places = ship_places(view, parts)
    if places > 0:
        ship = draw_below(generator, places)
    index = 0
    for i in range(view.event_count):
        if view.event_pile[i] == UNKNOWN:
            if i == ship:
                out.event_pile[i] = ca.SHIP
            else:
                out.event_pile[i] = unseen[index]
                index += 1
