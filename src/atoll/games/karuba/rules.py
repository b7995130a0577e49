"""Karuba, the card game, by Rüdiger Dorn: eight rounds in which all choose two cards in secret, the lowest sum costs
its owner one of them, and the others are laid into one's own island; then every adventurer who reaches the temple of
its colour scores, with all treasures on the way.

Every `KA-` number is a rule of this project's page of rules. Where the rulebook leaves something open:

- Which exits and treasures a card has is data, `components.toml` (KA-2).
- Temples of other colours do not interrupt a path; whether one can pass them is decided by their exits (KA-11).
- The shortest path is the shortest of the uninterrupted ones, or with the option `blocked_shortest` of all, which none
  may use if it is interrupted; among equally short ones the most valuable (KA-12).
- Treasures on the adventurer's own card and on its temple's count too (KA-13).
- All who have to choose, to discard or to lay do so at once, in whatever order they are ready.
"""

# mypy: disable-error-code="no-untyped-def"

from typing import Any

import numpy as np

from atoll.core.chance_sources import Source
from atoll.core.state import REFEREE, UNKNOWN
from atoll.core.types import Components
from atoll.engine.chance import draw_first, set_generator, shuffle
from atoll.engine.compiling import compiled
from atoll.engine.events import emit
from atoll.engine.hands import insert_card, take_from_hand
from atoll.engine.records import clear_record, scratch
from atoll.engine.seat_sets import highest
from atoll.games.karuba import events as ev
from atoll.games.karuba.invariants import check
from atoll.games.karuba.islands import occupied_cells, open_cells
from atoll.games.karuba.moves import (
    CHOOSE_CARDS,
    DISCARD_CARD,
    MOVES,
    PAIR_INDEX,
    PAIRS,
    decode_lay,
    encode_lay,
)
from atoll.games.karuba.scoring import score
from atoll.games.karuba.state import (
    CELLS,
    CHOOSE,
    CHOSEN_CARDS,
    DISCARD,
    LAY,
    MAX_CARDS,
    MAX_PLAYERS,
    NO_CARD,
    OVER,
)
from atoll.games.karuba.view import resample, reveal

__all__ = ["MOVES", "check", "resample", "reveal"]

MAX_LEGAL = len(PAIRS)
"""Two cards out of a hand of all 16 are the widest choice."""

MAX_EVENTS = 32
"""The last card of a round: it is laid, and everybody draws two."""


# Setup


@compiled
def start(state, parts, players, generator):
    """The position in which all choose for the first time (KA-3); `generator` is copied, not changed."""
    clear_record(state)
    state.players = players
    state.seat = REFEREE
    state.round_number = 1
    set_generator(state.generator, generator)
    for seat in range(players):
        for i in range(parts.cards):
            state.pile[seat, i] = i + 1  # KA-1
        shuffle(state.pile[seat], int(parts.cards), state.generator)
        state.pile_count[seat] = parts.cards
        while can_draw(state, parts, seat):
            draw_card(state, seat)
    begin_phase(state, CHOOSE)


@compiled
def redraw_hands(state, parts, generator):
    """Draw all hands of a first position anew: a card that comes out of a pile changes places with one that goes back
    into it.
    """
    cards = scratch(MAX_CARDS, np.int8)
    for seat in range(state.players):
        hand, pile = int(state.hand_count[seat]), int(state.pile_count[seat])
        for i in range(hand):
            cards[i] = state.hand[seat, i]
        for i in range(pile):
            cards[hand + i] = state.pile[seat, i]
        draw_first(cards, hand, hand + pile, generator)
        for i in range(hand):
            insert_card(state, seat, i, cards[i])
        for i in range(pile):
            state.pile[seat, i] = cards[hand + i]


@compiled
def redraw_piles(state, parts, generator):
    """Shuffle all piles of a first position; the hands stay."""
    for seat in range(state.players):
        shuffle(state.pile[seat], int(state.pile_count[seat]), generator)


SOURCES = (
    Source("hands", "the first hands", ("hand", "pile"), redraw_hands),
    Source("piles", "the order of the piles", ("pile",), redraw_piles),
)
"""What chance decides before the first decision (KA-3)."""


@compiled
def begin_phase(state, phase):
    """Begin a phase in which everybody has to decide."""
    state.phase = phase
    state.to_act = (1 << int(state.players)) - 1


@compiled
def decided(state, seat):
    """A seat is done with the phase; True when it was the last."""
    state.to_act = int(state.to_act) & ~(1 << seat)
    return state.to_act == 0


# Select cards


@compiled
def cards_to_choose(state, seat, out):
    """Any two cards of the hand (KA-4)."""
    count = 0
    hand = state.hand[seat]
    for i in range(state.hand_count[seat]):
        for j in range(i + 1, state.hand_count[seat]):
            out[count] = CHOOSE_CARDS + PAIR_INDEX[hand[i], hand[j]]
            count += 1
    return count


@compiled
def choose_cards(state, seat, pair, events):
    """Lay two cards aside, face down; the last choice reveals them all (KA-4)."""
    for i in range(CHOSEN_CARDS):
        card = PAIRS[pair, i]
        take_from_hand(state, seat, card, NO_CARD)
        state.chosen[seat, i] = card
        emit(events, ev.CARD_CHOSEN, seat, card, ev.HAND_PLACE, ev.CHOSEN_PLACE, 0)
    if decided(state, seat):
        reveal_choices(state, events)


@compiled
def reveal_choices(state, events):
    """All choices are seen at once; whoever has the lowest sum must discard (KA-4, KA-5)."""
    for seat in range(state.players):
        state.to_lay[seat] = (1 << CHOSEN_CARDS) - 1
        for i in range(CHOSEN_CARDS):
            card = state.chosen[seat, i]
            emit(events, ev.CARD_REVEALED, seat, card, ev.CHOSEN_PLACE, UNKNOWN, 0)
    state.phase = DISCARD
    state.to_act = lowest_sums(state)
    for seat in range(state.players):
        if int(state.to_act) >> seat & 1:
            lowest = sum_of_choice(state, seat)
            emit(events, ev.SUM_LOWEST, seat, UNKNOWN, UNKNOWN, UNKNOWN, lowest)


@compiled
def lowest_sums(state):
    """The bit set of the seats with the lowest sum (KA-5), once all have chosen."""
    negative_sums = scratch(MAX_PLAYERS, np.int64)
    for seat in range(state.players):
        negative_sums[seat] = -sum_of_choice(state, seat)
    return highest(negative_sums, state.players)


@compiled
def sum_of_choice(state, seat):
    """The numbers of the two chosen cards added up (KA-5)."""
    return int(state.chosen[seat, 0]) + int(state.chosen[seat, 1])


@compiled
def cards_to_discard(state, seat, out):
    """One of the two chosen cards (KA-5)."""
    for i in range(CHOSEN_CARDS):
        out[i] = DISCARD_CARD + int(state.chosen[seat, i]) - 1
    return CHOSEN_CARDS


@compiled
def discard_card(state, seat, card, events):
    """Put one of the two chosen cards away; nobody lays before the last one has (KA-5)."""
    take_from_choice(state, seat, card)
    state.discarded[seat, state.discard_count[seat]] = card
    state.discard_count[seat] += 1
    emit(events, ev.CARD_DISCARDED, seat, card, ev.CHOSEN_PLACE, ev.DISCARD_PLACE, 0)
    if decided(state, seat):
        begin_phase(state, LAY)


@compiled
def take_from_choice(state, seat, card):
    """This one of the chosen cards is not to be laid any more."""
    i = 0 if state.chosen[seat, 0] == card else 1
    state.to_lay[seat] = int(state.to_lay[seat]) & ~(1 << i)


# Lay cards


@compiled
def cards_to_lay(state, parts, seat, out):
    """Each of one's cards that are still to be laid, on each place that is open (KA-6)."""
    cells = open_cells(occupied_cells(state.island[seat]), parts)
    count = 0
    for i in range(CHOSEN_CARDS):
        if int(state.to_lay[seat]) >> i & 1:
            for cell in range(CELLS):
                if cells >> cell & 1:
                    out[count] = encode_lay(int(state.chosen[seat, i]), cell)
                    count += 1
    return count


@compiled
def lay_card(state, parts, seat, card, cell, events):
    """Lay a card; the last card of all ends the round (KA-6)."""
    take_from_choice(state, seat, card)
    state.island[seat, cell] = card
    emit(events, ev.CARD_LAID, seat, card, ev.CHOSEN_PLACE, ev.CELL_PLACE + cell, 0)
    if state.to_lay[seat] == 0 and decided(state, seat):
        end_round(state, parts, events)


# Draw cards


@compiled
def end_round(state, parts, events):
    """All draw, and choose again; after the last round the game ends (KA-7, KA-8)."""
    for seat in range(state.players):
        for i in range(CHOSEN_CARDS):
            state.chosen[seat, i] = NO_CARD
    if state.round_number == parts.rounds:
        state.phase = OVER
        emit(events, ev.GAME_OVER, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, 0)
        return
    state.round_number += 1
    emit(events, ev.ROUND_BEGUN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, state.round_number)
    for seat in range(state.players):
        draw_cards(state, parts, seat, events)
    begin_phase(state, CHOOSE)


@compiled
def draw_cards(state, parts, seat, events):
    """Fill the hand from one's own pile (KA-7); the events are in ascending order, as the hand is sorted."""
    cards = 0  # bit set of cards
    while can_draw(state, parts, seat):
        cards |= 1 << draw_card(state, seat)
    for card in range(1, int(parts.cards) + 1):
        if cards >> card & 1:
            emit(events, ev.CARD_DRAWN, seat, card, ev.PILE_PLACE, ev.HAND_PLACE, 0)


@compiled
def can_draw(state, parts, seat):
    """Whether the hand is not full and the pile not empty (KA-7)."""
    return state.hand_count[seat] < parts.hand and state.pile_count[seat] > 0


@compiled
def draw_card(state, seat):
    """The top card of one's own pile goes into the hand, which stays sorted (KA-7)."""
    top = int(state.pile_count[seat]) - 1
    card = int(state.pile[seat, top])
    state.pile[seat, top] = NO_CARD
    state.pile_count[seat] = top
    insert_card(state, seat, int(state.hand_count[seat]), card)
    state.hand_count[seat] += 1
    return card


# End of the game


@compiled
def result(state, parts, points):
    """Write each seat's points; returns the bit set of the winners (KA-14), 0 while the game runs."""
    for seat in range(state.players):
        points[seat] = score(state.island[seat], parts)
    return highest(points, state.players) if state.phase == OVER else 0


# The contract


@compiled
def legal_actions(state, parts, seat, out):
    """Write the codes of the legal moves of `seat`, ascending, and return how many there are.

    `out` is int32 of shape (MAX_LEGAL,). A seat that has nothing to decide has none.
    """
    if not int(state.to_act) >> seat & 1:
        return 0
    if state.phase == CHOOSE:
        return cards_to_choose(state, seat, out)
    if state.phase == DISCARD:
        return cards_to_discard(state, seat, out)
    return cards_to_lay(state, parts, seat, out)


@compiled
def play(state, parts, seat, action, events):
    """Carry out a legal move of `seat` and all that follows without a decision; trusts its caller."""
    if state.phase == CHOOSE:
        choose_cards(state, seat, action - CHOOSE_CARDS, events)
    elif state.phase == DISCARD:
        discard_card(state, seat, action - DISCARD_CARD + 1, events)
    else:
        card, cell = decode_lay(action)
        lay_card(state, parts, seat, card, cell, events)


def replaceable(state: Any) -> bool:
    """Whether what a seat decides may be taken back until the last has decided: its choice of cards (KA-4)."""
    return bool(state.phase == CHOOSE)


def max_decisions(components: Components, players: int) -> int:
    """Declared bound of a game's length, and always reached: a choice, and two cards to lay or to discard."""
    return int(components.parts[0].rounds) * players * (1 + CHOSEN_CARDS)


def points_range(components: Components, players: int) -> tuple[int, int]:
    """Declared bounds of a seat's points: nothing, or every adventurer with every treasure."""
    parts = components.parts[0]
    return 0, len(parts.adventurer_card) * (int(parts.adventurer_points) + int(parts.treasure_points.sum()))
