"""What a sensible player of Karuba goes by, as a number for each legal move; higher is better.

An island is worth what its adventurers may still bring: for each colour the points of the easiest way to the temple,
less for every card that is missing on it, and the less cards there are still to come. What is chosen counts as it
could be laid best, with one card less as likely as the others' choices add up to more.
"""

# mypy: disable-error-code="no-untyped-def"

import numpy as np

from atoll.core.compiling import compiled
from atoll.games.karuba.moves import CHOOSE_CARDS, DISCARD_CARD, LAY_CARD, PAIRS
from atoll.games.karuba.scoring import find_card, passes
from atoll.games.karuba.state import (
    CELLS,
    CHOOSE,
    CHOSEN_CARDS,
    COLOURS,
    DISCARD,
    MAX_CARDS,
    MIDDLE,
    NEIGHBOURS,
    NO_CARD,
    NOWHERE,
    SPAN,
)
from atoll.games.karuba.view import unseen_cards

# In thousandths of a point.
WHOLE = 1000
SCARCE = 3  # among n cards to come, one that fits is found n times in n + SCARCE
FAR = 4  # ways with as many missing cards are not looked for
UNBEGUN = 3  # missing cards, where neither adventurer nor temple lies
SPARE = 60  # every card that is still to come


@compiled
def advise(view, parts, moves, count, scores):
    """Write the worth of each move to the view's seat into `scores`, int32 of shape (count,)."""
    seat = int(view.seat)
    coming = cards_to_come(view, parts, seat)
    board = view.island[seat].copy()
    work = np.empty((4, CELLS), dtype=np.int64)
    for i in range(count):
        action = int(moves[i])
        if view.phase == CHOOSE:
            first, second = PAIRS[action - CHOOSE_CARDS]
            both = worth_of_two(board, parts, coming, first, second, work)
            one = max(
                worth_of_one(board, parts, coming & ~(1 << second), first, work),
                worth_of_one(board, parts, coming & ~(1 << first), second, work),
            )
            risk = risk_of_lowest(view, parts, seat, first + second)
            scores[i] = both + (one - both) * risk // WHOLE
        elif view.phase == DISCARD:
            card = action - DISCARD_CARD + 1
            other = int(view.chosen[seat, 0]) + int(view.chosen[seat, 1]) - card
            scores[i] = worth_of_one(board, parts, coming & ~(1 << card), other, work)
        else:
            card, cell = (action - LAY_CARD) // CELLS + 1, (action - LAY_CARD) % CELLS
            board[cell] = card
            scores[i] = promise(board, parts, coming & ~(1 << card), work)
            board[cell] = NO_CARD


@compiled
def cards_to_come(view, parts, seat):
    """The bit set of the seat's cards that may still be laid: those of its pile, its hand and its choice."""
    cards = np.empty(MAX_CARDS, dtype=np.int8)
    coming = 0
    for i in range(unseen_cards(view, parts, seat, cards)):
        coming |= 1 << int(cards[i])
    for i in range(view.hand_count[seat]):
        coming |= 1 << int(view.hand[seat, i])
    for i in range(CHOSEN_CARDS):
        if int(view.to_lay[seat]) >> i & 1:
            coming |= 1 << int(view.chosen[seat, i])
    return coming


@compiled
def risk_of_lowest(view, parts, seat, total):
    """How likely nobody else's sum is lower, in thousandths, if all others choose any two cards that they may have."""
    cards = np.empty(MAX_CARDS, dtype=np.int8)
    risk = WHOLE
    for other in range(view.players):
        if other != seat:
            count = unseen_cards(view, parts, other, cards)
            pairs = 0
            higher = 0
            for i in range(count):
                for j in range(i):
                    pairs += 1
                    if int(cards[i]) + int(cards[j]) >= total:
                        higher += 1
            risk = risk * higher // pairs
    return risk


@compiled
def worth_of_two(board, parts, coming, first, second, work):
    """The island after the better of two cards was laid where it is best, then the other."""
    best = -1
    best_card = first
    best_cell = MIDDLE
    for card in (first, second):
        cell, worth = best_place(board, parts, coming, card, work)
        if worth > best:
            best = worth
            best_card = card
            best_cell = cell
    board[best_cell] = best_card
    worth = worth_of_one(board, parts, coming & ~(1 << best_card), first + second - best_card, work)
    board[best_cell] = NO_CARD
    return worth


@compiled
def worth_of_one(board, parts, coming, card, work):
    """The island after a card was laid where it is best."""
    return best_place(board, parts, coming, card, work)[1]


@compiled
def best_place(board, parts, coming, card, work):
    """The cell on which a card is best laid, and what the island is worth then."""
    west, east, north, south = window(board, parts)
    coming &= ~(1 << card)
    best = -1
    best_cell = NOWHERE
    for row in range(north, south + 1):
        for column in range(west, east + 1):
            cell = row * SPAN + column
            if board[cell] == NO_CARD and (cell == MIDDLE or touches(board, cell)):
                board[cell] = card
                worth = promise(board, parts, coming, work)
                board[cell] = NO_CARD
                if worth > best:
                    best = worth
                    best_cell = cell
    return best_cell, best


@compiled
def touches(board, cell):
    """Whether a cell lies edge to edge with a card."""
    for edge in range(4):
        other = NEIGHBOURS[cell, edge]
        if other != NOWHERE and board[other] != NO_CARD:
            return True
    return False


@compiled
def window(board, parts):
    """First and last column, first and last row that the island may still reach."""
    west, east, north, south = SPAN, -1, SPAN, -1
    for cell in range(CELLS):
        if board[cell] != NO_CARD:
            column, row = cell % SPAN, cell // SPAN
            west, east = min(west, column), max(east, column)
            north, south = min(north, row), max(south, row)
    reach = int(parts.frame) - 1
    if east < 0:
        return reach, reach, reach, reach
    return (
        max(0, east - reach),
        min(SPAN - 1, west + reach),
        max(0, south - reach),
        min(SPAN - 1, north + reach),
    )


@compiled
def promise(board, parts, coming, work):
    """What an island may still bring, in thousandths of a point."""
    west, east, north, south = window(board, parts)
    inside = work[0]
    for cell in range(CELLS):
        inside[cell] = west <= cell % SPAN <= east and north <= cell // SPAN <= south
    cards = 0
    for card in range(1, parts.cards + 1):
        cards += coming >> card & 1
    worth = SPARE * cards
    for colour in range(len(COLOURS)):
        worth += hope(board, parts, colour, coming, cards, work)
    return worth


@compiled
def hope(board, parts, colour, coming, cards, work):
    """What a colour's adventurer may still bring, with so many cards to come."""
    adventurer, temple = int(parts.adventurer_card[colour]), int(parts.temple_card[colour])
    origin, goal = find_card(board, adventurer), find_card(board, temple)
    missing = NO_CARD
    if goal == NOWHERE:
        if not coming >> temple & 1:
            return 0
        missing = temple
    if origin == NOWHERE:
        if not coming >> adventurer & 1:
            return 0
        if missing != NO_CARD:
            return likely(int(parts.adventurer_points), cards, UNBEGUN)
        origin, goal, missing = goal, origin, adventurer
    return easiest_way(board, parts, colour, origin, goal, missing, cards, work)


@compiled
def easiest_way(board, parts, colour, origin, goal, missing, cards, work):
    """What the way from a colour's card to its other one may bring: to the cell `goal`, or to any empty cell on which
    the card `missing` could lie.

    The search goes in layers of cells that are reached with as many missing cards.
    """
    _, gaps, worth, reached = work
    for cell in range(CELLS):
        gaps[cell] = FAR
    gaps[origin] = 0
    worth[origin] = int(parts.adventurer_points) + int(parts.treasure_points[board[origin]])
    best = 0
    for layer in range(FAR):
        count = 0
        for cell in range(CELLS):
            if gaps[cell] == layer:
                reached[count] = cell
                count += 1
        best = max(best, search_layer(board, parts, colour, missing, layer, count, cards, work))
        if goal != NOWHERE and gaps[goal] == layer:
            return likely(int(worth[goal]), cards, layer)
        if count == 0:
            break
    return best


@compiled
def search_layer(board, parts, colour, missing, layer, count, cards, work):
    """Go on from the `count` cells of a layer; returns what laying the card `missing` beside them may bring."""
    inside, gaps, worth, reached = work
    best = 0
    i = 0
    while i < count:
        cell = reached[i]
        i += 1
        for edge in range(4):
            other = NEIGHBOURS[cell, edge]
            if other == NOWHERE or not inside[other] or not open_to(board[cell], parts, edge):
                continue
            card = int(board[other])
            if card == NO_CARD:
                if missing != NO_CARD and open_to(missing, parts, edge ^ 2):
                    found = int(worth[cell]) + int(parts.treasure_points[missing])
                    best = max(best, likely(found, cards, layer + 1))
                if gaps[other] > layer + 1:
                    gaps[other] = layer + 1
                    worth[other] = worth[cell]
            elif gaps[other] > layer and open_to(card, parts, edge ^ 2) and passes(card, parts, colour):
                gaps[other] = layer
                worth[other] = worth[cell] + int(parts.treasure_points[card])
                reached[count] = other
                count += 1
    return best


@compiled
def open_to(card, parts, edge):
    """Whether a card has an exit on an edge; an empty cell may get one."""
    return card == NO_CARD or int(parts.exits[card]) >> edge & 1


@compiled
def likely(points, cards, missing):
    """Points in thousandths, less for every missing card, and less the fewer cards are to come."""
    worth = points * WHOLE
    for _ in range(missing):
        worth = worth * cards // (cards + SCARCE)
    return worth
