"""What an island of Karuba is worth: the adventurers' paths to their temples (KA-9 to KA-13).

A shortest path uses no card twice by itself; so one breadth-first search a colour finds it, and carrying the most
valuable way to each cell along finds the best among equally short ones.
"""

# mypy: disable-error-code="no-untyped-def"

from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.engine.compiling import compiled
from atoll.engine.records import scratch
from atoll.games.karuba.islands import find_card, joined
from atoll.games.karuba.state import CELLS, COLOURS, MAX_CARDS, NEIGHBOURS, NOWHERE


@compiled
def find_path(island, parts, colour, everywhere, path):
    """Find the path that a colour's adventurer takes to its temple, or the one there would be if it could pass
    `everywhere`.

    Writes its cells, from the adventurer to the temple, into `path`, int64 of shape (MAX_CARDS,), and returns how
    many they are, 0 if there is none, and the points: those of the adventurer and of all treasures on the path.
    """
    if parts.blocked_shortest == 1 and not everywhere and is_stopped(island, parts, colour):
        return 0, 0
    return search_path(island, parts, colour, everywhere, path)


@compiled
def is_stopped(island, parts, colour):
    """Whether every path that is the shortest of all is blocked (KA-12, where `blocked_shortest` is on)."""
    path = scratch(MAX_CARDS, np.int64)
    shortest = search_path(island, parts, colour, True, path)[0]
    return shortest > 0 and search_path(island, parts, colour, False, path)[0] != shortest


@compiled
def search_path(island, parts, colour, everywhere, path):
    """The shortest path over cards that the adventurer passes, or over all, as `find_path` gives it."""
    adventurer = find_card(island, parts.adventurer_card[colour])
    temple = find_card(island, parts.temple_card[colour])
    if adventurer == NOWHERE or temple == NOWHERE:
        return 0, 0
    length = scratch(CELLS, np.int64)  # cards from here to the temple, 0 where nobody came by
    worth = scratch(CELLS, np.int64)  # treasures on these cards
    onward = scratch(CELLS, np.int64)  # the next cell towards the temple
    for cell in range(CELLS):
        length[cell] = 0
    queue = path  # cells in the order in which the search reaches them; no more than there are cards
    length[temple] = 1
    worth[temple] = parts.treasure_points[island[temple]]
    queue[0] = temple
    count = 1
    i = 0
    while i < count and (length[adventurer] == 0 or length[queue[i]] < length[adventurer]):
        cell = queue[i]
        i += 1
        for edge in range(4):
            other = NEIGHBOURS[cell, edge]
            if not joined(island, parts, island[cell], cell, edge):
                continue
            card = island[other]
            if not (everywhere or passes(card, parts, colour)):
                continue
            treasures = worth[cell] + parts.treasure_points[card]  # KA-13
            if length[other] == 0:
                length[other] = length[cell] + 1
                queue[count] = other
                count += 1
            elif length[other] != length[cell] + 1 or treasures <= worth[other]:  # KA-12
                continue
            worth[other] = treasures
            onward[other] = cell
    if length[adventurer] == 0:
        return 0, 0
    cell = adventurer
    for i in range(length[adventurer]):
        path[i] = cell
        cell = onward[cell]
    return int(length[adventurer]), int(parts.adventurer_points) + int(worth[adventurer])  # KA-10


def way(
    island: NDArray[np.int8], parts: Any, colour: int, *, everywhere: bool = False
) -> tuple[list[int], int]:
    """The cards of a path that `find_path` finds, none if there is none, and its points."""
    path = np.empty(MAX_CARDS, dtype=np.int64)
    count, points = find_path(island, parts, colour, everywhere, path)
    return [int(island[cell]) for cell in path[:count]], int(points)


@compiled
def passes(card, parts, colour):
    """Whether a card lets a colour's adventurer pass: no adventurer of another colour is on it (KA-11)."""
    return parts.adventurer[card] == -1 or parts.adventurer[card] == colour


@compiled
def score(island, parts):
    """The points of an island (KA-9 to KA-13)."""
    path = scratch(MAX_CARDS, np.int64)
    points = 0
    for colour in range(len(COLOURS)):
        points += find_path(island, parts, colour, False, path)[1]
    return points
