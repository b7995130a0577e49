"""What follows from a position by the rules, for the page, the terminal and the log."""

# mypy: disable-error-code="no-untyped-def"

from dataclasses import dataclass

import numpy as np

from atoll.core.exports import some_states
from atoll.core.game import View
from atoll.core.state import UNKNOWN, seats_in
from atoll.engine.compiling import compiled
from atoll.engine.exports import Export
from atoll.games.costa_ruana import state as cr
from atoll.games.costa_ruana.pieces import applied_to, faces_turned, is_active
from atoll.games.costa_ruana.rounds import collection


@compiled
def foresee(states, islands, cards, faces):
    """Write the numbers of `Prospects` for the state `states[0]`.

    `islands` has shape (MAX_ISLANDS, 2): the collector and the bit set of who argues; `cards` (TABLE_CARDS, 2 +
    MAX_PLAYERS): whether the card is active, then to whom it is applied with a native of the state's seat on it;
    `faces` (2, 2): tide and time once either is turned. All are int64, else NOWHERE.
    """
    state = states[0]
    players = int(state.players)
    for island in range(state.islands):
        islands[island, 0], islands[island, 1] = collection(state, island, cr.NOWHERE, 0)
    for k in range(state.table_count):
        card, owners = int(state.table_card[k]), int(state.table_natives[k])
        cards[k, 0] = 1 if card != UNKNOWN and is_active(card, state.tide, state.time) else 0
        if state.seat >= 0:
            owners |= 1 << int(state.seat)
        for turn in range(players + 1):
            cards[k, 1 + turn] = applied_to(players, int(state.table_front[k]), owners, turn)
    for condition in range(2):
        faces[condition, 0], faces[condition, 1] = faces_turned(state, condition)


_ROWS = np.zeros((1, 1), np.int64)
FORESEE = Export(
    "foresee", lambda game: foresee, lambda game: (some_states(game), _ROWS, _ROWS, _ROWS), reads=(0,)
)


@dataclass(frozen=True)
class Collection:
    """Who would take the treasure of an island now, if there is one, and who is arguing there (CR-17)."""

    collector: int | None
    arguing: frozenset[int]

    def state(self, seat: int) -> str:
        """What the natives of a player who has some there do: collects, argues or stands."""
        if seat == self.collector:
            return "collects"
        return "argues" if seat in self.arguing else "stands"


class Prospects:
    """What follows from a view."""

    def __init__(self, view: View) -> None:
        state = view.fields
        islands = np.full((cr.MAX_ISLANDS, 2), cr.NOWHERE, dtype=np.int64)
        cards = np.full((cr.TABLE_CARDS, 2 + cr.MAX_PLAYERS), cr.NOWHERE, dtype=np.int64)
        faces = np.zeros((2, 2), dtype=np.int64)
        view.game.runner.call(FORESEE, view.states, islands, cards, faces)
        self.collections = [
            Collection(
                collector if collector != cr.NOWHERE and state.treasures[island] else None,
                frozenset(seats_in(arguers)),
            )
            for island, (collector, arguers) in enumerate(islands[: state.islands].tolist())
        ]
        """by island: what collecting would do now"""
        rows = cards[: state.table_count].tolist()
        self.is_active = [bool(row[0]) for row in rows]
        """by card on the table: whether it is known and its background shows (CR-2)"""
        self.applied_to = [[seat for seat in row[1:] if seat != cr.NOWHERE] for row in rows]
        """by card on the table: to whom it would be applied, in this order, were a native of the view's seat put on it
        (CR-15)"""
        self.faces_turned: list[list[int]] = faces.tolist()
        """by condition card: tide and time once it is turned over (CR-12)"""
