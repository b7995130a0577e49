"""Costa Ruana's setup, and going round the table."""

# mypy: disable-error-code="no-untyped-def"

import numpy as np

from atoll.core.chance_sources import Source
from atoll.core.state import REFEREE, UNKNOWN
from atoll.engine.chance import draw_below, draw_first, set_generator, shuffle
from atoll.engine.compiling import compiled
from atoll.engine.hands import insert_card
from atoll.engine.records import copy_record, scratch
from atoll.games.costa_ruana import state as cr
from atoll.games.costa_ruana.state import MAX_DECK

BLANK = cr.CostaRuanaState.blank


@compiled
def start(state, parts, players, generator):
    """The position in which the first native is placed (CR-6 to CR-8); `generator` is copied, not changed."""
    copy_record(BLANK[0], state)
    state.players = players
    state.seat = REFEREE
    state.round_number = 1
    state.islands = parts.islands[players]
    for i in range(state.islands):
        state.treasures[i] = parts.treasures[players, i]  # CR-6
    for seat in range(players):
        state.supply[seat] = parts.natives  # CR-5
    set_generator(state.generator, generator)
    state.tide = cr.HIGH_TIDE + draw_below(state.generator, 2)  # CR-7
    state.time = cr.DAY + draw_below(state.generator, 2)
    state.shaman = draw_below(state.generator, players)
    deal(state, parts)
    go_round(state, cr.SETUP)


@compiled
def deal(state, parts):
    """Shuffle the deck for this number of players and deal the hands (CR-3, CR-7)."""
    players = int(state.players)
    count = int(parts.deck_count[players])
    for i in range(cr.MAX_DECK):
        state.pile[i] = parts.deck[players, i]
    shuffle(state.pile, count, state.generator)
    state.pile_count = count
    for seat in range(players):
        for _ in range(parts.hand):
            draw_card(state, seat)


@compiled
def draw_card(state, seat):
    """The pile's top card goes into the hand, which stays sorted."""
    top = int(state.pile_count) - 1
    insert_card(state, seat, int(state.hand_count[seat]), int(state.pile[top]))
    state.hand_count[seat] += 1
    state.pile[top] = UNKNOWN
    state.pile_count = top


@compiled
def redraw_hands(state, parts, generator):
    """Deal all hands of a first position anew out of the whole deck: a card that comes out of the pile changes places
    with one that goes back.
    """
    cards = scratch(MAX_DECK, np.int8)
    dealt = 0
    for seat in range(state.players):
        for i in range(state.hand_count[seat]):
            cards[dealt] = state.hand[seat, i]
            dealt += 1
    for i in range(state.pile_count):
        cards[dealt + i] = state.pile[i]
    draw_first(cards, dealt, dealt + int(state.pile_count), generator)
    dealt = 0
    for seat in range(state.players):
        for i in range(state.hand_count[seat]):
            insert_card(state, seat, i, cards[dealt])
            dealt += 1
    for i in range(state.pile_count):
        state.pile[i] = cards[dealt + i]


@compiled
def redraw_pile(state, parts, generator):
    """Shuffle the draw pile of a first position; the hands stay."""
    shuffle(state.pile, int(state.pile_count), generator)


SOURCES = (
    Source("shaman", "who is the first Shaman", ("shaman", "to_act")),
    Source("conditions", "tide and time of day at the start", ("tide", "time")),
    Source("hands", "the first hands", ("hand", "pile"), redraw_hands),
    Source("pile", "the order of the draw pile", ("pile",), redraw_pile),
)
"""What chance decides before the first decision (CR-7)."""


@compiled
def clear_table(state):
    """No cards on the table."""
    state.table_count = 0
    for k in range(cr.TABLE_CARDS):
        clear_card(state, k)


@compiled
def clear_card(state, k):
    """No card in this place on the table."""
    state.table_card[k] = UNKNOWN
    state.table_player[k] = cr.NOWHERE
    state.table_front[k] = cr.NOWHERE
    state.table_up[k] = 0
    state.table_natives[k] = 0
    state.table_resolved[k] = 0


@compiled
def go_round(state, phase):
    """Begin a phase that goes round the table from the Shaman clockwise."""
    state.phase = phase
    state.turns = 0
    state.to_act = 1 << int(state.shaman)


@compiled
def pass_turn(state, turns):
    """On to the next player clockwise; True when the phase has taken all its `turns`."""
    state.turns += 1
    seat = (int(state.shaman) + int(state.turns)) % int(state.players)
    state.to_act = 1 << seat
    return state.turns == turns
