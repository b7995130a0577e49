"""Trained players in the compiled loop over many games, which can log what they see."""

# mypy: disable-error-code="no-untyped-def"

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from atoll.bots.bot import QUICK_BOTS
from atoll.bots.network import Activations, Mind, list_relations, looking
from atoll.bots.sampling import draw_highest, draw_softmax
from atoll.core.game import Game
from atoll.core.types import Components
from atoll.engine.chance import derive_each, generators
from atoll.engine.compiling import compiled, inlined
from atoll.engine.derived import derive
from atoll.lab.loop import NO_ROOM, Hooks, choose_quickly, run_games
from atoll.lab.played import AGAINST, BotSeats, PlayedGames

GREEDY = 1
"""The place of `greedy` in QUICK_BOTS, for games of trained players and quick bots."""
ROWS, MOVES, DECISIONS, RELATED = range(4)
"""What a log counts."""
IN_GAME, SEAT, CHOSEN = range(3)
"""Columns of a log's decisions: the game, the seat, and which of its legal moves was taken."""


class DecisionLog(NamedTuple):
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
    def of(cls, decisions: int, rows: int, moves: int, related: int, move_features: int = 0) -> "DecisionLog":
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

    def cut(self) -> "DecisionLog":
        """A copy without room for more."""
        rows, moves, decisions, related = self.counts.tolist()
        ends = {
            "rows": rows, "weights": rows, "moves": moves, "relative": moves, "move_features": moves,
            "related": related, "related_weights": related, "related_ends": moves,
            "row_ends": decisions, "move_ends": decisions, "decisions": decisions, "counts": 4,
        }  # fmt: skip
        return DecisionLog(**{name: getattr(self, name)[:end].copy() for name, end in ends.items()})

    def drop(self, game: int) -> None:
        """Forget the decisions of a game, the last one, which was broken off."""
        made = int(self.counts[DECISIONS])
        own = int(np.searchsorted(self.decisions[:made, IN_GAME], game))
        moves = int(self.move_ends[own - 1]) if own else 0
        self.counts[DECISIONS] = own
        self.counts[MOVES] = moves
        self.counts[ROWS] = self.row_ends[own - 1] if own else 0
        self.counts[RELATED] = self.related_ends[moves - 1] if moves else 0


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
def note(log, mind, room, rows, moves, count, seat):
    """Log what a player sees in a decision."""
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
    counts[DECISIONS] += 1
    log.row_ends[counts[DECISIONS] - 1] = counts[ROWS]
    log.move_ends[counts[DECISIONS] - 1] = counts[MOVES]


@inlined
def note_choice(log, game, seat, place):
    """Log the place of the choice among the moves of the last decision."""
    row = log.decisions[log.counts[DECISIONS] - 1]
    row[IN_GAME] = game
    row[SEAT] = seat
    row[CHOSEN] = place


class TrainedArrays(NamedTuple):
    """What trained players need: the network, room for what it sees, whether they draw moves by their worth rather than
    take the best, and a log, which without room for a decision is not kept.
    """

    mind: Mind
    room: Activations
    explores: NDArray[np.bool_]  # (1,)
    log: DecisionLog


class OpposedArrays(NamedTuple):
    """The same, and another network with room for what it sees, for the seats that are AGAINST the first."""

    mind: Mind
    room: Activations
    explores: NDArray[np.bool_]
    log: DecisionLog
    other: Mind
    other_room: Activations


look_at: Any = None
choose_first: Any = None


@inlined
def choose_trained(functions, arrays, game, seat, count):
    """What the bot of a seat takes of `count` moves; below 0 if there is no room to log it."""
    if arrays.bots[game, seat] >= 0:
        return choose_quickly(functions, arrays, game, seat, count)
    moves = arrays.moves
    if count == 1:
        return moves[0]
    trained, part = arrays.policy, arrays.parts[0]
    view = arrays.states[arrays.states.shape[0] - 1]
    functions.make_view(arrays.states[game], part, seat, view)
    room, log = trained.room, trained.log
    rows = look_at(trained.mind, room, view, part, moves, count)
    generator = arrays.generators[game, seat]
    if trained.explores[0]:
        place = draw_softmax(room.worths, count, generator)
    else:
        place = draw_highest(room.worths, count, generator)
    if log.row_ends.shape[0]:
        if not has_room(log, room, rows, count):
            return -1
        note(log, trained.mind, room, rows, moves, count, seat)
        note_choice(log, game, seat, place)
    return moves[place]


@inlined
def choose_opposed(functions, arrays, game, seat, count):
    """The same where the seats that are AGAINST take what the other network rates highest."""
    if arrays.bots[game, seat] != AGAINST or count == 1:
        return choose_first(functions, arrays, game, seat, count)
    opposed = arrays.policy
    view = arrays.states[arrays.states.shape[0] - 1]
    functions.make_view(arrays.states[game], arrays.parts[0], seat, view)
    look_at(opposed.other, opposed.other_room, view, arrays.parts[0], arrays.moves, count)
    return arrays.moves[draw_highest(opposed.other_room.worths, count, arrays.generators[game, seat])]


@cache
def trained_policy(game: Game) -> Any:
    """`choose_trained`, compiled for a game, as a hook."""
    return derive(choose_trained, f"{game.package}.rules", look_at=looking(game))


@cache
def trained_games(game: Game) -> Hooks:
    """Games with trained players of which nothing is counted but their results."""
    return Hooks("play_trained", decide=trained_policy(game))


@cache
def opposed_games(game: Game) -> Hooks:
    """The same with two networks."""
    bindings = {"choose_first": trained_policy(game), "look_at": looking(game)}
    return Hooks("play_opposed", decide=derive(choose_opposed, f"{game.package}.rules", **bindings))


NO_LOG = DecisionLog.of(0, 0, 0, 0)


def trained_arrays(
    game: Game, mind: Mind, *, explores: bool = False, log: DecisionLog = NO_LOG
) -> TrainedArrays:
    """What trained players of a game need."""
    return TrainedArrays(mind, Activations.of(game, mind), np.array([explores]), log)


def compiled_play(game: Game, seats: BotSeats, components: Components) -> dict[str, Any]:
    """The hooks of `run_games`, and what the policy brings, for these bots."""
    if seats.network is None:
        return {}
    mind = seats.network.mind(seats.bots.shape[1], components)
    return {"hooks": trained_games(game), "policy": trained_arrays(game, mind)}


def play_trained(
    game: Game,
    components: Components,
    mind: Mind,
    who: NDArray[np.int8],
    seeds: NDArray[np.uint64],
    *,
    explores: bool = False,
    log: DecisionLog = NO_LOG,
    against: Mind | None = None,
) -> PlayedGames:
    """Play games for `who`, TRAINED or a place in QUICK_BOTS a seat, shape (n, players); game i from `seeds[i]`. With
    the network `against` that plays the seats that are AGAINST.

    Returns those that were played, fewer only where `log` is full. Raises EndlessGame, and Stopped.
    """
    count, players = who.shape
    seats = BotSeats(
        QUICK_BOTS,
        np.ascontiguousarray(who),
        np.zeros((1, len(game.moves)), np.int8),
        np.full((count, players), -1, np.int16),
    )
    own = generators(derive_each(seeds[:, None], np.arange(players, dtype=np.uint64)[None, :]))
    first = trained_arrays(game, mind, explores=explores, log=log)
    policy: TrainedArrays | OpposedArrays = first
    hooks = trained_games(game)
    if against is not None:
        policy, hooks = OpposedArrays(*first, against, Activations.of(game, against)), opposed_games(game)
    end, arrays = run_games(
        game, components, seats, own, generators(derive_each(seeds)), hooks, policy=policy
    )
    total = int(arrays.played[0])
    if end == NO_ROOM:
        log.drop(total)
    games = PlayedGames.empty((), seats.bots[:total])
    games.take(arrays)
    return games
