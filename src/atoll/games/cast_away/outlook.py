"""What follows from a position for one player: what each place would give now, what can be built, what the night asks.

The page, the terminal and the sentences read it. What a place gives is found by acting there, on a copy.
"""

# mypy: disable-error-code="no-untyped-def"

from typing import Any

import numpy as np

from atoll.core.events import NO_EVENTS, event_buffer
from atoll.core.exports import some_parts, some_states
from atoll.core.game import View
from atoll.core.state import record_dtype
from atoll.core.types import plain
from atoll.engine.compiling import compiled
from atoll.engine.exports import Export
from atoll.engine.records import copy_record
from atoll.games.cast_away import effects, goods, placement, upkeep
from atoll.games.cast_away import state as ca
from atoll.games.cast_away.state import CastAwayState
from atoll.games.cast_away.view import ship_rounds

OUTLOOK = record_dtype(
    [
        ("closed", "i1", (len(ca.PLACES),)),  # why the player can do nothing at a place; OPEN if something
        ("tribe_closed", "i1"),  # the same of meeting the tribe
        ("gains", "i2", (len(ca.PLACES), len(ca.RESOURCES))),  # resources that a place would give
        ("prestige", "i2", (len(ca.PLACES),)),
        ("happiness", "i1", (len(ca.PLACES),)),
        ("favour", "i1", (len(ca.PLACES),)),  # the step of divine favour that one would be on
        ("for_fruit", "i2", (ca.BUILDING,)),  # what a spot would bring more for a fruit
        ("study_cost", "i1"),
        ("catch", "i2", (ca.MAX_FISHING_CARDS,)),  # fish that each card would give
        ("buildable", "i1", (ca.MAX_TILES,)),  # 1 if the construction could be built at its place
        ("price", "i1", (ca.MAX_TILES, ca.BUILDING)),
        ("water_needed", "i1", (ca.MAX_PLAYERS,)),  # of each seat, in the next Feeding phase
        ("food_needed", "i1", (ca.MAX_PLAYERS,)),
        ("food", "i4", (ca.MAX_PLAYERS,)),  # that each seat has
        ("fruit_beside", "i1", (ca.MOST_FISH_EATEN + 1,)),  # that the player eats beside so many fish
        ("feeds", "i1", (ca.MAX_PLAYERS,)),  # 1 if the seat has all that it needs
        ("leader", "i1"),  # who would score for the majority above the candle
        ("ship_first", "i1"),  # the rounds in which the Ship may come; 0 once it has
        ("ship_last", "i1"),
    ]
)


@compiled
def look_out(views, tables, seat, trials, events, outlooks):
    """Write into `outlooks` what follows from a view for `seat`; `trials` holds a state to act on, `events` takes none.

    Views, tables, trials and what is found are arrays of shape (1,): the fast way in from Python.
    """
    view, parts, trial, out = views[0], tables[0], trials[0], outlooks[0]
    for place in range(len(ca.PLACES)):
        out.closed[place] = placement.why_closed(view, parts, seat, place)
        if place != ca.CONSTRUCTION_PLACE and place != ca.EVENT_PLACE and place != ca.FISHING_PLACE:
            try_place(view, parts, seat, place, trial, events, out)
    if out.closed[ca.MYSTERY_PLACE] == placement.OPEN and not may_solve(view, parts, seat):
        out.closed[ca.MYSTERY_PLACE] = placement.EMPTY
    out.tribe_closed = placement.why_not_met(view, seat)
    out.study_cost = placement.study_cost(view, parts)
    for i in range(parts.fishing_cards):
        card = int(parts.fishing_card[i])
        out.catch[card] = effects.catch(view, parts, seat, card, 0)
    discounts = effects.build_discounts(view, parts, seat)
    for tile in range(parts.tiles):
        out.buildable[tile] = 1 if effects.can_pay_for(view, parts, seat, tile, discounts) else 0
        for resource in range(ca.BUILDING):
            out.price[tile, resource] = effects.reduced_price(view, parts, seat, tile, resource)
    for other in range(view.players):
        level = int(view.health[other]) - ca.LOWEST_HEALTH
        out.water_needed[other] = parts.water_need[level]
        out.food_needed[other] = parts.food_need[level]
        out.food[other] = upkeep.food_held(view, parts, other)
        out.feeds[other] = 1 if view.rests[other] == 1 or upkeep.can_feed(view, parts, other) else 0
    for fish in range(ca.MOST_FISH_EATEN + 1):
        out.fruit_beside[fish] = upkeep.fruit_beside(view, parts, seat, fish)
    out.leader = upkeep.majority_leader(view)
    out.ship_first, out.ship_last = ship_rounds(view, parts)


@compiled
def try_place(view, parts, seat, place, trial, events, out):
    """Act at a place on a copy of the position, and note what comes of it without a decision; then with a fruit."""
    copy_record(view, trial)
    trial.actor = seat
    trial.todo_count = 0
    arrivals = int(view.place_count[place])
    effects.act_at(trial, parts, seat, place, arrivals, events)
    for resource in range(len(ca.RESOURCES)):
        out.gains[place, resource] = trial.resources[seat, resource] - view.resources[seat, resource]
    out.prestige[place] = trial.prestige[seat] - view.prestige[seat]
    out.happiness[place] = trial.happiness[seat] - view.happiness[seat]
    out.favour[place] = trial.favour[seat]
    if place < ca.BUILDING and trial.todo_count > 0 and effects.fruit_brings(trial, seat, place):
        before = int(trial.resources[seat, place])
        goods.gain_from_stock(trial, seat, place, trial.todo_amount[0], events)
        out.for_fruit[place] = trial.resources[seat, place] - before


@compiled
def may_solve(view, parts, seat):
    """Whether any tile of the mystery can be taken, with meeples enough (CA-18)."""
    for storey in range(ca.STOREYS):
        for design in range(parts.designs[storey]):
            if effects.may_take_design(view, parts, seat, storey, design):
                return True
    return False


LOOK_OUT = Export(
    "look_out",
    lambda game: look_out,
    lambda game: (
        *(some_states(game), some_parts(game), 0),
        *(some_states(game), event_buffer(1), np.zeros(1, OUTLOOK)),
    ),
    reads=(0, 1),
)


def outlook(view: View, seat: int) -> Any:
    """What follows from a view for `seat`, as far as one can know it: the fields of OUTLOOK as plain numbers."""
    out = np.zeros(1, dtype=OUTLOOK)
    trials = np.zeros(1, dtype=CastAwayState.dtype)
    view.game.runner.call(LOOK_OUT, view.states, view.components.parts, seat, trials, NO_EVENTS, out)
    return plain(out[0])


def seen_events(view: View) -> list[str]:
    """The next events, as far as the seat of the view has looked at them, the next one first (CA-23)."""
    if view.viewer is None:
        return []
    fields = view.fields
    first = fields.event_count - fields.seen_count[view.viewer]
    return [str(ca.EventCardForm().say(card)) for card in fields.event_pile[first : fields.event_count][::-1]]
