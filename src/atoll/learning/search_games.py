"""Games that the search plays with itself, and what it found in them: what expert iteration learns from.

Every seat searches from its own view, guided by the network as it is (T. Anthony, Z. Tian, D. Barber, "Thinking Fast
and Slow with Deep Learning and Tree Search", 2017; D. Silver et al., "Mastering the game of Go without human
knowledge", 2017).
"""

# mypy: disable-error-code="no-untyped-def"

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from atoll.bots.iteration import USUAL
from atoll.bots.network import Activations, looking
from atoll.bots.search import evaluate
from atoll.bots.weights import Weights
from atoll.core.game import Game
from atoll.core.types import Components
from atoll.engine.chance import derive, draw_below, generator
from atoll.engine.derived import derive as derive_function
from atoll.engine.native import native
from atoll.lab.played import TRAINED
from atoll.lab.trained_policy import DecisionLog, note, note_choice
from atoll.learning.games import Group
from atoll.text.errors import AtollError
from atoll.text.messages import Message

DRAWN = 15
"""In how many of 100 decisions the move is drawn by how often it was tried, instead of the most tried: so that more
positions come about."""


class Searched(NamedTuple):
    """Whole games of one kind: of decision d the view, the seat, the game, and those moves before `move_ends[d]`, with
    how often the search tried each; of each game its seed, points (n, players) and shares of the win (n, players).
    """

    views: NDArray[Any]
    seats: NDArray[np.int64]
    games: NDArray[np.int64]
    moves: NDArray[np.int32]
    visits: NDArray[np.float32]
    move_ends: NDArray[np.int64]
    seeds: NDArray[np.uint64]
    points: NDArray[np.int32]
    shares: NDArray[np.float32]


class KindOfGames(NamedTuple):
    """So many games for so many players with these components; game i comes from `seed` and i. `unit` is how far points
    usually are ahead.
    """

    components: Components
    players: int
    games: int
    seed: int
    unit: float


def play_one(
    game: Game, kind: KindOfGames, number: int, weights: Weights | None, iterations: int
) -> Searched:
    """One game; each decision among several moves is searched."""
    seed = derive(kind.seed, number)
    chance = generator(derive(seed, 1))
    tuning = USUAL.without_guide()  # by no other network than `weights`
    views, seats, moves, visits = [], [], [], []
    position = game.start(kind.players, seed, kind.components)
    for _ in position.until_over():
        seat = position.to_act[0]
        view, legal = position.view(seat), position.legal_moves(seat).actions
        if len(legal) == 1:
            position.play_action(seat, int(legal[0]))
            continue
        evaluations = evaluate(view, chance, iterations, None, tuning, weights=weights)
        visits_of = {move.action: move.visits for move in evaluations}
        views.append(view.states[0])
        seats.append(seat)
        moves.append(legal.astype(np.int32))
        visits.append(np.array([visits_of.get(int(action), 0) for action in legal], dtype=np.float32))
        best = evaluations[0].action
        if draw_below(chance, 100) < DRAWN:
            best = int(np.repeat(legal, visits[-1].astype(int))[draw_below(chance, int(visits[-1].sum()))])
        position.play_action(seat, best)
    points, winners = position.outcome.points, position.outcome.winners  # type: ignore[union-attr]
    shares = np.isin(np.arange(kind.players), winners) / len(winners)
    return Searched(
        np.array(views, dtype=game.rules.STATE),
        np.array(seats, dtype=np.int64),
        np.zeros(len(seats), dtype=np.int64),
        np.concatenate([*moves, np.zeros(0, np.int32)]),
        np.concatenate([*visits, np.zeros(0, np.float32)]),
        np.cumsum([len(legal) for legal in moves], dtype=np.int64),
        np.array([seed], dtype=np.uint64),
        np.array([points], dtype=np.int32),
        shares[None].astype(np.float32),
    )


def joined(games: Sequence[Searched]) -> Searched:
    """Games of one kind, one after another."""
    before = np.cumsum([0] + [len(one.moves) for one in games])
    numbered = [
        one._replace(games=one.games + number, move_ends=one.move_ends + before[number])
        for number, one in enumerate(games)
    ]
    return Searched(*(np.concatenate(arrays) for arrays in zip(*numbered, strict=True)))


def play_searched(
    game: Game, kinds: Sequence[KindOfGames], weights: Weights | None, iterations: int, workers: int
) -> list[Searched]:
    """The games of all kinds, on so many cores; the same with any number of these."""
    tasks = [(kind, number) for kind in kinds for number in range(kind.games)]
    pool = ThreadPoolExecutor(workers)  # compiled searches hold no lock
    try:
        games = list(pool.map(lambda task: play_one(game, task[0], task[1], weights, iterations), tasks))
    finally:
        pool.shutdown(cancel_futures=True)
    ends = np.cumsum([kind.games for kind in kinds])
    return [joined(games[end - kind.games : end]) for kind, end in zip(kinds, ends, strict=True)]


def keep_searched(path: Path, games: Sequence[Searched]) -> None:
    """Write games of several kinds into a file."""
    arrays = {
        f"{number} {name}": array.view(np.uint8) if name == "views" else array
        for number, one in enumerate(games)
        for name, array in one._asdict().items()
    }
    np.savez_compressed(path, **arrays)


def read_searched(path: Path, game: Game) -> list[Searched]:
    """The games in a file; raises AtollError if it cannot be read."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        kinds = range(len(arrays) // len(Searched._fields))
        games = [Searched(*(arrays[f"{number} {name}"] for name in Searched._fields)) for number in kinds]
        return [one._replace(views=one.views.view(game.rules.STATE)) for one in games]
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        raise AtollError(
            Message(
                "%(file)s: what the search found there is missing or damaged; name another folder", file=path
            )
        ) from None


look_at: Any = None


def fill(log, mind, room, parts, games):
    """Log all decisions of `games` of the search; what was chosen is left open."""
    begin = 0
    for d in range(len(games.move_ends)):
        end, seat = games.move_ends[d], games.seats[d]
        legal = games.moves[begin:end]
        rows = look_at(mind, room, games.views[d], parts[0], legal, end - begin)
        note(log, mind, room, rows, legal, end - begin, seat)
        note_choice(log, games.games[d], seat, 0)
        begin = end


@cache
def filler(game: Game) -> Any:
    """`fill`, compiled for a game."""
    return native(derive_function(fill, f"{game.package}.rules", look_at=looking(game)))


def group_of(searches: Searched, weights: Weights, kind: KindOfGames) -> Group:
    """The games of a kind as a network learns from them; `weights` are any for the game."""
    game, components = weights.game, kind.components
    mind = weights.mind(kind.players, components)
    decisions, moves = len(searches.views), len(searches.moves)
    rows = 2 * len(mind.factors) + 2 + len(game.move_features)
    related = 2 * int(np.diff(mind.relation_ends, prepend=0).max())
    log = DecisionLog.of(decisions, rows * decisions, moves, related * moves, len(game.move_features))
    filler(game)(log, mind, Activations.of(game, mind), components.parts, searches)
    who = np.full(searches.points.shape, TRAINED, dtype=np.int8)
    return Group(
        components,
        kind.players,
        who,
        searches.seeds,
        searches.points,
        searches.shares,
        log.cut(),
        kind.unit,
        searches.visits,
    )
