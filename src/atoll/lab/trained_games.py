"""Many games between trained players, greedy and random ones in one compiled loop, which can log what the trained see.

Game i depends on its own generators alone: one deals, and each seat has one.
"""

# mypy: disable-error-code="no-untyped-def"

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from atoll.bots.bot import QUICK_BOTS, Bot, TrainedBot
from atoll.bots.greedy import greedy_in_loops
from atoll.bots.network import Activations, Mind, list_relations, looking
from atoll.bots.sampling import draw_highest, draw_softmax
from atoll.bots.weights import Weights
from atoll.core.events import NO_EVENTS
from atoll.core.game import Game
from atoll.core.types import Components
from atoll.engine.chance import derive_each, draw_below, generators
from atoll.engine.compiling import compiled, inlined
from atoll.engine.derived import derive
from atoll.engine.stopping import Stopped, current_stop
from atoll.lab.loops import next_seat

TRAINED, GREEDY, RANDOM = range(3)
"""Who sits in a seat."""
LONGEST, EXPLORES, LOGS = range(3)
"""Settings: the most decisions of a game, whether trained players draw moves by their worth rather than take the best,
and whether what they decide is logged.
"""
ROWS, MOVES, DECISIONS, RELATED = range(4)
"""What a log counts."""
IN_GAME, SEAT, CHOSEN = range(3)
"""Columns of a log's decisions: the game, the seat, and which of its legal moves was taken."""
ENDLESS, STOPPED = -1, -2


class Log(NamedTuple):
    """What trained players decided among several moves: of decision d the rows and weights are those before
    `row_ends[d]`, the moves, as turned codes, the advice on them from -1 to 0, and how far they are behind the highest
    move features those before `move_ends[d]`; of move
    m the rows and weights of what it refers to are those before `related_ends[m]`.
    """

    rows: NDArray[np.int32]
    weights: NDArray[np.float32]
    moves: NDArray[np.int32]
    relative: NDArray[np.float32]
    move_features: NDArray[np.float32]
    related: NDArray[np.int32]
    related_weights: NDArray[np.float32]
    related_ends: NDArray[np.int64]
    row_ends: NDArray[np.int64]
    move_ends: NDArray[np.int64]
    decisions: NDArray[np.int32]
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, decisions: int, rows: int, moves: int, related: int, move_features: int = 0) -> "Log":
        """With room for so many, and for so many move features of each move."""
        return cls(
            np.zeros(rows, np.int32),
            np.zeros(rows, np.float32),
            np.zeros(moves, np.int32),
            np.zeros(moves, np.float32),
            np.zeros((moves, move_features), np.float32),
            np.zeros(related, np.int32),
            np.zeros(related, np.float32),
            np.zeros(moves, np.int64),
            np.zeros(decisions, np.int64),
            np.zeros(decisions, np.int64),
            np.zeros((decisions, 3), np.int32),
            np.zeros(4, np.int64),
        )

    def cut(self) -> "Log":
        """A copy without room for more."""
        rows, moves, decisions, related = self.counts.tolist()
        ends = {
            "rows": rows, "weights": rows, "moves": moves, "relative": moves, "move_features": moves,
            "related": related, "related_weights": related, "related_ends": moves,
            "row_ends": decisions, "move_ends": decisions, "decisions": decisions, "counts": 4,
        }  # fmt: skip
        return Log(**{name: getattr(self, name)[:end].copy() for name, end in ends.items()})


class Table(NamedTuple):
    """What the loop is given: the games' players (n, players), generators (n, 1 + players, words) and scratch."""

    who: NDArray[np.int8]
    chances: NDArray[np.uint64]
    parts: NDArray[Any]
    states: NDArray[Any]  # (2,): a state and a view
    legal: NDArray[np.int32]
    events: NDArray[np.int16]
    settings: NDArray[np.int64]
    stop: NDArray[np.uint8]
    points: NDArray[np.int32]  # (n, players)
    winners: NDArray[np.int32]  # (n,)
    lengths: NDArray[np.int32]  # (n,)
    ends: NDArray[Any]  # (n,): the last states, or none
    script: NDArray[np.int32]  # how many moves were written down, and these; or none


start: Any = None
legal_actions: Any = None
play: Any = None
make_view: Any = None
result: Any = None
look_at: Any = None
greedy: Any = None
decide: Any = None


@inlined
def has_room(log, room, rows, moves):
    """Whether another decision with so many rows and moves fits."""
    counts = log.counts
    related = moves * room.related.shape[0]
    return (
        counts[RELATED] + related <= log.related.shape[0]
        and counts[DECISIONS] < log.row_ends.shape[0]
        and counts[ROWS] + rows <= log.rows.shape[0]
        and counts[MOVES] + moves <= log.moves.shape[0]
    )


@compiled
def note(log, mind, room, rows, moves, count, game, seat, chosen):
    """Log a decision."""
    counts = log.counts
    for i in range(rows):
        log.rows[counts[ROWS] + i] = room.rows[i]
        log.weights[counts[ROWS] + i] = room.weights[i]
    for i in range(count):
        action = mind.turned[seat, moves[i]]
        log.moves[counts[MOVES] + i] = action
        log.relative[counts[MOVES] + i] = room.relative[i]
        for k in range(log.move_features.shape[1]):
            log.move_features[counts[MOVES] + i, k] = room.move_features[i, k]
        rows_before = counts[RELATED]
        related, weights = log.related[rows_before:], log.related_weights[rows_before:]
        counts[RELATED] += list_relations(
            mind.plan, mind.relation_ends, mind.relations, room.seen, action, related, weights
        )
        log.related_ends[counts[MOVES] + i] = counts[RELATED]
    counts[ROWS] += rows
    counts[MOVES] += count
    d = counts[DECISIONS]
    log.row_ends[d] = counts[ROWS]
    log.move_ends[d] = counts[MOVES]
    log.decisions[d, IN_GAME] = game
    log.decisions[d, SEAT] = seat
    log.decisions[d, CHOSEN] = chosen
    counts[DECISIONS] += 1


def choose_in(table, log, mind, room, game, seat, count):
    """The index of the move that a seat takes, or -1 if the log is full."""
    state, view = table.states[0], table.states[1]
    moves, generator = table.legal, table.chances[game, 1 + seat]
    who = table.who[game, seat]
    if who == RANDOM:
        return draw_below(generator, count)
    make_view(state, table.parts[0], seat, view)
    if who == GREEDY:
        action = greedy(0, view, table.parts[0], moves, count, generator)
        chosen = 0
        while moves[chosen] != action:
            chosen += 1
        return chosen
    rows = look_at(mind, room, view, table.parts[0], moves, count)
    if table.settings[EXPLORES] != 0:
        chosen = draw_softmax(room.worths, count, generator)
    else:
        chosen = draw_highest(room.worths, count, generator)
    if table.settings[LOGS] != 0:
        if not has_room(log, room, rows, count):
            return -1
        note(log, mind, room, rows, moves, count, game, seat, chosen)
    return chosen


def play_all(table, log, mind, room):
    """Play the games; returns how many were played before the log was full, or ENDLESS or STOPPED."""
    games, players = table.who.shape
    state = table.states[0]
    for game in range(games):
        if table.stop[0] != 0:
            return STOPPED
        before = (log.counts[ROWS], log.counts[MOVES], log.counts[DECISIONS], log.counts[RELATED])
        start(state, table.parts[0], players, table.chances[game, 0])
        length = 0
        while state.to_act != 0:
            if length == table.settings[LONGEST]:
                return ENDLESS
            length += 1
            seat = next_seat(state)
            count = legal_actions(state, table.parts[0], seat, table.legal)
            chosen = 0
            if count > 1:
                chosen = decide(table, log, mind, room, game, seat, count)
                if chosen < 0:
                    for k in range(len(before)):
                        log.counts[k] = before[k]
                    return game
            if table.script.shape[0]:
                table.script[0] += 1
                table.script[table.script[0]] = table.legal[chosen]
            play(state, table.parts[0], seat, table.legal[chosen], table.events)
        table.winners[game] = result(state, table.parts[0], table.points[game])
        table.lengths[game] = length
        if table.ends.shape[0]:
            table.ends[game] = state
    return games


@cache
def player_of(game: Game) -> Any:
    """`play_all`, compiled for a game."""
    rules = game.rules
    module = f"{game.package}.rules"
    known: dict[str, Any] = {
        name: getattr(rules, name) for name in ("start", "legal_actions", "play", "result")
    }
    known["make_view"] = rules.view
    known["greedy"] = greedy_in_loops(game)
    known["look_at"] = looking(game)
    known["decide"] = compiled(derive(choose_in, module, **known))
    return compiled(derive(play_all, module, **known))


def trained_table(game: Game, bots: Sequence[Bot]) -> tuple[Weights, dict[str, int]] | None:
    """The network and, by their names, who of TRAINED, GREEDY and RANDOM the bots are; None if any is none of these, if
    they have several networks, or if none has one.
    """
    kinds: dict[str, int] = {}
    found: dict[str, Weights] = {}
    for bot in bots:
        weights = bot.weights(game) if isinstance(bot, TrainedBot) else None
        if weights is not None:
            kinds[bot.name], found[bot.name] = TRAINED, weights
        elif bot in QUICK_BOTS:
            kinds[bot.name] = RANDOM if bot.name == "random" else GREEDY
        else:
            return None
    return (next(iter(found.values())), kinds) if len(found) == 1 else None


NO_LOG = Log.of(0, 0, 0, 0)
NO_SCRIPT = np.zeros(0, dtype=np.int32)


def play_trained(
    game: Game,
    components: Components,
    mind: Mind,
    who: NDArray[np.int8],
    seeds: NDArray[np.uint64],
    *,
    explores: bool = False,
    log: Log | None = None,
    keep_ends: bool = False,
) -> tuple[int, Table]:
    """Play games for `who`, one of TRAINED, GREEDY, RANDOM a seat, shape (n, players); game i from `seeds[i]`.

    Returns how many were played, fewer only where `log` is full, and the table with what came of them. Raises
    EndlessGame, and Stopped.
    """
    players = who.shape[1]
    own = np.arange(players, dtype=np.uint64)
    chances = np.concatenate(
        [generators(derive_each(seeds))[:, None], generators(derive_each(seeds[:, None], own[None, :]))],
        axis=1,
    )
    return play_dealt(game, components, mind, who, chances, explores=explores, log=log, keep_ends=keep_ends)


def play_dealt(
    game: Game,
    components: Components,
    mind: Mind,
    who: NDArray[np.int8],
    chances: NDArray[np.uint64],
    *,
    explores: bool = False,
    log: Log | None = None,
    keep_ends: bool = False,
    script: NDArray[np.int32] = NO_SCRIPT,
) -> tuple[int, Table]:
    """`play_trained` with the generators (n, 1 + players, words), the first of each game the one that deals; `script`
    takes all moves, one after another, and their number before them.
    """
    games, players = who.shape
    rules = game.rules
    longest = game.most_decisions(components, players)
    table = Table(
        who=np.ascontiguousarray(who),
        chances=chances,
        parts=components.parts,
        states=np.zeros(2, dtype=rules.STATE),
        legal=np.zeros(rules.MAX_LEGAL, dtype=np.int32),
        events=NO_EVENTS,
        settings=np.array([longest, int(explores), int(log is not None)], dtype=np.int64),
        stop=np.frombuffer(current_stop().flag, dtype=np.uint8),
        points=np.zeros((games, players), dtype=np.int32),
        winners=np.zeros(games, dtype=np.int32),
        lengths=np.zeros(games, dtype=np.int32),
        ends=np.zeros(games if keep_ends else 0, dtype=rules.STATE),
        script=script,
    )
    played = player_of(game)(table, NO_LOG if log is None else log, mind, Activations.of(game, mind))
    if played == STOPPED:
        raise Stopped
    if played == ENDLESS:
        raise game.endless(components, players)
    return int(played), table
