"""Many games between bots: one compiled loop, or the same functions stepped one by one for records.

Game i depends on (seed, i) alone and each bot's chance on (seed, i, seat), whatever the number of workers.
"""

# mypy: disable-error-code="no-untyped-def"

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.bots.bot import QUICK_BOTS, Bot, SeatedBot
from atoll.core.events import NO_EVENTS, Event
from atoll.core.game import Game, Position, View
from atoll.core.types import Components
from atoll.engine.chance import derive, derive_each, generators
from atoll.engine.constants import GENERATOR_WORDS
from atoll.engine.stopping import check_stop
from atoll.lab.batches import in_order
from atoll.lab.loops import (
    ALL_PLAYED,
    CHANCES,
    ENDLESS,
    NUMBERS,
    STOPPED,
    TABLE,
    Seated,
    are_quick,
    check_end,
    choose_move,
    compiled_loop,
    deal_chances,
    loop_of,
    next_seat,
    seat_quick,
)
from atoll.lab.trained_games import play_dealt, trained_table

CHUNK = 500
"""Games that a worker plays at a time: few enough for progress to be smooth."""
TRAINED_CHUNK = 50
"""The same of games with trained players, which take longer."""
NO_CHANCES = np.zeros((0, GENERATOR_WORDS), dtype=np.uint64)
"""For games that are dealt already."""


def play_games(loop, states, chances, points, winners, lengths):
    """Play one game for each row of `loop.bots`; compiled for each game.

    `states` has room for the state of each game, which is left there, and a view; `chances` are the generators of
    chance, one a game, or none where games go on from `states`. Writes points, the bit set of winners and the number of
    decisions of each game. Returns ALL_PLAYED, STOPPED before the next game once `stop[0]` is set, or ENDLESS in a game
    of more than `longest` decisions.
    """
    count, players = loop.bots.shape
    seen = states[count]
    for i in range(count):
        if loop.stop[0] != 0:
            return STOPPED
        state = states[i]
        if chances.shape[0]:
            loop.start(state, loop.parts[0], players, chances[i])
        length = 0
        while state.to_act != 0 and length < loop.longest:
            seat = next_seat(state)
            found = loop.legal_actions(state, loop.parts[0], seat, loop.moves)
            action = choose_move(loop, state, seen, i, seat, found)
            loop.play(state, loop.parts[0], seat, action, loop.events)
            length += 1
        if state.to_act != 0:
            return ENDLESS
        winners[i] = loop.result(state, loop.parts[0], points[i])
        lengths[i] = length
    return ALL_PLAYED


@cache
def compiled_driver(game: Game) -> Callable[..., int]:
    """`play_games`, compiled for one game."""
    return compiled_loop(game, play_games, (CHANCES, TABLE, NUMBERS, NUMBERS))


@dataclass(frozen=True)
class Results:
    """What came of games 0 to n - 1.

    `names` are the bots'. `bots` int8 (n, players): index into `names` of each seat; `points` int32 (n, players);
    `winners` int32 (n,): bit set of seats; `lengths` int32 (n,): decisions; `rounds` int32 (n,), 0 if the game does
    not tell; `endings` int8 (n,): index into the game's ENDINGS. `forfeits`: the moves that a bot, by its name, failed
    to choose, by the kind of failure.
    """

    names: tuple[str, ...]
    bots: NDArray[np.int8]
    points: NDArray[np.int32]
    winners: NDArray[np.int32]
    lengths: NDArray[np.int32]
    rounds: NDArray[np.int32]
    endings: NDArray[np.int8]
    forfeits: dict[str, Counter[str]] = field(default_factory=dict)

    @property
    def shares(self) -> NDArray[np.float64]:
        """Each seat's share of the win, shape (n, players): 1, or part of it if several win."""
        won = self.winners[:, None] >> np.arange(self.points.shape[1]) & 1
        shares: NDArray[np.float64] = won / won.sum(axis=1, keepdims=True)
        return shares


def no_results(bots: Sequence[Bot], players: int, first: int, count: int) -> Results:
    """Results to be filled in, of games first to first + count - 1.

    The bots are repeated to fill the seats and rotated one seat further each game.
    """
    names = tuple(dict.fromkeys(bot.name for bot in bots))
    row = np.array([names.index(bots[seat % len(bots)].name) for seat in range(players)], dtype=np.int8)
    games = np.arange(first, first + count)
    return Results(
        names=names,
        bots=np.ascontiguousarray(row[(np.arange(players) - games[:, None]) % players]),
        points=np.zeros((count, players), dtype=np.int32),
        winners=np.zeros(count, dtype=np.int32),
        lengths=np.zeros(count, dtype=np.int32),
        rounds=np.zeros(count, dtype=np.int32),
        endings=np.zeros(count, dtype=np.int8),
    )


def game_seed(seed: int, index: int) -> int:
    """The seed of game `index`: `game.start(players, game_seed(seed, index))` deals it."""
    return derive(seed, index)


def bot_generators(seed: int, index: int, players: int) -> list[NDArray[np.uint64]]:
    """The generators of the bots in game `index`, one a seat."""
    return list(
        generators(derive_each(seed, np.array([index], dtype=np.uint64), np.arange(players, dtype=np.uint64)))
    )


def seat_bots(bots: Sequence[Bot], players: int, seed: int, index: int) -> list[SeatedBot]:
    """The bots in their seats of game `index`, as the compiled loop seats them."""
    seating = no_results(bots, players, index, 1)
    named = {bot.name: bot for bot in bots}
    row = seating.bots[0].tolist()
    own = bot_generators(seed, index, players)
    return [named[seating.names[bot]].sit(chance) for bot, chance in zip(row, own, strict=True)]


def simulate_chunk(
    game: Game,
    components: Components,
    players: int,
    bots: Sequence[Bot],
    seed: int,
    first: int,
    count: int,
    events: NDArray[np.int16] = NO_EVENTS,
) -> Results:
    """Games first to first + count - 1, on one core: in compiled code if all bots are quick, or trained with one
    network, else step by step.

    `events` takes those of all the games of quick bots, as far as it has room. Raises EndlessGame for a game that goes
    on past its declared maximum, and Stopped.
    """
    results = no_results(bots, players, first, count)
    if are_quick(game, bots):
        chances, own = deal_chances(seed, first, count, players)
        quick = seat_quick(game, bots, results.bots)
        states, *found = play_compiled(game, components, quick, own, chances, events=events)
        results.points[:], results.winners[:], results.lengths[:] = found
        _note_ends(results, slice(None), game, components, states)
    elif (trained := trained_table(game, bots)) is not None and events is NO_EVENTS:
        weights, kinds = trained
        dealt, own = deal_chances(seed, first, count, players)
        who = np.array([kinds[name] for name in results.names], dtype=np.int8)[results.bots]
        mind, chances = weights.mind(players, components), np.concatenate([dealt[:, None], own], axis=1)
        _, table = play_dealt(game, components, mind, who, chances, keep_ends=True)
        results.points[:], results.winners[:], results.lengths[:] = table.points, table.winners, table.lengths
        _note_ends(results, slice(None), game, components, table.ends)
    else:
        for place in range(count):
            position = game.start(players, game_seed(seed, first + place), components)
            seated = seat_bots(bots, players, seed, first + place)
            for _ in step_game(position, seated):
                results.lengths[place] += 1
            note_outcome(results, place, position, seated)
    return results


def note_outcome(results: Results, place: int, position: Position, seated: Sequence[SeatedBot]) -> None:
    """Fill in what came of a finished game and how its players behaved."""
    outcome = position.outcome
    assert outcome is not None
    results.points[place] = outcome.points
    results.winners[place] = sum(1 << seat for seat in outcome.winners)
    _note_ends(results, slice(place, place + 1), position.game, position.components, position.states)
    for player in seated:
        results.forfeits.setdefault(player.bot.name, Counter()).update(player.forfeits)


def _note_ends(
    results: Results, places: slice, game: Game, components: Components, states: NDArray[Any]
) -> None:
    """Fill in how long finished games were and how they ended, if the game tells."""
    if game.endings is not None:
        results.rounds[places] = game.endings.rounds(states)
        results.endings[places] = game.endings.endings(states, components)


def play_compiled(
    game: Game,
    components: Components,
    seated: Seated,
    own: NDArray[np.uint64],
    chances: NDArray[np.uint64] = NO_CHANCES,
    states: NDArray[np.void] | None = None,
    events: NDArray[np.int16] = NO_EVENTS,
) -> tuple[NDArray[np.void], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """Games in compiled code, on one core: their last states, points (n, players), bit sets of winners and decisions
    (n,).

    They are dealt by the generators `chances`, or go on from `states`, which have room for one more; `own` are the
    generators of the bots. Raises EndlessGame, and Stopped.
    """
    count, players = seated.bots.shape
    if states is None:
        states = np.zeros(count + 1, dtype=game.rules.STATE)
    points = np.zeros((count, players), dtype=np.int32)
    winners, lengths = np.zeros(count, dtype=np.int32), np.zeros(count, dtype=np.int32)
    loop = loop_of(game, components, seated, own, events)
    ended = compiled_driver(game)(*loop, states, (chances, points, winners, lengths))
    check_end(ended, game, components, players)
    return states[:count], points, winners, lengths


def compile_simulation(game: Game, components: Components, bots: Sequence[Bot] = QUICK_BOTS) -> None:
    """Compile or load all that `simulate` runs with these bots."""
    for bot in bots:
        bot.prepare(game)
    simulate_chunk(game, components, game.seats.start, QUICK_BOTS, seed=0, first=0, count=1)


def simulate(
    game: Game,
    components: Components,
    players: int,
    bots: Sequence[Bot],
    games: int,
    seed: int,
    workers: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> Results:
    """Play games 0 to games - 1 on `workers` cores; calls `progress` with the number of games just finished.

    Raises EndlessGame for a game that goes on past its declared maximum. When interrupted, all games are given up.
    """
    compile_simulation(game, components, bots)
    size = CHUNK if are_quick(game, bots) else TRAINED_CHUNK if trained_table(game, bots) else 1
    work = (
        partial(simulate_chunk, game, components, players, bots, seed, first, min(size, games - first))
        for first in range(0, games, size)
    )
    played = []
    with closing(in_order(work, workers)) as simulated:
        for results in simulated:
            played.append(results)
            progress(len(results.lengths))
    return joined(played)


def joined(parts: Sequence[Results]) -> Results:
    """The results of one part of the games after another."""
    forfeits: dict[str, Counter[str]] = {}
    for part in parts:
        for name, kinds in part.forfeits.items():
            forfeits.setdefault(name, Counter()).update(kinds)
    return Results(
        names=parts[0].names,
        bots=np.concatenate([part.bots for part in parts]),
        points=np.concatenate([part.points for part in parts]),
        winners=np.concatenate([part.winners for part in parts]),
        lengths=np.concatenate([part.lengths for part in parts]),
        rounds=np.concatenate([part.rounds for part in parts]),
        endings=np.concatenate([part.endings for part in parts]),
        forfeits=forfeits,
    )


@dataclass(frozen=True)
class Decision:
    """A step of a game between bots: who decided what, among which actions, in how many seconds, what happened, and
    what was seen before.
    """

    seat: int
    action: int
    legal: NDArray[np.int32]
    seconds: float
    events: list[Event]
    view: View


def step_game(position: Position, seated: Sequence[SeatedBot]) -> Iterator[Decision]:
    """Play on from `position` to the end, decision by decision; then, or when broken off, the players leave.

    Raises EndlessGame for a game that goes on past its declared maximum, and Stopped.
    """
    try:
        for _ in position.until_over():
            check_stop()
            seat = position.to_act[0]
            legal = position.legal_moves(seat).actions
            view = position.view(seat)
            began = time.perf_counter()
            action = seated[seat].decide(view, legal)
            seconds = time.perf_counter() - began
            yield Decision(seat, action, legal, seconds, position.play_action(seat, action), view)
    finally:
        for player in seated:
            player.leave(position.outcome)
