"""Information-set Monte Carlo tree search, compiled as a whole.

The base is single-observer ISMCTS (P. Cowling, E. Powley, D. Whitehouse, "Information Set Monte Carlo Tree Search",
2012): every iteration draws a full state that agrees with the view, walks the tree through the moves that are legal in
it, adds one node, plays the game out and backs up what each seat got. A move is chosen by UCB with the number of times
that it was available in place of the parent's visits.

Where several seats decide at once, nobody's choice may hang on another's: the tree holds the searching seat's own, and
the others choose as in a playout.
"""

# mypy: disable-error-code="no-untyped-def"

import math
import time
from functools import cache
from typing import Any

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from atoll.core.chance import draw_below
from atoll.core.compiling import EVENTS, GENERATOR, compiled, compiled_as
from atoll.core.events import NO_EVENTS
from atoll.core.game import Game
from atoll.core.position import View
from atoll.core.state import record_dtype

MAX_SEATS = 6
NODE = record_dtype(
    [
        ("action", "i4"),  # that led here
        ("seat", "i1"),  # who took it
        ("child", "i4"),  # first child, or 0
        ("sibling", "i4"),  # next child of the same parent, or 0
        ("visits", "i4"),
        ("available", "i4"),  # how often the action could have been taken at its parent
        ("reward", "f4", (MAX_SEATS,)),  # summed over the visits
    ]
)
"""A node of the tree; node 0 is the root, and its own action means nothing."""

WIN = 0.9
"""Weight of the share of the win in a seat's reward; the rest is its share of all points."""
EXPLORATION = 0.5
"""UCB's constant for rewards between 0 and 1."""
BIAS = 1.0
"""Weight of the game's advice in the choice of a child; it fades with the child's visits (progressive bias)."""
GUIDED = 128
"""Chance in 256 that a playout's move is the best by the game's advice rather than any."""
CHUNK = 50
"""Iterations between two looks at the clock."""
MOST = 200_000
"""Iterations of a search that only time limits: what its tree has room for."""
DEPTH = 512
"""Moves of the tree that an iteration remembers for backing up."""


@compiled
def reward(points, winners, players, rewards):
    """What each seat got, between 0 and 1: mostly the win, a little the points."""
    total = 1
    for seat in range(players):
        total += max(0, points[seat])
    count = 0
    for seat in range(players):
        count += winners >> seat & 1
    for seat in range(players):
        share = max(0, points[seat]) / total
        rewards[seat] = WIN * (winners >> seat & 1) / count + (1.0 - WIN) * share


@compiled
def add_child(nodes, count, parent, action, seat):
    """Put a new node under `parent`; returns its index."""
    node = nodes[count]
    node.action = action
    node.seat = seat
    node.child = 0
    node.sibling = nodes[parent].child
    node.visits = 0
    node.available = 1
    for i in range(MAX_SEATS):
        node.reward[i] = 0.0
    nodes[parent].child = count
    return count


@compiled
def select(nodes, parent, seat, moves, count, scores, slots, word):
    """The best known child, or the index in `moves` of one that is untried: (child or 0, index, word).

    `slots`, int32 of the size of the action codes and all 0, is left as it was found.
    """
    child = nodes[parent].child
    while child != 0:
        slots[nodes[child].action] = child
        child = nodes[child].sibling
    untried = 0
    pick = -1
    low = scores[0]
    high = scores[0]
    for i in range(count):
        low = min(low, scores[i])
        high = max(high, scores[i])
        if slots[moves[i]] == 0 and (pick < 0 or scores[i] >= scores[pick]):
            untried = untried + 1 if pick >= 0 and scores[i] == scores[pick] else 1
            draw, word = draw_below(word, untried)
            if draw == 0:
                pick = i
    best = 0
    highest = -1.0
    span = max(1, high - low)
    for i in range(count):
        child = slots[moves[i]]
        if child != 0:
            node = nodes[child]
            node.available += 1
            value = (
                node.reward[seat] / node.visits
                + EXPLORATION * math.sqrt(math.log(node.available) / node.visits)
                + BIAS * (scores[i] - low) / span / (node.visits + 1)
            )
            if value > highest:
                highest = value
                best = child
    child = nodes[parent].child
    while child != 0:
        slots[nodes[child].action] = 0
        child = nodes[child].sibling
    if pick >= 0:
        return 0, pick, word
    return best, 0, word


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
    moves,
    scores,
    slots,
    path,
    points,
    rewards,
    events,
    generator,
):
    """Search on from the view in `views[0]`, on the tree of `count` nodes; returns the new count of nodes."""
    state = states[0]
    own = int(views[0].seat)
    for _ in range(iterations):
        resample(views[0], parts[0], generator, state)
        word = generator[0]
        node = 0
        depth = 0
        growing = True
        secret = 0
        while state.to_act != 0:
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
            if growing and known:
                if moves_count > 1:
                    state.seat = seat
                    advise(state, parts[0], moves, moves_count, scores)
                child, pick, word = select(nodes, node, seat, moves, moves_count, scores, slots, word)
                if child == 0:
                    child = add_child(nodes, count, node, moves[pick], seat)
                    count += 1
                    growing = False
                node = child
                action = nodes[node].action
                path[depth] = node
                depth += 1
                if depth == DEPTH:
                    growing = False
            elif moves_count > 1:
                draw, word = draw_below(word, 256)
                if draw < GUIDED:
                    state.seat = seat
                    advise(state, parts[0], moves, moves_count, scores)
                    best = 0
                    for i in range(1, moves_count):
                        if scores[i] > scores[best]:
                            best = i
                    action = moves[best]
                else:
                    pick, word = draw_below(word, moves_count)
                    action = moves[pick]
            play(state, parts[0], seat, action, events)
        winners = result(state, parts[0], points)
        reward(points, winners, state.players, rewards)
        nodes[0].visits += 1
        for i in range(depth):
            step = nodes[path[i]]
            step.visits += 1
            for seat in range(state.players):
                step.reward[seat] += rewards[seat]
        generator[0] = word
    return count


@cache
def compiled_search(game: Game) -> Any:
    """`iterate`, compiled for one game."""
    kinds = game.types
    numbers = types.Array(types.int32, 1, "C")
    nodes = types.Array(numba.from_dtype(NODE), 1, "C")
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
            nodes,
            types.intp,
            types.intp,
            numbers,
            numbers,
            numbers,
            numbers,
            numbers,
            types.Array(types.float32, 1, "C"),
            EVENTS,
            GENERATOR,
        ),
        iterate,
    )


def search(
    view: View, generator: NDArray[np.uint64], iterations: int | None, milliseconds: int | None
) -> int:
    """The action that the view's seat takes after a search: the one that was tried most often.

    `generator`, uint64 of shape (1,), is advanced. Without `milliseconds`, the same generator gives the same action.
    """
    game = view.game
    run, rules = compiled_search(game), game.rules
    most = iterations or MOST
    began = time.monotonic()
    nodes = np.zeros(most + 2, dtype=NODE)
    room = [
        np.zeros(size, dtype=np.int32) for size in (rules.MAX_LEGAL, rules.MAX_LEGAL, rules.ACTIONS, DEPTH)
    ]
    count, done = 1, 0
    while done < most:
        step = min(CHUNK, most - done) if milliseconds else most
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
            *room,
            np.zeros(MAX_SEATS, dtype=np.int32),
            np.zeros(MAX_SEATS, dtype=np.float32),
            NO_EVENTS,
            generator,
        )
        done += step
        if milliseconds and (time.monotonic() - began) * 1000 >= milliseconds:
            break
    return most_visited(nodes)


def most_visited(nodes: NDArray[Any]) -> int:
    """The action of the root's child with the most visits."""
    best = child = int(nodes[0]["child"])
    while child:
        if nodes[child]["visits"] > nodes[best]["visits"]:
            best = child
        child = int(nodes[child]["sibling"])
    return int(nodes[best]["action"])
