"""Karuba in the words of the record format: what moves hide, and how a game ended."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.core.game import Components, Json
from atoll.games.karuba.islands import joined
from atoll.games.karuba.scoring import passes, way
from atoll.games.karuba.state import COLOURS, NEIGHBOURS, KarubaState

# What is hidden


def hide_move(move: Json, whose: int, before: Json, now: Json, seat: int) -> Json:
    """A move as `seat` may know it: what another chooses is not named before all have chosen (KA-4)."""
    secret = before["round"] == now["round"] and now["phase"] == "choose"
    if move["do"] == "choose" and secret and whose != seat:
        return {**move, "cards": None}
    return move


# The end


def breakdown(state: KarubaState, components: Components) -> list[Json]:
    """Each seat's points and the paths that bring them (KA-9 to KA-13)."""
    rows = []
    for seat in range(state.players):
        paths = paths_of(state.island[seat], components)
        rows.append({"paths": paths, "points": sum(path["points"] for path in paths)})
    return rows


def paths_of(island: NDArray[np.int8], components: Components) -> list[Json]:
    """The paths of the adventurers who arrive, in the order of the colours; cards from adventurer to temple."""
    ways = [(name, *way(island, components.parts[0], colour)) for colour, name in enumerate(COLOURS)]
    return [{"colour": name, "cards": cards, "points": points} for name, cards, points in ways if cards]


def result_details(state: KarubaState, components: Components) -> Json:
    """Each seat's paths."""
    return {"paths": [row["paths"] for row in breakdown(state, components)]}


def details_agree(found: Json, state: KarubaState, components: Components) -> bool:
    """Whether the paths are right; where several are equally short and valuable, any of them is (KA-12)."""
    try:
        return len(found["paths"]) == state.players and all(
            _paths_agree(said, state.island[seat], components) for seat, said in enumerate(found["paths"])
        )
    except (LookupError, OverflowError, TypeError, ValueError, AttributeError):
        return False


def _paths_agree(said: Any, island: NDArray[np.int8], components: Components) -> bool:
    """Whether an island's paths lead where they should, are as long as the right ones and bring as much."""
    parts = components.parts[0]
    right = paths_of(island, components)
    if type(said) is not list or [path["colour"] for path in said] != [path["colour"] for path in right]:
        return False
    for path, best in zip(said, right, strict=True):
        cards = path["cards"]
        if any(type(number) is not int for number in (*cards, path["points"])):
            return False
        points = int(parts.adventurer_points) + sum(int(parts.treasure_points[card]) for card in cards)
        ends = cards[0] == best["cards"][0] and cards[-1] == best["cards"][-1]
        if not ends or len(cards) != len(best["cards"]) or not points == path["points"] == best["points"]:
            return False
        if not is_way(island, parts, COLOURS.index(path["colour"]), cards):
            return False
    return True


def is_way(island: NDArray[np.int8], parts: Any, colour: int, cards: Sequence[int]) -> bool:
    """Whether a colour's adventurer can walk over these cards, each joined to the next (KA-9, KA-11)."""
    cells = [island.tolist().index(card) for card in cards]
    steps = [(cell, other, NEIGHBOURS[cell].tolist()) for cell, other in pairwise(cells)]
    return all(passes(card, parts, colour) for card in cards) and all(
        other in beside and joined(island, parts, island[cell], cell, beside.index(other))
        for cell, other, beside in steps
    )
