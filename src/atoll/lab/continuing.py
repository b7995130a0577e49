"""Compiled loops that play on from positions that are there, with some moves forced or forbidden."""

# mypy: disable-error-code="no-untyped-def"

from collections.abc import Callable
from functools import cache

from numba import types

from atoll.bots.catalogue import QUICK_BOTS
from atoll.core.chance import draw_below, set_generator
from atoll.core.compiling import EVENTS, compiled, compiled_as
from atoll.core.copying import copy_record
from atoll.core.game import Game

ALL_PLAYED, STOPPED, ENDLESS = range(3)
"""How a loop ended."""
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


@compiled
def restrict(move_items, moves, count, item):
    """The moves without those of a thing, unless there are no others; returns how many there are."""
    if item >= 0 and can_swap(move_items, moves, count, item):
        return keep_moves(move_items, moves, count, item, False)
    return count


def play_on(
    choose,
    looks,
    legal_actions,
    play,
    view,
    result,
    advise,
    states,
    parts,
    longest,
    stop,
    bots,
    generators,
    move_items,
    never,
    moves,
    events,
    points,
    winners,
):
    """Play each of `states` to its end; there is room for one more, a view.

    `bots` int8 (n, players), `generators` uint64 (n, players, words), `never` int32 (n, players): the thing that a seat
    does not use unless it has to, or -1. Writes points and the bit set of winners of each.
    """
    seen = states[bots.shape[0]]
    for i in range(bots.shape[0]):
        state = states[i]
        length = 0
        while state.to_act != 0 and length < longest:
            seat = 0
            while not state.to_act >> seat & 1:
                seat += 1
            count = legal_actions(state, parts[0], seat, moves)
            count = restrict(move_items, moves, count, never[i, seat])
            action = moves[0]
            if count > 1:
                bot = bots[i, seat]
                if looks[bot]:
                    view(state, parts[0], seat, seen)
                action = choose[bot](advise, seen, parts[0], moves, count, generators[i, seat])
            play(state, parts[0], seat, action, events)
            length += 1
        if state.to_act != 0:
            return ENDLESS
        winners[i] = result(state, parts[0], points[i])
        if stop[0] != 0:
            return STOPPED
    return ALL_PLAYED


def swap(
    choose,
    looks,
    start,
    legal_actions,
    play,
    view,
    result,
    advise,
    states,
    parts,
    longest,
    stop,
    bots,
    chances,
    generators,
    kept,
    drawing,
    move_items,
    items,
    moves,
    events,
    points,
    seats,
    winners,
):
    """Play a game for each row of `bots`, draw one of its choices in which the thing `items[i]` could be used and left
    alone, and play on from there twice, with the same chance: once it is used, once it is not.

    `states` has room for a position, the one that is kept, and a view; `kept` for the generators of the bots at that
    one. `drawing` are the generators that draw it. Writes the seat that chooses, -1 if there is no such choice, and the
    bit sets of winners of both, int32 (n, 2).
    """
    state, saved, seen = states[0], states[1], states[2]
    players = bots.shape[1]
    for i in range(bots.shape[0]):
        seats[i] = -1
        for run in range(3):
            if run == PLAYED:
                start(state, parts[0], players, chances[i])
            elif seats[i] >= 0:
                copy_record(saved, state)
                for k in range(players):
                    set_generator(generators[i, k], kept[k])
            else:
                break
            found = length = 0
            first = run != PLAYED
            while state.to_act != 0 and length < longest:
                seat = 0
                while not state.to_act >> seat & 1:
                    seat += 1
                count = legal_actions(state, parts[0], seat, moves)
                if first:
                    count = keep_moves(move_items, moves, count, items[i], run == FORCED)
                    first = False
                elif run == PLAYED and can_swap(move_items, moves, count, items[i]):
                    found += 1
                    if draw_below(drawing[i], min(found, 1 << 16)) == 0:
                        seats[i] = seat
                        copy_record(state, saved)
                        for k in range(players):
                            set_generator(kept[k], generators[i, k])
                action = moves[0]
                if count > 1:
                    bot = bots[i, seat]
                    if looks[bot]:
                        view(state, parts[0], seat, seen)
                    action = choose[bot](advise, seen, parts[0], moves, count, generators[i, seat])
                play(state, parts[0], seat, action, events)
                length += 1
            if state.to_act != 0:
                return ENDLESS
            if run != PLAYED:
                winners[i, run - 1] = result(state, parts[0], points)
        if stop[0] != 0:
            return STOPPED
    return ALL_PLAYED


_NUMBERS = types.Array(types.int32, 1, "C")
_TABLE = types.Array(types.int32, 2, "C")
_WORDS = types.Array(types.uint64, 2, "C")
_FLAG = types.Array(types.uint8, 1, "C")
_BOTS = types.Array(types.int8, 2, "C")


@cache
def compiled_play_on(game: Game) -> Callable[..., int]:
    """`play_on`, compiled for one game."""
    kinds = game.types
    signature = types.intp(
        types.UniTuple(types.FunctionType(kinds.choose), len(QUICK_BOTS)),
        types.Array(types.boolean, 1, "C"),
        types.FunctionType(kinds.legal_actions),
        types.FunctionType(kinds.play),
        types.FunctionType(kinds.view),
        types.FunctionType(kinds.result),
        types.FunctionType(kinds.advise),
        kinds.states,
        kinds.parts_array,
        types.intp,
        _FLAG,
        _BOTS,
        types.Array(types.uint64, 3, "C"),
        _TABLE,
        _TABLE,
        _NUMBERS,
        EVENTS,
        _TABLE,
        _NUMBERS,
    )
    return compiled_as(signature, play_on)


@cache
def compiled_swap(game: Game) -> Callable[..., int]:
    """`swap`, compiled for one game."""
    kinds = game.types
    signature = types.intp(
        types.UniTuple(types.FunctionType(kinds.choose), len(QUICK_BOTS)),
        types.Array(types.boolean, 1, "C"),
        types.FunctionType(kinds.start),
        types.FunctionType(kinds.legal_actions),
        types.FunctionType(kinds.play),
        types.FunctionType(kinds.view),
        types.FunctionType(kinds.result),
        types.FunctionType(kinds.advise),
        kinds.states,
        kinds.parts_array,
        types.intp,
        _FLAG,
        _BOTS,
        _WORDS,
        types.Array(types.uint64, 3, "C"),
        _WORDS,
        _WORDS,
        _TABLE,
        _NUMBERS,
        _NUMBERS,
        EVENTS,
        _NUMBERS,
        _NUMBERS,
        _TABLE,
    )
    return compiled_as(signature, swap)
