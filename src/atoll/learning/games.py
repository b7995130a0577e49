"""The games that a generation learns from, and those by which its strength is measured."""

# mypy: disable-error-code="no-untyped-def"

import random
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from atoll.bots.bot import QUICK_BOTS
from atoll.bots.network import MOST_SEATS
from atoll.bots.network_inputs import inputs_of
from atoll.bots.relations import relations_of
from atoll.bots.weights import Weights
from atoll.core.exports import ADVISE
from atoll.core.game import Game
from atoll.core.observation import observation_of
from atoll.core.types import Components
from atoll.engine.chance import derive, derive_each
from atoll.engine.compiling import compiled
from atoll.lab.played import AGAINST, TRAINED
from atoll.lab.trained_policy import (
    CHOSEN,
    DECISIONS,
    GREEDY,
    IN_GAME,
    MOVES,
    RELATED,
    ROWS,
    SEAT,
    DecisionLog,
    play_trained,
)
from atoll.learning.model import Batch, Rows
from atoll.learning.variants import varied

GROUPS = 8
"""Kinds of games in a generation: each has its number of players and its components."""
TWO, USUAL = 0.5, 0.6
"""The share of groups of two players, and of those with the game's own components."""
LEARNER = 0.5
"""How often a seat is the learner's rather than greedy's; one always is."""
MOVES_EACH = 64
"""Activations for so many legal moves of each decision, on average."""
WIN = 0.5
"""The weight of the share of the win in what is learnt from; the rest is how far ahead the points are."""
UNIT_GAMES = 100
"""Games of greedy that tell how far points usually are ahead, and how long games are."""
DEALT, WHO, SETS, UNITS = range(4)
"""What the seeds of a generation are for."""


@dataclass(frozen=True)
class Group:
    """Games of one kind that were played: who sat where, the decisions, and what came of them.

    `who` (n, players), `seeds` (n,), `points` (n, players), `shares` (n, players) of the win, `log` of the learner;
    `unit` is how far points usually are ahead; `visits` how often a search tried each move of the log, if one did.
    """

    components: Components
    players: int
    who: NDArray[np.int8]
    seeds: NDArray[np.uint64]
    points: NDArray[np.int32]
    shares: NDArray[np.float32]
    log: DecisionLog
    unit: float
    visits: NDArray[np.float32] | None = None

    @property
    def returns(self) -> NDArray[np.float32]:
        """What each seat learns from, between -1 and 1: the share of the win, and how far it is ahead of the others'
        mean points.
        """
        others = max(1, self.players - 1)
        won = (self.players * self.shares - 1) / others
        ahead = (self.points - self.points.mean(axis=1, keepdims=True)) * (self.players / others)
        returns: NDArray[np.float32] = (WIN * won + (1 - WIN) * np.tanh(ahead / self.unit)).astype(np.float32)
        return returns


def kinds_of_games(game: Game, seed: int, generation: int) -> list[tuple[int, Components]]:
    """The numbers of players and the components of a generation's groups."""
    chance = random.Random(derive(seed, generation, SETS))
    more = [players for players in game.seats if players != game.seats.start]
    kinds = []
    for group in range(GROUPS):
        players = game.seats.start if not more or chance.random() < TWO else chance.choice(more)
        usual = not game.component_files or chance.random() < USUAL
        components = game.components() if usual else varied(game, derive(seed, generation, SETS, group))
        kinds.append((players, game.under(components, {})))
    return kinds


class Usual(NamedTuple):
    """Of games of greedy players: how far the points of a seat are ahead of the others' mean, or behind it (the root of
    the mean square, at least 1), and how many decisions there are.
    """

    lead: float
    length: float


def usual_games(weights: Weights, components: Components, players: int, seed: int) -> Usual:
    """How games of greedy players are."""
    seeds = derive_each(derive(seed, UNITS), np.arange(UNIT_GAMES, dtype=np.uint64))
    who = np.full((UNIT_GAMES, players), GREEDY, dtype=np.int8)
    games = play_trained(weights.game, components, weights.mind(players, components), who, seeds)
    ahead = (games.points - games.points.mean(axis=1, keepdims=True)) * (players / max(1, players - 1))
    return Usual(max(1.0, float(np.sqrt(np.square(ahead).mean()))), float(games.lengths.mean()))


def usual_advice(game: Game, seed: int) -> float:
    """How high the best advice on a decision is: the mean of its size in a game of greedy players, at least 1."""
    sizes = []
    position = game.start(game.seats.start, seed)
    scores = np.zeros(game.rules.MAX_LEGAL, dtype=np.int32)
    greedy = QUICK_BOTS[-1]
    for _ in position.until_over():
        seat = position.to_act[0]
        view, legal = position.view(seat), position.legal_moves(seat).actions
        game.runner.call(ADVISE, view.states, view.components.parts, legal, len(legal), scores)
        sizes.append(abs(int(scores[: len(legal)].max())))
        position.play_action(seat, greedy.choose(view, seed))
    return max(1.0, float(np.mean(sizes)))


def play_group(
    weights: Weights,
    components: Components,
    players: int,
    decisions: int,
    seed: int,
    against: Weights | None = None,
) -> Group:
    """As many whole games as have so many decisions of the learner, who sits in some seats, greedy or the network
    `against` in the others.
    """
    game = weights.game
    size = observation_of(game, players).size
    mind = weights.mind(players, components)
    most, related = game.rules.MAX_LEGAL, 2 * int(np.diff(mind.relation_ends, prepend=0).max())
    moves = most + decisions * min(most, MOVES_EACH)
    log = DecisionLog.of(
        decisions,
        2 * size * decisions,
        moves,
        most * related + moves * max(1, related),
        len(game.move_features),
    )
    chance = np.random.default_rng(derive(seed, WHO))
    games = decisions  # more than there is room for
    other = GREEDY if against is None else AGAINST
    who = np.where(chance.random((games, players)) < LEARNER, TRAINED, other).astype(np.int8)
    who[np.arange(games), chance.integers(players, size=games)] = TRAINED
    seeds = derive_each(derive(seed, DEALT), np.arange(games, dtype=np.uint64))
    unit = usual_games(weights, components, players, seed).lead
    opposed = None if against is None else against.mind(players, components)
    played = play_trained(game, components, mind, who, seeds, explores=True, log=log, against=opposed)
    shares = played.shares.astype(np.float32)
    return Group(components, players, played.bots, seeds[: len(played)], played.points, shares, log, unit)


@dataclass(frozen=True)
class Decisions:
    """The learner's decisions of several groups one after the other, with what came of them."""

    rows: NDArray[np.int32]
    weights: NDArray[np.float32]
    row_ends: NDArray[np.int64]
    moves: NDArray[np.int64]
    relative: NDArray[np.float32]
    move_features: NDArray[np.float32]
    related: NDArray[np.int32]
    related_weights: NDArray[np.float32]
    related_ends: NDArray[np.int64]
    visits: NDArray[np.float32]
    move_ends: NDArray[np.int64]
    group: NDArray[np.int64]
    game: NDArray[np.int64]
    seat: NDArray[np.int64]
    choices: NDArray[np.int64]
    players: NDArray[np.int64]
    returns: NDArray[np.float32]  # (games, MOST_SEATS)
    shares: NDArray[np.float32]  # (decisions, MOST_SEATS), counted from the seat that decided
    settings: Rows  # of each group: what is the same throughout a game
    printed: list[torch.Tensor]  # of each group: (actions, what the components say of them)

    def __len__(self) -> int:
        return len(self.row_ends)

    def batch(self, which: NDArray[np.int64], device: str) -> Batch:
        """Some of the decisions as the network takes them."""
        starts, ends = _spans(self.row_ends, which)
        first, after = _spans(self.move_ends, which)
        counts = after - first
        begins = np.concatenate([[0], np.cumsum(counts)[:-1]])
        place = np.arange(counts.sum()) - np.repeat(begins, counts)
        index = np.repeat(first, counts) + place
        return Batch(
            Rows(self.rows, self.weights, starts, ends),
            Rows(self.related, self.related_weights, *_spans(self.related_ends, index)),
            self.settings,
            self.printed,
            torch.from_numpy(self.group[which]).to(device),
            torch.from_numpy(self.moves[index]).to(device),
            torch.from_numpy(self.relative[index]).to(device),
            torch.from_numpy(self.move_features[index]).to(device),
            torch.from_numpy(np.repeat(np.arange(len(which)), counts)).to(device),
            torch.from_numpy(place).to(device),
            torch.from_numpy(self.visits[index]).to(device),
            int(counts.max()),
        )


def _spans(ends: NDArray[np.int64], which: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    return np.where(which > 0, ends[which - 1], 0), ends[which]


def decisions_of(game_played: Game, groups: list[Group], device: str) -> Decisions:
    """The decisions of several groups of a game."""
    parts: dict[str, list[NDArray[Any]]] = {}
    games = rows = moves = related = 0
    for number, group in enumerate(groups):
        counts, log = group.log.counts, group.log
        decided = counts[DECISIONS]
        decisions = log.decisions[:decided].astype(np.int64)
        game, seat = decisions[:, IN_GAME], decisions[:, SEAT]
        returns = np.zeros((len(group.who), MOST_SEATS), dtype=np.float32)
        returns[:, : group.players] = group.returns
        shares = np.zeros((decided, MOST_SEATS), dtype=np.float32)
        around = (seat[:, None] + np.arange(group.players)) % group.players
        shares[:, : group.players] = group.shares[game[:, None], around]
        columns: dict[str, NDArray[Any]] = {
            "rows": log.rows[: counts[ROWS]], "weights": log.weights[: counts[ROWS]],
            "row_ends": log.row_ends[:decided] + rows, "moves": log.moves[: counts[MOVES]].astype(np.int64),
            "relative": log.relative[: counts[MOVES]], "move_features": log.move_features[: counts[MOVES]],
            "move_ends": log.move_ends[:decided] + moves,
            "related": log.related[: counts[RELATED]], "related_weights": log.related_weights[: counts[RELATED]],
            "related_ends": log.related_ends[: counts[MOVES]] + related,
            "visits": np.zeros(counts[MOVES], np.float32) if group.visits is None else group.visits,
            "group": np.full(decided, number),
            "game": game + games, "seat": seat, "choices": decisions[:, CHOSEN],
            "players": np.full(decided, group.players), "returns": returns, "shares": shares,
        }  # fmt: skip
        for name, array in columns.items():
            parts.setdefault(name, []).append(array)
        games, rows, moves = games + len(group.who), rows + int(counts[ROWS]), moves + int(counts[MOVES])
        related += int(counts[RELATED])
    relations = relations_of(game_played)
    printed = [torch.from_numpy(relations.printed_on(group.components)).to(device) for group in groups]
    settings = [inputs_of(game_played).setting(group.players, group.components) for group in groups]
    ends = np.cumsum([len(own) for own, _ in settings])
    starts = np.concatenate([[0], ends[:-1]])
    rows_of_all, weights_of_all = (np.concatenate(both) for both in zip(*settings, strict=True))
    lists = Rows(rows_of_all, weights_of_all, starts, ends)
    joined = {name: np.concatenate(arrays) for name, arrays in parts.items()}
    return Decisions(**joined, settings=lists, printed=printed)


@compiled
def trace_back(game, seat, values, returns, decay, out):
    """Write what each decision turned out to be worth, a mean of what was expected ever later and what came in the end
    (advantages as in Schulman et al., 2016, added to what was expected).
    """
    later = np.zeros(returns.shape, np.float32)
    trace = np.zeros(returns.shape, np.float32)
    touched = np.zeros(returns.shape, np.int8)
    for i in range(len(game) - 1, -1, -1):
        g, s = game[i], seat[i]
        ahead = later[g, s] if touched[g, s] != 0 else returns[g, s]
        trace[g, s] = ahead - values[i] + np.float32(decay) * trace[g, s]
        out[i] = values[i] + trace[g, s]
        later[g, s] = values[i]
        touched[g, s] = 1


def measure(
    weights: Weights,
    components: Components,
    players: int,
    deals: int,
    seed: int,
    against: Weights | None = None,
) -> NDArray[np.float64]:
    """The mean share of the win of one trained player among greedy ones, or those of the network `against`, of each
    deal, which is played with the trained player in every seat in turn; shape (deals,).
    """
    who = np.full((players, players), GREEDY if against is None else AGAINST, dtype=np.int8)
    np.fill_diagonal(who, TRAINED)
    seeds = np.repeat(derive_each(seed, np.arange(deals, dtype=np.uint64)), players)
    mind = weights.mind(players, components)
    opposed = None if against is None else against.mind(players, components)
    played = play_trained(weights.game, components, mind, np.tile(who, (deals, 1)), seeds, against=opposed)
    shares = played.shares
    own = shares[np.arange(len(shares)), np.tile(np.arange(players), deals)]
    means: NDArray[np.float64] = own.reshape(deals, players).mean(axis=1)
    return means
