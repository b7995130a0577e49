"""Costa Ruana in the words of the record format: states, views, moves and what they hide."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.core.chance import generator
from atoll.core.errors import RecordError
from atoll.core.events import Event
from atoll.core.game import Components, Json
from atoll.core.position import seats_in
from atoll.core.state import REFEREE, UNKNOWN
from atoll.games.costa_ruana.moves import action_of, move_of
from atoll.games.costa_ruana.state import (
    BACKGROUNDS,
    CARD_DRAWN,
    CARD_PLAYED,
    CARDS,
    CONDITION,
    DAY,
    FACE_DOWN,
    FACE_UP,
    HIGH_TIDE,
    LOW_TIDE,
    NATIVE,
    NIGHT,
    NOWHERE,
    OVER,
    PHASES,
    RESIGN,
    SETUP,
    STATE,
    CostaRuanaState,
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

BETWEEN_RESOLUTIONS = (SETUP, FACE_UP, FACE_DOWN, NATIVE, CONDITION, RESIGN, OVER)
"""Phases that a state in words restores in full."""

UNTIL_REVEAL = tuple(PHASES[phase] for phase in (FACE_DOWN, NATIVE, CONDITION))
"""Phases in which cards lie face down."""


# States


def state_to_json(state: CostaRuanaState, options: Mapping[str, bool]) -> Json:
    """The state, or what a view shows of it.

    In a view the others' treasures are hidden until the game is over, unless the option open_huts is on (CR-19).
    """
    is_view = state.seat != REFEREE
    huts_open = not is_view or options.get("open_huts", False) or state.phase == OVER
    return {
        "round": int(state.round_number),
        "phase": PHASES[state.phase],
        "to_act": list(seats_in(int(state.to_act))),
        "shaman": int(state.shaman),
        "tide": BACKGROUNDS[state.tide].removesuffix(" tide"),
        "time": BACKGROUNDS[state.time],
        "islands": [
            {
                "treasures": int(state.treasures[i]),
                "natives": state.natives[i, : state.players].tolist(),
            }
            for i in range(state.islands)
        ],
        "players": [
            {
                "supply": int(state.supply[seat]),
                "treasures": int(state.hut[seat]) if huts_open or seat == state.seat else None,
                "hand": int(state.hand_count[seat])
                if is_view and seat != state.seat
                else sorted(_cards(state.hand[seat, : state.hand_count[seat]])),
            }
            for seat in range(state.players)
        ],
        "table": [
            {
                "card": CARDS[state.table_card[k]] if state.table_card[k] != UNKNOWN else None,
                "played_by": int(state.table_player[k]),
                "in_front_of": int(state.table_front[k]),
                "face": "up" if state.table_up[k] else "down",
                "natives": list(seats_in(int(state.table_natives[k]))),
                "resolved": bool(state.table_resolved[k]),
            }
            for k in range(state.table_count)
        ],
        "draw_pile": int(state.pile_count) if is_view else _cards(state.pile[: state.pile_count][::-1]),
        "discarded": _cards(state.discarded[: state.discard_count]),
    }


def _cards(cards: NDArray[np.int8]) -> list[str]:
    return [CARDS[card] for card in cards]


def state_from_json(words: Mapping[str, Any], components: Components) -> NDArray[Any]:
    """The state, shape (1,), that these words describe; raises RecordError naming the key that is wrong.

    Only phases outside a resolution can be restored from a state alone.
    """
    states = np.zeros(1, dtype=STATE)
    key = "phase"
    try:
        phase = PHASES.index(words["phase"])
        if phase not in BETWEEN_RESOLUTIONS:
            raise RecordError(f"a state in phase {words['phase']!r} does not tell all: replay from the start")
        for key, fill in _FILLERS.items():
            fill(states[0], words[key], components)
        states[0].phase = phase
        key = "to_act"
        to_act = words["to_act"]
        if len(to_act) != (phase != OVER) or any(seat not in range(states[0].players) for seat in to_act):
            raise ValueError
        states[0].to_act = sum(1 << seat for seat in to_act)
        states[0].turns = _turns(states[0], phase, to_act)
    except RecordError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError):
        raise RecordError(f"the state's key {key!r} is missing or wrong") from None
    return states


def _fill_players(state: Any, players: Any, components: Components) -> None:
    count = len(players)
    if not 2 <= count <= len(state.supply):
        raise ValueError
    state.players = count
    state.hand[:] = UNKNOWN
    for seat, player in enumerate(players):
        state.supply[seat] = player["supply"]
        state.hut[seat] = player["treasures"]
        hand = sorted(CARDS.index(card) for card in player["hand"])
        state.hand_count[seat] = len(hand)
        state.hand[seat, : len(hand)] = hand


def _fill_islands(state: Any, islands: Any, components: Components) -> None:
    if len(islands) != components.parts[0].islands[state.players]:
        raise ValueError
    state.islands = len(islands)
    for i, island in enumerate(islands):
        state.treasures[i] = island["treasures"]
        if len(island["natives"]) != state.players:
            raise ValueError
        state.natives[i, : state.players] = island["natives"]
    state.crowd[:] = state.natives.sum(axis=1)


def _fill_table(state: Any, table: Any, components: Components) -> None:
    state.table_card[:] = UNKNOWN
    state.table_player[:] = NOWHERE
    state.table_front[:] = NOWHERE
    state.table_count = len(table)
    for k, entry in enumerate(table):
        state.table_card[k] = CARDS.index(entry["card"])
        state.table_player[k] = range(state.players)[entry["played_by"]]
        state.table_front[k] = range(state.players)[entry["in_front_of"]]
        state.table_up[k] = ("down", "up").index(entry["face"])
        state.table_natives[k] = sum(1 << seat for seat in entry["natives"])
        state.table_resolved[k] = bool(entry["resolved"])


def _fill_pile(state: Any, cards: Any, components: Components) -> None:
    state.pile[:] = UNKNOWN
    state.pile_count = len(cards)
    state.pile[: len(cards)] = [CARDS.index(card) for card in reversed(cards)]


def _fill_discarded(state: Any, cards: Any, components: Components) -> None:
    state.discarded[:] = UNKNOWN
    state.discard_count = len(cards)
    state.discarded[: len(cards)] = [CARDS.index(card) for card in cards]


def _fill_round(state: Any, number: Any, components: Components) -> None:
    if not 1 <= number <= components.parts[0].rounds:
        raise ValueError
    state.round_number = number
    # What no words say is as it is between resolutions; chance has no part in what follows.
    state.seat = REFEREE
    state.generator[:] = generator(0)
    state.card = state.applying_to = state.taken_from = state.taken_owner = NOWHERE


def _fill_shaman(state: Any, seat: Any, components: Components) -> None:
    state.shaman = range(state.players)[seat]


def _fill_tide(state: Any, tide: Any, components: Components) -> None:
    state.tide = {"high": HIGH_TIDE, "low": LOW_TIDE}[tide]


def _fill_time(state: Any, time: Any, components: Components) -> None:
    state.time = {"day": DAY, "night": NIGHT}[time]


_FILLERS = {
    "players": _fill_players,
    "islands": _fill_islands,
    "round": _fill_round,
    "shaman": _fill_shaman,
    "tide": _fill_tide,
    "time": _fill_time,
    "table": _fill_table,
    "draw_pile": _fill_pile,
    "discarded": _fill_discarded,
}


def _turns(state: CostaRuanaState, phase: int, to_act: Sequence[int]) -> int:
    """How many decisions of a phase that goes round the table have been taken."""
    if phase == SETUP:
        return int(state.natives.sum())
    if phase in (FACE_UP, FACE_DOWN, NATIVE):
        return (to_act[0] - int(state.shaman)) % int(state.players)
    return 0


# What is hidden


def hide_move(move: Json, whose: int, before: Json, now: Json, seat: int) -> Json:
    """Another seat's move as `seat` may know it: a card laid face down is not named until the reveal (CR-10)."""
    hidden = now["round"] == before["round"] and now["phase"] in UNTIL_REVEAL
    if before["phase"] == "face down" and hidden and whose != seat:
        return {**move, "card": None}
    return move


def hide_event(event: Event, seat: int) -> Event:
    """The event as `seat` may know it: cards drawn, and cards laid face down, by others are not named."""
    drawn = event.what == CARD_DRAWN
    face_down = event.what == CARD_PLAYED and not event.extra
    if (drawn or face_down) and event.whose != seat:
        return event._replace(piece=UNKNOWN)
    return event


# Chance and the end


def chance_of(events: Sequence[Event], state: CostaRuanaState) -> Json | None:
    """Nothing: after the deal, which `start` holds, chance decides nothing in this game."""
    return None


def apply_chance(state: CostaRuanaState, chance: Mapping[str, Any]) -> None:
    """Refuses: no move of this game involves chance."""
    raise RecordError("no move of this game involves chance")


def breakdown(state: CostaRuanaState, components: Components) -> list[Json]:
    """Each seat's treasures and natives in the supply, with what one of them is worth (CR-22)."""
    parts = components.parts[0]
    rows = []
    for seat in range(state.players):
        treasures, natives = int(state.hut[seat]), int(state.supply[seat])
        treasure_worth, native_worth = int(parts.treasure_points), int(parts.native_points)
        rows.append(
            {
                "treasures": treasures,
                "treasure_worth": treasure_worth,
                "treasure_points": treasures * treasure_worth,
                "natives": natives,
                "native_worth": native_worth,
                "native_points": natives * native_worth,
                "points": treasures * treasure_worth + natives * native_worth,
            }
        )
    return rows


def result_details(state: CostaRuanaState, components: Components) -> Json:
    """Nothing: points and winners say it all."""
    return {}


def details_agree(found: Json, state: CostaRuanaState, components: Components) -> bool:
    """There are no details that could be wrong."""
    return True
