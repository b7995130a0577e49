"""What players that learn are told of each move of Karuba: what the island is worth when everything that is known to
come has been laid, and one more card.

Both cards of a round are laid where the advice rates the island highest. Then each card that is still to come is laid
where it is best, and the island is worth the mean of that, in which the cards that stay in the hand count more.
"""

# mypy: disable-error-code="no-untyped-def"

import numpy as np

from atoll.core.compiling import compiled, inlined
from atoll.core.considering import Consideration
from atoll.core.copying import scratch
from atoll.games.karuba.advice import (
    CARDS,
    MAX_SUM,
    OCCUPIED,
    SPARE,
    STEPS,
    SURVEY,
    WHOLE,
    chances_of_sums,
    count_bits,
    free_cells,
    hope,
    lay,
    look_over,
    promise,
    without,
)
from atoll.games.karuba.islands import open_cells, within_frame
from atoll.games.karuba.moves import CHOOSE_CARDS, DISCARD_CARD, PAIRS, decode_lay
from atoll.games.karuba.rules import sum_of_choice
from atoll.games.karuba.state import (
    CELLS,
    CHOOSE,
    CHOSEN_CARDS,
    COLOURS,
    DISCARD,
    MAX_CARDS,
    MAX_PLAYERS,
    NO_CARD,
    NOWHERE,
)
from atoll.games.karuba.view import cards_to_come

CONSIDERED = (
    Consideration("worth", "points that the island may come to, as likely as both cards are laid"),
    Consideration("both", "points that it may come to with both cards laid"),
    Consideration("alone", "points that it may come to with the better card alone"),
    Consideration("spared", "chance that somebody else's sum is lower", 0.25),
    Consideration("kept", "points that it may come to once the better card of the hand is laid"),
    Consideration("luck", "points that it may come to with the most welcome card"),
    Consideration("promise", "points that it promises as it lies then"),
    *(Consideration(colour, f"points of these that {colour} promises") for colour in COLOURS),
    *(
        Consideration(
            f"other {place}", "points that the island of so manieth seat after this one promises", 4.0
        )
        for place in range(1, MAX_PLAYERS)
    ),
)
WORTH, BOTH, ALONE, SPARED, KEPT, LUCK, PROMISE, COLOUR = range(8)
OTHER = COLOUR + len(COLOURS)

MOST_PLACES = CHOSEN_CARDS * CELLS
"""Moves that lay a card, at most."""
COLOUR_COUNT = len(COLOURS)
IN_HAND = 3
"""How much a card in the hand counts, and one in the pile 1."""
FURTHER = 1.0
"""How much of what one more card brings counts for those after it."""
LOOKED_AT = 6
"""Islands, those that promise most, on which the cards to come are tried."""


@compiled
def consider(view, parts, moves, count, found):
    """Write what CONSIDERED says of each move of the view's seat into `found`, float32 of shape (count, 16)."""
    seat = int(view.seat)
    coming = cards_to_come(view, parts, seat)
    hand = 0
    for i in range(view.hand_count[seat]):
        hand |= 1 << int(view.hand[seat, i])
    board = scratch(CELLS, np.int8)
    survey = scratch(SURVEY, np.int64)
    room = scratch(SURVEY, np.int64)
    steps = scratch(STEPS, np.int64)
    for other in range(1, MAX_PLAYERS):
        worth = 0.0
        if other < view.players:
            whose = (seat + other) % int(view.players)
            for cell in range(CELLS):
                board[cell] = view.island[whose, cell]
            look_over(board, parts, survey)
            worth = promise(board, parts, cards_to_come(view, parts, whose), survey, steps) / WHOLE
        for i in range(count):
            found[i, OTHER + other - 1] = worth
    for cell in range(CELLS):
        board[cell] = view.island[seat, cell]
    look_over(board, parts, survey)
    if view.phase == CHOOSE:
        consider_choices(view, parts, board, coming, hand, survey, room, steps, moves, count, found)
        return
    if view.phase == DISCARD:
        for i in range(count):
            card = int(moves[i]) - DISCARD_CARD + 1
            other = sum_of_choice(view, seat) - card
            consider_alone(board, parts, without(coming, card), hand, other, survey, room, steps, found[i])
            found[i, SPARED] = 0
        return
    consider_places(view, parts, board, coming, hand, survey, room, steps, moves, count, found)


# Choosing and discarding


@compiled
def consider_choices(view, parts, board, coming, hand, survey, room, steps, moves, count, found):
    """Two cards: both laid, or the better one only, as likely as their sum is the lowest."""
    safe = scratch(MAX_SUM, np.int64)
    chances_of_sums(view, parts, safe)
    for i in range(count):
        pair = PAIRS[int(moves[i]) - CHOOSE_CARDS]
        first, second = int(pair[0]), int(pair[1])
        kept = without(without(hand, first), second)
        alone = np.float32(0)
        for _ in range(CHOSEN_CARDS):
            consider_alone(board, parts, without(coming, second), kept, first, survey, room, steps, found[i])
            alone = max(alone, found[i, BOTH])
            first, second = second, first
        consider_both(board, parts, coming, kept, first, second, survey, room, steps, found[i])
        lowest = np.float32(safe[first + second] / WHOLE)
        found[i, ALONE] = alone
        found[i, SPARED] = 1 - lowest
        found[i, WORTH] = found[i, BOTH] + (alone - found[i, BOTH]) * lowest


@compiled
def consider_alone(board, parts, coming, hand, card, survey, room, steps, found):
    """A card laid where it is best; nothing can be laid on a full island."""
    laid = scratch(SURVEY, np.int64)
    cells = open_cells(survey[OCCUPIED], int(parts.frame))
    cell = best_place_among(cells, board, parts, coming, card, survey, laid, steps)[0]
    if cell == NOWHERE:
        tell_island(board, parts, without(coming, card), hand, survey, room, steps, found)
        return
    lay(board, parts, card, cell, survey, laid)
    tell_island(board, parts, without(coming, card), hand, laid, room, steps, found)
    board[cell] = NO_CARD


@compiled
def consider_both(board, parts, coming, hand, first, second, survey, room, steps, found):
    """Two cards laid where they are best together."""
    laid = scratch(SURVEY, np.int64)
    both = scratch(SURVEY, np.int64)
    frame = int(parts.frame)
    at_once = open_cells(survey[OCCUPIED], frame)
    left = without(without(coming, first), second)
    best = -1
    best_card, best_cell, best_other, best_beside = NO_CARD, NOWHERE, NO_CARD, NOWHERE
    for order in range(CHOSEN_CARDS):
        for cell in range(CELLS):
            if at_once >> cell & 1:
                lay(board, parts, first, cell, survey, laid)
                cells = open_cells(laid[OCCUPIED], frame)
                if order == 1:
                    cells &= ~at_once  # the others were looked at in the other order
                beside, worth = best_place_among(
                    cells, board, parts, without(coming, first), second, laid, room, steps
                )
                board[cell] = NO_CARD
                if worth > best:
                    best = worth
                    best_card, best_cell, best_other, best_beside = first, cell, second, beside
        first, second = second, first
    if best_cell == NOWHERE:
        tell_island(board, parts, left, hand, survey, room, steps, found)
        return
    lay(board, parts, best_card, best_cell, survey, laid)
    lay(board, parts, best_other, best_beside, laid, both)
    tell_island(board, parts, left, hand, both, room, steps, found)
    board[best_cell] = NO_CARD
    board[best_beside] = NO_CARD


# Laying


@compiled
def consider_places(view, parts, board, coming, hand, survey, room, steps, moves, count, found):
    """A card on a cell, and the other one of the round where it is best then; the cards to come are tried on the
    islands that promise most.
    """
    laid = scratch(SURVEY, np.int64)
    others = scratch(
        MOST_PLACES, np.int64
    )  # of each move: the other card of the round, if that is to be laid too
    beside = scratch(MOST_PLACES, np.int64)  # and where it lies then
    looked_at = scratch(MOST_PLACES, np.int8)
    seat = int(view.seat)
    both_wait = int(view.to_lay[seat]) == (1 << CHOSEN_CARDS) - 1
    for i in range(count):
        card, cell = decode_lay(int(moves[i]))
        others[i] = NO_CARD
        left = without(coming, card)
        lay(board, parts, card, cell, survey, laid)
        if both_wait:
            other = sum_of_choice(view, seat) - card
            cells = open_cells(laid[OCCUPIED], int(parts.frame))
            beside[i] = best_place_among(cells, board, parts, left, other, laid, room, steps)[0]
            if beside[i] != NOWHERE:
                others[i] = other
                lay(board, parts, other, beside[i], laid, laid)
        tell_promise(board, parts, without(left, others[i]), laid, steps, found[i])
        clear(board, cell, others[i], beside[i])
        looked_at[i] = 0
    look_at_best(
        board, parts, coming, hand, survey, room, steps, moves, count, others, beside, looked_at, found
    )


@compiled
def look_at_best(
    board, parts, coming, hand, survey, room, steps, moves, count, others, beside, looked_at, found
):
    """Try the cards to come on the islands that promise most; the others are rated by what they promise less."""
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
        other = others[best]
        lay(board, parts, card, cell, survey, laid)
        if other != NO_CARD:
            lay(board, parts, other, beside[best], laid, laid)
        left = without(without(coming, card), other)
        look_further(board, parts, left, hand, laid, room, steps, found[best])
        clear(board, cell, other, beside[best])
        looked_at[best] = 1
        for i in range(count):
            its_card, its_cell = decode_lay(int(moves[i]))
            if others[i] == card and its_card == other and its_cell == beside[best] and beside[i] == cell:
                looked_at[i] = 1  # the same in the other order
                for k in range(WORTH, PROMISE):
                    found[i, k] = found[best, k]
    for i in range(count):
        if looked_at[i] == 0:
            for k in range(WORTH, PROMISE):
                found[i, k] = found[last, k] + found[i, PROMISE] - found[last, PROMISE]
        found[i, SPARED] = 0


@inlined
def clear(board, cell, other, beside):
    """Take a card off its cell, and the other one, if there is any, off the cell beside."""
    board[cell] = NO_CARD
    if other != NO_CARD:
        board[beside] = NO_CARD


# What an island may come to


@compiled
def tell_island(board, parts, coming, hand, survey, room, steps, found):
    """Write what an island promises and what it may come to."""
    tell_promise(board, parts, coming, survey, steps, found)
    look_further(board, parts, coming, hand, survey, room, steps, found)


@compiled
def look_further(board, parts, coming, hand, survey, room, steps, found):
    """Try each card that is still to come on an island."""
    worths = scratch(CARDS, np.int64)
    places = scratch(CARDS, np.int64)
    cells = open_cells(survey[OCCUPIED], int(parts.frame))
    try_cards(coming, cells, board, parts, coming, survey, room, steps, worths, places)
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
        luck = total = promise(board, parts, coming, survey, steps)
        weights = 1
    mean = total / (weights * WHOLE)
    found[WORTH] = found[BOTH] = found[ALONE] = mean + FURTHER * (mean - found[PROMISE])
    found[KEPT] = kept / WHOLE if kept >= 0 else mean
    found[LUCK] = luck / WHOLE


@compiled
def try_cards(cards, cells, board, parts, coming, survey, room, steps, worths, places):
    """Write of each of some cards, all of them to come, what the island promises at most with it on one of the cells,
    and which that is, or -1 and NOWHERE.

    What a colour promises is found anew only where a card can change it.
    """
    own = scratch(CARDS, np.int64)  # the colours whose card it is
    for card in range(CARDS):
        worths[card] = -1
        places[card] = NOWHERE
        own[card] = 0
    left = count_bits(coming) - 1
    free = free_cells(survey, parts)
    path = scratch(MAX_CARDS, np.int64)
    before = scratch(COLOUR_COUNT, np.int64)
    near = scratch(COLOUR_COUNT, np.int64)
    total = SPARE * left
    for colour in range(len(COLOURS)):
        before[colour], near[colour] = hope(board, parts, colour, coming, left, survey, free, steps, path)
        total += before[colour]
        own[int(parts.adventurer_card[colour])] |= 1 << colour
        own[int(parts.temple_card[colour])] |= 1 << colour
    for cell in range(CELLS):
        if not cells >> cell & 1:
            continue
        occupied = survey[OCCUPIED] | 1 << cell
        then = within_frame(occupied, int(parts.frame)) & ~occupied
        changed = 0
        for colour in range(len(COLOURS)):
            if near[colour] & free & ~then:
                changed |= 1 << colour
        for card in range(CARDS):
            if not cards >> card & 1:
                continue
            anew = changed | own[card]
            worth = total
            if anew != 0:
                lay(board, parts, card, cell, survey, room)
                for colour in range(len(COLOURS)):
                    if anew >> colour & 1:
                        worth -= before[colour]
                        worth += hope(
                            board, parts, colour, without(coming, card), left, room, then, steps, path
                        )[0]
                board[cell] = NO_CARD
            if worth > worths[card]:
                worths[card] = worth
                places[card] = cell


@inlined
def best_place_among(cells, board, parts, coming, card, survey, room, steps):
    """Of some cells the one on which a card is best laid, and what the island promises then; NOWHERE and -1 of none."""
    worths = scratch(CARDS, np.int64)
    places = scratch(CARDS, np.int64)
    try_cards(1 << card, cells, board, parts, coming, survey, room, steps, worths, places)
    return places[card], worths[card]


@compiled
def tell_promise(board, parts, coming, survey, steps, found):
    """Write what an island promises, and each colour's part of it."""
    cards = count_bits(coming)
    free = free_cells(survey, parts)
    path = scratch(MAX_CARDS, np.int64)
    total = SPARE * cards
    for colour in range(len(COLOURS)):
        worth = hope(board, parts, colour, coming, cards, survey, free, steps, path)[0]
        found[COLOUR + colour] = worth / WHOLE
        total += worth
    found[PROMISE] = total / WHOLE
