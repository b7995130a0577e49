"""Information-set Monte Carlo tree search, compiled as a whole (`iteration.py` is the loop, `tree.py` its nodes).

The base is single-observer ISMCTS (P. Cowling, E. Powley, D. Whitehouse, "Information Set Monte Carlo Tree Search",
2012): every iteration draws a full state that agrees with the view, walks the tree through the moves that are legal in
it, opens one node, plays the game out and backs up what each seat got. A child is chosen by PUCT (D. Silver et al.,
"Mastering the game of Go without human knowledge", 2017) with the game's advice as the prior, and with the number of
times that the child's move was available in place of the parent's visits. Games are played out by the advice too, but
for a move now and then that is any.

Where several seats decide at once, nobody's choice may hang on another's: the tree holds the searching seat's own, and
the others choose as in a playout.

In a game whose trained player guides the search (`guidance.py`), that gives the priors, and it predicts the result soon
after the tree, as in the paper of 2017. In a game that says what decisions tell of what is hidden (`beliefs.py`),
worlds are drawn as often as the others would have decided so in them; where it says what the others see of moves, too,
each seat has a tree of its own (`multi_observer.py`). A game may have a policy for its search in place of its advice
(`core/policies.py`).
"""

import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from threading import Thread
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.bots.beliefs import ITERATIONS, NONE, TIME_SHARE, Beliefs, beliefs_of, drawer, has_beliefs
from atoll.bots.cores import CORES
from atoll.bots.guidance import Guide, NoGuide, guide_by, guiding_weights
from atoll.bots.iteration import (
    ENDLESS,
    USUAL,
    Tuning,
    Workspace,
    iterate,
    predict_by_network,
    weigh_by_network,
)
from atoll.bots.multi_observer import has_observers, observer
from atoll.bots.network import Activations, looking_at_advice, reading, some_mind
from atoll.bots.tree import MAX_SEATS, NODE
from atoll.bots.weights import Weights
from atoll.core.exports import GENERATOR, of_rules, some_states
from atoll.core.game import Game, View
from atoll.engine.chance import WORD, derive
from atoll.engine.chance import generator as new_generator
from atoll.engine.exports import Export, HostRunner
from atoll.engine.stopping import check_stop

CHUNK = 20
"""Iterations between two readings of the clock, at least; more if they take less than a millisecond, so that calling
the compiled function with functions as arguments costs little beside them.
"""
UNTIMED_CHUNK = 1000
"""Iterations between two checks whether to stop, in a search without a time limit."""
MOST = 200_000
"""Iterations of a search that only time limits."""
BRANCHES = 12
"""Room for nodes, for each iteration and tree; a full tree grows no more."""
MOST_NODES = MOST * BRANCHES


def search_for(game: Game, *, guided: bool) -> Any:
    """`iterate` for a game, with room for a guide if it is to be `guided`."""
    rules = game.rules
    bindings: dict[str, Any] = {
        "resample": rules.resample,
        "legal_actions": rules.legal_actions,
        "play": rules.play,
        "view": rules.view,
        "result": rules.result,
        "policy": game.policy,
        "advise": game.advise,
    }
    if has_beliefs(game):
        bindings["determinize"] = drawer(game)
        if has_observers(game):
            bindings["observe"] = observer(game)
    if guided:
        network = {**bindings, "look_at": looking_at_advice(game), "read_at": reading(game)}
        bindings["weigh"] = of_rules(game, weigh_by_network, **network)
        bindings["evaluate_leaf"] = of_rules(game, predict_by_network, **network)
    return of_rules(game, iterate, **bindings)


def _example(game: Game, guide: Any) -> tuple[Any, ...]:
    room = HostRunner(game)
    view = View(game, game.components(), game.components().options, some_states(game))
    work = Workspace.of(room, view, GENERATOR, USUAL, NONE, 1)
    return work, guide, np.zeros(1, NODE), 0, 0


def _some_guide(game: Game) -> Guide:
    return Guide(0, 0, some_mind(), Activations.of(game, some_mind()))


SEARCH = Export("search", lambda game: search_for(game, guided=False), lambda game: _example(game, NoGuide()))
GUIDED_SEARCH = Export(
    "guided_search",
    lambda game: search_for(game, guided=True),
    lambda game: _example(game, _some_guide(game)),
)


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
    """What trees with the same root, arrays of NODE, evaluations out about its moves, the most tried first."""
    visits: Counter[int] = Counter()
    wins: defaultdict[int, float] = defaultdict(float)
    for nodes in trees:
        child = int(nodes[0]["child"])
        while child:
            node = nodes[child]
            visits[int(node["action"])] += int(node["visits"])
            wins[int(node["action"])] += float(node["wins"])
            child = int(node["sibling"])
    evaluations = [
        Evaluation(action, count, wins[action] / count) for action, count in visits.items() if count
    ]
    return sorted(evaluations, key=lambda move: (-move.visits, move.action))


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

    beliefs = believed(view, generator, most, milliseconds, tuning, weights)
    tree = GrowingTree(view, generator, most, tuning, weights, beliefs)
    iterations_run, step = 0, CHUNK if milliseconds else UNTIMED_CHUNK
    while iterations_run < most:
        check_stop()
        step = min(step, most - iterations_run)
        tree.grow(step)
        iterations_run += step
        if milliseconds:
            passed = spent()
            if passed >= milliseconds:
                break
            step = max(CHUNK, int(iterations_run / max(1.0, passed)))
        if yields and CORES.wanted:
            break
    generator[:] = tree.generator
    return tree.nodes


def believed(
    view: View,
    generator: NDArray[np.uint64],
    most: int,
    milliseconds: int | None,
    tuning: Tuning = USUAL,
    weights: Weights | None = None,
) -> Beliefs:
    """What a search of `most` iterations, or so many milliseconds, believes of hidden cards before it begins;
    `generator` is advanced.
    """
    began = time.monotonic()

    def short(other: View) -> dict[int, int]:
        tree = GrowingTree(other, generator, ITERATIONS, tuning, weights, NONE)
        tree.grow(ITERATIONS)
        generator[:] = tree.generator
        return {move.action: move.visits for move in merged([tree.nodes])}

    def is_over() -> bool:
        return milliseconds is not None and (time.monotonic() - began) * 1000 * TIME_SHARE >= milliseconds

    return beliefs_of(view, generator, most // ITERATIONS, short, is_over)


class GrowingTree:
    """A tree from a view that grows by iterations.

    Its memory, `room`, holds the guide first, which is the same for all views of a game, then `work`, then `nodes`.
    """

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
        trees = view.players if has_observers(game) else 1
        active = weights is not None or tuning.trained > 0
        if weights is None:
            weights = guiding_weights(game)
        self.export = SEARCH if weights is None else GUIDED_SEARCH
        room = (game.runner if game.runner.has(self.export) else game.fast_runner).room()
        guide = guide_by(room, weights, view.players, view.components, active=active)
        work = Workspace.of(room, view, generator, tuning, beliefs, trees)
        most_nodes = min(most * BRANCHES * trees, MOST_NODES) + rules.MAX_LEGAL + MAX_SEATS
        self.room = room
        self.nodes = room.zeros(most_nodes, NODE)
        self.generator = work.generator
        self.arguments = work, guide, self.nodes
        self._size = 1
        self._view = view
        self._iterate = room.prepare(self.export, *self.arguments)

    def grow(self, iterations: int) -> None:
        """Search on for so many iterations."""
        self._size = self._iterate(self._size, iterations)
        if self._size == ENDLESS:
            raise self._view.game.endless(self._view.components, self._view.players)
