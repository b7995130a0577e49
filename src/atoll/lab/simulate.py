"""Many games between bots: the compiled loop, or the same functions stepped one by one."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from atoll.bots.bot import QUICK_BOTS, Bot, QuickBot, SeatedBot
from atoll.core.events import NO_EVENTS, Event
from atoll.core.game import Game, Position, View
from atoll.core.types import Components
from atoll.engine.chance import derive_each, generators
from atoll.engine.stopping import check_stop
from atoll.lab.batches import in_order
from atoll.lab.loop import deal_chances, run_games
from atoll.lab.played import PlayedGames, Setup, game_seed
from atoll.lab.trained_policy import compiled_play
from atoll.text.errors import AtollError
from atoll.text.messages import Message

CHUNK = 500
"""Games that a worker plays at a time: few enough for progress to be smooth."""
TRAINED_CHUNK = 50
"""The same of games with trained players, which take longer."""


def bot_generators(seed: int, index: int, players: int) -> list[NDArray[np.uint64]]:
    """The generators of the bots in game `index`, one a seat."""
    return list(
        generators(derive_each(seed, np.array([index], dtype=np.uint64), np.arange(players, dtype=np.uint64)))
    )


def seat_bots(bots: Sequence[Bot], players: int, seed: int, index: int) -> list[SeatedBot]:
    """The bots in their seats of game `index`, as the compiled loop seats them."""
    by_name = {bot.name: bot for bot in bots}
    names = (bots[(seat - index) % players % len(bots)].name for seat in range(players))
    own = bot_generators(seed, index, players)
    return [by_name[name].sit(chance) for name, chance in zip(names, own, strict=True)]


def simulate_chunk(
    game: Game,
    components: Components,
    players: int,
    bots: Sequence[Bot],
    seed: int,
    first: int,
    count: int,
    events: NDArray[np.int16] = NO_EVENTS,
    quick: Sequence[QuickBot] = QUICK_BOTS,
) -> PlayedGames:
    """Games first to first + count - 1, on one core: in compiled code if all bots are quick, or trained with one
    network, else step by step.

    `events` takes those of all the games in compiled code, as far as it has room; `quick` is that of a `Setup`. Raises
    EndlessGame for a game that goes on past its declared maximum, and Stopped.
    """
    setup = Setup(game, components, players, bots, seed, quick=quick)
    games = PlayedGames.empty(setup.names, setup.bots_in(first, count))
    if setup.is_compiled:
        chances, own = deal_chances(seed, first, count, players)
        seats = setup.seats(first, count)
        _, arrays = run_games(
            game, components, seats, own, chances, events=events, **compiled_play(game, seats, components)
        )
        games.take(arrays)
        games.add_endings(slice(None), game, components, arrays.states[:count])
        return games
    for place in range(count):
        position = game.start(players, game_seed(seed, first + place), components)
        games.add_begin(place, position)
        seated_bots = seat_bots(bots, players, seed, first + place)
        for _ in step_game(position, seated_bots):
            games.lengths[place] += 1
        games.add_end(place, position, seated_bots)
    return games


def compile_simulation(game: Game, components: Components, bots: Sequence[Bot] = QUICK_BOTS) -> None:
    """Compile or load all that `simulate` runs with these bots."""
    for bot in bots:
        bot.prepare(game)
    simulate_chunk(game, components, game.seats.start, QUICK_BOTS, seed=0, first=0, count=1)


def check_quick(setup: Setup, what: Message) -> None:
    """Raise AtollError unless all bots run in compiled code."""
    if not setup.is_quick:
        names = ", ".join(bot.name for bot in QUICK_BOTS)
        raise AtollError(
            Message("%(what)s need bots that run in compiled code: %(names)s", what=what, names=names)
        )


def chunk_size(setup: Setup) -> int:
    """Games that a worker plays at a time."""
    return CHUNK if setup.is_quick else TRAINED_CHUNK if setup.is_compiled else 1


def simulate(
    game: Game,
    components: Components,
    players: int,
    bots: Sequence[Bot],
    games: int,
    seed: int,
    workers: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> PlayedGames:
    """Play games 0 to games - 1 on `workers` cores; calls `progress` with the number of games just finished.

    Raises EndlessGame for a game that goes on past its declared maximum. When interrupted, all games are given up.
    """
    compile_simulation(game, components, bots)
    size = chunk_size(Setup(game, components, players, bots, seed))
    work = (
        partial(simulate_chunk, game, components, players, bots, seed, first, min(size, games - first))
        for first in range(0, games, size)
    )
    chunks = []
    with closing(in_order(work, workers)) as results:
        for chunk in results:
            chunks.append(chunk)
            progress(len(chunk))
    return PlayedGames.join(chunks)


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


def step_game(position: Position, seated_bots: Sequence[SeatedBot]) -> Iterator[Decision]:
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
            action = seated_bots[seat].decide(view, legal)
            seconds = time.perf_counter() - began
            yield Decision(seat, action, legal, seconds, position.play_action(seat, action), view)
    finally:
        for player in seated_bots:
            player.leave(position.outcome)
