"""The words of records for a game that has none of its own: its states as declared, its moves as declared.

What follows from the rules alone is hidden as the rules hide it: a move that was made while others decided at the same
time is secret until all of them have.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.core.card import GameCard
from atoll.core.events import MOVED, Event
from atoll.core.serialization import Wording
from atoll.core.state import UNKNOWN
from atoll.core.types import Components, Json, SeatView


class PlainNotation:
    """Moves and states in the words of such a game's records."""

    def __init__(self, card: GameCard) -> None:
        self._card = card

    @cached_property
    def _wording(self) -> Wording:
        return Wording(self._card.declared)

    def move_of(self, action: int) -> Json:
        """The move that an action code stands for."""
        return self._card.moves.move_of(action)

    def action_of(self, move: Mapping[str, Any]) -> int:
        """The action code of a move; raises AtollError if no such move exists."""
        return self._card.moves.action_of(move)

    def state_to_json(self, state: Any, options: Mapping[str, bool]) -> Json:
        """A state, or what a view shows of it, by the keys of its fields."""
        return self._wording.say(state)

    def state_from_json(self, words: Mapping[str, Any], components: Components) -> NDArray[Any]:
        """A state of shape (1,) from its words; raises RecordError naming the key that is wrong."""
        return self._wording.read(words)

    def hide_move(self, move: Json, whose: int, before: SeatView, now: SeatView) -> Json:
        """Nothing of another's move while some of those who decided at the same time still have to."""
        waiting = set(now.to_act)
        if not waiting < set(before.to_act) or not waiting or whose in waiting or whose == now.seat:
            return move
        rounds = {getattr(view.fields, "round_number", 0) for view in (before, now)}
        return {"do": None} if len(rounds) == 1 else move

    def hide_event(self, event: Event, seat: int) -> Event:
        """What the event's kind declares to be seen; of a move of a game without events, nothing of what another chose
        while several decided at once.
        """
        if event.what != MOVED:
            return self._card.events.hide(event, seat)
        return event._replace(piece=UNKNOWN) if event.extra and event.whose != seat else event

    def breakdown(self, state: Any, components: Components) -> list[Json]:
        """Each seat's points."""
        points = np.zeros(int(state.players), dtype=np.int32)
        rules: Any = self._card.own("rules")
        rules.result(state, components.parts[0], points)
        return [{"points": number} for number in points.tolist()]

    def result_details(self, state: Any, components: Components) -> Json:
        """Nothing besides points and winners."""
        return {}

    def details_agree(self, details: Json, state: Any, components: Components) -> bool:
        """There is nothing that could be wrong."""
        return True
