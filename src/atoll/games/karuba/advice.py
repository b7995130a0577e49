"""Heuristic advice for Karuba: a number for each legal move; higher is better.

An island is worth what its adventurers may still bring: for each colour the points of the easiest way to the temple,
less for every card that is missing on it, and the less cards there are still to come. What is chosen counts as it
could be laid best, with one card less as likely as the others' choices add up to more.

Sets of cells are bits of a 64-bit word, as in `islands.py`.
"""

# mypy: disable-error-code="no-untyped-def"

import numpy as np

from atoll.engine.compiling import compiled, inlined
from atoll.engine.records import scratch
from atoll.games.karuba.islands import BOARD, NOT_FIRST, NOT_LAST, free_cells, open_cells
from atoll.games.karuba.moves import CHOOSE_CARDS, DISCARD_CARD, PAIRS, decode_lay
from atoll.games.karuba.rules import sum_of_choice
from atoll.games.karuba.scoring import is_stopped, passes
from atoll.games.karuba.state import CELLS, CHOOSE, COLOURS, DISCARD, MAX_CARDS, NO_CARD, NOWHERE, SPAN
from atoll.games.karuba.view import cards_in, cards_to_come

# In thousandths of a point.
WHOLE = 1000
SCARCE = 3  # among n cards to come, one that fits is found n times in n + SCARCE
FAR = 4  # ways with as many missing cards are not looked for
UNBEGUN = 3  # missing cards, where neither adventurer nor temple lies
SPARE = 60  # every card that is still to come

# What is known of an island, int64 of shape (SURVEY,).
OCCUPIED = 0  # cells with a card
EXIT = 1  # + edge: cells whose card has an exit there
PASS = EXIT + 4  # + colour: cells whose card the colour may pass
ADVENTURER = PASS + len(COLOURS)  # + colour: the cell of its adventurer, or NOWHERE
TEMPLE = ADVENTURER + len(COLOURS)  # + colour: the cell of its temple, or NOWHERE
SURVEY = TEMPLE + len(COLOURS)

CARDS = MAX_CARDS + 1  # of arrays by card number
MAX_SUM = 2 * MAX_CARDS
STEPS = CELLS + 1  # of a search
COLOUR_COUNT = len(COLOURS)


@compiled
def advise(view, parts, moves, count, scores):
    """Write the worth of each move to the view's seat into `scores`, int32 of shape (count,)."""
    seat = int(view.seat)
    future = cards_to_come(view, parts, seat)
    board = scratch(CELLS, np.int8)
    survey = scratch(SURVEY, np.int64)
    look_over(view.island[seat], parts, board, survey)
    if view.phase == CHOOSE:
        hand = cards_in(view.hand[seat], view.hand_count[seat])
        advise_choice(view, parts, board, future, hand, survey, moves, count, scores)
        return
    outcome = scratch(SURVEY, np.int64)
    cells = open_cells(survey[OCCUPIED], parts)
    for i in range(count):
        action = int(moves[i])
        if view.phase == DISCARD:
            card = action - DISCARD_CARD + 1
            other = sum_of_choice(view, seat) - card
            scores[i] = best_place(cells, board, parts, without(future, card), other, survey)[1]
        else:
            card, cell = decode_lay(action)
            lay(board, parts, card, cell, survey, outcome)
            scores[i] = promise(board, parts, without(future, card), outcome)
            board[cell] = NO_CARD


@compiled
def without(cards, card):
    """A bit set of cards less one of them."""
    return cards & ~(1 << card)


# Choosing


@compiled
def advise_choice(view, parts, board, future, hand, survey, moves, count, scores):
    """Two cards: both laid, or the better one only, as likely as their sum is the lowest."""
    worths = scratch(CARDS, np.int64)  # the island with the card laid where it is best
    places = scratch(CARDS, np.int64)  # where that is
    loss = scratch(CARDS, np.int64)  # what discarding the card costs
    outcome = scratch(SURVEY, np.int64)
    safe = scratch(MAX_SUM, np.int64)
    chances_of_sums(view, parts, safe)
    try_cards(hand, open_cells(survey[OCCUPIED], parts), board, parts, future, survey, worths, places)
    now = promise(board, parts, future, survey)
    for card in range(CARDS):
        if hand >> card & 1:
            loss[card] = now - promise(board, parts, without(future, card), survey)
    for i in range(count):
        pair = PAIRS[int(moves[i]) - CHOOSE_CARDS]
        first, second = int(pair[0]), int(pair[1])
        if worths[second] > worths[first]:
            first, second = second, first
        lay(board, parts, first, places[first], survey, outcome)
        beside = open_cells(outcome[OCCUPIED], parts)
        both = best_place(beside, board, parts, without(future, first), second, outcome)[1]
        board[places[first]] = NO_CARD
        one = max(worths[first] - loss[second], worths[second] - loss[first])
        scores[i] = both + (one - both) * safe[first + second] // WHOLE


@compiled
def chances_of_sums(view, parts, safe):
    """How likely nobody else's sum is lower than each, in thousandths, if the others choose any two of the cards that
    they may have.
    """
    for total in range(MAX_SUM):
        safe[total] = WHOLE
    ways = scratch(MAX_SUM, np.int64)
    for other in range(view.players):
        if other != view.seat:
            cards = cards_to_come(view, parts, other)
            ways[:] = 0
            pairs = 0
            for i in range(len(PAIRS)):
                low, high = PAIRS[i]
                if cards >> low & cards >> high & 1:
                    ways[low + high] += 1
                    pairs += 1
            rest = pairs
            for total in range(MAX_SUM):
                safe[total] = safe[total] * rest // max(1, pairs)
                rest -= ways[total]


# Laying


@compiled
def best_place(cells, board, parts, future, card, survey):
    """Of some cells the one on which a card is best laid, and what the island promises then; NOWHERE and -1 of none."""
    worths = scratch(CARDS, np.int64)
    places = scratch(CARDS, np.int64)
    try_cards(1 << card, cells, board, parts, future, survey, worths, places)
    return places[card], worths[card]


@compiled
def try_cards(cards, cells, board, parts, future, survey, worths, places):
    """Write of each of some cards, all of them to come, what the island promises at most with it on one of the cells,
    and which that is, or -1 and NOWHERE.

    What a colour promises is found anew only where a card can change it.
    """
    own = scratch(CARDS, np.int64)  # the colours whose card it is
    for card in range(CARDS):
        worths[card] = -1
        places[card] = NOWHERE
        own[card] = 0
    rest = count_bits(future) - 1
    free = free_cells(survey[OCCUPIED], parts)
    before = scratch(COLOUR_COUNT, np.int64)
    near = scratch(COLOUR_COUNT, np.int64)
    outcome = scratch(SURVEY, np.int64)
    total = SPARE * rest
    for colour in range(COLOUR_COUNT):
        before[colour], near[colour] = hope(board, parts, colour, future, rest, survey, free)
        total += before[colour]
        own[int(parts.adventurer_card[colour])] |= 1 << colour
        own[int(parts.temple_card[colour])] |= 1 << colour
    for cell in range(CELLS):
        if not cells >> cell & 1:
            continue
        free_after = free_cells(survey[OCCUPIED] | 1 << cell, parts)
        changes = 0
        for colour in range(COLOUR_COUNT):
            if near[colour] & free & ~free_after:
                changes |= 1 << colour
        for card in range(CARDS):
            if not cards >> card & 1:
                continue
            colours = changes | own[card]
            worth = total
            if colours != 0:
                lay(board, parts, card, cell, survey, outcome)
                for colour in range(COLOUR_COUNT):
                    if colours >> colour & 1:
                        worth -= before[colour]
                        worth += hope(board, parts, colour, without(future, card), rest, outcome, free_after)[
                            0
                        ]
                board[cell] = NO_CARD
            if worth > worths[card]:
                worths[card] = worth
                places[card] = cell


@compiled
def look_over(island, parts, board, survey):
    """Copy an island to `board`, and write what is known of it."""
    for i in range(SURVEY):
        survey[i] = 0
    for colour in range(COLOUR_COUNT):
        survey[ADVENTURER + colour] = NOWHERE
        survey[TEMPLE + colour] = NOWHERE
    for cell in range(CELLS):
        board[cell] = island[cell]
        if board[cell] != NO_CARD:
            add_card(survey, parts, int(board[cell]), cell)


@inlined
def lay(board, parts, card, cell, survey, out):
    """Lay a card on `board`, and write what is known of the island then into `out`."""
    for i in range(SURVEY):
        out[i] = survey[i]
    board[cell] = card
    add_card(out, parts, card, cell)


@inlined
def add_card(survey, parts, card, cell):
    """Note a card on a cell."""
    bit = 1 << cell
    survey[OCCUPIED] |= bit
    exits = int(parts.exits[card])
    for edge in range(4):
        if exits >> edge & 1:
            survey[EXIT + edge] |= bit
    for colour in range(COLOUR_COUNT):
        if passes(card, parts, colour):
            survey[PASS + colour] |= bit
        if parts.adventurer_card[colour] == card:
            survey[ADVENTURER + colour] = cell
        if parts.temple_card[colour] == card:
            survey[TEMPLE + colour] = cell


# What an island is worth


@compiled
def promise(board, parts, future, survey):
    """What an island may still bring, in thousandths of a point."""
    cards = count_bits(future)
    worth = SPARE * cards
    free = free_cells(survey[OCCUPIED], parts)
    for colour in range(COLOUR_COUNT):
        worth += hope(board, parts, colour, future, cards, survey, free)[0]
    return worth


@inlined
def count_bits(bits):
    """How many there are."""
    count = 0
    while bits != 0:
        bits &= bits - 1
        count += 1
    return count


@inlined
def hope(board, parts, colour, future, cards, survey, free):
    """What a colour's adventurer may still bring, with so many cards to come and these cells free; and the cells on
    which a card that is not the colour's own may change that.
    """
    if parts.blocked_shortest != 0 and is_stopped(board, parts, colour):
        return 0, BOARD
    adventurer, temple = int(parts.adventurer_card[colour]), int(parts.temple_card[colour])
    origin, goal = int(survey[ADVENTURER + colour]), int(survey[TEMPLE + colour])
    missing = NO_CARD
    if goal == NOWHERE:
        if not future >> temple & 1:
            return 0, 0
        missing = temple
    if origin == NOWHERE:
        if not future >> adventurer & 1:
            return 0, 0
        if missing != NO_CARD:
            return likely(int(parts.adventurer_points), cards, UNBEGUN), 0
        origin, goal, missing = goal, origin, adventurer
    worth, near = easiest_way(board, parts, colour, origin, goal, missing, cards, survey, free)
    return worth, near if parts.blocked_shortest == 0 else BOARD


@inlined
def easiest_way(board, parts, colour, origin, goal, missing, cards, survey, free):
    """What the way with the fewest missing cards may bring, from the cell of a colour's card to its other one: to the
    cell `goal`, or to any free cell on which the card `missing` could lie; and the cells that the search came by.

    The search goes in layers of cells that are reached with as many missing cards; `steps` are the sets of cells in
    the order in which it comes to them.
    """
    exits = survey[EXIT] | free, survey[EXIT + 1] | free, survey[EXIT + 2] | free, survey[EXIT + 3] | free
    passable = survey[PASS + colour]
    target = 0 if goal == NOWHERE else 1 << goal
    missing_exits = 0 if missing == NO_CARD else int(parts.exits[missing])
    steps = scratch(STEPS, np.int64)
    region = 1 << origin
    frontier = region
    steps[0] = frontier
    count = 1
    near = 0
    for layer in range(FAR):
        beyond = 0
        ends = 0
        while frontier != 0:
            above, right, below, left = joined_cells(frontier, exits)
            neighbours = (above | right | below | left) & ~region
            near |= neighbours
            beyond |= neighbours & free
            ends |= below if missing_exits & 1 else 0
            ends |= left if missing_exits & 2 else 0
            ends |= above if missing_exits & 4 else 0
            ends |= right if missing_exits & 8 else 0
            frontier = neighbours & passable
            region |= frontier
            if frontier != 0:
                steps[count] = frontier
                count += 1
        if region & target:
            return likely(points_of_way(board, parts, goal, steps, count, exits), cards, layer), near
        ends &= free
        if ends != 0:
            points = int(parts.treasure_points[missing])
            points += points_of_way(board, parts, lowest(ends), steps, count, exits)
            return likely(points, cards, layer + 1), near
        frontier = beyond & ~region
        region |= frontier
        steps[count] = frontier
        count += 1
    return 0, near


@inlined
def joined_cells(cells, exits):
    """The cells that paths lead to from some cells: above, right of, below and left of them. `exits` are the cells with
    an exit on each edge.
    """
    north, east, south, west = exits
    above = (cells & north) >> SPAN & south
    right = (cells & east & NOT_LAST) << 1 & west
    below = (cells & south) << SPAN & north
    left = (cells & west & NOT_FIRST) >> 1 & east
    return above, right, below, left


@inlined
def lowest(cells):
    """The first of some cells."""
    cell = 0
    while not cells >> cell & 1:
        cell += 1
    return cell


@inlined
def points_of_way(board, parts, cell, steps, count, exits):
    """The points of the way that led the search to a cell, going back step by step."""
    points = int(parts.adventurer_points) + int(parts.treasure_points[board[cell]])
    step = count
    if board[cell] != NO_CARD:
        step = count - 1
        while not steps[step] >> cell & 1:
            step -= 1
    while step > 0:
        above, right, below, left = joined_cells(1 << cell, exits)
        neighbours = above | right | below | left
        step -= 1
        while not steps[step] & neighbours:
            step -= 1
        before = steps[step] & neighbours
        if before & left:
            cell -= 1
        elif before & below:
            cell += SPAN
        elif before & right:
            cell += 1
        else:
            cell -= SPAN
        points += int(parts.treasure_points[board[cell]])
    return points


@inlined
def likely(points, cards, missing):
    """Points in thousandths, less for every missing card, and less the fewer cards are to come."""
    worth = points * WHOLE
    for _ in range(missing):
        worth = worth * cards // (cards + SCARCE)
    return worth
