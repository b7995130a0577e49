"""Who collects from an island, for the rules, the advice, the page and the terminal alike."""

# mypy: disable-error-code="no-untyped-def"

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from atoll.core.compiling import compiled
from atoll.games.costa_ruana.state import MAX_ISLANDS, NOWHERE

if TYPE_CHECKING:
    from atoll.core.position import View


@compiled
def collection(state, island, moved, by):
    """Who collects from an island, or NOWHERE, and the bit set of who is arguing there, if seat `moved` had `by` more
    natives on it: who ties is arguing and out; of the others the one with the most collects (CR-17).
    """
    counts = 0  # bit n: some player has n natives here
    tied = 0  # bit n: several have
    for seat in range(state.players):
        bit = 1 << (int(state.natives[island, seat]) + (by if seat == moved else 0))
        tied |= counts & bit
        counts |= bit
    arguing = 0
    collector = NOWHERE
    most = 0
    for seat in range(state.players):
        natives = int(state.natives[island, seat]) + (by if seat == moved else 0)
        if natives > 0:
            if tied >> natives & 1:
                arguing |= 1 << seat
            elif natives > most:
                most = natives
                collector = seat
    return collector, arguing


@compiled
def collections_at(states, index, out):
    """`collection` of each island as it stands; `out` has shape (MAX_ISLANDS, 2), int64."""
    for island in range(states[index].islands):
        out[island, 0], out[island, 1] = collection(states[index], island, NOWHERE, 0)


@dataclass(frozen=True)
class Collection:
    """Who would take the treasure of an island now, if there is one, and who is arguing there."""

    collector: int | None
    arguing: frozenset[int]

    def state(self, seat: int) -> str:
        """What the natives of a player who has some there do: collects, argues or stands."""
        if seat == self.collector:
            return "collects"
        return "argues" if seat in self.arguing else "stands"


def collections(view: "View") -> list[Collection]:
    """What collecting would do on each island now."""
    out = np.full((MAX_ISLANDS, 2), NOWHERE, dtype=np.int64)
    collections_at(view.states, 0, out)
    state = view.state
    return [
        Collection(
            collector if collector != NOWHERE and state.treasures[island] else None,
            frozenset(seat for seat in range(state.players) if arguing >> seat & 1),
        )
        for island, (collector, arguing) in enumerate(out[: state.islands].tolist())
    ]
