"""The moves of Cast Away: action codes, and the words of the record format for them."""

from atoll.core.game import Json
from atoll.core.moves import MoveCodes
from atoll.games.cast_away.state import (
    BUILDING,
    CUBES,
    DOMAINS,
    MAX_DESIGNS,
    MAX_PLAYERS,
    MAX_TILES,
    MEEPLES,
    MIRACLES,
    RESOURCES,
    STEPS,
    STOREYS,
)

MOST_SOLVERS = 3  # meeples for a tile of the mystery
MOST_FISH_EATEN = 15
SPLITS = (MOST_SOLVERS + 1) ** 2

# Codes: the first of each kind of move. `with` says whether it is done with an own or a white meeple.
EXPLORE_WITH = 0  # + resource * 2 + with
BUILD_WITH = EXPLORE_WITH + BUILDING * 2  # + tile * 2 + with
GATHER_WITH = BUILD_WITH + MAX_TILES * 2  # + with, as the next three
DRAW_WATER_WITH = GATHER_WITH + 2
FISH_WITH = DRAW_WATER_WITH + 2
TAKE_EVENT_WITH = FISH_WITH + 2
PRAY = TAKE_EVENT_WITH + 2
LEISURE = PRAY + 1
REST = LEISURE + 1
STUDY = REST + 1  # + domain
SOLVE = STUDY + len(DOMAINS)  # + (storey * MAX_DESIGNS + design) * SPLITS + own * (MOST_SOLVERS + 1) + white
ACTIVATE_WITH = SOLVE + STOREYS * MAX_DESIGNS * SPLITS  # + (tile * MAX_PLAYERS + of) * 2 + with
MEET_TRIBE = ACTIVATE_WITH + MAX_TILES * MAX_PLAYERS * 2  # + gift, or NO_RESOURCE
LEAVE_TRIBE = MEET_TRIBE + len(RESOURCES) + 1  # + what is taken, or NO_RESOURCE
PLACE_COMPASS = LEAVE_TRIBE + len(RESOURCES) + 1  # + position, from 0
TAKE_BOOSTS = PLACE_COMPASS + MAX_PLAYERS  # + 0 face up, 1 random
TAKE_MYSTERY = TAKE_BOOSTS + 2  # + design
SPEND_FRUIT = TAKE_MYSTERY + MAX_DESIGNS  # + 0 yes, 1 no
SPARE_RESOURCE = SPEND_FRUIT + 2  # + resource
CHOOSE_FAVOUR = SPARE_RESOURCE + BUILDING  # + step from 1, 0 to stay
TAKE_MIRACLE = CHOOSE_FAVOUR + 1 + len(STEPS)  # + miracle
TAKE_CUBE = TAKE_MIRACLE + len(MIRACLES)  # + resource
LEARN = TAKE_CUBE + CUBES  # + domain
CHOOSE_SPOT = LEARN + len(DOMAINS)  # + resource
CHOOSE_TILE = CHOOSE_SPOT + BUILDING  # + tile
DOUBLE_FISH = CHOOSE_TILE + MAX_TILES  # + 0 yes, 1 no
CHOOSE_FIRST = DOUBLE_FISH + 2  # + 0 yes, 1 no
TAKE_A_LOT = CHOOSE_FIRST + 2  # + resource
TAKE_A_SINGLE = TAKE_A_LOT + len(RESOURCES)  # + resource
EAT_FISH = TAKE_A_SINGLE + len(RESOURCES)  # + number
GO_DOWN = EAT_FISH + MOST_FISH_EATEN + 1  # + 0 lose a meeple, 1 pay
ACTIONS = GO_DOWN + 2


def _all_moves() -> list[Json]:
    seats, tiles, splits = range(MAX_PLAYERS), range(1, MAX_TILES + 1), range(MOST_SOLVERS + 1)
    building, yes_no, gifts = RESOURCES[:BUILDING], ("yes", "no"), (*RESOURCES, None)
    return [
        *({"do": "explore", "resource": r, "with": w} for r in building for w in MEEPLES),
        *({"do": "build", "tile": tile, "with": w} for tile in tiles for w in MEEPLES),
        *({"do": "gather", "with": w} for w in MEEPLES),
        *({"do": "draw water", "with": w} for w in MEEPLES),
        *({"do": "fish", "with": w} for w in MEEPLES),
        *({"do": "take event", "with": w} for w in MEEPLES),
        {"do": "pray", "with": "own"},
        {"do": "leisure", "with": "own"},
        {"do": "rest", "with": "own"},
        *({"do": "study", "domain": domain} for domain in DOMAINS),
        *(
            {"do": "solve mystery", "storey": storey + 1, "design": design, "own": own, "white": white}
            for storey in range(STOREYS)
            for design in range(MAX_DESIGNS)
            for own in splits
            for white in splits
        ),
        *(
            {"do": "activate", "tile": tile, "of": p, "with": w}
            for tile in tiles
            for p in seats
            for w in MEEPLES
        ),
        *({"do": "meet tribe", "gift": gift} for gift in gifts),
        *({"do": "leave tribe", "take": gift} for gift in gifts),
        *({"do": "place compass", "position": position + 1} for position in seats),
        *({"do": "take boosts", "choice": choice} for choice in ("face up", "random")),
        *({"do": "take mystery tile", "choice": design} for design in range(MAX_DESIGNS)),
        *({"do": "spend fruit", "choice": choice} for choice in yes_no),
        *({"do": "spare", "choice": r} for r in building),
        *({"do": "choose favour", "choice": choice} for choice in ("stay", *STEPS)),
        *({"do": "take miracle", "choice": name} for name in MIRACLES),
        *({"do": "take cube", "choice": r} for r in RESOURCES[:CUBES]),
        *({"do": "learn", "choice": domain} for domain in DOMAINS),
        *({"do": "choose spot", "choice": r} for r in building),
        *({"do": "choose tile", "choice": tile} for tile in tiles),
        *({"do": "double fishing", "choice": choice} for choice in yes_no),
        *({"do": "choose first", "choice": choice} for choice in yes_no),
        *({"do": "take lot", "choice": r} for r in RESOURCES),
        *({"do": "take single", "choice": r} for r in RESOURCES),
        *({"do": "eat fish", "choice": number} for number in range(MOST_FISH_EATEN + 1)),
        *({"do": "go down", "choice": choice} for choice in ("lose meeple", "pay")),
    ]


_CODES = MoveCodes(_all_moves())
move_of = _CODES.move_of
action_of = _CODES.action_of
