"""Games of a report, a chunk at a time: what came of each, and what all of them did, counted.

Game i depends on (seed, i) alone and is the game i of `atoll simulate`; chunks are counted in whole numbers, so their
sums are the same in any order.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.bots.bot import Bot
from atoll.core.events import Event
from atoll.core.game import Game
from atoll.core.types import Components
from atoll.lab import counting
from atoll.lab.beginning import beginners, counted_from
from atoll.lab.counting import GAME_COLUMNS, LOG_COLUMNS, MOST_SEATS, ROUNDS
from atoll.lab.loops import LOG_FULL, Loop, Seated, are_quick, check_end, deal_chances, loop_of, seat_quick
from atoll.lab.scripted import compiled_script_counting, script
from atoll.lab.simulate import game_seed, no_results, seat_bots, step_game
from atoll.lab.things import things_of
from atoll.lab.trained_games import trained_table


@dataclass(frozen=True)
class Played:
    """What is played: `bots` fill the seats and move a seat further each game, as in `atoll simulate`."""

    game: Game
    components: Components
    players: int
    bots: Sequence[Bot]
    seed: int
    options: dict[str, bool] = field(default_factory=dict)

    @property
    def is_quick(self) -> bool:
        """Whether all bots are QUICK_BOTS, or such with restrictions."""
        return are_quick(self.game, self.bots)

    @property
    def is_compiled(self) -> bool:
        """Whether all of it runs in compiled code: quick bots, or trained ones with one network beside them."""
        return self.is_quick or trained_table(self.game, self.bots) is not None

    def seated(self, first: int, count: int) -> Seated:
        """Who sits where in games first to first + count - 1, if all of it runs in compiled code."""
        rows = no_results(self.bots, self.players, first, count).bots
        return seat_quick(self.game, self.bots, rows)


@dataclass
class Log:
    """The decisions of some games: `rows` int32 (n, LOG_COLUMNS), `legal` int32 (m,), `events` int32 (k, 3): kind,
    whose, piece. The last two columns of a row say where its own end.
    """

    rows: NDArray[np.int32]
    legal: NDArray[np.int32]
    events: NDArray[np.int32]


_WHOSE = 1
"""The column of `Log.events`."""


@dataclass
class Chunk:
    """Games first to first + n - 1, with seats counted from who begins (`lab/beginning.py`) once they are finished:
    `things` and `rounds` are sums (`lab/counting.py`); `bots` int8 (n, players),
    `points` int32 (n, players), `games` int64 (n, GAME_COLUMNS), `course` int32 (n, ROUNDS, players);
    `rounds_played` and `endings` int32 (n,), 0 if the game does not tell; `log` if it was asked for.
    """

    first: int
    bots: NDArray[np.int8]
    points: NDArray[np.int32]
    games: NDArray[np.int64]
    course: NDArray[np.int32]
    things: NDArray[np.int64]
    rounds: NDArray[np.int64]
    rounds_played: NDArray[np.int32]
    endings: NDArray[np.int32]
    log: Log | None = None

    @property
    def shares(self) -> NDArray[np.int64]:
        """(n, players): what each seat won, in parts of WIN."""
        won = self.games[:, counting.WINNERS, None] >> np.arange(self.points.shape[1]) & 1
        shares: NDArray[np.int64] = won * counting.WIN // np.maximum(1, won.sum(axis=1, keepdims=True))
        return shares


class Counter:
    """Scratch and sums for counting one chunk of games."""

    def __init__(self, played: Played, first: int, count: int, room: int) -> None:
        rules = played.game.rules
        things = self.things = things_of(played.game)
        items = len(things.items)
        self.scores = np.zeros(rules.MAX_LEGAL, dtype=np.int32)
        self.events = np.zeros((rules.MAX_EVENTS + 2, 6), dtype=np.int16)
        self.counts = np.zeros((3, MOST_SEATS + 1, items), dtype=np.int32)
        self.stamps = np.zeros(items + 1, dtype=np.int64)
        self.in_round = np.zeros((ROUNDS, counting.ROUND_MEASURES + counting.LEGAL_CLASSES), dtype=np.int64)
        self.chunk = Chunk(
            first,
            no_results(played.bots, played.players, first, count).bots,
            np.zeros((count, played.players), dtype=np.int32),
            np.zeros((count, GAME_COLUMNS), dtype=np.int64),
            np.zeros((count, ROUNDS, played.players), dtype=np.int32),
            np.zeros((items, counting.THING_COLUMNS), dtype=np.int64),
            np.zeros((ROUNDS, counting.ROUND_COLUMNS), dtype=np.int64),
            np.zeros(count, dtype=np.int32),
            np.zeros(count, dtype=np.int32),
        )
        self.chunk.games[:, counting.BEGINNER] = beginners(
            played.game, played.components, played.players, played.seed, first, count
        )
        self.log = np.zeros((room, LOG_COLUMNS), dtype=np.int32)
        self.legal = np.zeros(8 * room, dtype=np.int32)
        self.happened = np.zeros((8 * room, 3), dtype=np.int32)
        self.ends = np.zeros(3, dtype=np.int64)

    def finish(self, states: NDArray[Any], played: Played) -> Chunk:
        """The chunk, with how its games ended and what was logged."""
        chunk, endings = self.chunk, played.game.endings
        if endings is not None:
            chunk.rounds_played[:] = endings.rounds(states)
            chunk.endings[:] = endings.endings(states, played.components)
        if len(self.log):
            rows, legal, happened = self.ends.tolist()
            chunk.log = Log(self.log[:rows], self.legal[:legal], self.happened[:happened])
        _count_seats_from_beginners(chunk)
        return chunk


def _count_seats_from_beginners(chunk: Chunk) -> None:
    """Turn what is told by seat."""
    players, games, began = chunk.points.shape[1], chunk.games, chunk.games[:, counting.BEGINNER]
    chunk.bots, chunk.points, chunk.course = (
        counted_from(began, values) for values in (chunk.bots, chunk.points, chunk.course)
    )
    won = counted_from(began, games[:, counting.WINNERS, None] >> np.arange(players) & 1)
    games[:, counting.WINNERS] = won @ (1 << np.arange(players))
    for column in (counting.FIRST_PLAN, counting.FIRST_ACTION):
        own = slice(column, column + players)
        games[:, own] = counted_from(began, games[:, own])
    if chunk.log is not None:
        rows, events = chunk.log.rows, chunk.log.events
        begun = began[rows[:, counting.IN_GAME]]
        rows[:, counting.BY] = (rows[:, counting.BY] - begun) % players
        whose = events[:, _WHOSE]
        in_rows = np.diff(rows[:, counting.EVENTS_END], prepend=0)
        whose[:] = np.where(whose < 0, whose, (whose - np.repeat(begun, in_rows)) % players)


def sampled_games(first: int, count: int) -> NDArray[np.bool_]:
    """In which games the advice on choices is looked at."""
    found: NDArray[np.bool_] = np.arange(first, first + count) % counting.SAMPLE == 0
    return found


_room: dict[tuple[str, int], int] = {}
"""Decisions a game for which the log had to have room, where the usual did not suffice."""


def collect(played: Played, first: int, count: int, *, keep_log: bool = False) -> Chunk:
    """Games first to first + count - 1, on one core; raises EndlessGame, and Stopped."""
    room = count * _room.get((played.game.name, played.players), 200) if keep_log else 0
    while True:
        counter = Counter(played, first, count, room)
        chunk = _compiled(played, counter) if played.is_compiled else play_stepped(played, counter)
        if chunk is not None:
            return chunk
        room *= 2
        _room[played.game.name, played.players] = room // count


def _compiled(played: Played, counter: Counter) -> Chunk | None:
    """The games in compiled code; None if the log had too little room."""
    game, chunk, things = played.game, counter.chunk, counter.things
    count = len(chunk.points)
    chances, own = deal_chances(played.seed, chunk.first, count, played.players)
    states = np.zeros(count + 1, dtype=game.rules.STATE)
    function, loop = _loop(played, counter, chances, own)
    ended = function(
        *loop,
        states,
        (
            chances,
            counter.scores,
            sampled_games(chunk.first, count),
            things.has_rounds,
            things.move_items,
            things.event_items,
            things.kind_of,
            len(game.moves.kinds),
            counter.counts,
            counter.stamps,
            counter.in_round,
            chunk.things,
            chunk.rounds,
            chunk.points,
            chunk.games,
            chunk.course,
            counter.log,
            counter.legal,
            counter.happened,
            counter.ends,
        ),
    )
    check_end(ended, game, played.components, played.players)
    return None if ended == LOG_FULL else counter.finish(states[:count], played)


def _loop(
    played: Played, counter: Counter, chances: NDArray[np.uint64], own: NDArray[np.uint64]
) -> tuple[Callable[..., int], Loop]:
    """The loop that counts, and what it is given; the moves, where trained players have made them before."""
    game, components, chunk = played.game, played.components, counter.chunk
    count = len(chunk.points)
    if played.is_quick:
        seated = played.seated(chunk.first, count)
        return counting.compiled_counting(game), loop_of(game, components, seated, own, counter.events)
    trained = trained_table(game, played.bots)
    assert trained is not None
    weights, kinds = trained
    names = no_results(played.bots, played.players, chunk.first, count).names
    who = np.array([kinds[name] for name in names], dtype=np.int8)[chunk.bots]
    free = Seated(
        (), chunk.bots, np.zeros((1, len(game.moves)), np.int8), np.full(chunk.bots.shape, -1, np.int16)
    )
    moves = script(game, components, weights, who, chances, own)
    return compiled_script_counting(game), loop_of(game, components, free, own, counter.events)._replace(
        kept=moves
    )


def play_stepped(played: Played, counter: Counter) -> Chunk | None:
    """The games step by step, for bots that are not compiled; None if the log had too little room."""
    chunk, states = counter.chunk, []
    for place in range(len(chunk.points)):
        state = step_counted(played, counter, place)
        if state is None:
            return None
        states.append(state)
    return counter.finish(np.concatenate(states), played)


def step_counted(played: Played, counter: Counter, place: int) -> NDArray[Any] | None:
    """One game step by step, counted as the compiled loop counts; its last state, None if the log has no room."""
    game, chunk = played.game, counter.chunk
    index = chunk.first + place
    position = game.start(played.players, game_seed(played.seed, index), played.components, played.options)
    row, course = chunk.games[place], chunk.course[place]
    parts, rules = played.components.parts[0], game.rules
    rules.result(position.states[0], parts, course[0])
    choices, number = np.zeros(MOST_SEATS, dtype=np.int64), 1
    seated = seat_bots(played.bots, played.players, played.seed, index)
    sampled = bool(sampled_games(index, 1)[0])
    for step in step_game(position, seated):
        legal, count = step.legal, len(step.legal)
        std = margin = -1
        if count > 1:
            if sampled:
                game.advise(step.view.state, parts, legal, count, counter.scores)
                std, margin = counting.count_advice(
                    *(chunk.things, counter.stamps, counter.in_round, counter.things.move_items),
                    *(number, legal, count, counter.scores),
                )
            counting.note_plan(
                row, len(game.moves.kinds), counter.things.kind_of, step.seat, step.action, choices
            )
        counting.count_decision(
            *(counter.counts, counter.stamps, counter.in_round, counter.things.move_items),
            *(step.seat, number, legal, count, step.action),
        )
        row[counting.LENGTH] += 1
        _write(counter.events, step.events)
        if len(counter.log) and not counting.log_decision(
            *(counter.log, counter.legal, counter.happened, counter.ends, place, step.seat, number),
            *(legal, count, step.action, std, margin, counter.events),
        ):
            return None
        later = counting.count_events(counter.counts, counter.things.event_items, counter.events, number)
        if later < 0 or (not counter.things.has_rounds and row[counting.LENGTH] % played.players == 0):
            number = -later if later < 0 else min(number + 1, ROUNDS - 1)
            rules.result(position.states[0], parts, course[number - 1])
    winners = rules.result(position.states[0], parts, chunk.points[place])
    counting.close_game(
        *(chunk.things, chunk.rounds, counter.counts, counter.in_round, row, chunk.points[place]),
        *(course[number], winners, number),
    )
    return position.states[:1].copy()


def _write(buffer: NDArray[np.int16], events: Sequence[Event]) -> None:
    """Put events into a buffer."""
    declared = [event for event in events if event.what >= 0]
    buffer[0, 0] = len(declared)
    for place, event in enumerate(declared, start=1):
        buffer[place] = event
