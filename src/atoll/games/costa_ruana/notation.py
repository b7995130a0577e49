"""Costa Ruana in the words of the record format: states, views, moves and what they hide."""

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from atoll.core.errors import RecordError
from atoll.core.events import Event
from atoll.core.forms import Form, Index, OwnForm
from atoll.core.game import Components, Json
from atoll.core.state import REFEREE, UNKNOWN
from atoll.core.wording import Wording
from atoll.games.costa_ruana.moves import MOVES
from atoll.games.costa_ruana.state import (
    CARD_DRAWN,
    CARD_PLAYED,
    CONDITION,
    FACE_DOWN,
    FACE_UP,
    NATIVE,
    OVER,
    PHASES,
    RESIGN,
    SETUP,
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

move_of = MOVES.move_of
action_of = MOVES.action_of

BETWEEN_RESOLUTIONS = (SETUP, FACE_UP, FACE_DOWN, NATIVE, CONDITION, RESIGN, OVER)
"""Phases that a state in words restores in full."""

UNTIL_REVEAL = tuple(PHASES[phase] for phase in (FACE_DOWN, NATIVE, CONDITION))
"""Phases in which cards lie face down."""


# States


class Treasures(OwnForm):
    """Treasures behind a hut: hidden from the others until the game is over, unless the huts are open (CR-19)."""

    def say(self, state: CostaRuanaState, index: Index) -> int | None:
        """How many, or None."""
        shown = state.seat in (REFEREE, *index) or state.phase == OVER
        return int(state.hut[index]) if shown else None

    def read(self, state: CostaRuanaState, index: Index, said: Any) -> None:
        """How many."""
        state.hut[index] = Form().read(said, CostaRuanaState.field("hut"))


WORDING = Wording(CostaRuanaState, {"players[].treasures": Treasures()})


def state_to_json(state: CostaRuanaState, options: Mapping[str, bool]) -> Json:
    """The state, or what a view shows of it; with the option open_huts all treasures."""
    words = WORDING.say(state)
    if options.get("open_huts", False):
        for player, treasures in zip(words["players"], state.hut.tolist(), strict=False):
            player["treasures"] = treasures
    return words


def state_from_json(words: Mapping[str, Any], components: Components) -> NDArray[Any]:
    """The state, shape (1,), that these words describe; raises RecordError naming the key that is wrong.

    Only phases outside a resolution can be restored from a state alone.
    """
    states = WORDING.read(words)
    state = states[0]
    phase = int(state.phase)
    if phase not in BETWEEN_RESOLUTIONS:
        raise RecordError(f"a state in phase {words['phase']!r} does not tell all: replay from the start")
    if len(words["to_act"]) != (phase != OVER):
        raise RecordError("the state's key 'to_act' must name one seat, or none when the game is over")
    state.crowd[:] = state.natives.sum(axis=1)
    state.turns = _turns(state, phase, words["to_act"])
    return states


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
