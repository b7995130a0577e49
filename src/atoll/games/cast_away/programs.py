"""What can be programmed in Cast Away: sending one meeple after the other to the same place."""

from atoll.core.programs import Program
from atoll.core.words import texts
from atoll.games.cast_away import events as ev
from atoll.games.cast_away import state as ca

LABELS = {
    "gather": texts("Gather with every own meeple until the round ends")[0],
    "draw water": texts("Draw water with every own meeple until the round ends")[0],
    "fish": texts("Fish with every own meeple until the round ends")[0],
}
PROGRAMS = tuple(
    Program(do, {"do": do, "with": ca.MEEPLES[0]}, label, until=lambda event: event.what == ev.ROUND_BEGUN)
    for do, label in LABELS.items()
)
