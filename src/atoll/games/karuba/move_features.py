"""What players that learn are told of each move of Karuba: what the island is worth when everything that is known to
come has been laid, and one more card.

Both cards of a round are laid where the advice rates the island highest. Then each card that is still to come is laid
where it is best, and the island is worth the mean of that, in which the cards that stay in the hand count more.
"""

# mypy: disable-error-code="no-untyped-def"

import numpy as np

from atoll.core.move_features import MoveFeature
from atoll.engine.compiling import compiled, inlined
from atoll.engine.records import scratch
from atoll.games.karuba.advice import (
    CARDS,
    COLOUR_COUNT,
    MAX_SUM,
    OCCUPIED,
    SPARE,
    SURVEY,
    WHOLE,
    best_place,
    chances_of_sums,
    count_bits,
    hope,
    lay,
    look_over,
    promise,
    try_cards,
    without,
)
from atoll.games.karuba.islands import free_cells, open_cells
from atoll.games.karuba.moves import CHOOSE_CARDS, DISCARD_CARD, PAIRS, decode_lay
from atoll.games.karuba.rules import sum_of_choice
from atoll.games.karuba.state import (
    CELLS,
    CHOOSE,
    CHOSEN_CARDS,
    COLOURS,
    DISCARD,
    MAX_PLAYERS,
    NO_CARD,
    NOWHERE,
)
from atoll.games.karuba.view import cards_in, cards_to_come

MOVE_FEATURES = (
    MoveFeature("worth", "points that the island may come to, as likely as both cards are laid"),
    MoveFeature("both", "points that it may come to with both cards laid"),
    MoveFeature("alone", "points that it may come to with the better card alone"),
    MoveFeature("spared", "chance that somebody else's sum is lower", 0.25),
    MoveFeature("kept", "points that it may come to once the better card of the hand is laid"),
    MoveFeature("luck", "points that it may come to with the most welcome card"),
    MoveFeature("promise", "points that it promises as it lies then"),
    *(MoveFeature(colour, f"points of these that {colour} promises") for colour in COLOURS),
    *(
        MoveFeature(
            f"other {place}", "points that the island of so manieth seat after this one promises", 4.0
        )
        for place in range(1, MAX_PLAYERS)
    ),
)
WORTH, BOTH, ALONE, SPARED, KEPT, LUCK, PROMISE, COLOUR = range(8)
OTHER = COLOUR + len(COLOURS)

MOST_PLACES = CHOSEN_CARDS * CELLS
"""Moves that lay a card, at most."""
IN_HAND = 3
"""How much a card in the hand counts, and one in the pile 1."""
FURTHER = 1.0
"""How much of what one more card brings counts for those after it."""
LOOKED_AT = 6
"""Islands, those that promise most, on which the cards to come are tried."""


@compiled
def write_features(view, parts, moves, count, found):
    """Write what CONSIDERED says of each move of the view's seat into `found`, float32 of shape (count, 16)."""
    seat = int(view.seat)
    board = scratch(CELLS, np.int8)
    survey = scratch(SURVEY, np.int64)
    for place in range(1, MAX_PLAYERS):
        worth = 0.0
        if place < view.players:
            other = (seat + place) % int(view.players)
            look_over(view.island[other], parts, board, survey)
            worth = promise(board, parts, cards_to_come(view, parts, other), survey) / WHOLE
        for i in range(count):
            found[i, OTHER + place - 1] = worth
    look_over(view.island[seat], parts, board, survey)
    coming = cards_to_come(view, parts, seat)
    hand = cards_in(view.hand[seat], view.hand_count[seat])
    if view.phase == CHOOSE:
        consider_choices(view, parts, board, coming, hand, survey, moves, count, found)
        return
    if view.phase == DISCARD:
        for i in range(count):
            card = int(moves[i]) - DISCARD_CARD + 1
            other = sum_of_choice(view, seat) - card
            consider_alone(board, parts, without(coming, card), hand, other, survey, found[i])
    else:
        consider_places(view, parts, board, coming, hand, survey, moves, count, found)
    for i in range(count):
        found[i, SPARED] = 0


# Choosing and discarding


@compiled
def consider_choices(view, parts, board, coming, hand, survey, moves, count, found):
    """Two cards: both laid, or the better one only, as likely as their sum is the lowest."""
    safe = scratch(MAX_SUM, np.int64)
    chances_of_sums(view, parts, safe)
    for i in range(count):
        pair = PAIRS[int(moves[i]) - CHOOSE_CARDS]
        first, second = int(pair[0]), int(pair[1])
        kept = without(without(hand, first), second)
        alone = np.float32(0)
        for _ in range(CHOSEN_CARDS):
            consider_alone(board, parts, without(coming, second), kept, first, survey, found[i])
            alone = max(alone, found[i, BOTH])
            first, second = second, first
        consider_both(board, parts, coming, kept, first, second, survey, found[i])
        lowest = np.float32(safe[first + second] / WHOLE)
        found[i, ALONE] = alone
        found[i, SPARED] = 1 - lowest
        found[i, WORTH] = found[i, BOTH] + (alone - found[i, BOTH]) * lowest


@compiled
def consider_alone(board, parts, coming, hand, card, survey, found):
    """A card laid where it is best."""
    cell = best_place(open_cells(survey[OCCUPIED], parts), board, parts, coming, card, survey)[0]
    tell_island(board, parts, coming, hand, card, cell, NO_CARD, NOWHERE, survey, found)


@compiled
def consider_both(board, parts, coming, hand, first, second, survey, found):
    """Two cards laid where they are best together."""
    laid = scratch(SURVEY, np.int64)
    at_once = open_cells(survey[OCCUPIED], parts)
    best = -1
    card, cell, other, beside = first, NOWHERE, second, NOWHERE
    for order in range(CHOSEN_CARDS):
        for one in range(CELLS):
            if at_once >> one & 1:
                lay(board, parts, first, one, survey, laid)
                cells = open_cells(laid[OCCUPIED], parts)
                if order == 1:
                    cells &= ~at_once  # the others were looked at in the other order
                two, worth = best_place(cells, board, parts, without(coming, first), second, laid)
                board[one] = NO_CARD
                if worth > best:
                    best = worth
                    card, cell, other, beside = first, one, second, two
        first, second = second, first
    tell_island(board, parts, coming, hand, card, cell, other, beside, survey, found)


# Laying


@compiled
def consider_places(view, parts, board, coming, hand, survey, moves, count, found):
    """A card on a cell, and the other one of the round where it is best then; the cards to come are tried on the
    islands that promise most.
    """
    laid = scratch(SURVEY, np.int64)
    beside = scratch(MOST_PLACES, np.int64)  # of each move: where the other card of the round is best then
    seat = int(view.seat)
    both = sum_of_choice(view, seat)
    both_wait = int(view.to_lay[seat]) == (1 << CHOSEN_CARDS) - 1
    for i in range(count):
        card, cell = decode_lay(int(moves[i]))
        left = without(coming, card)
        lay(board, parts, card, cell, survey, laid)
        beside[i] = NOWHERE
        if both_wait:
            other = both - card
            beside[i] = best_place(open_cells(laid[OCCUPIED], parts), board, parts, left, other, laid)[0]
            if beside[i] != NOWHERE:
                left = without(left, other)
                lay(board, parts, other, beside[i], laid, laid)
        tell_promise(board, parts, left, laid, found[i])
        take_up(board, cell, beside[i])
    look_at_best(board, parts, coming, hand, survey, moves, count, both, beside, found)


@compiled
def look_at_best(board, parts, coming, hand, survey, moves, count, both, beside, found):
    """Try the cards to come on the islands that promise most; the others are rated by what they promise less."""
    looked_at = scratch(MOST_PLACES, np.int8)
    for i in range(count):
        looked_at[i] = 0
    laid = scratch(SURVEY, np.int64)
    last = NOWHERE
    for _ in range(LOOKED_AT):
        best = NOWHERE
        for i in range(count):
            if looked_at[i] == 0 and (best == NOWHERE or found[i, PROMISE] > found[best, PROMISE]):
                best = i
        if best == NOWHERE:
            break
        last = best
        card, cell = decode_lay(int(moves[best]))
        other = both - card if beside[best] != NOWHERE else NO_CARD
        lay_two(board, parts, card, cell, other, beside[best], survey, laid)
        look_further(board, parts, without(without(coming, card), other), hand, laid, found[best])
        take_up(board, cell, beside[best])
        looked_at[best] = 1
        for i in range(count):
            its_card, its_cell = decode_lay(int(moves[i]))
            if its_card == other and its_cell == beside[best] and beside[i] == cell:
                looked_at[i] = 1  # the same in the other order
                for k in range(WORTH, PROMISE):
                    found[i, k] = found[best, k]
    for i in range(count):
        if looked_at[i] == 0:
            for k in range(WORTH, PROMISE):
                found[i, k] = found[last, k] + found[i, PROMISE] - found[last, PROMISE]


@inlined
def lay_two(board, parts, card, cell, other, beside, survey, out):
    """`lay` for two cards, each unless its cell is NOWHERE."""
    for i in range(SURVEY):
        out[i] = survey[i]
    if cell != NOWHERE:
        lay(board, parts, card, cell, out, out)
    if beside != NOWHERE:
        lay(board, parts, other, beside, out, out)


@inlined
def take_up(board, cell, beside):
    """Take the cards off two cells, or off those that are not NOWHERE."""
    if cell != NOWHERE:
        board[cell] = NO_CARD
    if beside != NOWHERE:
        board[beside] = NO_CARD


# What an island may come to


@compiled
def tell_island(board, parts, coming, hand, card, cell, other, beside, survey, found):
    """Write what an island promises and what it may come to with these cards, laid each unless its cell is NOWHERE."""
    laid = scratch(SURVEY, np.int64)
    lay_two(board, parts, card, cell, other, beside, survey, laid)
    left = without(without(coming, card), other)
    tell_promise(board, parts, left, laid, found)
    look_further(board, parts, left, hand, laid, found)
    take_up(board, cell, beside)


@compiled
def look_further(board, parts, coming, hand, survey, found):
    """Try each card that is still to come on an island."""
    worths = scratch(CARDS, np.int64)
    places = scratch(CARDS, np.int64)
    try_cards(coming, open_cells(survey[OCCUPIED], parts), board, parts, coming, survey, worths, places)
    total = 0
    weights = 0
    luck = -1
    kept = -1
    for card in range(CARDS):
        if coming >> card & 1:
            weight = IN_HAND if hand >> card & 1 else 1
            total += weight * worths[card]
            weights += weight
            luck = max(luck, worths[card])
            if hand >> card & 1:
                kept = max(kept, worths[card])
    if luck < 0:  # nothing can be laid any more
        luck = total = promise(board, parts, coming, survey)
        weights = 1
    mean = total / (weights * WHOLE)
    found[WORTH] = found[BOTH] = found[ALONE] = mean + FURTHER * (mean - found[PROMISE])
    found[KEPT] = kept / WHOLE if kept >= 0 else mean
    found[LUCK] = luck / WHOLE


@compiled
def tell_promise(board, parts, coming, survey, found):
    """Write what an island promises, and each colour's part of it."""
    cards = count_bits(coming)
    free = free_cells(survey[OCCUPIED], parts)
    total = SPARE * cards
    for colour in range(COLOUR_COUNT):
        worth = hope(board, parts, colour, coming, cards, survey, free)[0]
        found[COLOUR + colour] = worth / WHOLE
        total += worth
    found[PROMISE] = total / WHOLE
