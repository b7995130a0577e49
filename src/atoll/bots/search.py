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

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from atoll.bots.beliefs import ITERATIONS, NONE, TIME_SHARE, Beliefs, beliefs_of, drawer, has_beliefs
from atoll.bots.cores import CORES
from atoll.bots.guidance import Guide, NoGuide, guide_by, guiding_weights
from atoll.bots.iteration import (
    ENDLESS,
    USUAL,
    Functions,
    Tuning,
    Workspace,
    evaluate_leaf_by_network,
    expand,
    iterate,
    simulate,
    weigh_by_network,
)
from atoll.bots.multi_observer import has_observers, observer
from atoll.bots.network import looking_at_advice, reading
from atoll.bots.tree import MAX_SEATS, NODE
from atoll.bots.weights import Weights
from atoll.core.game import Game, View
from atoll.engine.chance import WORD, derive
from atoll.engine.chance import generator as new_generator
from atoll.engine.compiling import compiled_as, inlined
from atoll.engine.derived import derive as derive_function
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


def compiled_search(game: Game, weights: Weights | None = None) -> Any:
    """`iterate`, compiled for one game: with room for a guide if there are `weights` or the game brings some along."""
    if weights is None:
        weights = guiding_weights(game)
    key = game, weights is not None
    if key not in _compiled:
        _compiled[key] = _compile(game, guide_by(weights, game.seats.start, game.components()))
    return _compiled[key]


_compiled: dict[tuple[Game, bool], Any] = {}


def _compile(game: Game, guide: Guide | NoGuide) -> Any:
    module = f"{game.package}.rules"
    hooks = _hooks(game, isinstance(guide, Guide))
    if hooks:
        for template in (expand, simulate):
            hooks[f"{template.__name__}_at"] = inlined(derive_function(template, module, **hooks))
    kinds = game.types
    functions = Functions(
        kinds.resample, kinds.legal_actions, kinds.play, kinds.result, kinds.advise, kinds.advise
    )
    view = game.start(game.seats.start, seed=0).view(0)
    work = Workspace.of(view, new_generator(0), USUAL, NONE, 1)
    signature = types.intp(
        types.Tuple([types.FunctionType(kind) for kind in functions]),
        numba.typeof(work),
        numba.typeof(guide),
        types.Array(numba.from_dtype(NODE), 1, "C"),
        types.intp,
        types.intp,
    )
    return compiled_as(signature, derive_function(iterate, module, **hooks) if hooks else iterate)


def _hooks(game: Game, guided: bool) -> dict[str, Any]:
    """What a game's search does otherwise than others: globals of the functions in `iteration.py`."""
    hooks: dict[str, Any] = {}
    if has_beliefs(game):
        hooks["determinize_at"] = drawer(game)
        if has_observers(game):
            hooks["observe_at"] = observer(game)
    if guided:
        module = f"{game.package}.rules"
        network = {"view": game.rules.view, "look_at": looking_at_advice(game), "read_at": reading(game)}
        hooks["weigh_at"] = inlined(derive_function(weigh_by_network, module, **network))
        hooks["evaluate_leaf_at"] = inlined(derive_function(evaluate_leaf_by_network, module, **network))
    return hooks


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
    compiled_search(view.game, weights)
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

    def short(other: View) -> dict[int, int]:
        tree = _Growing(other, generator, ITERATIONS, tuning, weights, NONE)
        tree.grow(ITERATIONS)
        return {move.action: move.visits for move in merged([tree.nodes])}

    def is_over() -> bool:
        return milliseconds is not None and spent() * TIME_SHARE >= milliseconds

    beliefs = beliefs_of(view, generator, most // ITERATIONS, short, is_over)
    tree = _Growing(view, generator, most, tuning, weights, beliefs)
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
        trees = view.players if has_observers(game) else 1
        self.nodes = np.zeros(
            min(most * BRANCHES * trees, MOST_NODES) + rules.MAX_LEGAL + MAX_SEATS, dtype=NODE
        )
        self._size = 1
        self._view = view
        guided = weights is not None or tuning.trained > 0
        if weights is None:
            weights = guiding_weights(game)
        self._iterate = compiled_search(game, weights)
        self._functions = tuple(
            Functions(rules.resample, rules.legal_actions, rules.play, rules.result, game.policy, game.advise)
        )
        self._guide = guide_by(weights, view.players, view.components, active=guided)
        self._work = Workspace.of(view, generator, tuning, beliefs, trees)

    def grow(self, iterations: int) -> None:
        """Search on for so many iterations."""
        self._size = self._iterate(
            self._functions, self._work, self._guide, self.nodes, self._size, iterations
        )
        if self._size == ENDLESS:
            raise self._view.game.endless(self._view.components, self._view.players)
