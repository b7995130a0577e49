"""Signs in the words of records."""

from collections.abc import Mapping
from typing import Any

from atoll.core.game import View
from atoll.core.state import UNKNOWN
from atoll.core.types import Components, Json
from signs.moves import MOVES
from signs.rules import GONE

move_of = MOVES.move_of
action_of = MOVES.action_of


def state_to_json(state: Any, options: Mapping[str, bool]) -> Json:
    def cards(row: Any) -> Any:
        held = [card for card in row.tolist() if card != GONE]
        return len(held) if UNKNOWN in held else sorted(held)

    return {
        "round": int(state.round_number),
        "phase": "choose" if state.to_act else "over",
        "to_act": [seat for seat in range(state.players) if int(state.to_act) >> seat & 1],
        "players": [
            {
                "hand": cards(state.hand[seat]),
                "chosen": cards(state.chosen[seat]),
                "shown": int(state.shown[seat]),
                "points": int(state.points[seat]),
            }
            for seat in range(state.players)
        ],
    }


def hide_move(move: Json, whose: int, before: View, now: View) -> Json:
    return move if whose == now.seat else {"do": "choose", "cards": None}


def breakdown(state: Any, components: Components) -> list[Json]:
    return [{"points": int(points)} for points in state.points[: state.players]]
