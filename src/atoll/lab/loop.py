"""The one compiled loop that plays many games.

What differs between its uses is compiled in as hooks: how a game is dealt, who decides, and what is counted after a
move and after a game. A use brings an array record of its own, by whose type Numba's cache tells it from the others.
"""

# mypy: disable-error-code="no-untyped-def"

from collections import Counter
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from atoll.bots.bot import QUICK_BOTS, QuickBot
from atoll.core.events import NO_EVENTS
from atoll.core.exports import NUMBERS, some_parts
from atoll.core.game import Game
from atoll.core.types import Components
from atoll.engine.chance import derive_each, draw_below, generators, set_generator
from atoll.engine.compiling import inlined
from atoll.engine.constants import GENERATOR_WORDS
from atoll.engine.derived import derive
from atoll.engine.dispatching import dispatch
from atoll.engine.exports import Export, Runner
from atoll.engine.records import copy_record
from atoll.engine.stopping import Stopped, current_stop
from atoll.lab.played import BotSeats, PlayedGames

ALL_PLAYED, STOPPED, ENDLESS, NO_ROOM = range(4)
"""How a loop ended."""
FEW = 20_000
"""Games that a module plays before it is worth while to compile their loop."""
NO_CHANCES = np.zeros((0, GENERATOR_WORDS), dtype=np.uint64)
"""For games that are dealt already."""


class GameFunctions(NamedTuple):
    """The compiled functions that a loop calls: `choose(bot, view, part, moves, count, generator)` of the quick bots,
    the advice, and those of the rules.
    """

    choose: Any
    advise: Any
    start: Any
    legal_actions: Any
    play: Any
    make_view: Any
    result: Any
    resample: Any


class GameArrays(NamedTuple):
    """What a loop reads and writes.

    `longest` is the most decisions of a game; the loop ends early once `stop[0]` is set. `states` has room for the
    state of each game, which is left there, and a view. `chances` are the generators of chance, one a game, or none
    where games go on from `states`; `generators` uint64 (n, players, words) those of the bots. `bots`, `ranks` and
    `ranked` are those of a `BotSeats`, `looks` whether a quick bot reads the view. `moves` has the legal moves of a
    decision, `highest` is scratch; `events` takes what happens, as far as it has room. `played` counts finished games,
    of which `beginners`, `points`, `winners` and `lengths` are those of `PlayedGames`; `lengths` counts as a game goes
    on. `policy` and `counts` are what the hooks bring.
    """

    parts: Any
    longest: int
    stop: NDArray[np.uint8]
    states: NDArray[Any]
    chances: NDArray[np.uint64]
    generators: NDArray[np.uint64]
    bots: NDArray[np.int8]
    looks: NDArray[np.bool_]
    ranks: NDArray[np.int8]
    ranked: NDArray[np.int16]
    moves: NDArray[np.int32]
    highest: NDArray[np.int32]
    events: NDArray[np.int16]
    played: NDArray[np.int64]
    beginners: NDArray[np.int8]
    points: NDArray[np.int32]
    winners: NDArray[np.int32]
    lengths: NDArray[np.int32]
    policy: Any = 0
    counts: Any = 0


deal: Any = None
decide: Any = None
observe: Any = None
finish: Any = None


@inlined
def play_games(functions, arrays):
    """Play one game for each row of `arrays.bots`.

    Returns ALL_PLAYED, STOPPED before the next game once `stop[0]` is set, ENDLESS in a game of more than `longest`
    decisions, or NO_ROOM where a hook has none for more.
    """
    part = arrays.parts[0]
    for game in range(arrays.bots.shape[0]):
        if arrays.stop[0] != 0:
            return STOPPED
        if not deal(functions, arrays, game):
            continue
        state = arrays.states[game]
        arrays.beginners[game] = beginner(state)
        length = 0
        while state.to_act != 0 and length < arrays.longest:
            seat = next_seat(state)
            count = functions.legal_actions(state, part, seat, arrays.moves)
            action = decide(functions, arrays, game, seat, count)
            if action < 0:
                return NO_ROOM
            functions.play(state, part, seat, action, arrays.events)
            length += 1
            arrays.lengths[game] = length
            if not observe(functions, arrays, game, seat, action):
                return NO_ROOM
        if state.to_act != 0:
            return ENDLESS
        arrays.winners[game] = functions.result(state, part, arrays.points[game])
        finish(functions, arrays, game)
        arrays.played[0] += 1
    return ALL_PLAYED


@inlined
def next_seat(state):
    """The first of the seats that have to decide."""
    seat = 0
    while not state.to_act >> seat & 1:
        seat += 1
    return seat


@inlined
def beginner(state):
    """The seat that alone has to decide first; the first seat where several have to."""
    return next_seat(state) if state.to_act & (state.to_act - 1) == 0 and state.to_act != 0 else 0


# Hooks: how a game is dealt (false: it is not played), who decides (below 0: there is no room to log it), what is
# counted after a move (false: there is no room) and after a game.


@inlined
def deal_game(functions, arrays, game):
    """Deal a game, or go on from its state."""
    if arrays.chances.shape[0]:
        functions.start(arrays.states[game], arrays.parts[0], arrays.bots.shape[1], arrays.chances[game])
    return True


@inlined
def choose_quickly(functions, arrays, game, seat, count):
    """What the quick bot of a seat takes of `count` moves; a restricted seat whose choice is not ranked highest chooses
    again among those that are, so that it draws as a free one does until it is held back.
    """
    moves = arrays.moves
    action = moves[0]
    if count > 1:
        part = arrays.parts[0]
        view = arrays.states[arrays.states.shape[0] - 1]
        generator = arrays.generators[game, seat]
        bot = arrays.bots[game, seat]
        if arrays.looks[bot]:
            functions.make_view(arrays.states[game], part, seat, view)
        action = functions.choose(bot, view, part, moves, count, generator)
        row = arrays.ranked[game, seat]
        if row >= 0:
            ranks = arrays.ranks[row]
            highest = arrays.highest
            count = keep_highest(ranks, moves, count, highest)
            if ranks[action] < ranks[highest[0]]:
                action = highest[0]
                if count > 1:
                    action = functions.choose(bot, view, part, highest, count, generator)
    return action


@inlined
def keep_highest(ranks, moves, count, highest):
    """Write the moves that are ranked highest into `highest`, in their order; returns how many there are."""
    most = ranks[moves[0]]
    for i in range(1, count):
        most = max(most, ranks[moves[i]])
    count_of_highest = 0
    for i in range(count):
        if ranks[moves[i]] == most:
            highest[count_of_highest] = moves[i]
            count_of_highest += 1
    return count_of_highest


class PlayedMoves(NamedTuple):
    """The moves of games that were played before, one after another, and how many of them were played again."""

    moves: NDArray[np.int32]
    played: NDArray[np.int64]


@inlined
def follow_script(functions, arrays, game, seat, count):
    """The move that was played before."""
    script = arrays.policy
    action = script.moves[script.played[0]]
    script.played[0] += 1
    return action


@inlined
def observe_nothing(functions, arrays, game, seat, action):
    """Count nothing after a move."""
    return True


@inlined
def finish_plainly(functions, arrays, game):
    """Count nothing after a game."""


class Hooks(NamedTuple):
    """What is compiled into a loop, `name`."""

    name: str
    decide: Any = choose_quickly
    deal: Any = deal_game
    observe: Any = observe_nothing
    finish: Any = finish_plainly


PLAIN_GAMES = Hooks("play_games")
"""Games between quick bots of which nothing is counted but their results."""


_played: Counter[tuple[str, str]] = Counter()
"""Games of each loop that modules played in this process."""


def run_games(
    game: Game,
    components: Components,
    seating: BotSeats,
    own: NDArray[np.uint64],
    chances: NDArray[np.uint64],
    hooks: Hooks = PLAIN_GAMES,
    **settings: Any,
) -> tuple[int, GameArrays]:
    """Play games in compiled code, on one core; returns ALL_PLAYED or NO_ROOM, and what was written.

    They are dealt by the generators `chances`, or go on from `states`, which have room for one more; `own` are the
    generators of the bots. `settings` are further fields of GameArrays. Raises EndlessGame, and Stopped.
    """
    arrays = seated_arrays(game, components, seating, own, chances, **settings)
    loop = loop_of(hooks, seating.quick, arrays)
    end = runner_of(game, loop, len(seating.bots)).call(loop, arrays)
    if end == STOPPED:
        raise Stopped
    if end == ENDLESS:
        raise game.endless(components, seating.bots.shape[1])
    return end, arrays


def seated_arrays(
    game: Game,
    components: Components,
    seating: BotSeats,
    own: NDArray[np.uint64],
    chances: NDArray[np.uint64],
    **settings: Any,
) -> GameArrays:
    """The arrays of games between bots in their seats."""
    fields: dict[str, Any] = {
        "parts": components.parts,
        "longest": game.most_decisions(components, seating.bots.shape[1]),
        "stop": np.frombuffer(current_stop().flag, dtype=np.uint8),
        "chances": chances,
        "generators": own,
        "bots": seating.bots,
        "looks": np.array([bot.looks for bot in seating.quick]),
        "ranks": seating.ranks,
        "ranked": seating.ranked,
    }
    return game_arrays(game, **fields | settings)


def runner_of(game: Game, loop: Export, games: int) -> Runner:
    """What plays so many games more: at first the module, which is ready at once, and after FEW games of this process
    what is faster and has to be compiled.
    """
    if not game.runner.has(loop) or _played[game.name, loop.name] >= FEW:
        return game.fast_runner
    _played[game.name, loop.name] += games
    return game.runner


def game_arrays(game: Game, **fields: Any) -> GameArrays:
    """The arrays of games with these fields, `bots` among them; the others are made."""
    rules, count = game.rules, len(fields["bots"])
    results = PlayedGames.empty((), fields["bots"])
    own: dict[str, Any] = {
        "states": np.zeros(count + 1, dtype=rules.STATE) if "states" not in fields else None,
        "moves": np.zeros(rules.MAX_LEGAL, dtype=np.int32),
        "highest": np.zeros(rules.MAX_LEGAL, dtype=np.int32),
        "events": NO_EVENTS,
        "played": np.zeros(1, dtype=np.int64),
        "beginners": results.beginners,
        "points": results.points,
        "winners": results.winners,
        "lengths": results.lengths,
    }
    return GameArrays(**own | fields)


def some_arrays(game: Game, **fields: Any) -> GameArrays:
    """Arrays of one game, as examples of their types."""
    own: dict[str, Any] = {
        "parts": some_parts(game),
        "longest": 1,
        "stop": np.zeros(1, np.uint8),
        "chances": NO_CHANCES,
        "generators": np.zeros((1, 1, GENERATOR_WORDS), np.uint64),
        "bots": np.zeros((1, 1), np.int8),
        "looks": np.zeros(1, np.bool_),
        "ranks": np.zeros((1, 1), np.int8),
        "ranked": np.zeros((1, 1), np.int16),
    }
    return game_arrays(game, **own | fields)


functions: Any = None


def enter(arrays):
    """`play_games` with a game's functions."""
    return play_games(functions, arrays)


def loop_of(hooks: Hooks, bots: tuple[QuickBot, ...], arrays: GameArrays) -> Export:
    """`play_games` with these hooks, between these bots, for arrays of the types of these."""
    names = "" if bots == QUICK_BOTS else " ".join(bot.name for bot in bots)
    return Export(
        f"{hooks.name} {names}".strip(), partial(_bound, hooks=hooks, bots=bots), lambda game: (arrays,)
    )


def _bound(game: Game, hooks: Hooks, bots: tuple[QuickBot, ...]) -> Any:
    rules, module = game.rules, f"{game.package}.rules"
    parameters = ("view", "part", "moves", "count", "generator")
    choose = dispatch("choose", __name__, parameters, [bot.function(game) for bot in bots])
    called = GameFunctions(
        choose,
        game.advise,
        rules.start,
        rules.legal_actions,
        rules.play,
        rules.view,
        rules.result,
        rules.resample,
    )
    own = {name: hook for name, hook in hooks._asdict().items() if name != "name"}
    return derive(enter, module, functions=called, **own)


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


# Forced continuations: of each game one of its choices is drawn in which an option could be used and left alone, and
# from there it is played on twice, with the same chance: once it is used, once it is not.

AS_PLAYED, FORCED, FORBIDDEN = range(3)
"""The three games of a swap: as it is played, and from one of its choices on twice."""
SWAP_GAMES = 3


class SwapArrays(NamedTuple):
    """Of n swaps: the generators that draw the choice, (n, words); the items of each move, as in `lab/items.py`; the
    item of each swap, (n,); which seat chooses, (n,), -1 if there is no such choice; and the number of such
    choices so far.
    """

    drawing: NDArray[np.uint64]
    move_items: NDArray[np.int32]
    items: NDArray[np.int32]
    seats: NDArray[np.int32]
    choices: NDArray[np.int64]


def some_swaps() -> SwapArrays:
    """Swaps as an example of their type."""
    return SwapArrays(NO_CHANCES, NUMBERS.reshape(1, 1), NUMBERS, NUMBERS, np.zeros(1, np.int64))


@inlined
def deal_swap(functions, arrays, game):
    """Deal a game, or go on from the choice that was drawn, if there is one."""
    swaps, number = arrays.counts, game // SWAP_GAMES
    if game % SWAP_GAMES != AS_PLAYED:
        return swaps.seats[number] >= 0
    swaps.seats[number] = -1
    swaps.choices[0] = 0
    functions.start(arrays.states[game], arrays.parts[0], arrays.bots.shape[1], arrays.chances[number])
    return True


@inlined
def choose_swapped(functions, arrays, game, seat, count):
    """`choose_quickly`, with the item forced or forbidden in the first choice of a continuation."""
    swaps, run = arrays.counts, game % SWAP_GAMES
    item = swaps.items[game // SWAP_GAMES]
    if run != AS_PLAYED:
        if arrays.lengths[game] == 0:
            count = keep_moves(swaps.move_items, arrays.moves, count, item, run == FORCED)
    elif can_swap(swaps.move_items, arrays.moves, count, item):
        swaps.choices[0] += 1
        if draw_below(swaps.drawing[game // SWAP_GAMES], min(swaps.choices[0], 1 << 16)) == 0:
            swaps.seats[game // SWAP_GAMES] = seat
            for later in range(game + 1, game + SWAP_GAMES):
                copy_record(arrays.states[game], arrays.states[later])
                for k in range(arrays.bots.shape[1]):
                    set_generator(arrays.generators[later, k], arrays.generators[game, k])
    return choose_quickly(functions, arrays, game, seat, count)


@inlined
def has_item(move_items, action, item):
    """Whether a move is of an item."""
    for k in range(move_items.shape[1]):
        if move_items[action, k] == item:
            return True
    return False


@inlined
def keep_moves(move_items, moves, count, item, belongs):
    """Keep the moves that are of an item, or those that are not, in their order; returns how many there are."""
    own = 0
    for i in range(count):
        if has_item(move_items, moves[i], item) == belongs:
            moves[own] = moves[i]
            own += 1
    return own


@inlined
def can_swap(move_items, moves, count, item):
    """Whether some moves are of an item and some are not."""
    own = 0
    for i in range(count):
        if has_item(move_items, moves[i], item):
            own += 1
    return 0 < own < count


SWAPS = Hooks("swap_games", decide=choose_swapped, deal=deal_swap)
"""Forced continuations of games between quick bots: three rows of the arrays for each."""
