"""The features of a move of Karuba, for bots that learn: what the island is worth with the cards of this round and one
card more.

Both cards of the round are laid where `advice.py` rates the island highest. Then each card that may still be laid is
tried where it is best; the island is worth the mean of these, in which cards in the hand count more.
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
            f"other {place}",
            "points that the island of another seat promises, by its distance clockwise",
            4.0,
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
TRIED_ISLANDS = 6
"""Islands, those that promise most, on which the cards to come are tried."""


@compiled
def write_features(view, parts, moves, count, features):
    """Write each move's MOVE_FEATURES, for the view's seat, into `features`, float32 of shape (count, 16)."""
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
            features[i, OTHER + place - 1] = worth
    look_over(view.island[seat], parts, board, survey)
    future = cards_to_come(view, parts, seat)
    hand = cards_in(view.hand[seat], view.hand_count[seat])
    if view.phase == CHOOSE:
        write_choices(view, parts, board, future, hand, survey, moves, count, features)
        return
    if view.phase == DISCARD:
        for i in range(count):
            card = int(moves[i]) - DISCARD_CARD + 1
            other = sum_of_choice(view, seat) - card
            write_alone(board, parts, without(future, card), hand, other, survey, features[i])
    else:
        write_places(view, parts, board, future, hand, survey, moves, count, features)
    for i in range(count):
        features[i, SPARED] = 0


# Choosing and discarding


@compiled
def write_choices(view, parts, board, future, hand, survey, moves, count, features):
    """Two cards: both laid, or the better one only, as likely as their sum is the lowest."""
    safe = scratch(MAX_SUM, np.int64)
    chances_of_sums(view, parts, safe)
    for i in range(count):
        pair = PAIRS[int(moves[i]) - CHOOSE_CARDS]
        first, second = int(pair[0]), int(pair[1])
        rest = without(without(hand, first), second)
        alone = np.float32(0)
        for _ in range(CHOSEN_CARDS):
            write_alone(board, parts, without(future, second), rest, first, survey, features[i])
            alone = max(alone, features[i, BOTH])
            first, second = second, first
        write_both(board, parts, future, rest, first, second, survey, features[i])
        lowest = np.float32(safe[first + second] / WHOLE)
        features[i, ALONE] = alone
        features[i, SPARED] = 1 - lowest
        features[i, WORTH] = features[i, BOTH] + (alone - features[i, BOTH]) * lowest


@compiled
def write_alone(board, parts, future, hand, card, survey, features):
    """A card laid where it is best."""
    cell = best_place(open_cells(survey[OCCUPIED], parts), board, parts, future, card, survey)[0]
    write_island(board, parts, future, hand, card, cell, NO_CARD, NOWHERE, survey, features)


@compiled
def write_both(board, parts, future, hand, first, second, survey, features):
    """Two cards laid where they are best together."""
    outcome = scratch(SURVEY, np.int64)
    at_once = open_cells(survey[OCCUPIED], parts)
    best = -1
    card, cell, other, beside = first, NOWHERE, second, NOWHERE
    for order in range(CHOSEN_CARDS):
        for one in range(CELLS):
            if at_once >> one & 1:
                lay(board, parts, first, one, survey, outcome)
                cells = open_cells(outcome[OCCUPIED], parts)
                if order == 1:
                    cells &= ~at_once  # the others were looked at in the other order
                two, worth = best_place(cells, board, parts, without(future, first), second, outcome)
                board[one] = NO_CARD
                if worth > best:
                    best = worth
                    card, cell, other, beside = first, one, second, two
        first, second = second, first
    write_island(board, parts, future, hand, card, cell, other, beside, survey, features)


# Laying


@compiled
def write_places(view, parts, board, future, hand, survey, moves, count, features):
    """A card on a cell, and the other one of the round where it is best then; the cards to come are tried on the
    islands that promise most.
    """
    outcome = scratch(SURVEY, np.int64)
    beside = scratch(MOST_PLACES, np.int64)  # of each move: where the other card of the round is best then
    seat = int(view.seat)
    both = sum_of_choice(view, seat)
    both_wait = int(view.to_lay[seat]) == (1 << CHOSEN_CARDS) - 1
    for i in range(count):
        card, cell = decode_lay(int(moves[i]))
        rest = without(future, card)
        lay(board, parts, card, cell, survey, outcome)
        beside[i] = NOWHERE
        if both_wait:
            other = both - card
            beside[i] = best_place(open_cells(outcome[OCCUPIED], parts), board, parts, rest, other, outcome)[
                0
            ]
            if beside[i] != NOWHERE:
                rest = without(rest, other)
                lay(board, parts, other, beside[i], outcome, outcome)
        write_promise(board, parts, rest, outcome, features[i])
        take_up(board, cell, beside[i])
    try_best_islands(board, parts, future, hand, survey, moves, count, both, beside, features)


@compiled
def try_best_islands(board, parts, future, hand, survey, moves, count, both, beside, features):
    """Try the cards to come on the islands that promise most; the others are rated by what they promise less."""
    is_tried = scratch(MOST_PLACES, np.int8)
    for i in range(count):
        is_tried[i] = 0
    outcome = scratch(SURVEY, np.int64)
    last = NOWHERE
    for _ in range(TRIED_ISLANDS):
        best = NOWHERE
        for i in range(count):
            if is_tried[i] == 0 and (best == NOWHERE or features[i, PROMISE] > features[best, PROMISE]):
                best = i
        if best == NOWHERE:
            break
        last = best
        card, cell = decode_lay(int(moves[best]))
        other = both - card if beside[best] != NOWHERE else NO_CARD
        lay_two(board, parts, card, cell, other, beside[best], survey, outcome)
        write_prospect(board, parts, without(without(future, card), other), hand, outcome, features[best])
        take_up(board, cell, beside[best])
        is_tried[best] = 1
        for i in range(count):
            its_card, its_cell = decode_lay(int(moves[i]))
            if its_card == other and its_cell == beside[best] and beside[i] == cell:
                is_tried[i] = 1  # the same in the other order
                for k in range(WORTH, PROMISE):
                    features[i, k] = features[best, k]
    for i in range(count):
        if is_tried[i] == 0:
            for k in range(WORTH, PROMISE):
                features[i, k] = features[last, k] + features[i, PROMISE] - features[last, PROMISE]


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
def write_island(board, parts, future, hand, card, cell, other, beside, survey, features):
    """Write what an island promises and what it may come to with these cards, laid each unless its cell is NOWHERE."""
    outcome = scratch(SURVEY, np.int64)
    lay_two(board, parts, card, cell, other, beside, survey, outcome)
    rest = without(without(future, card), other)
    write_promise(board, parts, rest, outcome, features)
    write_prospect(board, parts, rest, hand, outcome, features)
    take_up(board, cell, beside)


@compiled
def write_prospect(board, parts, future, hand, survey, features):
    """Try each card that is still to come on an island."""
    worths = scratch(CARDS, np.int64)
    places = scratch(CARDS, np.int64)
    try_cards(future, open_cells(survey[OCCUPIED], parts), board, parts, future, survey, worths, places)
    total = 0
    weights = 0
    luck = -1
    best_in_hand = -1
    for card in range(CARDS):
        if future >> card & 1:
            weight = IN_HAND if hand >> card & 1 else 1
            total += weight * worths[card]
            weights += weight
            luck = max(luck, worths[card])
            if hand >> card & 1:
                best_in_hand = max(best_in_hand, worths[card])
    if luck < 0:  # nothing can be laid any more
        luck = total = promise(board, parts, future, survey)
        weights = 1
    mean = total / (weights * WHOLE)
    features[WORTH] = features[BOTH] = features[ALONE] = mean + FURTHER * (mean - features[PROMISE])
    features[KEPT] = best_in_hand / WHOLE if best_in_hand >= 0 else mean
    features[LUCK] = luck / WHOLE


@compiled
def write_promise(board, parts, future, survey, features):
    """Write what an island promises, and each colour's part of it."""
    cards = count_bits(future)
    free = free_cells(survey[OCCUPIED], parts)
    total = SPARE * cards
    for colour in range(COLOUR_COUNT):
        worth = hope(board, parts, colour, future, cards, survey, free)[0]
        features[COLOUR + colour] = worth / WHOLE
        total += worth
    features[PROMISE] = total / WHOLE
