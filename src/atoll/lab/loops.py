"""What the compiled loops over many games share: their arguments and types, and how a seat decides."""

# mypy: disable-error-code="no-untyped-def"

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from atoll.bots.bot import RANDOM, Bot, QuickBot
from atoll.core.events import NO_EVENTS
from atoll.core.game import Game
from atoll.core.state import MOST_SEATS
from atoll.core.types import Components
from atoll.engine.chance import derive_each, generators
from atoll.engine.compiling import EVENTS, compiled_as, inlined
from atoll.engine.derived import derive
from atoll.engine.stopping import Stopped, current_stop

ALL_PLAYED, STOPPED, ENDLESS, LOG_FULL = range(4)
"""How a loop ended."""

NUMBERS = types.Array(types.int32, 1, "C")
TABLE = types.Array(types.int32, 2, "C")
SUMS = types.Array(types.int64, 2, "C")
CHANCES = types.Array(types.uint64, 2, "C")


class Loop(NamedTuple):
    """What every loop over games is given.

    `decide` has the functions of MOST_SEATS bots, `looks` bool whether each reads the view; then functions of the rules
    and the advice, and `parts`. `longest` is the most decisions of a game; the loop ends early once `stop[0]` is set.
    `bots` int8 (n, players) has a game's bots by their places, `generators` uint64 (n, players, words) theirs. `ranks`
    int8 (m, actions) rates the moves for restricted seats, and `ranked` int16 (n, players) says by which row, -1 for a
    seat that is free. `moves` and `kept` int32 (MAX_LEGAL,) are scratch; `events` takes what happens, as far as it has
    room.
    """

    decide: Any
    looks: Any
    start: Any
    legal_actions: Any
    play: Any
    make_view: Any
    result: Any
    advise: Any
    parts: Any
    longest: Any
    stop: Any
    bots: Any
    generators: Any
    ranks: Any
    ranked: Any
    moves: Any
    kept: Any
    events: Any


class Seated(NamedTuple):
    """Who sits where in some games, as `bots`, `ranks` and `ranked` of a Loop; `bots` are places in `quick`."""

    quick: tuple[QuickBot, ...]
    bots: NDArray[np.int8]
    ranks: NDArray[np.int8]
    ranked: NDArray[np.int16]


def are_quick(game: Game, bots: Sequence[Bot]) -> bool:
    """Whether all bots run in compiled code."""
    return all(bot.quick(game) is not None for bot in bots)


def seat_quick(game: Game, bots: Sequence[Bot], rows: NDArray[np.int8]) -> Seated:
    """Quick bots in their seats: `rows` (n, players) are the places among the different names of `bots`."""
    there = set(np.unique(rows).tolist())
    different = list({bot.name: bot for bot in bots}.values())
    numbers: dict[QuickBot, int] = {}
    ranks = [np.zeros(len(game.moves), dtype=np.int8)]
    played, ranked = [], []
    for place, bot in enumerate(different):
        quick = bot.quick(game)
        assert quick is not None
        played.append(numbers.setdefault(quick, len(numbers)) if place in there else 0)
        own = bot.ranks(game)
        ranked.append(-1 if own is None else len(ranks))
        if own is not None:
            ranks.append(own)
    return Seated(
        tuple(numbers),
        np.array(played, dtype=np.int8)[rows],
        np.array(ranks),
        np.array(ranked, dtype=np.int16)[rows],
    )


def loop_of(
    game: Game,
    components: Components,
    seated: Seated,
    chances: NDArray[np.uint64],
    events: NDArray[np.int16] = NO_EVENTS,
) -> Loop:
    """The arguments of a loop over games; `chances` are the generators of the bots."""
    quick, bots, ranks, ranked = seated
    quick += (RANDOM,) * (MOST_SEATS - len(quick))
    rules = game.rules
    return Loop(
        decide=tuple(bot.compiled(game) for bot in quick),
        looks=np.array([bot.looks for bot in quick]),
        start=rules.start,
        legal_actions=rules.legal_actions,
        play=rules.play,
        make_view=rules.view,
        result=rules.result,
        advise=game.advise,
        parts=components.parts,
        longest=game.most_decisions(components, bots.shape[1]),
        stop=np.frombuffer(current_stop().flag, dtype=np.uint8),
        bots=bots,
        generators=chances,
        ranks=ranks,
        ranked=ranked,
        moves=np.zeros(rules.MAX_LEGAL, dtype=np.int32),
        kept=np.zeros(rules.MAX_LEGAL, dtype=np.int32),
        events=events,
    )


def check_end(ended: int, game: Game, components: Components, players: int) -> None:
    """Raise Stopped or EndlessGame if that is how a loop ended."""
    if ended == STOPPED:
        raise Stopped
    if ended == ENDLESS:
        raise game.endless(components, players)


def deal_generators(seed: int, first: int, count: int) -> NDArray[np.uint64]:
    """The generators of chance (n, words) of games first to first + count - 1."""
    return generators(derive_each(derive_each(seed, np.arange(first, first + count, dtype=np.uint64))))


def deal_chances(
    seed: int, first: int, count: int, players: int
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """The generators of chance (n, words) of games first to first + count - 1, and those of the bots (n, players,
    words).
    """
    index = np.arange(first, first + count, dtype=np.uint64)
    seats = np.arange(players, dtype=np.uint64)
    own = generators(derive_each(seed, index[:, None], seats[None, :]))
    return deal_generators(seed, first, count), own


run: Any = None


def enter(
    decide,
    looks,
    start,
    legal_actions,
    play,
    make_view,
    result,
    advise,
    parts,
    longest,
    stop,
    bots,
    generators,
    ranks,
    ranked,
    moves,
    kept,
    events,
    states,
    own,
):
    """`run` with the fields of a Loop: Numba makes functions of a type out of arguments, but not inside a tuple."""
    functions = (decide, looks, start, legal_actions, play, make_view, result, advise)
    return run(
        Loop(*functions, parts, longest, stop, bots, generators, ranks, ranked, moves, kept, events),
        states,
        *own,
    )


def compiled_loop(game: Game, function: Callable[..., int], own: Sequence[Any]) -> Callable[..., int]:
    """A loop `function(loop, states, *own)`, compiled for one game, to be called with `(*loop, states, own)`; given are
    the types of its own arguments.
    """
    kinds = game.types
    signature = types.intp(
        types.UniTuple(types.FunctionType(kinds.choose), MOST_SEATS),
        types.Array(types.boolean, 1, "C"),
        types.FunctionType(kinds.start),
        types.FunctionType(kinds.legal_actions),
        types.FunctionType(kinds.play),
        types.FunctionType(kinds.view),
        types.FunctionType(kinds.result),
        types.FunctionType(kinds.advise),
        kinds.parts_array,
        types.intp,
        types.Array(types.uint8, 1, "C"),
        types.Array(types.int8, 2, "C"),
        types.Array(types.uint64, 3, "C"),
        types.Array(types.int8, 2, "C"),
        types.Array(types.int16, 2, "C"),
        NUMBERS,
        NUMBERS,
        EVENTS,
        kinds.states,
        types.Tuple(tuple(own)),
    )
    entry: Callable[..., int] = compiled_as(
        signature, derive(enter, function.__module__, run=inlined(function))
    )
    return entry


@inlined
def next_seat(state):
    """The first of the seats that have to decide."""
    seat = 0
    while not state.to_act >> seat & 1:
        seat += 1
    return seat


@inlined
def keep_highest(ranks, moves, count, kept):
    """Write the moves that are ranked highest into `kept`, in their order; returns how many there are."""
    highest = ranks[moves[0]]
    for i in range(1, count):
        highest = max(highest, ranks[moves[i]])
    found = 0
    for i in range(count):
        if ranks[moves[i]] == highest:
            kept[found] = moves[i]
            found += 1
    return found


@inlined
def choose_move(loop, state, seen, game, seat, count):
    """What the bot of a seat takes of `count` moves in `loop.moves`; a restricted seat whose choice is not ranked
    highest chooses again among those that are, so that it draws as a free one does until it is held back. `seen` takes
    its view if the bot reads one.
    """
    moves = loop.moves
    action = moves[0]
    if count > 1:
        parts = loop.parts[0]
        generator = loop.generators[game, seat]
        bot = loop.bots[game, seat]
        if loop.looks[bot]:
            loop.make_view(state, parts, seat, seen)
        action = loop.decide[bot](loop.advise, seen, parts, moves, count, generator)
        row = loop.ranked[game, seat]
        if row >= 0:
            ranks = loop.ranks[row]
            kept = loop.kept
            count = keep_highest(ranks, moves, count, kept)
            if ranks[action] < ranks[kept[0]]:
                action = kept[0]
                if count > 1:
                    action = loop.decide[bot](loop.advise, seen, parts, kept, count, generator)
    return action
