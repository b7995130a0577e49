"""What a sensible player of Karuba goes by, as a number for each legal move; higher is better.

An island is worth what its adventurers may still bring: for each colour the points of the easiest way to the temple,
less for every card that is missing on it, and the less cards there are still to come. What is chosen counts as it
could be laid best, with one card less as likely as the others' choices add up to more.
"""

# mypy: disable-error-code="no-untyped-def"

import numpy as np

from atoll.core.compiling import compiled
from atoll.games.karuba.moves import CHOOSE_CARDS, DISCARD_CARD, LAY_CARD, PAIRS
from atoll.games.karuba.scoring import passes
from atoll.games.karuba.state import (
    CELLS,
    CHOOSE,
    COLOURS,
    DISCARD,
    MAX_CARDS,
    MIDDLE,
    NEIGHBOURS,
    NO_CARD,
    NOWHERE,
    SPAN,
)

# In thousandths of a point.
WHOLE = 1000
SCARCE = 3  # among n cards to come, one that fits is found n times in n + SCARCE
FAR = 4  # ways with as many missing cards are not looked for
UNBEGUN = 3  # missing cards, where neither adventurer nor temple lies
SPARE = 60  # every card that is still to come

# Rows of the room to work in, int64 of shape (ROWS, CELLS).
WHERE = 0  # by card: its cell, or NOWHERE
INSIDE = 1  # by cell: 1 if the island may still reach it
GAPS = 2  # by cell: the least number of missing cards on a way to it
WORTH = 3  # by cell: the points on that way
REACHED = 4  # cells in the order in which a search comes to them
BEYOND = 5  # cells that it comes to with one more missing card
OPEN = 6  # cells on which a card could be laid
ROWS = 7


@compiled
def advise(view, parts, moves, count, scores):
    """Write the worth of each move to the view's seat into `scores`, int32 of shape (count,)."""
    seat = int(view.seat)
    coming = cards_to_come(view, parts, seat)
    board = view.island[seat].copy()
    work = np.empty((ROWS, CELLS), dtype=np.int64)
    for i in range(count):
        action = int(moves[i])
        if view.phase == CHOOSE:
            first, second = PAIRS[action - CHOOSE_CARDS]
            scores[i] = worth_of_choice(view, parts, board, coming, first, second, work)
        elif view.phase == DISCARD:
            card = action - DISCARD_CARD + 1
            other = int(view.chosen[seat, 0]) + int(view.chosen[seat, 1]) - card
            scores[i] = best_place(board, parts, without(coming, card), other, work)[1]
        else:
            card, cell = (action - LAY_CARD) // CELLS + 1, (action - LAY_CARD) % CELLS
            scores[i] = worth_of_laying(board, parts, coming, card, cell, work)


@compiled
def cards_to_come(view, parts, seat):
    """The bit set of a seat's cards that may still be laid: all that are neither laid nor discarded."""
    gone = 0
    for i in range(view.discard_count[seat]):
        gone |= 1 << int(view.discarded[seat, i])
    for cell in range(CELLS):
        gone |= 1 << int(view.island[seat, cell])
    return ((2 << int(parts.cards)) - 2) & ~gone


@compiled
def without(cards, card):
    """A bit set of cards less one of them."""
    return cards & ~(1 << card)


# Choosing


@compiled
def worth_of_choice(view, parts, board, coming, first, second, work):
    """Both cards laid, or the better one only, as likely as the sum is the lowest."""
    both = worth_of_two(board, parts, coming, first, second, work)
    one = max(
        best_place(board, parts, without(coming, second), first, work)[1],
        best_place(board, parts, without(coming, first), second, work)[1],
    )
    return both + (one - both) * risk_of_lowest(view, parts, first + second) // WHOLE


@compiled
def risk_of_lowest(view, parts, total):
    """How likely nobody else's sum is lower, in thousandths, if the others choose any two cards that they may have."""
    risk = WHOLE
    for other in range(view.players):
        if other != view.seat:
            cards = cards_to_come(view, parts, other)
            pairs = 0
            others = 0
            for high in range(1, int(parts.cards) + 1):
                if cards >> high & 1:
                    for low in range(1, high):
                        if cards >> low & 1:
                            pairs += 1
                            if low + high >= total:
                                others += 1
            risk = risk * others // pairs
    return risk


@compiled
def worth_of_two(board, parts, coming, first, second, work):
    """The island after the better of two cards was laid where it is best, then the other."""
    cell, worth = best_place(board, parts, coming, first, work)
    other_cell, other_worth = best_place(board, parts, coming, second, work)
    card, other = first, second
    if other_worth > worth:
        card, other, cell = second, first, other_cell
    board[cell] = card
    worth = best_place(board, parts, without(coming, card), other, work)[1]
    board[cell] = NO_CARD
    return worth


# Laying


@compiled
def best_place(board, parts, coming, card, work):
    """The cell on which a card is best laid, and what the island is worth then."""
    survey(board, parts, work)
    count = 0
    for cell in range(CELLS):
        if work[INSIDE, cell] and board[cell] == NO_CARD and (cell == MIDDLE or touches(board, cell)):
            work[OPEN, count] = cell
            count += 1
    best = -1
    best_cell = NOWHERE
    for i in range(count):
        cell = work[OPEN, i]
        worth = worth_of_laying(board, parts, coming, card, cell, work)
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
def worth_of_laying(board, parts, coming, card, cell, work):
    """The island with a card on a cell."""
    board[cell] = card
    worth = promise(board, parts, without(coming, card), work)
    board[cell] = NO_CARD
    return worth


# What an island is worth


@compiled
def survey(board, parts, work):
    """Note where every card lies, and which cells the island may still reach: of an empty one, its first."""
    for card in range(MAX_CARDS + 1):
        work[WHERE, card] = NOWHERE
    west, east, north, south = SPAN, -1, SPAN, -1
    cell = 0
    for row in range(SPAN):
        for column in range(SPAN):
            if board[cell] != NO_CARD:
                work[WHERE, board[cell]] = cell
                west, east = min(west, column), max(east, column)
                north, south = min(north, row), max(south, row)
            cell += 1
    reach = int(parts.frame) - 1
    if east < 0:
        west = east = north = south = SPAN // 2
        reach = 0
    cell = 0
    for row in range(SPAN):
        for column in range(SPAN):
            inside = east - reach <= column <= west + reach and south - reach <= row <= north + reach
            work[INSIDE, cell] = 1 if inside else 0
            cell += 1


@compiled
def promise(board, parts, coming, work):
    """What an island may still bring, in thousandths of a point."""
    survey(board, parts, work)
    cards = 0
    for card in range(1, int(parts.cards) + 1):
        cards += coming >> card & 1
    worth = SPARE * cards
    for colour in range(len(COLOURS)):
        worth += hope(board, parts, colour, coming, cards, work)
    return worth


@compiled
def hope(board, parts, colour, coming, cards, work):
    """What a colour's adventurer may still bring, with so many cards to come."""
    adventurer, temple = int(parts.adventurer_card[colour]), int(parts.temple_card[colour])
    origin, goal = work[WHERE, adventurer], work[WHERE, temple]
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
    for cell in range(CELLS):
        work[GAPS, cell] = FAR
    work[GAPS, origin] = 0
    work[WORTH, origin] = int(parts.adventurer_points) + int(parts.treasure_points[board[origin]])
    work[REACHED, 0] = origin
    count = 1
    best = 0
    for layer in range(FAR):
        found, beyond = search_layer(board, parts, colour, missing, layer, count, work)
        best = max(best, likely(found, cards, layer + 1))
        if goal != NOWHERE and work[GAPS, goal] == layer:
            return likely(int(work[WORTH, goal]), cards, layer)
        for i in range(beyond):
            work[REACHED, i] = work[BEYOND, i]
        count = beyond
    return best


@compiled
def search_layer(board, parts, colour, missing, layer, count, work):
    """Go on from the `count` cells of a layer.

    Returns the points that the card `missing`, laid beside them, would bring, and how many cells lie beyond.
    """
    found = 0
    beyond = 0
    i = 0
    while i < count:
        cell = work[REACHED, i]
        i += 1
        for edge in range(4):
            other = NEIGHBOURS[cell, edge]
            if other == NOWHERE or not work[INSIDE, other] or not open_to(board[cell], parts, edge):
                continue
            card = int(board[other])
            if card == NO_CARD:
                if missing != NO_CARD and open_to(missing, parts, edge ^ 2):
                    found = max(found, work[WORTH, cell] + int(parts.treasure_points[missing]))
                if work[GAPS, other] > layer + 1:
                    work[GAPS, other] = layer + 1
                    work[WORTH, other] = work[WORTH, cell]
                    work[BEYOND, beyond] = other
                    beyond += 1
            elif work[GAPS, other] > layer and open_to(card, parts, edge ^ 2) and passes(card, parts, colour):
                work[GAPS, other] = layer
                work[WORTH, other] = work[WORTH, cell] + int(parts.treasure_points[card])
                work[REACHED, count] = other
                count += 1
    return found, beyond


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
