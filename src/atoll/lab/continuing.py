"""The compiled loop that plays on from a choice of a game twice, with a thing forced and forbidden."""

# mypy: disable-error-code="no-untyped-def"

from collections.abc import Callable
from functools import cache

from atoll.core.game import Game
from atoll.engine.chance import draw_below, set_generator
from atoll.engine.compiling import compiled
from atoll.engine.records import copy_record
from atoll.lab.loops import (
    ALL_PLAYED,
    CHANCES,
    ENDLESS,
    NUMBERS,
    STOPPED,
    TABLE,
    choose_move,
    compiled_loop,
    next_seat,
)

PLAYED, FORCED, FORBIDDEN = range(3)
"""The runs of a swap: the game as it is played, and from one of its choices on twice."""


@compiled
def has_item(move_items, action, item):
    """Whether a move is of a thing."""
    for k in range(move_items.shape[1]):
        if move_items[action, k] == item:
            return True
    return False


@compiled
def keep_moves(move_items, moves, count, item, wanted):
    """Keep the moves that are of a thing, or those that are not, in their order; returns how many there are."""
    kept = 0
    for i in range(count):
        if has_item(move_items, moves[i], item) == wanted:
            moves[kept] = moves[i]
            kept += 1
    return kept


@compiled
def can_swap(move_items, moves, count, item):
    """Whether some moves are of a thing and some are not."""
    own = 0
    for i in range(count):
        if has_item(move_items, moves[i], item):
            own += 1
    return 0 < own < count


def swap(loop, states, chances, kept, drawing, move_items, items, points, seats, winners):
    """Play a game for each row of `loop.bots`, draw one of its choices in which the thing `items[i]` could be used and
    left alone, and play on from there twice, with the same chance: once it is used, once it is not.

    `states` has room for a position, the one that is kept, and a view; `kept` for the generators of the bots at that
    one. `chances` are the generators of chance, `drawing` those that draw the choice. Writes the seat that chooses, -1
    if there is no such choice, and the bit sets of winners of both, int32 (n, 2).
    """
    state, saved, seen = states[0], states[1], states[2]
    count, players = loop.bots.shape
    for i in range(count):
        if loop.stop[0] != 0:
            return STOPPED
        seats[i] = -1
        for run in range(3):
            if run == PLAYED:
                loop.start(state, loop.parts[0], players, chances[i])
            elif seats[i] >= 0:
                copy_record(saved, state)
                for k in range(players):
                    set_generator(loop.generators[i, k], kept[k])
            else:
                break
            found = length = 0
            while state.to_act != 0 and length < loop.longest:
                seat = next_seat(state)
                legal = loop.legal_actions(state, loop.parts[0], seat, loop.moves)
                if run != PLAYED and length == 0:
                    legal = keep_moves(move_items, loop.moves, legal, items[i], run == FORCED)
                elif run == PLAYED and can_swap(move_items, loop.moves, legal, items[i]):
                    found += 1
                    if draw_below(drawing[i], min(found, 1 << 16)) == 0:
                        seats[i] = seat
                        copy_record(state, saved)
                        for k in range(players):
                            set_generator(kept[k], loop.generators[i, k])
                action = choose_move(loop, state, seen, i, seat, legal)
                loop.play(state, loop.parts[0], seat, action, loop.events)
                length += 1
            if state.to_act != 0:
                return ENDLESS
            if run != PLAYED:
                winners[i, run - 1] = loop.result(state, loop.parts[0], points)
    return ALL_PLAYED


@cache
def compiled_swap(game: Game) -> Callable[..., int]:
    """`swap`, compiled for one game."""
    return compiled_loop(game, swap, (CHANCES, CHANCES, CHANCES, TABLE, NUMBERS, NUMBERS, NUMBERS, TABLE))
