"""Karuba in the words of the record format: states, views, moves and what they hide."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.core.chance import generator
from atoll.core.errors import RecordError
from atoll.core.events import Event
from atoll.core.game import Components, Json
from atoll.core.position import seats_in
from atoll.core.state import REFEREE, UNKNOWN
from atoll.games.karuba.moves import action_of, move_of
from atoll.games.karuba.scoring import find_path, joined, passes
from atoll.games.karuba.state import (
    CARD_CHOSEN,
    CARD_DRAWN,
    CELLS,
    CHOOSE,
    CHOSEN_CARDS,
    COLOURS,
    MAX_CARDS,
    MAX_PLAYERS,
    NEIGHBOURS,
    NO_CARD,
    PHASES,
    REACH,
    STATE,
    KarubaState,
    cell_at,
    place_of,
)

__all__ = [
    "action_of",
    "apply_chance",
    "breakdown",
    "chance_of",
    "details_agree",
    "hide_event",
    "hide_move",
    "move_of",
    "result_details",
    "state_from_json",
    "state_to_json",
]


# States


def state_to_json(state: KarubaState, options: Mapping[str, bool]) -> Json:
    """The state, or what a view shows of it: of hidden cards how many they are."""
    is_view = state.seat != REFEREE
    secret = [is_view and seat != state.seat for seat in range(state.players)]
    return {
        "round": int(state.round_number),
        "phase": PHASES[state.phase],
        "to_act": list(seats_in(int(state.to_act))),
        "players": [
            {
                "hand": _cards(state.hand[seat, : state.hand_count[seat]], secret[seat]),
                "pile": _cards(state.pile[seat, : state.pile_count[seat]][::-1], is_view),
                "chosen": _cards(
                    state.chosen[seat][state.chosen[seat] != NO_CARD],
                    secret[seat] and state.phase == CHOOSE,
                ),
                "to_lay": [
                    int(state.chosen[seat, i]) for i in range(CHOSEN_CARDS) if state.to_lay[seat] >> i & 1
                ],
                "discarded": state.discarded[seat, : state.discard_count[seat]].tolist(),
                "island": {
                    ",".join(map(str, place_of(cell))): int(state.island[seat, cell])
                    for cell in range(CELLS)
                    if state.island[seat, cell] != NO_CARD
                },
            }
            for seat in range(state.players)
        ],
    }


def _cards(cards: NDArray[np.int8], hidden: bool) -> list[int] | int:
    """The cards' numbers, or how many they are if they are hidden."""
    return len(cards) if hidden else cards.tolist()


def state_from_json(words: Mapping[str, Any], components: Components) -> NDArray[Any]:
    """The state, shape (1,), that these words describe; raises RecordError naming the key that is wrong."""
    states = np.zeros(1, dtype=STATE)
    state = states[0]
    state.seat = REFEREE
    state.generator[:] = generator(0)  # chance has no part in what follows the deal
    key = "round"
    try:
        state.round_number = range(1, int(components.parts[0].rounds) + 1)[words["round"] - 1]
        key = "phase"
        state.phase = PHASES.index(words["phase"])
        key = "players"
        state.players = len(words["players"])
        if not 2 <= state.players <= MAX_PLAYERS:
            raise ValueError
        for seat, player in enumerate(words["players"]):
            for name, fill in _FILLERS.items():
                key = f"players[{seat}].{name}"
                fill(state, seat, player[name], int(components.parts[0].cards))
        key = "to_act"
        if len(words["to_act"]) != len(set(words["to_act"])):
            raise ValueError
        state.to_act = sum(1 << range(state.players)[seat] for seat in words["to_act"])
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError):
        raise RecordError(f"the state's key {key!r} is missing or wrong") from None
    return states


def _fill_hand(state: Any, seat: int, cards: Any, last: int) -> None:
    state.hand_count[seat] = len(cards)
    state.hand[seat, : len(cards)] = sorted(_numbers(cards, last))


def _fill_pile(state: Any, seat: int, cards: Any, last: int) -> None:
    state.pile_count[seat] = len(cards)
    state.pile[seat, : len(cards)] = _numbers(cards, last)[::-1]


def _fill_chosen(state: Any, seat: int, cards: Any, last: int) -> None:
    if len(cards) not in (0, CHOSEN_CARDS):
        raise ValueError
    state.chosen[seat, : len(cards)] = sorted(_numbers(cards, last))


def _fill_to_lay(state: Any, seat: int, cards: Any, last: int) -> None:
    chosen = state.chosen[seat].tolist()
    state.to_lay[seat] = sum(1 << chosen.index(card) for card in set(_numbers(cards, last)))


def _fill_discarded(state: Any, seat: int, cards: Any, last: int) -> None:
    state.discard_count[seat] = len(cards)
    state.discarded[seat, : len(cards)] = _numbers(cards, last)


def _fill_island(state: Any, seat: int, island: Any, last: int) -> None:
    places = [tuple(map(int, key.split(","))) for key in island]
    for (column, row), card in zip(places, _numbers(list(island.values()), last), strict=True):
        if max(abs(column), abs(row)) > REACH:
            raise ValueError
        state.island[seat, cell_at(column, row)] = card
    columns = [REACH + column for column, _ in places] or [REACH]
    rows = [REACH + row for _, row in places] or [REACH]
    state.laid[seat] = len(places)
    state.west[seat], state.east[seat] = min(columns), max(columns)
    state.north[seat], state.south[seat] = min(rows), max(rows)


_FILLERS = {
    "hand": _fill_hand,
    "pile": _fill_pile,
    "chosen": _fill_chosen,
    "to_lay": _fill_to_lay,
    "discarded": _fill_discarded,
    "island": _fill_island,
}


def _numbers(cards: Any, last: int) -> list[int]:
    """The cards, if they all are numbers of cards that there are."""
    if any(type(card) is not int or not 1 <= card <= last for card in cards):
        raise ValueError
    return list(cards)


# What is hidden


def hide_move(move: Json, whose: int, before: Json, now: Json, seat: int) -> Json:
    """A move as `seat` may know it: what another chooses is not named before all have chosen (KA-4)."""
    secret = before["round"] == now["round"] and now["phase"] == "choose"
    if move["do"] == "choose" and secret and whose != seat:
        return {**move, "cards": None}
    return move


def hide_event(event: Event, seat: int) -> Event:
    """The event as `seat` may know it: cards that others choose or draw are not named."""
    if event.what in (CARD_CHOSEN, CARD_DRAWN) and event.whose != seat:
        return event._replace(piece=UNKNOWN)
    return event


# Chance and the end


def chance_of(events: Sequence[Event], state: KarubaState) -> Json | None:
    """Nothing: after the deal, which `start` holds, chance decides nothing in this game."""
    return None


def apply_chance(state: KarubaState, chance: Mapping[str, Any]) -> None:
    """Refuses: no move of this game involves chance."""
    raise RecordError("no move of this game involves chance")


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
