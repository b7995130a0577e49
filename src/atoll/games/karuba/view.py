"""What a seat may know of a game of Karuba, and drawing a full position that agrees with it.

Hidden are the order of every pile, the hands of the others, and what the others have chosen until all have (KA-4).
Since everybody has the same 16 cards, what a player has not shown yet is known; only where each card is, is not.
"""

# mypy: disable-error-code="no-untyped-def"

import numpy as np

from atoll.core.state import UNKNOWN
from atoll.engine.chance import fork_generator, shuffle
from atoll.engine.compiling import compiled
from atoll.engine.hands import insert_card
from atoll.engine.hiding import unhide
from atoll.engine.records import scratch
from atoll.games.karuba.state import CELLS, CHOOSE, CHOSEN_CARDS, MAX_CARDS, NO_CARD, KarubaState

HIDDEN = KarubaState.hidden


@compiled
def reveal(state, parts, seat, out):
    """Show what all have chosen once they have (KA-4), and who has not chosen yet."""
    for other in range(state.players):
        if state.phase != CHOOSE or state.chosen[other, 0] == NO_CARD:
            for i in range(CHOSEN_CARDS):
                out.chosen[other, i] = state.chosen[other, i]


@compiled
def resample(view, parts, generator, out):
    """Write into `out` a full state drawn uniformly from those that agree with `view`.

    `generator` is advanced. The cards of each player that the seat has not seen are dealt anew to that player's hand,
    choice and pile.
    """
    unhide(view, out, HIDDEN)
    unseen = scratch(MAX_CARDS, np.int8)
    for player in range(view.players):
        count = unseen_cards(view, parts, player, unseen)
        shuffle(unseen, count, generator)
        for i in range(view.pile_count[player]):
            count -= 1
            out.pile[player, i] = unseen[count]
        if view.chosen[player, 0] == UNKNOWN:
            count -= CHOSEN_CARDS
            out.chosen[player, 0] = min(unseen[count], unseen[count + 1])
            out.chosen[player, 1] = max(unseen[count], unseen[count + 1])
        if player != view.seat:
            for i in range(count):
                insert_card(out, player, i, unseen[i])
    fork_generator(generator, out.generator)


@compiled
def unseen_cards(view, parts, player, out):
    """Write the cards of a player that the view does not show, ascending; returns how many."""
    unseen = cards_to_come(view, parts, player)
    unseen &= ~cards_in(view.hand[player], view.hand_count[player])
    unseen &= ~cards_in(view.chosen[player], CHOSEN_CARDS)
    count = 0
    for card in range(1, int(parts.cards) + 1):
        if unseen >> card & 1:
            out[count] = card
            count += 1
    return count


@compiled
def cards_to_come(view, parts, player):
    """The bit set of a player's cards that may still be laid: all that are neither laid nor discarded."""
    gone = cards_in(view.discarded[player], view.discard_count[player]) | cards_in(view.island[player], CELLS)
    return ((2 << int(parts.cards)) - 2) & ~gone


@compiled
def cards_in(places, count):
    """The bit set of the cards in the first `count` of some places, as far as they are known."""
    cards = 0
    for i in range(count):
        if places[i] != UNKNOWN:
            cards |= 1 << int(places[i])
    return cards
