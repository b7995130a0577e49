"""Karuba in the words of the record format: what moves hide, and how a game ended."""

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.core.game import View
from atoll.core.types import Components, Json
from atoll.games.karuba.islands import edges
from atoll.games.karuba.scoring import passes, way
from atoll.games.karuba.state import CHOOSE, COLOURS, NEIGHBOURS, KarubaState

# What is hidden


def hide_move(move: Json, whose: int, before: View, now: View) -> Json:
    """A move as a seat may know it: what another chooses is not named before all have chosen (KA-4)."""
    secret = before.fields.round_number == now.fields.round_number and now.fields.phase == CHOOSE
    if move["do"] == "choose" and secret and whose != now.seat:
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


def details_agree(details: Json, state: KarubaState, components: Components) -> bool:
    """Whether the paths are right; where several are equally short and valuable, any of them is (KA-12)."""
    try:
        entries, right = details["paths"], result_details(state, components)["paths"]
        return _ends(entries) == _ends(right) and all(
            is_way(island, components.parts[0], path)
            for paths, island in zip(entries, state.island, strict=False)
            for path in paths
        )
    except (LookupError, OverflowError, TypeError, ValueError, AttributeError):
        return False


def _ends(seats: list[list[Json]]) -> str:
    """What all paths that are right have in common; as text, in which a truth is no number."""
    ends = [
        (seat, path["colour"], path["cards"][0], path["cards"][-1], len(path["cards"]), path["points"])
        for seat, paths in enumerate(seats)
        for path in paths
    ]
    return repr((len(seats), ends))


def is_way(island: NDArray[np.int8], parts: Any, path: Json) -> bool:
    """Whether an adventurer can walk over these cards, and they bring as much (KA-9 to KA-13)."""
    colour, cards = COLOURS.index(path["colour"]), path["cards"]
    cells = [island.tolist().index(card) for card in cards]
    return (
        all(type(card) is int and passes(card, parts, colour) for card in cards)
        and path["points"] == parts.adventurer_points + sum(parts.treasure_points[card] for card in cards)
        and all(
            edges(island, parts, card, cell)[0] >> NEIGHBOURS[cell].tolist().index(other) & 1
            for card, (cell, other) in zip(cards, pairwise(cells), strict=False)
        )
    )
