"""Information-set Monte Carlo tree search, compiled as a whole.

The base is single-observer ISMCTS (P. Cowling, E. Powley, D. Whitehouse, "Information Set Monte Carlo Tree Search",
2012): every iteration draws a full state that agrees with the view, walks the tree through the moves that are legal in
it, opens one node, plays the game out and backs up what each seat got. A child is chosen by PUCT (D. Silver et al.,
"Mastering the game of Go without human knowledge", 2017) with the game's advice as the prior, and with the number of
times that the child's move was available in place of the parent's visits. Games are played out by the advice too, but
for a move now and then that is any.

Where several seats decide at once, nobody's choice may hang on another's: the tree holds the searching seat's own, and
the others choose as in a playout.

In a game whose trained player guides the search (`guidance.py`), that gives the priors, and it foretells the end soon
after the tree, as in the paper of 2017. In a game that says what decisions tell of what is hidden (`beliefs.py`),
worlds are drawn as often as the others would have decided so in them.
"""

# mypy: disable-error-code="no-untyped-def"

import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from threading import Thread
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from atoll.bots.beliefs import ITERATIONS, NONE, TIME_SHARE, Beliefs, beliefs_of, drawer, has_beliefs
from atoll.bots.cores import CORES
from atoll.bots.greedy import draw_highest
from atoll.bots.guidance import Guide, NoGuide, guide_by, guiding_weights
from atoll.bots.network import foretell, looking, reading
from atoll.bots.tree import (
    MAX_SEATS,
    NODE,
    add_children,
    back_up,
    find_children,
    forget_children,
    list_new,
    number_of,
    rank_advice,
    rank_worths,
    reward,
    select,
)
from atoll.bots.weights import Weights
from atoll.core.chance import WORD, derive, draw_below
from atoll.core.chance import generator as new_generator
from atoll.core.compiling import EVENTS, GENERATOR, compiled, compiled_as
from atoll.core.derived import derive as derive_function
from atoll.core.events import NO_EVENTS
from atoll.core.game import Game
from atoll.core.position import View
from atoll.core.stopping import check_stop


class Tuning(NamedTuple):
    """Parameters of the search; `python -m bench.tuning` compares values."""

    exploration: float = 0.7
    """PUCT's constant, for rewards between 0 and 1."""
    sharpness: float = 1.0
    """The best move's prior is e to this power times the worst's."""
    unvisited: float = 0.05
    """How much less than its parent a child is taken to be worth before its first visit."""
    guided: float = 0.9
    """Chance that a playout's move is the best by the game's advice rather than any."""
    win: float = 0.9
    """Weight of the share of the win in a seat's reward; the rest is its share of all points."""
    trained: float = 1.0
    """1 if a trained network guides the search in games that bring one (`guidance.py`), 0 if it does not."""

    def without_guide(self) -> "Tuning":
        """The same, guided by no network."""
        return self._replace(trained=0.0)


USUAL = Tuning()
EXPLORATION, SHARPNESS, UNVISITED, GUIDED, WIN, TRAINED = range(len(USUAL))
CHUNK = 20
"""Iterations between two readings of the clock, at least; more if they take less than a millisecond, since calling a
compiled function with functions as arguments takes about 0.1 ms.
"""
UNTIMED_CHUNK = 1000
"""Iterations between two checks whether to stop, in a search without a time limit."""
MOST = 200_000
"""Iterations of a search that only time limits."""
BRANCHES = 12
"""Room for nodes, for each iteration; a full tree grows no more."""
MOST_NODES = MOST * BRANCHES
DEPTH = 512
"""Moves of the tree that an iteration remembers for backing up."""
CHANCES = 1 << 16


class Room(NamedTuple):
    """What a thread needs for itself besides a tree."""

    fresh: NDArray[np.int32]  # (MAX_LEGAL,): moves without a child
    scores: NDArray[np.int32]  # (MAX_LEGAL,): the advice
    priors: NDArray[np.float64]  # (MAX_LEGAL,)
    slots: NDArray[np.int32]  # (ACTIONS,): children by their action
    path: NDArray[np.int32]  # (DEPTH,): the nodes of an iteration
    points: NDArray[np.int32]  # (MAX_SEATS,)
    rewards: NDArray[np.float64]  # (MAX_SEATS,)

    @classmethod
    def of(cls, game: Game) -> "Room":
        """For a game."""
        most = game.rules.MAX_LEGAL
        return cls(
            np.zeros(most, np.int32),
            np.zeros(most, np.int32),
            np.zeros(most),
            np.zeros(game.rules.ACTIONS, np.int32),
            np.zeros(DEPTH, np.int32),
            np.zeros(MAX_SEATS, np.int32),
            np.zeros(MAX_SEATS),
        )


view: Any = None
look_at: Any = None
read_at: Any = None


@compiled
def draw_world(resample, view, parts, generator, state, back, beliefs):
    """A full state that agrees with the view."""
    resample(view, parts, generator, state)


@compiled
def weigh(advise, guide, seen, state, parts, top, moves, count, room, new, sharpness):
    """Write the priors of the `new` moves of the node `top` for the seat of `state`, among all that are legal."""
    advise(state, parts, room.fresh, new, room.scores)
    rank_advice(top, room.scores, new, sharpness, room.priors)


def weigh_by_network(advise, guide, seen, state, parts, top, moves, count, room, new, sharpness):
    """`weigh` by the worths that the trained player gives the moves in the seat's view."""
    view(state, parts, int(state.seat), seen)
    look_at(guide.mind, guide.room, seen, parts, moves, count)
    rank_worths(top, guide.room.worths, moves, count, room.slots, room.priors)


@compiled
def foresee(guide, seen, state, parts, moves, count, rewards):
    """Foretell nothing."""


def foresee_by_network(guide, seen, state, parts, moves, count, rewards):
    """Write what the trained player foretells of each seat's share of the win from the view of the seat of `state`."""
    seat = int(state.seat)
    players = int(state.players)
    view(state, parts, seat, seen)
    read_at(guide.mind, guide.room, seen, parts, moves, count)
    foretell(guide.mind, guide.room, players)
    for k in range(players):
        rewards[(seat + k) % players] = guide.room.outputs[k]


weigh_at: Any = weigh
foresee_at: Any = foresee


def descend(advise, guide, seen, state, parts, nodes, count, parent, moves, moves_count, room, tuning):
    """A step of the seat of `state` down the tree, which is opened at `parent` if need be: (the child or 0, the count
    of nodes).

    The slots in `room` are all 0 before and afterwards. A full tree grows no more.
    """
    find_children(nodes, parent, room.slots)
    new = list_new(moves, moves_count, room.slots, room.fresh)
    if new > 0 and count + new <= len(nodes):
        room.priors[0] = 1.0
        if moves_count > 1:
            top = nodes[parent]
            weigh_at(advise, guide, seen, state, parts, top, moves, moves_count, room, new, tuning[SHARPNESS])
        count = add_children(nodes, count, parent, room.fresh, new, room.slots, room.priors)
    best = select(
        nodes, parent, int(state.seat), moves, moves_count, room.slots, tuning[EXPLORATION], tuning[UNVISITED]
    )
    forget_children(nodes, parent, room.slots)
    return best, count


draw_world_at: Any = draw_world
descend_at: Any = compiled(descend)


@compiled
def play_on(advise, state, parts, moves, count, scores, guided, generator):
    """The move of a playout for the seat of `state`: mostly the best by the game's advice, else any."""
    if draw_below(generator, CHANCES) >= guided * CHANCES:
        return moves[draw_below(generator, count)]
    advise(state, parts, moves, count, scores)
    return moves[draw_highest(scores, count, generator)]


def iterate(
    resample, legal_actions, play, result, advise,
    guide, views, states, parts, nodes, count, iterations, longest, moves, room, beliefs, events, tuning, generator
):  # fmt: skip
    """Search on from the view in `views[0]`, on the tree of `count` nodes; returns the new count of nodes, or -1 if a
    game goes on for more than `longest` decisions.
    """
    state = states[0]
    seen = states[1]
    own = int(views[0].seat)
    for _ in range(iterations):
        draw_world_at(resample, views[0], parts[0], generator, state, seen, beliefs)
        node = depth = secret = decisions = beyond = 0
        growing = True
        foretold = False
        while state.to_act != 0:
            if decisions == longest:
                return -1
            decisions += 1
            to_act = int(state.to_act)
            if to_act & (to_act - 1):
                secret |= to_act
            seat = own
            while not to_act >> seat & 1:
                seat = (seat + 1) % MAX_SEATS
            known = seat == own or not secret >> seat & 1
            secret &= ~(1 << seat)
            moves_count = legal_actions(state, parts[0], seat, moves)
            state.seat = seat
            action = moves[0]
            child = 0
            if growing and known:
                child, count = descend_at(
                    advise, guide, seen, state, parts[0], nodes, count, node, moves, moves_count, room, tuning
                )
                growing = child != 0
            if child != 0:
                node = child
                action = nodes[node].action
                room.path[depth] = node
                depth += 1
                growing = nodes[node].visits > 0 and depth < DEPTH
            elif moves_count > 1:
                foretold = seat == own and 0 <= guide.after <= beyond
                if foretold:
                    foresee_at(guide, seen, state, parts[0], moves, moves_count, room.rewards)
                    break
                beyond += 1
                action = play_on(
                    advise, state, parts[0], moves, moves_count, room.scores, tuning[GUIDED], generator
                )
            play(state, parts[0], seat, action, events)
        if foretold:
            won = room.rewards[own]
        else:
            winners = result(state, parts[0], room.points)
            reward(room.points, winners, state.players, tuning[WIN], room.rewards)
            won = (winners >> own & 1) / number_of(winners, state.players)
        back_up(nodes, 0, room.rewards, won, state.players)
        for i in range(depth):
            back_up(nodes, room.path[i], room.rewards, won, state.players)
    return count


def compiled_search(game: Game, tuning: Tuning = USUAL) -> Any:
    """`iterate`, compiled for one game, with or without the guide that the tuning asks for."""
    weights = guiding_weights(game) if tuning.trained else None
    return compiled_with(game, guide_by(weights, game.seats.start, game.components()))


def compiled_with(game: Game, guide: Guide | NoGuide) -> Any:
    """`iterate`, compiled for one game and such a guide."""
    key = game, type(guide)
    if key not in _compiled:
        _compiled[key] = _compile(game, guide)
    return _compiled[key]


_compiled: dict[tuple[Game, type[Guide | NoGuide]], Any] = {}


def _compile(game: Game, guide: Guide | NoGuide) -> Any:
    kinds, module = game.types, f"{game.package}.rules"
    known: dict[str, Any] = {}
    if has_beliefs(game):
        known["draw_world_at"] = drawer(game)
    if isinstance(guide, Guide):
        own = {"view": game.rules.view, "look_at": looking(game), "read_at": reading(game)}
        known["foresee_at"] = compiled(derive_function(foresee_by_network, module, **own))
        own["weigh_at"] = compiled(derive_function(weigh_by_network, module, **own))
        known["descend_at"] = compiled(derive_function(descend, module, **own))
    signature = types.intp(
        types.FunctionType(kinds.resample),
        types.FunctionType(kinds.legal_actions),
        types.FunctionType(kinds.play),
        types.FunctionType(kinds.result),
        types.FunctionType(kinds.advise),
        numba.typeof(guide),
        kinds.states,
        kinds.states,
        kinds.parts_array,
        types.Array(numba.from_dtype(NODE), 1, "C"),
        types.intp,
        types.intp,
        types.intp,
        types.Array(types.int32, 1, "C"),
        numba.typeof(Room.of(game)),
        numba.typeof(NONE),
        EVENTS,
        types.Array(types.float64, 1, "C"),
        GENERATOR,
    )
    return compiled_as(signature, derive_function(iterate, module, **known) if known else iterate)


@dataclass(frozen=True)
class Evaluation:
    """What a search found out about a move: how often it was tried, and the mean share of the win afterwards."""

    action: int
    visits: int
    wins: float


def evaluate(
    view: View,
    generator: NDArray[np.uint64],
    iterations: int | None,
    milliseconds: int | None,
    tuning: Tuning = USUAL,
    trees: int = 1,
    weights: Weights | None = None,
) -> list[Evaluation]:
    """The moves of the view's seat after a search of `iterations`, or until `milliseconds` are over: the most tried
    first, those never tried left out.

    `generator` is advanced. Without `milliseconds`, the same generator gives the same result.
    With them, up to `trees` trees grow at the same time, each with those iterations, as long as there are cores that no
    other search waits for; what they found is added up (root parallelization: G. Chaslot, M. Winands, J. van den Herik,
    "Parallel Monte-Carlo Tree Search", 2008). At most as many trees grow as there are cores; the time counts from when
    the search starts. `weights` guide it instead of those that the game brings along.
    """
    most = iterations or MOST
    if tuning.trained and weights is None:
        weights = guiding_weights(view.game)
    compiled_with(view.game, guide_by(weights, view.players, view.components))
    grown: list[NDArray[Any]] = []

    def grow_another(seed: int) -> None:
        try:
            grown.append(_grown(view, new_generator(seed), most, milliseconds, tuning, weights, yields=True))
        finally:
            CORES.give_back()

    with CORES.one():
        others: list[Thread] = []
        while milliseconds and len(others) < trees - 1 and CORES.take_spare():
            seed = derive(int(generator[WORD]), len(others))
            others.append(Thread(target=grow_another, args=(seed,), name="another-tree", daemon=True))
            others[-1].start()
        grown.append(_grown(view, generator, most, milliseconds, tuning, weights))
    for other in others:
        other.join()
    return merged(grown)


def merged(trees: list[NDArray[Any]]) -> list[Evaluation]:
    """What trees with the same root, arrays of NODE, found out about its moves, the most tried first."""
    visits: Counter[int] = Counter()
    wins: defaultdict[int, float] = defaultdict(float)
    for nodes in trees:
        child = int(nodes[0]["child"])
        while child:
            node = nodes[child]
            visits[int(node["action"])] += int(node["visits"])
            wins[int(node["action"])] += float(node["wins"])
            child = int(node["sibling"])
    found = [Evaluation(action, count, wins[action] / count) for action, count in visits.items() if count]
    return sorted(found, key=lambda move: (-move.visits, move.action))


def _grown(
    view: View,
    generator: NDArray[np.uint64],
    most: int,
    milliseconds: int | None,
    tuning: Tuning,
    weights: Weights | None = None,
    *,
    yields: bool = False,
) -> NDArray[Any]:
    """The tree, an array of NODE; one that `yields` ends when another search waits for a core."""
    began = time.monotonic()

    def spent() -> float:
        return (time.monotonic() - began) * 1000

    def short(other: View) -> dict[int, int]:
        tree = _Growing(other, generator, ITERATIONS, tuning, weights, NONE)
        tree.grow(ITERATIONS)
        return {move.action: move.visits for move in merged([tree.nodes])}

    def is_over() -> bool:
        return milliseconds is not None and spent() * TIME_SHARE >= milliseconds

    beliefs = beliefs_of(view, generator, most // ITERATIONS, short, is_over)
    tree = _Growing(view, generator, most, tuning, weights, beliefs)
    done, step = 0, CHUNK if milliseconds else UNTIMED_CHUNK
    while done < most:
        check_stop()
        step = min(step, most - done)
        tree.grow(step)
        done += step
        if milliseconds:
            passed = spent()
            if passed >= milliseconds:
                break
            step = max(CHUNK, int(done / max(1.0, passed)))
        if yields and CORES.wanted:
            break
    return tree.nodes


class _Growing:
    """A tree from a view that grows by iterations."""

    def __init__(
        self,
        view: View,
        generator: NDArray[np.uint64],
        most: int,
        tuning: Tuning,
        weights: Weights | None,
        beliefs: Beliefs,
    ) -> None:
        game = view.game
        rules = game.rules
        self.nodes = np.zeros(min(most * BRANCHES, MOST_NODES) + rules.MAX_LEGAL + 1, dtype=NODE)
        self._count = 1
        self._view = view
        guide = guide_by(weights, view.players, view.components)
        self._run = compiled_with(game, guide)
        self._first = (
            rules.resample,
            rules.legal_actions,
            rules.play,
            rules.result,
            game.advise,
            guide,
            view.states,
            np.zeros(2, dtype=rules.STATE),
            view.components.parts,
        )
        self._rest = (
            game.most_decisions(view.components, view.players),
            np.zeros(rules.MAX_LEGAL, dtype=np.int32),
            Room.of(game),
            beliefs,
            NO_EVENTS,
            np.array(tuning, dtype=np.float64),
            generator,
        )

    def grow(self, iterations: int) -> None:
        """Search on for so many iterations."""
        self._count = self._run(
            *self._first,
            self.nodes,
            self._count,
            iterations,
            *self._rest,
        )
        if self._count < 0:
            raise self._view.game.endless(self._view.components, self._view.players)
