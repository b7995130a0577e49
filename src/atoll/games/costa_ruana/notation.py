"""Costa Ruana in the words of the record format: what has a form of its own, and what is hidden of a move."""

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from atoll.core.forms import Form, Index, OwnForm
from atoll.core.game import View
from atoll.core.serialization import Wording
from atoll.core.state import REFEREE
from atoll.core.types import Components, Json
from atoll.games.costa_ruana import state as cr
from atoll.games.costa_ruana.rules import points_of
from atoll.text.errors import RecordError
from atoll.text.messages import Message, quoted

UNTIL_REVEAL = (cr.FACE_DOWN, cr.NATIVE, cr.CONDITION)
"""Phases in which cards lie face down."""


def treasures_shown(state: Any, seat: int, options: Mapping[str, bool]) -> int | None:
    """Treasures behind a hut: hidden from the others until the game is over, unless the huts are open (CR-19)."""
    is_shown = options.get("open_huts") or state.seat in (REFEREE, seat) or state.phase == cr.OVER
    return int(state.hut[seat]) if is_shown else None


class Treasures(OwnForm):
    """Treasures behind a hut."""

    def say(self, state: cr.CostaRuanaState, index: Index) -> int | None:
        """How many, or None."""
        return treasures_shown(state, index[0], {})

    def read(self, state: cr.CostaRuanaState, index: Index, value: Any) -> None:
        """How many."""
        state.hut[index] = Form().read(value, cr.CostaRuanaState.field("hut"))


WORDING = Wording(cr.CostaRuanaState, {"players[].treasures": Treasures()})


def state_to_json(state: cr.CostaRuanaState, options: Mapping[str, bool]) -> Json:
    """The state, or what a view shows of it; with the option open_huts all treasures."""
    words = WORDING.say(state)
    for seat, player in enumerate(words["players"]):
        player["treasures"] = treasures_shown(state, seat, options)
    return words


def hidden_from_json(words: Mapping[str, Any], components: Components) -> NDArray[Any]:
    """What these words say of what is hidden, in a state of shape (1,) in which nothing else counts."""
    return WORDING.read(words)


def state_from_json(words: Mapping[str, Any], components: Components) -> NDArray[Any]:
    """The state, shape (1,), that these words describe; raises RecordError naming the key that is wrong.

    Only phases outside a resolution can be restored from a state alone.
    """
    states = hidden_from_json(words, components)
    state = states[0]
    phase = int(state.phase)
    if phase in cr.RESOLVING:
        partial = Message(
            "a state in phase %(phase)s does not tell all: replay from the start",
            phase=quoted(words["phase"]),
        )
        raise RecordError(partial.of(__package__))
    if len(words["to_act"]) != (phase != cr.OVER):
        one = Message("the state's key to_act must name one seat, or none when the game is over")
        raise RecordError(one.of(__package__))
    state.crowd[:] = state.natives.sum(axis=1)
    if phase == cr.SETUP:
        state.turns = int(state.natives.sum())
    elif phase in (cr.FACE_UP, cr.FACE_DOWN, cr.NATIVE):
        state.turns = (words["to_act"][0] - int(state.shaman)) % int(state.players)
    return states


def hide_move(move: Json, whose: int, before: View, now: View) -> Json:
    """Another seat's move as a seat may know it: a card laid face down is not named until the reveal (CR-10)."""
    if before.state.phase != cr.FACE_DOWN or whose == now.seat:
        return move
    is_hidden = now.state.round_number == before.state.round_number and now.state.phase in UNTIL_REVEAL
    return {**move, "card": None} if is_hidden else move


def breakdown(state: cr.CostaRuanaState, components: Components) -> list[Json]:
    """Each seat's treasures and natives in the supply, with what one of them is worth (CR-22)."""
    figures = components.file.game
    rows = []
    for seat in range(state.players):
        treasure_points, native_points = map(int, points_of(state, components.parts[0], seat))
        rows.append(
            {
                "treasures": int(state.hut[seat]),
                "treasure_worth": figures.treasure_points,
                "treasure_points": treasure_points,
                "natives": int(state.supply[seat]),
                "native_worth": figures.native_points,
                "native_points": native_points,
                "points": treasure_points + native_points,
            }
        )
    return rows
