"""The premoves of Cast Away: sending one meeple after the other to the same place."""

from atoll.core.premoves import Premove
from atoll.games.cast_away import events as ev
from atoll.games.cast_away import state as ca
from atoll.text.translation import texts

LABELS = {
    "gather": texts("Gather with every own meeple until the round ends")[0],
    "draw water": texts("Draw water with every own meeple until the round ends")[0],
    "fish": texts("Fish with every own meeple until the round ends")[0],
}
PREMOVES = tuple(
    Premove(do, {"do": do, "with": ca.MEEPLES[0]}, label, until=lambda event: event.what == ev.ROUND_BEGUN)
    for do, label in LABELS.items()
)
