"""The moves of Cast Away."""

from atoll.core.moves import Kind, Moves, Part
from atoll.games.cast_away import state as ca

_TILES = range(1, ca.MAX_TILES + 1)
_BUILDING = ca.RESOURCES[: ca.BUILDING]
_MEEPLES = range(ca.MOST_SOLVERS + 1)

_TILE = Part("tile", _TILES, of="construction")
_DOMAIN = Part("domain", ca.DOMAINS, of="domain")
_WITH = Part("with", ca.MEEPLES, of="meeple")
_WITH_OWN = Part("with", ca.MEEPLES[:1], of="meeple")
_YES_NO = Part("choice", ("yes", "no"), of="answer")

MOVES = Moves(
    # Placing a meeple or the compass marker
    Kind("explore", Part("resource", _BUILDING, of="resource"), _WITH),
    Kind("build", _TILE, _WITH),
    Kind("gather", _WITH),
    Kind("draw water", _WITH),
    Kind("fish", _WITH),
    Kind("take event", _WITH),
    Kind("pray", _WITH_OWN),
    Kind("leisure", _WITH_OWN),
    Kind("rest", _WITH_OWN),
    Kind("study", _DOMAIN),
    Kind(
        "solve mystery",
        Part("storey", range(1, ca.STOREYS + 1), of="storey"),
        Part("design", range(ca.MAX_DESIGNS), of="design"),
        Part("own", _MEEPLES, of="number of meeples"),
        Part("white", _MEEPLES, of="number of meeples"),
    ),
    Kind("activate", _TILE, Part("of", range(ca.MAX_PLAYERS), of="seat"), _WITH),
    Kind("meet tribe", Part("gift", (*ca.RESOURCES, None), of="resource")),
    Kind("leave tribe", Part("take", (*ca.RESOURCES, None), of="resource")),
    Kind("place compass", Part("position", range(1, ca.MAX_PLAYERS + 1), of="position")),
    # Answers
    Kind("take boosts", Part("choice", ("face up", "random"), of="boosts")),
    Kind("take mystery tile", Part("choice", range(ca.MAX_DESIGNS), of="design")),
    Kind("spend fruit", _YES_NO),
    Kind("spare", Part("choice", _BUILDING, of="resource")),
    Kind("choose favour", Part("choice", ("stay", *ca.STEPS), of="favour")),
    Kind("take miracle", Part("choice", ca.MIRACLES, of="miracle")),
    Kind("take cube", Part("choice", ca.RESOURCES[: ca.CUBES], of="resource")),
    Kind("learn", Part("choice", ca.DOMAINS, of="domain")),
    Kind("choose spot", Part("choice", _BUILDING, of="resource")),
    Kind("choose tile", Part("choice", _TILES, of="construction")),
    Kind("double fishing", _YES_NO),
    Kind("choose first", _YES_NO),
    Kind("take lot", Part("choice", ca.RESOURCES, of="resource")),
    Kind("take single", Part("choice", ca.RESOURCES, of="resource")),
    Kind("eat fish", Part("choice", range(ca.MOST_FISH_EATEN + 1), of="number of fish")),
    Kind("go down", Part("choice", ("lose meeple", "pay"), of="answer")),
)
BUILD_WITH = MOVES.first("build")
GATHER_WITH = MOVES.first("gather")
DRAW_WATER_WITH = MOVES.first("draw water")
FISH_WITH = MOVES.first("fish")
TAKE_EVENT_WITH = MOVES.first("take event")
PRAY = MOVES.first("pray")
LEISURE = MOVES.first("leisure")
REST = MOVES.first("rest")
STUDY = MOVES.first("study")
SOLVE = MOVES.first("solve mystery")
ACTIVATE_WITH = MOVES.first("activate")
MEET_TRIBE = MOVES.first("meet tribe")
LEAVE_TRIBE = MOVES.first("leave tribe")
PLACE_COMPASS = MOVES.first("place compass")
TAKE_BOOSTS = MOVES.first("take boosts")
TAKE_MYSTERY = MOVES.first("take mystery tile")
SPEND_FRUIT = MOVES.first("spend fruit")
SPARE_RESOURCE = MOVES.first("spare")
CHOOSE_FAVOUR = MOVES.first("choose favour")
TAKE_MIRACLE = MOVES.first("take miracle")
TAKE_CUBE = MOVES.first("take cube")
LEARN = MOVES.first("learn")
CHOOSE_SPOT = MOVES.first("choose spot")
CHOOSE_TILE = MOVES.first("choose tile")
DOUBLE_FISH = MOVES.first("double fishing")
CHOOSE_FIRST = MOVES.first("choose first")
TAKE_A_LOT = MOVES.first("take lot")
TAKE_A_SINGLE = MOVES.first("take single")
EAT_FISH = MOVES.first("eat fish")
GO_DOWN = MOVES.first("go down")
encode_explore, decode_explore = MOVES.coding("explore")
encode_build, decode_build = MOVES.coding("build")
encode_solve, decode_solve = MOVES.coding("solve mystery")
encode_activate, decode_activate = MOVES.coding("activate")
