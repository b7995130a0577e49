"""Karuba in the words of the record format: states, views, moves and what they hide."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.core.forms import Index, OwnForm, Row
from atoll.core.game import Components, Json
from atoll.core.state import REFEREE
from atoll.core.wording import Wording
from atoll.games.karuba.scoring import find_path, joined, passes
from atoll.games.karuba.state import (
    CHOOSE,
    CHOSEN_CARDS,
    COLOURS,
    MAX_CARDS,
    MIDDLE,
    NEIGHBOURS,
    NO_CARD,
    SPAN,
    KarubaState,
)

# States


class Chosen(OwnForm):
    """The two cards of the round, none before they are chosen."""

    def say(self, state: KarubaState, index: Index) -> Any:
        """The cards, or their number where the view hides them or may not say whether there are any."""
        (seat,) = index
        cards = [card for card in state.chosen[seat].tolist() if card != NO_CARD]
        hidden = state.phase == CHOOSE and state.seat not in (REFEREE, seat)
        return len(cards) if hidden else cards

    def read(self, state: KarubaState, index: Index, said: Any) -> None:
        """Two cards, or none."""
        field = KarubaState.field("chosen")
        cards = Row(ascending=True).read(said, field)
        if len(cards) not in (0, CHOSEN_CARDS):
            raise ValueError(f"a list of {CHOSEN_CARDS} cards, or an empty one")
        state.chosen[index][: len(cards)] = cards


class ToLay(OwnForm):
    """Those of the chosen cards that are still to be laid."""

    def say(self, state: KarubaState, index: Index) -> Any:
        """The cards, ascending."""
        return [card for i, card in enumerate(state.chosen[index].tolist()) if state.to_lay[index] >> i & 1]

    def read(self, state: KarubaState, index: Index, said: Any) -> None:
        """Some of the chosen cards."""
        chosen = state.chosen[index].tolist()
        if not isinstance(said, list) or any(type(card) is not int or card not in chosen for card in said):
            raise ValueError("a list of chosen cards")
        state.to_lay[index] = sum(1 << chosen.index(card) for card in set(said))


WORDING = Wording(KarubaState, {"players[].chosen": Chosen(), "players[].to_lay": ToLay()})


def state_to_json(state: KarubaState, options: Mapping[str, bool]) -> Json:
    """The state, or what a view shows of it: of hidden cards how many they are."""
    return WORDING.say(state)


def state_from_json(words: Mapping[str, Any], components: Components) -> NDArray[Any]:
    """The state, shape (1,), that these words describe; raises RecordError naming the key that is wrong."""
    states = WORDING.read(words)
    state = states[0]
    for seat in range(state.players):
        cells = np.flatnonzero(state.island[seat] != NO_CARD)
        rows, columns = np.divmod(cells if len(cells) else np.array([MIDDLE]), SPAN)
        state.laid[seat] = len(cells)
        state.west[seat], state.east[seat] = columns.min(), columns.max()
        state.north[seat], state.south[seat] = rows.min(), rows.max()
    return states


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
    path = np.empty(MAX_CARDS, dtype=np.int64)
    found = []
    for colour, name in enumerate(COLOURS):
        count, points = find_path(island, components.parts[0], colour, path)
        if count:
            cards = [int(island[cell]) for cell in path[:count]]
            found.append({"colour": name, "cards": cards, "points": int(points)})
    return found


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
        other in beside and joined(island, parts, cell, other, beside.index(other))
        for cell, other, beside in steps
    )
