"""Information-set Monte Carlo tree search, compiled as a whole.

The base is single-observer ISMCTS (P. Cowling, E. Powley, D. Whitehouse, "Information Set Monte Carlo Tree Search",
2012): every iteration draws a full state that agrees with the view, walks the tree through the moves that are legal in
it, opens one node, plays the game out and backs up what each seat got. A child is chosen by PUCT (D. Silver et al.,
"Mastering the game of Go without human knowledge", 2017) with the game's advice as the prior, and with the number of
times that the child's move was available in place of the parent's visits. Games are played out by the advice too, but
for a move now and then that is any.

Where several seats decide at once, nobody's choice may hang on another's: the tree holds the searching seat's own, and
the others choose as in a playout.
"""

# mypy: disable-error-code="no-untyped-def"

import math
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache
from threading import Thread
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from atoll.bots.cores import CORES
from atoll.bots.greedy import draw_highest
from atoll.core.chance import WORD, derive, draw_below
from atoll.core.chance import generator as new_generator
from atoll.core.compiling import EVENTS, GENERATOR, compiled, compiled_as
from atoll.core.events import NO_EVENTS
from atoll.core.game import Game
from atoll.core.position import View
from atoll.core.state import record_dtype
from atoll.core.stopping import check_stop

MAX_SEATS = 6
NODE = record_dtype(
    [
        ("action", "i4"),  # that led here
        ("child", "i4"),  # first child, or 0
        ("sibling", "i4"),  # next child of the same parent, or 0
        ("low", "i4"),  # the lowest and the highest advice on the first children
        ("high", "i4"),
        ("prior", "f4"),  # weight by the parent's advice, 1 for the best
        ("visits", "i4"),
        ("available", "i4"),  # how often the action could have been taken at its parent
        ("wins", "f4"),  # shares of the win of the searching seat, summed over the visits
        ("reward", "f4", (MAX_SEATS,)),  # of each seat, summed over the visits
    ]
)
"""A node of the tree; node 0 is the root, and its own action means nothing."""


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


USUAL = Tuning()
EXPLORATION, SHARPNESS, UNVISITED, GUIDED, WIN = range(len(USUAL))
CHUNK = 20
"""Iterations between two readings of the clock."""
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


@compiled
def reward(points, winners, players, win, rewards):
    """What each seat got, between 0 and 1: mostly the win, a little the points."""
    total = 1
    for seat in range(players):
        total += max(0, points[seat])
    count = number_of(winners, players)
    for seat in range(players):
        share = max(0, points[seat]) / total
        rewards[seat] = win * (winners >> seat & 1) / count + (1.0 - win) * share


@compiled
def number_of(seats, players):
    """How many seats a bit set has."""
    count = 0
    for seat in range(players):
        count += seats >> seat & 1
    return count


@compiled
def expand(advise, state, parts, nodes, count, parent, moves, moves_count, fresh, scores, slots, sharpness):
    """Give `parent` a child for each move that has none, as long as there is room; returns the count of nodes.

    `slots`, int32 of the size of the action codes, holds the children there are, and gets the new ones.
    """
    new = 0
    for i in range(moves_count):
        if slots[moves[i]] == 0:
            fresh[new] = moves[i]
            new += 1
    if new == 0 or count + new > len(nodes):
        return count
    top = nodes[parent]
    if moves_count == 1:
        scores[0] = top.high
    else:
        advise(state, parts, fresh, new, scores)
    if top.child == 0:
        top.low = scores[0]
        top.high = scores[0]
        for i in range(new):
            top.low = min(top.low, scores[i])
            top.high = max(top.high, scores[i])
    span = max(1, top.high - top.low)
    for i in range(new):
        node = nodes[count]
        node.action = fresh[i]
        node.child = 0
        node.sibling = top.child
        node.prior = math.exp(sharpness * (max(top.low, min(top.high, scores[i])) - top.high) / span)
        node.visits = 0
        node.available = 0
        node.wins = 0.0
        for seat in range(MAX_SEATS):
            node.reward[seat] = 0.0
        top.child = count
        slots[fresh[i]] = count
        count += 1
    return count


@compiled
def select(nodes, parent, seat, moves, count, slots, exploration, unvisited):
    """The child that `seat` tries next, of those whose moves are legal; 0 if there is none."""
    total = 0.0
    for i in range(count):
        child = slots[moves[i]]
        if child != 0:
            total += nodes[child].prior
    first = nodes[parent].reward[seat] / max(1, nodes[parent].visits) - unvisited
    best = 0
    highest = -1.0e9
    for i in range(count):
        child = slots[moves[i]]
        if child != 0:
            node = nodes[child]
            node.available += 1
            mean = node.reward[seat] / node.visits if node.visits > 0 else first
            value = mean + exploration * node.prior / total * math.sqrt(node.available) / (1 + node.visits)
            if value > highest:
                highest = value
                best = child
    return best


@compiled
def descend(
    advise, state, parts, seat, nodes, count, parent, moves, moves_count, fresh, scores, slots, tuning
):
    """A step down the tree, which is opened at `parent` if need be: (the child or 0, the count of nodes).

    `slots` is all 0 before and afterwards.
    """
    child = nodes[parent].child
    while child != 0:
        slots[nodes[child].action] = child
        child = nodes[child].sibling
    state.seat = seat
    count = expand(
        advise,
        state,
        parts,
        nodes,
        count,
        parent,
        moves,
        moves_count,
        fresh,
        scores,
        slots,
        tuning[SHARPNESS],
    )
    best = select(nodes, parent, seat, moves, moves_count, slots, tuning[EXPLORATION], tuning[UNVISITED])
    child = nodes[parent].child
    while child != 0:
        slots[nodes[child].action] = 0
        child = nodes[child].sibling
    return best, count


@compiled
def play_on(advise, state, parts, seat, moves, count, scores, guided, generator):
    """The move of a playout: mostly the best by the game's advice, else any."""
    if draw_below(generator, CHANCES) >= guided * CHANCES:
        return moves[draw_below(generator, count)]
    state.seat = seat
    advise(state, parts, moves, count, scores)
    return moves[draw_highest(scores, count, generator)]


def iterate(
    resample,
    legal_actions,
    play,
    result,
    advise,
    views,
    states,
    parts,
    nodes,
    count,
    iterations,
    longest,
    moves,
    fresh,
    scores,
    slots,
    path,
    points,
    rewards,
    events,
    tuning,
    generator,
):
    """Search on from the view in `views[0]`, on the tree of `count` nodes; returns the new count of nodes, or -1 if a
    game goes on for more than `longest` decisions.
    """
    state = states[0]
    own = int(views[0].seat)
    for _ in range(iterations):
        resample(views[0], parts[0], generator, state)
        node = 0
        depth = 0
        growing = True
        secret = 0
        decisions = 0
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
            action = moves[0]
            child = 0
            if growing and known:
                child, count = descend(
                    advise,
                    state,
                    parts[0],
                    seat,
                    nodes,
                    count,
                    node,
                    moves,
                    moves_count,
                    fresh,
                    scores,
                    slots,
                    tuning,
                )
                growing = child != 0
            if child != 0:
                node = child
                action = nodes[node].action
                path[depth] = node
                depth += 1
                growing = nodes[node].visits > 0 and depth < DEPTH
            elif moves_count > 1:
                action = play_on(
                    advise, state, parts[0], seat, moves, moves_count, scores, tuning[GUIDED], generator
                )
            play(state, parts[0], seat, action, events)
        winners = result(state, parts[0], points)
        reward(points, winners, state.players, tuning[WIN], rewards)
        won = (winners >> own & 1) / number_of(winners, state.players)
        back_up(nodes, 0, rewards, won, state.players)
        for i in range(depth):
            back_up(nodes, path[i], rewards, won, state.players)
    return count


@compiled
def back_up(nodes, index, rewards, won, players):
    """Add an iteration's reward to a node on its path."""
    node = nodes[index]
    node.visits += 1
    node.wins += won
    for seat in range(players):
        node.reward[seat] += rewards[seat]


@cache
def compiled_search(game: Game) -> Any:
    """`iterate`, compiled for one game."""
    kinds = game.types
    numbers = types.Array(types.int32, 1, "C")
    return compiled_as(
        types.intp(
            types.FunctionType(kinds.resample),
            types.FunctionType(kinds.legal_actions),
            types.FunctionType(kinds.play),
            types.FunctionType(kinds.result),
            types.FunctionType(kinds.advise),
            kinds.states,
            kinds.states,
            kinds.parts_array,
            types.Array(numba.from_dtype(NODE), 1, "C"),
            types.intp,
            types.intp,
            types.intp,
            numbers,
            numbers,
            numbers,
            numbers,
            numbers,
            numbers,
            types.Array(types.float64, 1, "C"),
            EVENTS,
            types.Array(types.float64, 1, "C"),
            GENERATOR,
        ),
        iterate,
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
) -> list[Evaluation]:
    """The moves of the view's seat after a search of `iterations`, or until `milliseconds` are over: the most tried
    first, those never tried left out.

    `generator` is advanced. Without `milliseconds`, the same generator gives the same result.
    With them, up to `trees` trees grow at the same time, each with those iterations, as long as there are cores that no
    other search waits for; what they found is added up (root parallelization: G. Chaslot, M. Winands, J. van den Herik,
    "Parallel Monte-Carlo Tree Search", 2008). At most as many trees grow as there are cores; the time counts from when
    the search starts.
    """
    most = iterations or MOST
    compiled_search(view.game)
    grown: list[NDArray[Any]] = []

    def grow_another(seed: int) -> None:
        try:
            grown.append(_grown(view, new_generator(seed), most, milliseconds, tuning, yields=True))
        finally:
            CORES.give_back()

    with CORES.one():
        others: list[Thread] = []
        while milliseconds and len(others) < trees - 1 and CORES.take_spare():
            seed = derive(int(generator[WORD]), len(others))
            others.append(Thread(target=grow_another, args=(seed,), name="another-tree", daemon=True))
            others[-1].start()
        grown.append(_grown(view, generator, most, milliseconds, tuning))
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
    *,
    yields: bool = False,
) -> NDArray[Any]:
    """The tree, an array of NODE; one that `yields` ends when another search waits for a core."""
    game = view.game
    run, rules = compiled_search(game), game.rules
    began = time.monotonic()
    nodes = np.zeros(min(most * BRANCHES, MOST_NODES) + rules.MAX_LEGAL + 1, dtype=NODE)
    room = [
        np.zeros(size, dtype=np.int32)
        for size in (rules.MAX_LEGAL, rules.MAX_LEGAL, rules.MAX_LEGAL, rules.ACTIONS, DEPTH, MAX_SEATS)
    ]
    longest = game.most_decisions(view.components, view.players)
    count, done = 1, 0
    while done < most:
        check_stop()
        step = min(CHUNK if milliseconds else UNTIMED_CHUNK, most - done)
        count = run(
            rules.resample,
            rules.legal_actions,
            rules.play,
            rules.result,
            game.advise,
            view.states,
            np.zeros(1, dtype=rules.STATE),
            view.components.parts,
            nodes,
            count,
            step,
            longest,
            *room,
            np.zeros(MAX_SEATS),
            NO_EVENTS,
            np.array(tuning, dtype=np.float64),
            generator,
        )
        if count < 0:
            raise game.endless(view.components, view.players)
        done += step
        if milliseconds and (time.monotonic() - began) * 1000 >= milliseconds:
            break
        if yields and CORES.wanted:
            break
    return nodes
