"""What a seat may know of a game of Costa Ruana, and drawing a full position that agrees with it.

Hidden are the order and content of the draw pile, the hands of the others, and face-down cards from all but who
played them (CR-10). What lies behind the huts could be counted by anyone (CR-19) and stays in the view.
"""

# mypy: disable-error-code="no-untyped-def"

import numpy as np

from atoll.core.state import UNKNOWN
from atoll.engine.chance import fork_generator, shuffle
from atoll.engine.compiling import compiled
from atoll.engine.hands import insert_card
from atoll.engine.hiding import unhide
from atoll.engine.records import scratch
from atoll.games.costa_ruana.state import CARD_TYPES, MAX_DECK, CostaRuanaState

HIDDEN = CostaRuanaState.hidden


@compiled
def reveal(state, parts, seat, out):
    """Show the cards on the table that lie face up, and to who played them those that do not (CR-10)."""
    for k in range(state.table_count):
        if state.table_up[k] == 1 or state.table_player[k] == seat:
            out.table_card[k] = state.table_card[k]


@compiled
def resample(view, parts, generator, out):
    """Write into `out` a full state drawn uniformly from those that agree with `view`.

    `generator` is advanced. The cards that the seat has not seen are dealt anew to
    the other hands, the face-down cards and the pile.
    """
    unhide(view, out, HIDDEN)
    unseen = scratch(MAX_DECK, np.int8)
    count = unseen_cards(view, parts, unseen)
    shuffle(unseen, count, generator)
    players = int(view.players)
    for k in range(view.table_count):
        if view.table_card[k] == UNKNOWN:
            count -= 1
            out.table_card[k] = unseen[count]
    for other in range(players):
        if other != view.seat:
            for i in range(view.hand_count[other]):
                count -= 1
                insert_card(out, other, i, unseen[count])
    for i in range(view.pile_count):
        count -= 1
        out.pile[i] = unseen[count]
    fork_generator(generator, out.generator)


@compiled
def unseen_cards(view, parts, out):
    """Write the cards of the deck that the view's seat does not see; returns how many."""
    players = int(view.players)
    rest = scratch(CARD_TYPES, np.int8)
    for card in range(CARD_TYPES):
        rest[card] = 0
    for i in range(parts.deck_count[players]):
        rest[parts.deck[players, i]] += 1
    if view.seat >= 0:
        for i in range(view.hand_count[view.seat]):
            rest[view.hand[view.seat, i]] -= 1
    for k in range(view.table_count):
        if view.table_card[k] != UNKNOWN:
            rest[view.table_card[k]] -= 1
    for i in range(view.discard_count):
        rest[view.discarded[i]] -= 1
    count = 0
    for card in range(CARD_TYPES):
        for _ in range(rest[card]):
            out[count] = card
            count += 1
    return count
