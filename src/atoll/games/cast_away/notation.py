"""Cast Away in the words of the record format: states, views, moves and what they hide."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.core.chance import generator
from atoll.core.errors import RecordError
from atoll.core.events import Event
from atoll.core.game import Components, Json
from atoll.core.position import seats_in
from atoll.core.state import REFEREE, UNKNOWN
from atoll.games.cast_away.invariants import bonuses
from atoll.games.cast_away.moves import action_of, move_of
from atoll.games.cast_away.scoring import end_points, miracle_points, mystery_points, total_points
from atoll.games.cast_away.state import (
    ACTING,
    ACTION,
    BOOST,
    BOOSTING,
    BOOSTS,
    DOMAINS,
    ENDED,
    EVENT_SEEN,
    FIRST_PLAYER,
    FISHING_SHUFFLED,
    MAX_DESIGNS,
    MIRACLE_SLOT,
    MIRACLES,
    MYSTERY_PLACE,
    NOBODY,
    NOT_IN_GAME,
    OVER,
    PHASES,
    PLACES,
    RESOURCES,
    SHIP,
    STATE,
    STOCKED,
    STOREYS,
    TILE_PLACE,
    TRIBE,
    CastAwayState,
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


def state_to_json(state: CastAwayState, options: Mapping[str, bool]) -> Json:
    """The state, or what a view shows of it: of piles whose order alone is hidden, the content in order."""
    is_view = state.seat != REFEREE
    boosts = np.flatnonzero(state.boost_left) if is_view else _top_first(state.boost_pile, state.boost_count)
    fishing = _top_first(state.fishing_pile, state.fishing_count)
    players = int(state.players)
    words: Json = {
        "round": int(state.round_number),
        "phase": PHASES[state.phase],
        "to_act": list(seats_in(int(state.to_act))),
        "order": state.order[:players].tolist(),
        "event": event_name(state.event),
        "event_pile": int(state.event_count)
        if is_view
        else [event_name(card) for card in _top_first(state.event_pile, state.event_count)],
        "last_round": bool(state.last_round),
        "boosts": {
            "first player": bool(state.boost_face_up),
            "pile": [BOOSTS[boost] for boost in boosts],
        },
        "stock": dict(zip(RESOURCES[:STOCKED], state.stock.tolist(), strict=True)),
        "compass": {
            "lots": _some(state.lots),
            "markers": [None if seat == NOBODY else seat for seat in state.markers[:players].tolist()],
        },
        "candle": {
            "white": int(state.white_left),
            "own": state.candle[:players].tolist(),
            "gifts": _some(state.gifts),
        },
        "fishing_pile": np.flatnonzero(state.fishing_left).tolist() if is_view else fishing,
        "constructions": [tile + 1 for tile in np.flatnonzero(state.tile_owner == NOBODY).tolist()],
        "miracles": [MIRACLES[miracle] for miracle in np.flatnonzero(state.miracle_left)],
        "mystery": _designs(state, state.mystery_left),
        "places": _places(state),
        "players": [_player(state, seat) for seat in range(players)],
    }
    gone = _events_gone(state)
    if gone:
        words["events_gone"] = gone
    if not is_view and state.seen_count.any():
        words["seen_counts"] = state.seen_count[:players].tolist()
    if state.seat >= 0:
        seen = int(state.seen_count[state.seat])
        words["seen"] = [event_name(card) for card in _top_first(state.event_pile, state.event_count)[:seen]]
    return words


def _events_gone(state: CastAwayState) -> list[str | None]:
    """The cards that were turned up and have left the game, which the other keys do not tell."""
    there = {int(state.event), *state.held_event[: state.held_count].tolist()}
    return [event_name(card) for card in np.flatnonzero(state.event_turned).tolist() if card not in there]


def _player(state: CastAwayState, seat: int) -> Json:
    return {
        "prestige": int(state.prestige[seat]),
        "health": int(state.health[seat]),
        "happiness": int(state.happiness[seat]),
        "favour": int(state.favour[seat]),
        "experience": dict(zip(DOMAINS, state.experience[seat].tolist(), strict=True)),
        "resources": dict(zip(RESOURCES, state.resources[seat].tolist(), strict=True)),
        "meeples": int(state.meeples[seat]),
        "white": int(state.white[seat]),
        "left": {
            "own": int(state.left_own[seat]),
            "white": int(state.left_white[seat]),
            "compass": bool(state.left_compass[seat]),
        },
        "slots": [slot_name(tile) for tile in state.slots[seat, : state.slot_count[seat]].tolist()],
        "events": [
            event_name(card)
            for card, holder in zip(state.held_event.tolist(), state.held_by.tolist(), strict=True)
            if holder == seat
        ],
        "mystery": _designs(state, state.mystery[seat]),
        "rests": bool(state.rests[seat]),
        "tribe": TRIBE[state.tribe[seat]],
    }


def event_name(card: int) -> str | None:
    """An event card's id."""
    if card == NOBODY:
        return None
    return "ship" if card == SHIP else str(int(card))


def slot_name(tile: int) -> str:
    """What covers a slot."""
    return f"miracle {MIRACLES[tile - MIRACLE_SLOT]}" if tile >= MIRACLE_SLOT else f"construction {tile + 1}"


def place_name(place: int, owner: int) -> str:
    """A place of the board, or a construction and whose it is."""
    return PLACES[place] if place < TILE_PLACE else f"construction {place - TILE_PLACE + 1} of {owner}"


def _top_first(pile: NDArray[np.int8], count: int) -> list[int]:
    cards: list[int] = pile[:count][::-1].tolist()
    return cards


def _some(amounts: NDArray[Any]) -> dict[str, int]:
    return {name: amount for name, amount in zip(RESOURCES, amounts.tolist(), strict=True) if amount}


def _designs(state: CastAwayState, counts: NDArray[np.int8]) -> list[list[int]]:
    return [
        counts[storey * MAX_DESIGNS : storey * MAX_DESIGNS + state.designs[storey]].tolist()
        for storey in range(STOREYS)
    ]


def _places(state: CastAwayState) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for place, seat in zip(
        state.arrival_place[: state.arrivals].tolist(), state.arrival_seat.tolist(), strict=False
    ):
        owner = int(state.tile_owner[place - TILE_PLACE]) if place >= TILE_PLACE else NOBODY
        found.setdefault(place_name(place, owner), []).append(seat)
    return found


# States from words


def state_from_json(words: Mapping[str, Any], components: Components) -> NDArray[Any]:
    """The state, shape (1,), that these words describe; raises RecordError naming the key that is wrong.

    A state tells all in the phases `boost`, while the first player's boost lies there, `action` and `over`.
    """
    states = np.zeros(1, dtype=STATE)
    state = states[0]
    key = "phase"
    try:
        phase = PHASES.index(words["phase"])
        if phase not in (BOOST, ACTION, OVER):
            raise RecordError(f"a state in phase {words['phase']!r} does not tell all: replay from the start")
        state.phase = phase
        state.seat = REFEREE
        state.generator[:] = generator(0)
        state.stage = {BOOST: BOOSTING, ACTION: ACTING, OVER: ENDED}[phase]
        state.chooser = state.building = state.first_player = NOBODY
        state.queue[:] = NOBODY
        for key, fill in _FILLERS.items():
            fill(state, words[key], components)
        for key, fill in _OPTIONAL_FILLERS.items():
            if key in words:
                fill(state, words[key], components)
        key = "to_act"
        _fill_turn(state, words["to_act"])
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError):
        raise RecordError(f"the state's key {key!r} is missing or wrong") from None
    state.bonus[:] = bonuses(state, components.parts[0])
    return states


def _fill_players(state: Any, players: Any, components: Components) -> None:
    count = len(players)
    if not 2 <= count <= len(state.prestige):
        raise ValueError
    state.players = count
    state.designs[:] = components.parts[0].designs
    state.tile_owner[:] = np.where(components.parts[0].tile_there, NOBODY, NOT_IN_GAME)
    state.slots[:] = NOBODY
    state.held_event[:] = UNKNOWN
    state.held_by[:] = NOBODY
    for seat, player in enumerate(players):
        for name in ("prestige", "health", "happiness", "favour", "meeples", "white"):
            state[name][seat] = player[name]
        state.experience[seat] = [player["experience"][name] for name in DOMAINS]
        state.resources[seat] = [player["resources"][name] for name in RESOURCES]
        state.left_own[seat] = player["left"]["own"]
        state.left_white[seat] = player["left"]["white"]
        state.left_compass[seat] = bool(player["left"]["compass"])
        state.rests[seat] = bool(player["rests"])
        state.tribe[seat] = TRIBE.index(player["tribe"])
        _fill_designs(state.mystery[seat], player["mystery"], components)
        _fill_slots(state, seat, player["slots"])
        for card in player["events"]:
            state.held_event[state.held_count] = _card(card)
            state.held_by[state.held_count] = seat
            state.held_count += 1


def _card(name: Any) -> int:
    return SHIP if name == "ship" else int(name)


def _fill_slots(state: Any, seat: int, slots: Any) -> None:
    state.slot_count[seat] = len(slots)
    for slot, name in enumerate(slots):
        kind, _, which = name.partition(" ")
        if kind == "miracle":
            state.slots[seat, slot] = MIRACLE_SLOT + MIRACLES.index(which)
        else:
            tile = int(which) - 1
            if kind != "construction" or tile < 0 or state.tile_owner[tile] != NOBODY:
                raise ValueError
            state.slots[seat, slot] = tile
            state.tile_owner[tile] = seat


def _fill_designs(target: Any, designs: Any, components: Components) -> None:
    if [len(storey) for storey in designs] != components.parts[0].designs.tolist():
        raise ValueError
    for storey, counts in enumerate(designs):
        target[storey * MAX_DESIGNS : storey * MAX_DESIGNS + len(counts)] = counts


def _fill_mystery(state: Any, designs: Any, components: Components) -> None:
    _fill_designs(state.mystery_left, designs, components)


def _fill_order(state: Any, order: Any, components: Components) -> None:
    state.order[:] = NOBODY
    if sorted(order) != list(range(state.players)):
        raise ValueError
    state.order[: state.players] = order


def _fill_round(state: Any, number: Any, components: Components) -> None:
    state.round_number = number


def _fill_last_round(state: Any, last: Any, components: Components) -> None:
    if not isinstance(last, bool):
        raise ValueError
    state.last_round = last


def _fill_event(state: Any, card: Any, components: Components) -> None:
    state.event = NOBODY if card is None else _card(card)


def _fill_event_pile(state: Any, cards: Any, components: Components) -> None:
    """Unless the state says so, any cards that are neither in the pile nor in play went back into the box."""
    parts = components.parts[0]
    pile = [_card(card) for card in cards]
    state.event_pile[:] = UNKNOWN
    state.event_count = len(pile)
    state.event_pile[: len(pile)] = pile[::-1]
    in_play = {int(state.event), *state.held_event[: state.held_count].tolist()} - {NOBODY}
    known = parts.event_card[: parts.event_cards].tolist()
    others = [card for card in known if card not in in_play and card not in pile]
    boxed = [card for card in reversed(others) if card != SHIP][: parts.events_boxed]
    for card in (*in_play, *others):
        state.event_turned[card] = card not in boxed


def _fill_events_gone(state: Any, cards: Any, components: Components) -> None:
    in_play = {int(state.event), *state.held_event[: state.held_count].tolist()}
    for card in range(len(state.event_turned)):
        state.event_turned[card] = card in in_play
    for card in cards:
        state.event_turned[_card(card)] = 1


def _fill_boosts(state: Any, boosts: Any, components: Components) -> None:
    state.boost_face_up = bool(boosts["first player"])
    state.boost_pile[:] = UNKNOWN
    pile = [BOOSTS.index(name) for name in boosts["pile"]]
    if (state.phase == BOOST and not state.boost_face_up) or FIRST_PLAYER in pile:
        raise ValueError
    state.boost_count = len(pile)
    state.boost_pile[: len(pile)] = pile[::-1]
    state.boost_left[pile] = 1


def _fill_stock(state: Any, stock: Any, components: Components) -> None:
    state.stock[:] = [stock[name] for name in RESOURCES[:STOCKED]]


def _fill_compass(state: Any, compass: Any, components: Components) -> None:
    state.lots[:] = _amounts(compass["lots"])
    state.markers[:] = NOBODY
    if len(compass["markers"]) != state.players:
        raise ValueError
    for position, seat in enumerate(compass["markers"]):
        if seat is not None:
            state.markers[position] = range(state.players)[seat]


def _amounts(amounts: Any) -> list[int]:
    if set(amounts) - set(RESOURCES):
        raise ValueError
    return [amounts.get(name, 0) for name in RESOURCES]


def _fill_candle(state: Any, candle: Any, components: Components) -> None:
    state.white_left = candle["white"]
    state.candle[: state.players] = candle["own"]
    state.gifts[:] = _amounts(candle["gifts"])


def _fill_fishing(state: Any, cards: Any, components: Components) -> None:
    parts = components.parts[0]
    state.fishing_pile[:] = UNKNOWN
    state.fishing_count = len(cards)
    state.fishing_pile[: len(cards)] = cards[::-1]
    for card in parts.fishing_card[: parts.fishing_cards].tolist():
        state.fishing_left[card] = card in cards


def _fill_constructions(state: Any, tiles: Any, components: Components) -> None:
    if tiles != [tile + 1 for tile in np.flatnonzero(state.tile_owner == NOBODY).tolist()]:
        raise ValueError


def _fill_miracles(state: Any, miracles: Any, components: Components) -> None:
    state.miracle_left[[MIRACLES.index(name) for name in miracles]] = 1


def _fill_places(state: Any, places: Any, components: Components) -> None:
    state.arrival_place[:] = NOBODY
    state.arrival_seat[:] = NOBODY
    for name, seats in places.items():
        if name in PLACES:
            place = PLACES.index(name)
            state.place_count[place] = min(len(seats), 1) if place == MYSTERY_PLACE else len(seats)
        else:
            tile = int(name.split()[1]) - 1
            place = TILE_PLACE + tile
            if name != place_name(place, int(state.tile_owner[tile])):
                raise ValueError
            state.tile_used[tile] = 1
        for seat in seats:
            state.arrival_place[state.arrivals] = place
            state.arrival_seat[state.arrivals] = range(state.players)[seat]
            state.arrivals += 1


_FILLERS: dict[str, Callable[[Any, Any, Components], None]] = {
    "players": _fill_players,
    "order": _fill_order,
    "round": _fill_round,
    "last_round": _fill_last_round,
    "event": _fill_event,
    "event_pile": _fill_event_pile,
    "boosts": _fill_boosts,
    "stock": _fill_stock,
    "compass": _fill_compass,
    "candle": _fill_candle,
    "fishing_pile": _fill_fishing,
    "constructions": _fill_constructions,
    "miracles": _fill_miracles,
    "mystery": _fill_mystery,
    "places": _fill_places,
}


def _fill_seen_counts(state: Any, counts: Any, components: Components) -> None:
    if len(counts) != state.players or not all(0 <= count <= state.event_count for count in counts):
        raise ValueError
    state.seen_count[: state.players] = counts


_OPTIONAL_FILLERS: dict[str, Callable[[Any, Any, Components], None]] = {
    "events_gone": _fill_events_gone,
    "seen_counts": _fill_seen_counts,
}
"""Keys of this project's own, which records from elsewhere do without."""


def _fill_turn(state: Any, to_act: Any) -> None:
    if len(to_act) != (state.phase != OVER):
        raise ValueError
    for seat in to_act:
        state.turn = state.order[: state.players].tolist().index(seat)
        state.actor = seat
        state.to_act = 1 << seat


# What is hidden


def hide_move(move: Json, whose: int, before: Json, now: Json, seat: int) -> Json:
    """A move as `seat` may know it: all moves are made openly."""
    return move


def hide_event(event: Event, seat: int) -> Event:
    """The event as `seat` may know it: the cards that others look at are not named (CA-23)."""
    if event.what == EVENT_SEEN and event.whose != seat:
        return event._replace(piece=UNKNOWN)
    return event


# Chance and the end


def chance_of(events: Sequence[Event], state: CastAwayState) -> Json | None:
    """The new order of the fishing cards, if they were shuffled."""
    if any(event.what == FISHING_SHUFFLED for event in events):
        return {"fishing_pile": _top_first(state.fishing_pile, state.fishing_count)}
    return None


def apply_chance(state: CastAwayState, chance: Mapping[str, Any]) -> None:
    """Set the order of the fishing cards; raises RecordError if it is of other cards than those in the pile."""
    pile = chance.get("fishing_pile")
    count = int(state.fishing_count)
    if not isinstance(pile, list) or sorted(pile) != sorted(state.fishing_pile[:count].tolist()):
        raise RecordError("chance has the key fishing_pile: the cards of the new pile, top first")
    state.fishing_pile[:count] = pile[::-1]


def result_details(state: CastAwayState, components: Components) -> Json:
    """Nothing: points and winners say it all."""
    return {}


def details_agree(found: Json, state: CastAwayState, components: Components) -> bool:
    """There are no details that could be wrong."""
    return True


def breakdown(state: CastAwayState, components: Components) -> list[Json]:
    """Each seat's points in their parts (CA-40)."""
    parts = components.parts[0]
    rows = []
    for seat in range(state.players):
        tiles = state.slots[seat, : state.slot_count[seat]].tolist()
        built = [tile for tile in tiles if tile < MIRACLE_SLOT]
        miracles = [tile - MIRACLE_SLOT for tile in tiles if tile >= MIRACLE_SLOT]
        rows.append(
            {
                "prestige": int(state.prestige[seat]),
                "constructions": sum(int(parts.tile_prestige[tile]) for tile in built),
                "effects": sum(int(end_points(state, parts, seat, tile)) for tile in built),
                "miracles": sum(int(miracle_points(state, parts, seat, miracle)) for miracle in miracles),
                "mystery": int(mystery_points(state, parts, seat)),
                "points": int(total_points(state, parts, seat)),
            }
        )
    return rows
