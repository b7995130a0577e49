"""What a sensible player of Karuba goes by, as a number for each legal move; higher is better.

An island is worth what its adventurers may still bring: for each colour the points of the easiest way to the temple,
less for every card that is missing on it, and the less cards there are still to come. What is chosen counts as it
could be laid best, with one card less as likely as the others' choices add up to more.
"""

# mypy: disable-error-code="no-untyped-def"

import numpy as np

from atoll.core.compiling import compiled
from atoll.core.state import UNKNOWN
from atoll.games.karuba.moves import CHOOSE_CARDS, DISCARD_CARD, LAY_CARD, PAIRS
from atoll.games.karuba.scoring import joined
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
FAR = 5  # ways with as many missing cards are not looked for
ALL_PATH = 60  # of every card that is still to come


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
            card = action - DISCARD_CARD
            other = int(view.chosen[seat, 0]) + int(view.chosen[seat, 1]) - card
            scores[i] = worth_of_one(board, parts, coming & ~(1 << card), other, work)
        else:
            card, cell = (action - LAY_CARD) // CELLS, (action - LAY_CARD) % CELLS
            board[cell] = card
            other = other_to_lay(view, seat, card)
            if other == NO_CARD:
                scores[i] = promise(board, parts, coming & ~(1 << card), work)
            else:
                scores[i] = worth_of_one(board, parts, coming & ~(1 << card), other, work)
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
def other_to_lay(view, seat, card):
    """The other card that the seat has to lay, or NO_CARD."""
    for i in range(CHOSEN_CARDS):
        if int(view.to_lay[seat]) >> i & 1 and view.chosen[seat, i] != card:
            return int(view.chosen[seat, i])
    return NO_CARD


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
    return max(0, east - reach), min(SPAN - 1, west + reach), max(0, south - reach), min(SPAN - 1, north + reach)


@compiled
def promise(board, parts, coming, work):
    """What an island may still bring, in thousandths of a point."""
    west, east, north, south = window(board, parts)
    inside = work[0]
    for cell in range(CELLS):
        inside[cell] = 1 if west <= cell % SPAN <= east and north <= cell // SPAN <= south else 0
    cards = 0
    for card in range(1, parts.cards + 1):
        cards += coming >> card & 1
    worth = 0
    for colour in range(len(COLOURS)):
        worth += hope(board, parts, colour, coming, cards, work)
    return worth + ALL_PATH * cards


@compiled
def hope(board, parts, colour, coming, cards, work):
    """What a colour's adventurer may still bring."""
    adventurer, temple = int(parts.adventurer_card[colour]), int(parts.temple_card[colour])
    origin, goal = NOWHERE, NOWHERE
    for cell in range(CELLS):
        if board[cell] == adventurer:
            origin = cell
        elif board[cell] == temple:
            goal = cell
    if origin == NOWHERE and not coming >> adventurer & 1 or goal == NOWHERE and not coming >> temple & 1:
        return 0
    missing = NO_CARD
    if goal == NOWHERE:
        missing = temple
    if origin == NOWHERE:
        if missing != NO_CARD:
            return 3 * likely(WHOLE, cards, 3)
        origin = goal
        goal = NOWHERE
        missing = adventurer
    inside, cost, worth, queue = work
    for cell in range(CELLS):
        cost[cell] = FAR
    cost[origin] = 0
    worth[origin] = int(parts.treasure_points[board[origin]])
    queue[0] = origin
    count = 1
    best = 0
    base = int(parts.adventurer_points)
    exits = int(parts.exits[missing])
    gain = base + int(parts.treasure_points[missing])
    for layer in range(FAR - 1):
        i = 0
        while i < count:
            cell = queue[i]
            i += 1
            here = int(parts.exits[board[cell]]) if board[cell] != NO_CARD else 15
            for edge in range(4):
                if not here >> edge & 1:
                    continue
                other = NEIGHBOURS[cell, edge]
                if other == NOWHERE or not inside[other]:
                    continue
                card = int(board[other])
                if card == NO_CARD:
                    if missing != NO_CARD and exits >> (edge ^ 2) & 1:
                        best = max(best, (gain + worth[cell]) * likely(WHOLE, cards, layer + 1))
                    if cost[other] > layer + 1:
                        cost[other] = layer + 1
                        worth[other] = worth[cell]
                elif cost[other] > layer and int(parts.exits[card]) >> (edge ^ 2) & 1:
                    if parts.adventurer[card] != -1 and parts.adventurer[card] != colour:
                        continue
                    cost[other] = layer
                    worth[other] = worth[cell] + int(parts.treasure_points[card])
                    queue[count] = other
                    count += 1
        if goal != NOWHERE and cost[goal] == layer:
            return (base + worth[goal]) * likely(WHOLE, cards, layer)
        count = 0
        for cell in range(CELLS):
            if cost[cell] == layer + 1:
                queue[count] = cell
                count += 1
        if count == 0:
            break
    return best


@compiled
def likely(worth, cards, missing):
    """A worth lessened for missing cards of which some are to come."""
    for _ in range(missing):
        worth = worth * cards // (cards + SCARCE)
    return worth
