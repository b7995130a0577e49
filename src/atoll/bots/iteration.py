"""An iteration of the search (`search.py`), compiled: a world is drawn, the tree walked, the game played out, and what
each seat got backed up. Games with one tree and games with a tree for each seat (`multi_observer.py`) share it.

The four steps are those of UCT (L. Kocsis and C. Szepesvári, "Bandit based Monte-Carlo Planning", 2006): `select` in
`tree.py`, `expand`, `playout_move` and `backpropagate`. What differs between games is compiled in as globals: the
rules, and `determinize`, `weigh`, `evaluate_leaf` and `observe`.
"""

# mypy: disable-error-code="no-untyped-def"

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from atoll.bots.network import predict
from atoll.bots.sampling import draw_highest
from atoll.bots.tree import (
    MAX_SEATS,
    add_children,
    add_result,
    clear_children,
    count_seats,
    index_children,
    list_unopened,
    rank_advice,
    rank_worths,
    reward,
    select,
)
from atoll.core.events import NO_EVENTS
from atoll.engine.chance import draw_below
from atoll.engine.compiling import compiled, inlined
from atoll.engine.exports import Room

if TYPE_CHECKING:
    from atoll.bots.beliefs import Beliefs
    from atoll.core.game import View


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
DEPTH = 512
"""Moves of each tree that an iteration remembers for backing up."""
CHANCES = 1 << 16
ENDLESS = -1
"""Instead of a count of nodes: a game goes on for too many decisions."""


class Workspace(NamedTuple):
    """What one thread's search from a view reads, and what it writes besides its nodes.

    `trees` is 1, or the number of seats where each walks a tree of its own; the root of tree t is node t, and tree 0 is
    the searching seat's. Of each tree an iteration has the `node` that it stands at, whether it is still `growing`, and
    the `depth` of its `path`. `slots` is all 0 except while children are selected.
    """

    root: NDArray[np.void]  # (1,) STATE: what the searching seat knows
    states: NDArray[np.void]  # (2,) STATE: the drawn world, and what a seat sees of it or how it was before
    parts: NDArray[np.void]  # (1,) the components
    beliefs: "Beliefs"
    tuning: Tuning
    longest: int  # decisions that a game may take
    trees: int
    generator: NDArray[np.uint64]
    events: NDArray[np.int16]  # (0, 6): what moves cause is not recorded
    moves: NDArray[np.int32]  # (MAX_LEGAL,): the legal moves
    unopened: NDArray[np.int32]  # (MAX_LEGAL,): those without a child
    scores: NDArray[np.int32]  # (MAX_LEGAL,): the policy's
    priors: NDArray[np.float64]  # (MAX_LEGAL,)
    slots: NDArray[np.int32]  # (ACTIONS,): children by their action
    points: NDArray[np.int32]  # (MAX_SEATS,)
    rewards: NDArray[np.float64]  # (MAX_SEATS,)
    node: NDArray[np.int64]  # (MAX_SEATS,): by tree, as the next two
    growing: NDArray[np.int64]  # (MAX_SEATS,): 1 or 0
    depth: NDArray[np.int64]  # (MAX_SEATS,)
    path: NDArray[np.int32]  # (MAX_SEATS * DEPTH,): nodes of tree t from t * DEPTH on

    @classmethod
    def of(
        cls,
        room: Room,
        view: "View",
        generator: NDArray[np.uint64],
        tuning: Tuning,
        beliefs: "Beliefs",
        trees: int,
    ) -> "Workspace":
        """For a search from a view; `generator` is copied."""
        game, rules = view.game, view.game.rules
        most = rules.MAX_LEGAL
        return cls(
            root=room.copy(view.states),
            states=room.zeros(2, rules.STATE),
            parts=room.copy(view.components.parts),
            beliefs=type(beliefs)(*map(room.copy, beliefs)),
            tuning=Tuning(*map(float, tuning)),
            longest=int(game.most_decisions(view.components, view.players)),
            trees=trees,
            generator=room.copy(generator),
            events=room.copy(NO_EVENTS),
            moves=room.zeros(most, np.int32),
            unopened=room.zeros(most, np.int32),
            scores=room.zeros(most, np.int32),
            priors=room.zeros(most, np.float64),
            slots=room.zeros(rules.ACTIONS, np.int32),
            points=room.zeros(MAX_SEATS, np.int32),
            rewards=room.zeros(MAX_SEATS, np.float64),
            node=room.zeros(MAX_SEATS, np.int64),
            growing=room.zeros(MAX_SEATS, np.int64),
            depth=room.zeros(MAX_SEATS, np.int64),
            path=room.zeros(MAX_SEATS * DEPTH, np.int32),
        )


resample: Any = None
legal_actions: Any = None
play: Any = None
view: Any = None
result: Any = None
policy: Any = None
advise: Any = None
look_at: Any = None
read_at: Any = None


@compiled
def determinize_evenly(view, parts, generator, state, back, beliefs):
    """A full state that agrees with the view."""
    resample(view, parts, generator, state)


@inlined
def weigh_by_policy(work, guide, top, count, unopened):
    """Write the priors of the `unopened` moves of the node `top`, of `count` legal moves, by the game's policy."""
    policy(work.states[0], work.parts[0], work.unopened, unopened, work.scores)
    rank_advice(top, work.scores, unopened, work.tuning.sharpness, work.priors)


@inlined
def weigh_by_network(work, guide, top, count, unopened):
    """The same by the worths that the trained player gives the moves in the seat's view, if it is asked."""
    state, own_view, parts = work.states[0], work.states[1], work.parts[0]
    if guide.active == 0:
        weigh_by_policy(work, guide, top, count, unopened)
        return
    view(state, parts, int(state.seat), own_view)
    advise(own_view, parts, work.moves, count, guide.activations.scores)
    look_at(guide.mind, guide.activations, own_view, parts, work.moves, count)
    rank_worths(top, guide.activations.worths, work.moves, count, work.slots, work.priors)


@inlined
def predict_nothing(work, guide, count):
    """Predict nothing: games are played out."""


@inlined
def predict_by_network(work, guide, count):
    """Write what the trained player predicts of each seat's share of the win from the view of the seat of `state`,
    which has `count` legal moves, into `rewards`.
    """
    state, own_view, parts = work.states[0], work.states[1], work.parts[0]
    seat = int(state.seat)
    players = int(state.players)
    view(state, parts, seat, own_view)
    advise(own_view, parts, work.moves, count, guide.activations.scores)
    read_at(guide.mind, guide.activations, own_view, parts, work.moves, count)
    predict(guide.mind.layers, guide.activations, players)
    for k in range(players):
        work.rewards[(seat + k) % players] = guide.activations.outputs[k]


@inlined
def observe_alone(work, nodes, size, seat, action):
    """The only tree holds no more than the seat that decides has chosen in it; returns the count of nodes."""
    return size


determinize: Any = determinize_evenly
weigh: Any = weigh_by_policy
evaluate_leaf: Any = predict_nothing
observe: Any = observe_alone


@inlined
def tree_of(seat, own, trees):
    """The tree that a seat walks: the only one, or its own, counted from the searching seat."""
    return 0 if trees == 1 else (seat - own) % trees


@inlined
def start_walks(work):
    """Every tree's walk stands at its root."""
    for tree in range(work.trees):
        work.node[tree] = tree
        work.growing[tree] = 1
        work.depth[tree] = 0


@inlined
def walk(work, nodes, tree, child):
    """A tree's walk goes on at a child, and ends with the iteration's first visit to a node; 0 ends it here."""
    if child == 0:
        work.growing[tree] = 0
        return
    work.node[tree] = child
    work.path[tree * DEPTH + work.depth[tree]] = child
    work.depth[tree] += 1
    work.growing[tree] = 1 if nodes[child].visits > 0 and work.depth[tree] < DEPTH else 0


@inlined
def expand(work, guide, nodes, size, parent, count):
    """Give `parent` children for those of `count` legal moves that have none, while there is room for all of them;
    returns the count of nodes. `slots` holds the children of `parent`.
    """
    unopened = list_unopened(work.moves, count, work.slots, work.unopened)
    if unopened > 0 and size + unopened <= len(nodes):
        work.priors[0] = 1.0
        if count > 1:
            weigh(work, guide, nodes[parent], count, unopened)
        size = add_children(nodes, size, parent, work.unopened, unopened, work.slots, work.priors)
    return size


@inlined
def playout_move(work, count):
    """The move of a playout for the seat of the world's state: mostly the best by the policy, else any."""
    moves, generator = work.moves, work.generator
    if draw_below(generator, CHANCES) >= work.tuning.guided * CHANCES:
        return moves[draw_below(generator, count)]
    policy(work.states[0], work.parts[0], moves, count, work.scores)
    return moves[draw_highest(work.scores, count, generator)]


@compiled
def next_seat(to_act, own):
    """Who decides next of those that have to: the searching seat, or the next one after it."""
    seat = own
    while not to_act >> seat & 1:
        seat = (seat + 1) % MAX_SEATS
    return seat


@inlined
def settle(work, own):
    """Write each seat's reward of a game that is over into `rewards`; returns the share of the win of `own`."""
    state = work.states[0]
    winners = result(state, work.parts[0], work.points)
    reward(work.points, winners, state.players, work.tuning.win, work.rewards)
    return (winners >> own & 1) / count_seats(winners, state.players)


@inlined
def simulate(work, guide, nodes, size):
    """Play the drawn world from the roots to its end, or to where the network predicts it: (the count of nodes or
    ENDLESS, the searching seat's share of the win). What each seat got stands in `rewards`.

    Of seats that decide at once, the trees hold the searching seat's choices alone, since no choice may depend on
    another's; the others move as in a playout.
    """
    state, parts, moves = work.states[0], work.parts[0], work.moves
    own = int(work.root[0].seat)
    simultaneous = decisions = beyond = 0
    while state.to_act != 0:
        if decisions == work.longest:
            return ENDLESS, 0.0
        decisions += 1
        to_act = int(state.to_act)
        if to_act & (to_act - 1):
            simultaneous |= to_act
        seat = next_seat(to_act, own)
        in_tree = not simultaneous >> seat & 1
        simultaneous &= ~(1 << seat)
        count = legal_actions(state, parts, seat, moves)
        state.seat = seat
        action, child = moves[0], 0
        tree = tree_of(seat, own, work.trees)
        if work.growing[tree] and (in_tree or seat == own):
            parent = work.node[tree]
            index_children(nodes, parent, work.slots)
            size = expand(work, guide, nodes, size, parent, count)
            child = select(nodes, parent, seat, moves, count, work.slots, work.tuning)
            clear_children(nodes, parent, work.slots)
            walk(work, nodes, tree, child)
        if child != 0:
            action = nodes[child].action
        elif count > 1:
            if seat == own and 0 <= guide.after <= beyond:
                evaluate_leaf(work, guide, count)
                return size, work.rewards[own]
            beyond += 1
            action = playout_move(work, count)
        if in_tree:
            size = observe(work, nodes, size, seat, action)
        play(state, parts, seat, action, work.events)
    return size, settle(work, own)


@inlined
def backpropagate(work, nodes, won):
    """Add the rewards of all seats, and the searching seat's share of the win, to the nodes that were walked."""
    players = work.root[0].players
    for tree in range(work.trees):
        add_result(nodes, tree, work.rewards, won, players)
        for i in range(work.depth[tree]):
            add_result(nodes, work.path[tree * DEPTH + i], work.rewards, won, players)


@compiled
def iterate(work, guide, nodes, size, iterations):
    """Search on from the view in `work`, on trees of `size` nodes in all; returns the new count of nodes, or ENDLESS if
    a game goes on for more than `longest` decisions. `guide` is a `Guide` or `NoGuide`.
    """
    size = max(size, work.trees)
    for _ in range(iterations):
        determinize(
            work.root[0],
            work.parts[0],
            work.generator,
            work.states[0],
            work.states[1],
            work.beliefs,
        )
        start_walks(work)
        size, won = simulate(work, guide, nodes, size)
        if size == ENDLESS:
            return ENDLESS
        backpropagate(work, nodes, won)
    return size
