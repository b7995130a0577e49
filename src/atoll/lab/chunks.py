"""Games of a report, a chunk at a time: the results of each, and the sums over all of them.

Game i is the game i of `atoll simulate`; chunks are counted in whole numbers, so their sums are the same in any order.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.bots.bot import QUICK_BOTS
from atoll.core.state import MOST_SEATS
from atoll.lab import counts
from atoll.lab.counts import CountArrays, counted_games
from atoll.lab.flow_counts import FlowArrays
from atoll.lab.items import items_of
from atoll.lab.lead_history import LeadHistory
from atoll.lab.loop import NO_ROOM, PlayedMoves, choose_quickly, deal_chances, follow_script, run_games
from atoll.lab.played import BotSeats, PlayedGames, Setup, from_beginner, game_seed
from atoll.lab.resources import flow_arrays
from atoll.lab.simulate import seat_bots, step_game
from atoll.lab.trained_policy import trained_arrays, trained_policy


@dataclass
class GameLog:
    """The decisions of some games: `rows` int32 (n, LOG_COLUMNS), `legal` int32 (m,), `events` int32 (k, 3): kind,
    whose, piece. The last two columns of a row say where its own end.
    """

    rows: NDArray[np.int32]
    legal: NDArray[np.int32]
    events: NDArray[np.int32]


_WHOSE = 1
"""The column of `GameLog.events`."""


@dataclass
class Chunk:
    """Games first to first + n - 1, with seats counted from who begins: their results; the sums `usage`, `rounds`
    (`lab/counts.py`) and `flow` (`lab/flow_counts.py`); and of each game `games` int64 (n, GAME_COLUMNS) and the points
    after each round, `round_points` int32 (n, ROUNDS, players); `log` if it was asked for.
    """

    first: int
    played: PlayedGames
    usage: NDArray[np.int64]
    rounds: NDArray[np.int64]
    games: NDArray[np.int64]
    round_points: NDArray[np.int32]
    flow: FlowArrays
    log: GameLog | None = None

    @cached_property
    def lead(self) -> LeadHistory:
        """Who led when."""
        return LeadHistory(self.round_points, self.games[:, counts.SNAPSHOTS], self.shares)

    def __getstate__(self) -> dict[str, Any]:
        """What is sent from machine to machine: nothing that follows from the rest."""
        return {name: value for name, value in vars(self).items() if name != "lead"}

    def __len__(self) -> int:
        return len(self.played)

    @property
    def players(self) -> int:
        """How many play."""
        return int(self.played.points.shape[1])

    @property
    def shares(self) -> NDArray[np.int64]:
        """(n, players): what each seat won, in parts of WIN."""
        wins = self.played.winners[:, None].astype(np.int64) >> np.arange(self.players) & 1
        shares: NDArray[np.int64] = wins * counts.WIN // np.maximum(1, wins.sum(axis=1, keepdims=True))
        return shares


def count_arrays(setup: Setup, first: int, count: int, room: int) -> CountArrays:
    """Empty arrays for what is counted of some games, and for so many decisions of a log."""
    items, rules = items_of(setup.game), setup.game.rules
    number = len(items.items)
    return CountArrays(
        scores=np.zeros(rules.MAX_LEGAL, dtype=np.int32),
        sampled=sampled_games(first, count),
        has_rounds=np.array([items.has_rounds]),
        move_items=items.move_items,
        event_items=items.event_items,
        kind_of=items.kind_of,
        kinds=np.array([len(setup.game.moves.kinds)]),
        items=np.zeros((3, MOST_SEATS + 1, number), dtype=np.int32),
        stamps=np.zeros(number + 1, dtype=np.int64),
        in_round=np.zeros((counts.ROUNDS, counts.ROUND_MEASURES + counts.LEGAL_CLASSES), dtype=np.int64),
        turn=np.zeros(4, dtype=np.int64),
        choices=np.zeros(MOST_SEATS, dtype=np.int64),
        usage=np.zeros((number, counts.USAGE_COLUMNS), dtype=np.int64),
        rounds=np.zeros((counts.ROUNDS, counts.ROUND_COLUMNS), dtype=np.int64),
        games=np.zeros((count, counts.GAME_COLUMNS), dtype=np.int64),
        round_points=np.zeros((count, counts.ROUNDS, setup.players), dtype=np.int32),
        flow=flow_arrays(setup.game),
        log=np.zeros((room, counts.LOG_COLUMNS), dtype=np.int32),
        legal=np.zeros(8 * room, dtype=np.int32),
        happened=np.zeros((8 * room, 3), dtype=np.int32),
        ends=np.zeros(3, dtype=np.int64),
    )


def sampled_games(first: int, count: int) -> NDArray[np.bool_]:
    """In which games the advice on choices is looked at."""
    sampled: NDArray[np.bool_] = np.arange(first, first + count) % counts.SAMPLE == 0
    return sampled


_room: dict[tuple[str, int], int] = {}
"""Decisions a game for which the log had to have room, where the usual did not suffice."""


def collect(setup: Setup, first: int, count: int, *, keep_log: bool = False) -> Chunk:
    """Games first to first + count - 1, on one core; raises EndlessGame, and Stopped."""
    moves = None if setup.is_compiled else play_stepped(setup, first, count)
    room = count * _room.get((setup.game.name, setup.players), 200) if keep_log else 0
    while True:
        chunk = count_games(setup, first, count, room, moves)
        if chunk is not None:
            return chunk
        room *= 2
        _room[setup.game.name, setup.players] = room // count


def play_stepped(setup: Setup, first: int, count: int) -> NDArray[np.int32]:
    """The moves of games that are played step by step, for bots that do not run in compiled code."""
    moves = []
    for index in range(first, first + count):
        position = setup.game.start(
            setup.players, game_seed(setup.seed, index), setup.components, setup.options
        )
        seated_bots = seat_bots(setup.bots, setup.players, setup.seed, index)
        moves += [step.action for step in step_game(position, seated_bots)]
    return np.array(moves, dtype=np.int32)


def count_games(
    setup: Setup, first: int, count: int, room: int, moves: NDArray[np.int32] | None = None
) -> Chunk | None:
    """The games in compiled code, whose `moves` were played before or are chosen now; None if the log had too little
    room.
    """
    game, components = setup.game, setup.components
    own_counts = count_arrays(setup, first, count, room)
    rows = setup.bots_in(first, count)
    chances, own = deal_chances(setup.seed, first, count, setup.players)
    policy: Any = 0
    if moves is not None:
        seats = BotSeats(
            QUICK_BOTS, rows, np.zeros((1, len(game.moves)), np.int8), np.full(rows.shape, -1, np.int16)
        )
        hooks = counted_games("played moves", follow_script)
        policy = PlayedMoves(moves, np.zeros(1, dtype=np.int64))
    elif setup.is_quick:
        seats, hooks = setup.seats(first, count), counted_games("quick bots", choose_quickly)
    else:
        seats, hooks = (
            setup.seats(first, count),
            counted_games("trained", trained_policy(game)),
        )
        assert seats.network is not None
        policy = trained_arrays(game, seats.network.mind(setup.players, components))
    events = np.zeros((game.rules.MAX_EVENTS + 2, 6), dtype=np.int16)
    end, arrays = run_games(
        game, components, seats, own, chances, hooks, policy=policy, counts=own_counts, events=events
    )
    if end == NO_ROOM:
        return None
    results = PlayedGames.empty(setup.names, rows)
    results.take(arrays)
    results.add_endings(slice(None), game, components, arrays.states[:count])
    log = None
    if room:
        decisions, legal, happened = own_counts.ends.tolist()
        log = GameLog(own_counts.log[:decisions], own_counts.legal[:legal], own_counts.happened[:happened])
    chunk = Chunk(
        first,
        results,
        own_counts.usage,
        own_counts.rounds,
        own_counts.games,
        own_counts.round_points,
        own_counts.flow,
        log,
    )
    count_seats_from_beginners(chunk)
    return chunk


def count_seats_from_beginners(chunk: Chunk) -> None:
    """Reorder what is stored by seat."""
    results, players, games, beginners = chunk.played, chunk.players, chunk.games, chunk.played.beginners
    results.bots, results.points = results.from_beginner(results.bots), results.from_beginner(results.points)
    chunk.round_points = results.from_beginner(chunk.round_points)
    wins = results.from_beginner(results.winners[:, None] >> np.arange(players) & 1)
    results.winners = (wins @ (1 << np.arange(players))).astype(np.int32)
    for column in (counts.FIRST_PLAN, counts.FIRST_ACTION):
        own = slice(column, column + players)
        games[:, own] = from_beginner(beginners, games[:, own])
    if chunk.log is not None:
        rows, events = chunk.log.rows, chunk.log.events
        first_seats = beginners[rows[:, counts.IN_GAME]]
        rows[:, counts.BY] = (rows[:, counts.BY] - first_seats) % players
        whose = events[:, _WHOSE]
        in_rows = np.diff(rows[:, counts.EVENTS_END], prepend=0)
        whose[:] = np.where(whose < 0, whose, (whose - np.repeat(first_seats, in_rows)) % players)
