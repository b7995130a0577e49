"""The tree of a search, compiled: its nodes, how they are opened, chosen and counted (`search.py`)."""

# mypy: disable-error-code="no-untyped-def"

import math

from atoll.core.state import record_dtype
from atoll.engine.compiling import compiled
from atoll.engine.real import exp

MAX_SEATS = 6
NODE = record_dtype(
    [
        ("action", "i4"),  # that led here
        ("child", "i4"),  # first child, or 0
        ("sibling", "i4"),  # next child of the same parent, or 0
        ("low", "i4"),  # the lowest and the highest advice on the first children
        ("high", "i4"),
        ("best", "f4"),  # the highest worth of a first child, if a network gives them
        ("prior", "f4"),  # weight by the parent's advice, 1 for the best
        ("visits", "i4"),
        ("available", "i4"),  # how often the action could have been taken at its parent
        ("wins", "f4"),  # shares of the win of the searching seat, summed over the visits
        ("reward", "f4", (MAX_SEATS,)),  # of each seat, summed over the visits
    ]
)
"""A node of the tree; node 0 is the root, and its own action means nothing."""


@compiled
def reward(points, winners, players, win, rewards):
    """What each seat got, between 0 and 1: mostly the win, a little the points."""
    total = 1
    for seat in range(players):
        total += max(0, points[seat])
    count = count_seats(winners, players)
    for seat in range(players):
        share = max(0, points[seat]) / total
        rewards[seat] = win * (winners >> seat & 1) / count + (1.0 - win) * share


@compiled
def count_seats(seats, players):
    """How many seats a bit set has."""
    count = 0
    for seat in range(players):
        count += seats >> seat & 1
    return count


@compiled
def index_children(nodes, parent, slots):
    """Write the children of a node into `slots`, int32 (ACTIONS,), by their actions."""
    child = nodes[parent].child
    while child != 0:
        slots[nodes[child].action] = child
        child = nodes[child].sibling


@compiled
def clear_children(nodes, parent, slots):
    """Make `slots` all 0 again."""
    child = nodes[parent].child
    while child != 0:
        slots[nodes[child].action] = 0
        child = nodes[child].sibling


@compiled
def list_unopened(moves, count, slots, unopened):
    """Write those of the moves that have no child yet into `unopened`; returns how many there are."""
    number = 0
    for i in range(count):
        if slots[moves[i]] == 0:
            unopened[number] = moves[i]
            number += 1
    return number


@compiled
def add_children(nodes, size, parent, unopened, number, slots, priors):
    """Give `parent` a child for each of so many unopened moves, with its prior; returns the count of nodes."""
    for i in range(number):
        add_child(nodes, size, parent, unopened[i], priors[i])
        slots[unopened[i]] = size
        size += 1
    return size


@compiled
def follow(nodes, size, parent, action):
    """The child of `parent` by an action that was seen, added if need be: (the child, or 0 if the tree is full, the
    count of nodes).
    """
    child = nodes[parent].child
    while child != 0:
        if nodes[child].action == action:
            return child, size
        child = nodes[child].sibling
    if size == len(nodes):
        return 0, size
    add_child(nodes, size, parent, action, 1.0)
    return size, size + 1


@compiled
def add_child(nodes, place, parent, action, prior):
    """Make the unused node at `place` a child that was never visited."""
    node = nodes[place]
    node.action = action
    node.child = 0
    node.sibling = nodes[parent].child
    node.prior = prior
    node.visits = 0
    node.available = 0
    node.wins = 0.0
    for seat in range(MAX_SEATS):
        node.reward[seat] = 0.0
    nodes[parent].child = place


@compiled
def rank_advice(top, scores, count, sharpness, priors):
    """Write the priors that follow from the advice on new moves of the node `top`: 1 for the best of the first ones."""
    if top.child == 0:
        top.low = top.high = scores[0]
        for i in range(count):
            top.low = min(top.low, scores[i])
            top.high = max(top.high, scores[i])
    span = max(1, top.high - top.low)
    for i in range(count):
        score = max(top.low, min(top.high, scores[i]))
        priors[i] = exp(sharpness * (score - top.high) / span)


@compiled
def rank_worths(top, worths, moves, count, slots, priors):
    """The same of the worths that a network gives all the legal moves (`network.py`): its policy, but for a factor."""
    if top.child == 0:
        top.best = worths[0]
        for i in range(count):
            top.best = max(top.best, worths[i])
    new = 0
    for i in range(count):
        if slots[moves[i]] == 0:
            priors[new] = exp(min(0.0, worths[i] - top.best))
            new += 1


@compiled
def select(nodes, parent, seat, moves, count, slots, tuning):
    """The child that `seat` tries next, of those whose `count` moves are legal, by `Tuning`; 0 if there is none.

    It is the one with the highest mean reward plus PUCT's bonus, c P sqrt(N) / (1 + n): P is the child's share of the
    priors, n counts its visits and N how often its move was available, as in ISMCTS, in place of the parent's visits.
    """
    total = 0.0
    for i in range(count):
        child = slots[moves[i]]
        if child != 0:
            total += nodes[child].prior
    first = nodes[parent].reward[seat] / max(1, nodes[parent].visits) - tuning.unvisited
    best = 0
    highest = -1.0e9
    for i in range(count):
        child = slots[moves[i]]
        if child != 0:
            node = nodes[child]
            node.available += 1
            mean = node.reward[seat] / node.visits if node.visits > 0 else first
            bonus = tuning.exploration * node.prior / total * math.sqrt(node.available) / (1 + node.visits)
            value = mean + bonus
            if value > highest:
                highest = value
                best = child
    return best


@compiled
def add_result(nodes, index, rewards, won, players):
    """Add an iteration's rewards, float64 (MAX_SEATS,), and the searching seat's share of the win to a node."""
    node = nodes[index]
    node.visits += 1
    node.wins += won
    for seat in range(players):
        node.reward[seat] += rewards[seat]
