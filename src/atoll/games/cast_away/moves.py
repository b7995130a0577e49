"""The moves of Cast Away."""

import numpy as np

from atoll.core.moves import Kind, Moves, Part
from atoll.games.cast_away import state as ca
from atoll.text.translation import texts

_TILES = range(1, ca.MAX_TILES + 1)
_BUILDING = ca.RESOURCES[: ca.BUILDING]
_MEEPLE, _DESIGN = texts("meeple", "design")
_MEEPLES = range(ca.MOST_SOLVERS + 1)

_TILE = Part("tile", _TILES, of="construction")
_DOMAIN = Part("domain", ca.DOMAINS, of="domain")
_WITH = Part("with", ca.MEEPLES, of=_MEEPLE)
_WITH_OWN = Part("with", ca.MEEPLES[:1], of=_MEEPLE)
_YES_NO = Part("choice", ("yes", "no"), of="answer")

# By the place of the board to which a meeple goes
PLACEMENTS = {
    ca.EXPLORATION_PLACE: Kind("explore", Part("resource", _BUILDING, of="resource"), _WITH),
    ca.CONSTRUCTION_PLACE: Kind("build", _TILE, _WITH),
    ca.GATHERING_PLACE: Kind("gather", _WITH),
    ca.WATER_PLACE: Kind("draw water", _WITH),
    ca.FISHING_PLACE: Kind("fish", _WITH),
    ca.EVENT_PLACE: Kind("take event", _WITH),
    ca.PRAYER_PLACE: Kind("pray", _WITH_OWN),
    ca.LEISURE_PLACE: Kind("leisure", _WITH_OWN),
    ca.REST_PLACE: Kind("rest", _WITH_OWN),
    ca.STUDY_PLACE: Kind("study", _DOMAIN),
}
MOVES = Moves(
    *PLACEMENTS.values(),
    Kind(
        "solve mystery",
        Part("storey", range(1, ca.STOREYS + 1), of="storey"),
        Part("design", range(ca.MAX_DESIGNS), of=_DESIGN),
        Part("own", _MEEPLES, of="number of meeples"),
        Part("white", _MEEPLES, of="number of meeples"),
    ),
    Kind("activate", _TILE, Part("of", range(ca.MAX_PLAYERS), of="seat"), _WITH),
    Kind("meet tribe", Part("gift", (*ca.RESOURCES, None), of="resource")),
    Kind("leave tribe", Part("take", (*ca.RESOURCES, None), of="resource")),
    Kind("place compass", Part("position", range(1, ca.MAX_PLAYERS + 1), of="position")),
    # What a phase asks, by the rows of `effects.QUESTIONS`
    Kind("take boosts", Part("choice", ("face up", "random"), of="boosts")),
    Kind("take mystery tile", Part("choice", range(ca.MAX_DESIGNS), of=_DESIGN)),
    Kind("spend fruit", _YES_NO),
    Kind("spare", Part("choice", _BUILDING, of="resource")),
    Kind("choose favour", Part("choice", ("stay", *ca.STEPS), of="favour")),
    Kind("take miracle", Part("choice", ca.MIRACLES, of="miracle")),
    Kind("take cube", Part("choice", ca.RESOURCES[: ca.CUBES], of="resource")),
    Kind("learn", Part("choice", ca.DOMAINS, of="domain")),
    Kind("choose spot", Part("choice", _BUILDING, of="resource")),
    Kind("choose tile", Part("choice", _TILES, of="construction")),
    Kind("double fishing", _YES_NO),
    Kind("place compass now", _YES_NO),
    Kind("choose first", _YES_NO),
    Kind("take lot", Part("choice", (*ca.RESOURCES, None), of="resource")),
    Kind("take single", Part("choice", ca.RESOURCES, of="resource")),
    Kind("eat fish", Part("choice", range(ca.MOST_FISH_EATEN + 1), of="number of fish")),
    Kind("go down", Part("choice", ("lose meeple", "pay"), of="answer")),
)
STUDY = MOVES.first("study")
SOLVE = MOVES.first("solve mystery")
ACTIVATE_WITH = MOVES.first("activate")
MEET_TRIBE = MOVES.first("meet tribe")
LEAVE_TRIBE = MOVES.first("leave tribe")
PLACE_COMPASS = MOVES.first("place compass")
encode_build, decode_build = MOVES.coding("build")
encode_solve, decode_solve = MOVES.coding("solve mystery")
encode_activate, decode_activate = MOVES.coding("activate")

FIRST_AT = np.zeros(len(ca.PLACES), dtype=np.int64)
"""The first action code at each place of the board."""
WHERE = np.zeros((SOLVE, 2), dtype=np.int64)
"""The place of the board, and OWN or WHITE, of each move before those to the mystery."""
for _place, _kind in PLACEMENTS.items():
    for _action in reversed(range(_kind.first, _kind.first + _kind.count)):
        _numbers = _kind.numbers(_action)
        _spot = _place + (_numbers[0] if _place == ca.EXPLORATION_PLACE else 0)
        FIRST_AT[_spot] = _action
        WHERE[_action] = _spot, _numbers[-1] if _kind.parts[-1] is _WITH else ca.OWN
