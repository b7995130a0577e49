"""The state of Cast Away: its numbers, its record and its events."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from atoll.core.state import HEADER, State, record_dtype

# Declared maxima: a components file stays within them.
MAX_PLAYERS = 4
MAX_TILES = 64  # construction tiles; a tile's index is its number less 1
MAX_EVENT_CARDS = 32
MAX_FISHING_CARDS = 16
MAX_SLOTS = 12
MAX_STEPS = 8  # of divine favour
MAX_LEVEL = 4  # of a domain
MAX_HEALTH_LEVELS = 12
MAX_HAPPINESS = 40
MAX_MEEPLES = 8  # of a player
MAX_WHITE = 12
MAX_DESIGNS = 3  # of a storey of the mystery
MAX_COPIES = 8  # of a design
MAX_AMOUNT = 20  # of anything in one effect
MAX_ROWS = 512  # of all effects
MAX_CARD_ROWS = 8  # of the effects of one card
MAX_TODO = 2 * MAX_CARD_ROWS * MAX_SLOTS  # effects waiting: every slot covered inside another's effect
MAX_ARRIVALS = MAX_PLAYERS * MAX_MEEPLES + MAX_WHITE  # meeples placed in a round

BAMBOO, LIANA, PALM, FRUIT, WATER, FISH = range(6)
RESOURCES = ("bamboo", "liana", "palm", "fruit", "water", "fish")
BUILDING = 3  # the first three are for building
CUBES = 5  # all but fish are cubes
STOCKED = 4  # the first four have a limited stock on the board
NO_RESOURCE = len(RESOURCES)

FIRE, FISHING, NATURE, CONSTRUCTION, FAITH = range(5)
DOMAINS = ("fire", "fishing", "nature", "construction", "faith")

OWN, WHITE = range(2)
MEEPLES = ("own", "white")

STEPS = ("A", "B", "C", "D", "E", "F", "G", "H")
STOREYS = 3
DESIGNS = STOREYS * MAX_DESIGNS  # a design of the mystery is MAX_DESIGNS * storey + design, both from 0

BOOSTS = ("fire", "construction", "fishing", "mystery", "faith", "nature", "prestige", "first player")
FIRST_PLAYER = BOOSTS.index("first player")
BOOSTS_EACH = 2

MIRACLES = (
    "abundance",
    "joy",
    "vigour",
    "wisdom",
    "builders",
    "spirits",
    "mystery",
    "tales",
    "fire",
    "rain",
    "gardens",
    "shoals",
)
MIRACLE_SLOT = MAX_TILES  # a slot holds a tile's index, or this + a miracle

SHIP = 0
"""The index of the Ship among the event cards; card "7" has index 7."""

# Places of the board, in the order of the moves; then the activatable constructions.
PLACES = (
    "exploration bamboo",
    "exploration liana",
    "exploration palm",
    "construction",
    "gathering",
    "water",
    "fishing",
    "event",
    "prayer",
    "leisure",
    "rest",
    "study",
    "mystery",
)
(
    EXPLORATION_PLACE,  # + resource
    _,
    _,
    CONSTRUCTION_PLACE,
    GATHERING_PLACE,
    WATER_PLACE,
    FISHING_PLACE,
    EVENT_PLACE,
    PRAYER_PLACE,
    LEISURE_PLACE,
    REST_PLACE,
    STUDY_PLACE,
    MYSTERY_PLACE,
) = range(len(PLACES))
TILE_PLACE = len(PLACES)  # + tile

# Phases, in the rulebook's order.
PHASES = (
    "boost",
    "boost tile",
    "action",
    "fruit",
    "discount",
    "favour",
    "miracle",
    "cube",
    "domain",
    "spot",
    "tile",
    "double",
    "first choice",
    "orientation",
    "dugout",
    "feeding",
    "health",
    "over",
)
(
    BOOST,
    BOOST_TILE,
    ACTION,
    FRUIT_SPENT,
    DISCOUNT,
    FAVOUR,
    MIRACLE,
    CUBE,
    DOMAIN,
    SPOT,
    TILE,
    DOUBLE,
    FIRST_CHOICE,
    ORIENTATION,
    DUGOUT,
    FEEDING,
    HEALTH,
    OVER,
) = range(len(PHASES))

# What goes round the table when nothing is left to do.
BOOSTING, ROUND_START, ACTING, CHOOSING_FIRST, ORIENTING, TAKING_SINGLES, FEEDING_ALL, ROUND_END, ENDED = (
    range(9)
)

# Effects are rows of when, word, target and amount. When:
AT_ONCE, ALWAYS, ACTIVATED, ACTIVATED_OWN, AT_END = range(5)
OTHERWISE = 8  # added to the time of what comes instead of a level that cannot be gained

# Words of what happens at once or by activation; the last ones stand in no file, rules put them on the pile.
(
    GAIN,  # target: resource
    PAY,  # target: resource
    PRESTIGE,
    HAPPINESS,
    LEVEL,  # target: domain
    LOOK,  # at so many events
    CARRY_OUT,  # target: one of ACTION_WORDS
    FINISH_BUILDING,
    DRAW_FISH,
    SHUFFLE_FISHING,
) = range(10)
QUESTION = 32  # + phase: ask for something; what target and amount mean is told where the answers are
OTHERWISE_WORD = 64  # added to a word on the pile of things to do

ACTION_WORDS = ("exploration", "construction", "gathering", "water", "fishing", "prayer", "leisure", "rest")
(
    EXPLORE,
    BUILD,
    GATHER,
    DRAW_WATER,
    FISH_ACTION,
    PRAY,
    ENJOY,
    REST,
) = range(len(ACTION_WORDS))

# Words of what holds always, as long as a player has the card; each is a number that adds up.
INCOME = 0  # + resource: at the start of a round
REDUCTION = INCOME + len(RESOURCES)  # + building resource: constructions cost so much less of it
FREE_REDUCTION = REDUCTION + BUILDING  # constructions cost so much less of what one chooses
(
    GATHERING_BONUS,
    FISHING_BONUS,
    EXPLORATION_BONUS,  # more for a fruit
    FREE_EXPLORATION,  # what a fruit brings comes without it
    PRAYER_BONUS,
    KEEP_FISH,
    NO_GIFT,
    EVENT_PRESTIGE,  # whenever one takes an event card
    MAJORITY_PRESTIGE,  # whenever one scores the majority above the candle
    SINGLES,  # resources after the Orientation phase
    CALUMET,
    DOUBLE_FISHING,  # used up
    FIRST_IN_ORIENTATION,  # used up
) = range(FREE_REDUCTION + 1, FREE_REDUCTION + 14)
BONUSES = FIRST_IN_ORIENTATION + 1

# Words of what is counted, for miracles and at the end.
COUNTS = (
    "resources",
    "happiness",
    "health",
    "levels",
    "constructions",
    "candle",
    "mystery",
    "events",
    "miracles",
)
(
    COUNT_RESOURCES,
    COUNT_HAPPINESS,
    COUNT_HEALTH,
    COUNT_LEVELS,
    COUNT_CONSTRUCTIONS,
    COUNT_CANDLE,
    COUNT_MYSTERY,
    COUNT_EVENTS,
    COUNT_MIRACLES,
) = range(len(COUNTS))

# Who has effects: the first of each kind.
TILE_ROWS = 0
EVENT_ROWS = TILE_ROWS + MAX_TILES
FISHING_ROWS = EVENT_ROWS + MAX_EVENT_CARDS
BOOST_ROWS = FISHING_ROWS + MAX_FISHING_CARDS
STEP_ROWS = BOOST_ROWS + len(BOOSTS)
SLOT_ROWS = STEP_ROWS + MAX_STEPS
ROW_OWNERS = SLOT_ROWS + MAX_SLOTS

NOBODY = -1
"""No seat, no tile, no event."""
NOT_IN_GAME = -2
"""The owner of a tile that the components do not have."""
LOWEST_HEALTH = -1

# What a player did with the tribe in this round.
NOTHING, MET, LEFT = range(3)
TRIBE = (None, "met", "left")

STATE = record_dtype(
    [
        *HEADER,
        ("phase", "i1"),  # one of PHASES
        ("stage", "i1"),  # what goes on once nothing is left to do
        ("round_number", "i1"),  # from 1
        ("order", "i1", (MAX_PLAYERS,)),  # seats in turn order; while boosts are taken, in that order
        ("queue", "i1", (MAX_PLAYERS,)),  # seats in the order of the Orientation phase
        ("turn", "i1"),  # how far the stage has come in its order
        ("chooser", "i1"),  # who uses event 8 in this Orientation phase, or NOBODY
        ("last_round", "i1"),  # 1 once the Ship came or a player's last slot was covered
        ("event", "i1"),  # card of the round, or NOBODY once taken
        ("event_count", "i1"),
        ("event_pile", "i1", (MAX_EVENT_CARDS,)),  # cards; the top is the last of event_count
        ("event_turned", "i1", (MAX_EVENT_CARDS,)),  # 1 if it was turned up in this game
        ("seen_count", "i1", (MAX_PLAYERS,)),  # how many of the pile's top cards each seat has looked at
        ("boost_face_up", "i1"),  # 1 while the first player's boost lies there
        ("boost_count", "i1"),
        ("boost_pile", "i1", (len(BOOSTS),)),  # boosts face down; the top is the last of boost_count
        ("boost_left", "i1", (len(BOOSTS),)),  # 1 if it is in the pile
        ("first_player", "i1"),  # who took the first player's boost, or NOBODY
        ("stock", "i1", (STOCKED,)),
        ("lots", "i2", (len(RESOURCES),)),  # on the compass
        ("markers", "i1", (MAX_PLAYERS,)),  # seat on each position of the compass, or NOBODY
        ("white_left", "i1"),  # white meeples above the candle
        ("candle", "i1", (MAX_PLAYERS,)),  # own meeples above the candle
        ("gifts", "i2", (len(RESOURCES),)),  # on the candle
        ("fishing_count", "i1"),
        ("fishing_pile", "i1", (MAX_FISHING_CARDS,)),  # cards; the top is the last of fishing_count
        ("fishing_left", "i1", (MAX_FISHING_CARDS,)),  # 1 if it is in the pile
        ("tile_owner", "i1", (MAX_TILES,)),  # seat, NOBODY if it can be built, or NOT_IN_GAME
        ("tile_used", "i1", (MAX_TILES,)),  # 1 if a meeple stands on it
        ("miracle_left", "i1", (len(MIRACLES),)),  # 1 if it can be taken
        ("designs", "i1", (STOREYS,)),  # how many each storey of the mystery has
        ("mystery_left", "i1", (DESIGNS,)),  # tiles of each design
        ("place_count", "i1", (len(PLACES),)),  # meeples on each place of the board
        ("arrivals", "i1"),  # meeples placed in this round
        ("arrival_place", "i1", (MAX_ARRIVALS,)),  # where; by place in order of the first arrival
        ("arrival_seat", "i1", (MAX_ARRIVALS,)),  # whose
        ("prestige", "i2", (MAX_PLAYERS,)),
        ("health", "i1", (MAX_PLAYERS,)),  # level, from LOWEST_HEALTH
        ("happiness", "i1", (MAX_PLAYERS,)),
        ("favour", "i1", (MAX_PLAYERS,)),  # step, 0 below A
        ("experience", "i1", (MAX_PLAYERS, len(DOMAINS))),
        ("resources", "i2", (MAX_PLAYERS, len(RESOURCES))),
        ("meeples", "i1", (MAX_PLAYERS,)),  # own, those above the candle included
        ("white", "i1", (MAX_PLAYERS,)),  # white meeples held
        ("left_own", "i1", (MAX_PLAYERS,)),  # to place in this round
        ("left_white", "i1", (MAX_PLAYERS,)),
        ("left_compass", "i1", (MAX_PLAYERS,)),
        ("slot_count", "i1", (MAX_PLAYERS,)),
        ("slots", "i1", (MAX_PLAYERS, MAX_SLOTS)),  # tile, MIRACLE_SLOT + miracle, or NOBODY
        ("held_count", "i1"),  # event cards that players have
        ("held_event", "i1", (MAX_EVENT_CARDS,)),  # cards by seat, in the order taken
        ("held_by", "i1", (MAX_EVENT_CARDS,)),  # seat
        ("mystery", "i1", (MAX_PLAYERS, DESIGNS)),  # 1 if the player has a tile of the design
        ("rests", "i1", (MAX_PLAYERS,)),
        ("tribe", "i1", (MAX_PLAYERS,)),  # NOTHING, MET or LEFT in this round
        ("bonus", "i2", (MAX_PLAYERS, BONUSES)),  # sums of what holds always
        ("actor", "i1"),  # whose effects are carried out
        ("learnt", "i1"),  # 1 if the latest level that an effect gives was gained
        ("doubled", "i1"),  # 1 if event 6 was used for the fishing card that is drawn next
        ("building", "i1"),  # tile being built, or NOBODY
        ("price", "i1", (BUILDING,)),  # what is left to pay for it
        ("asked_target", "i1"),  # of the effect that waits for an answer
        ("asked_amount", "i1"),
        ("todo_count", "i2"),
        ("todo_word", "i1", (MAX_TODO,)),  # things to do; the next is the last of todo_count
        ("todo_target", "i1", (MAX_TODO,)),
        ("todo_amount", "i1", (MAX_TODO,)),
    ]
)

PARTS = record_dtype(
    [
        ("stock", "i1", (STOCKED,)),  # on the board at the start of a round
        ("white", "i1"),  # meeples of the tribe
        ("majority", "i1"),  # prestige for most meeples above the candle
        ("health", "i1"),  # at the start
        ("health_top", "i1"),
        ("water_need", "i1", (MAX_HEALTH_LEVELS,)),  # by level - LOWEST_HEALTH, as the next three
        ("food_need", "i1", (MAX_HEALTH_LEVELS,)),
        ("meeples", "i1", (MAX_HEALTH_LEVELS,)),
        ("arrival_prestige", "i1", (MAX_HEALTH_LEVELS,)),
        ("met_prestige", "i1", (MAX_HEALTH_LEVELS,)),
        ("ransom", "i1"),  # prestige for staying above the lowest health
        ("fish_food", "i1"),
        ("fish_kept", "i1"),
        ("happiness_top", "i1"),
        ("happiness_prestige", "i1", (MAX_HAPPINESS + 1,)),  # on reaching so many points
        ("domain_top", "i1", (len(DOMAINS),)),
        ("level_prestige", "i1", (len(DOMAINS), MAX_LEVEL + 1)),  # on reaching the level
        ("steps", "i1"),  # of divine favour
        ("step_miracle", "i1", (MAX_STEPS + 1,)),  # 1 if the favour of step s, from 1, gives a miracle
        ("slots", "i1"),
        ("places", "i1", (len(PLACES),)),
        ("free_study", "i1"),  # places that cost nothing
        ("study_price", "i1"),  # fruit for the others
        ("explore_first", "i1"),
        ("explore_later", "i1"),
        ("explore_extra", "i1"),  # for a fruit
        ("first_discount", "i1"),
        ("gathered", "i1"),  # fruit beside the level
        ("water_drawn", "i1"),
        ("leisure", "i1"),  # happiness
        ("designs", "i1", (STOREYS,)),
        ("copies", "i1", (STOREYS,)),
        ("solvers", "i1", (STOREYS,)),  # meeples for a tile
        ("storey_prestige", "i1", (STOREYS,)),
        ("mystery_prestige", "i1"),  # of a tile
        ("event_cards", "i1"),  # how many, the Ship included
        ("event_card", "i1", (MAX_EVENT_CARDS,)),  # the Ship, then the others, ascending
        ("events_aside", "i1"),  # set aside to be mixed with the Ship, those for the box included
        ("events_boxed", "i1"),
        ("event_lots", "i1", (MAX_EVENT_CARDS, len(RESOURCES))),
        ("event_kept", "i1", (MAX_EVENT_CARDS,)),  # 1 if the card stays with the player
        ("fishing_cards", "i1"),
        ("fishing_card", "i1", (MAX_FISHING_CARDS,)),  # ascending
        ("fish", "i1", (MAX_FISHING_CARDS, MAX_LEVEL + 1)),
        ("fishing_arrow", "i1", (MAX_FISHING_CARDS,)),
        ("tiles", "i1"),  # one more than the highest index
        ("tile_there", "i1", (MAX_TILES,)),
        ("tile_level", "i1", (MAX_TILES,)),
        ("tile_cost", "i1", (MAX_TILES, BUILDING)),
        ("tile_prestige", "i1", (MAX_TILES,)),
        ("tile_use", "i1", (MAX_TILES,)),  # ACTIVATED, ACTIVATED_OWN, or NOBODY
        ("miracle_there", "i1", (len(MIRACLES),)),
        ("miracle_counts", "i1", (len(MIRACLES),)),
        ("miracle_first", "i1"),
        ("miracle_second", "i1"),
        ("row_first", "i2", (ROW_OWNERS,)),
        ("row_count", "i2", (ROW_OWNERS,)),
        ("rows", "i1", (MAX_ROWS, 4)),  # when, word, target, amount
    ]
)


class CastAwayState(State, Protocol):
    """The record's fields, as the uncompiled rules and the words see them."""

    phase: int
    stage: int
    round_number: int
    order: NDArray[np.int8]
    queue: NDArray[np.int8]
    turn: int
    chooser: int
    last_round: int
    event: int
    event_count: int
    event_pile: NDArray[np.int8]
    event_turned: NDArray[np.int8]
    seen_count: NDArray[np.int8]
    boost_face_up: int
    boost_count: int
    boost_pile: NDArray[np.int8]
    boost_left: NDArray[np.int8]
    first_player: int
    stock: NDArray[np.int8]
    lots: NDArray[np.int16]
    markers: NDArray[np.int8]
    white_left: int
    candle: NDArray[np.int8]
    gifts: NDArray[np.int16]
    fishing_count: int
    fishing_pile: NDArray[np.int8]
    fishing_left: NDArray[np.int8]
    tile_owner: NDArray[np.int8]
    tile_used: NDArray[np.int8]
    miracle_left: NDArray[np.int8]
    designs: NDArray[np.int8]
    mystery_left: NDArray[np.int8]
    place_count: NDArray[np.int8]
    arrivals: int
    arrival_place: NDArray[np.int8]
    arrival_seat: NDArray[np.int8]
    prestige: NDArray[np.int16]
    health: NDArray[np.int8]
    happiness: NDArray[np.int8]
    favour: NDArray[np.int8]
    experience: NDArray[np.int8]
    resources: NDArray[np.int16]
    meeples: NDArray[np.int8]
    white: NDArray[np.int8]
    left_own: NDArray[np.int8]
    left_white: NDArray[np.int8]
    left_compass: NDArray[np.int8]
    slot_count: NDArray[np.int8]
    slots: NDArray[np.int8]
    held_count: int
    held_event: NDArray[np.int8]
    held_by: NDArray[np.int8]
    mystery: NDArray[np.int8]
    rests: NDArray[np.int8]
    tribe: NDArray[np.int8]
    bonus: NDArray[np.int16]
    actor: int
    learnt: int
    doubled: int
    building: int
    price: NDArray[np.int8]
    asked_target: int
    asked_amount: int
    todo_count: int
    todo_word: NDArray[np.int8]
    todo_target: NDArray[np.int8]
    todo_amount: NDArray[np.int8]


# Events: (what, whose, piece, origin, target, extra). Where resources come from and go to:
RESERVE, STOCK, COMPASS, CANDLE = range(4)
NO_PLACE = -1

(
    BOOST_TAKEN,  # whose; piece: boost
    MEEPLE_PLACED,  # whose; piece: OWN or WHITE; target: place; extra: owner of the tile, if it is one
    COMPASS_PLACED,  # whose; target: position from 0
    TRIBE_MET,  # whose; piece: gift, or NO_RESOURCE
    TRIBE_LEFT,  # whose; piece: what was taken back, or NO_RESOURCE
    GAINED,  # whose; piece: resource; origin; extra: how many
    SPENT,  # whose; piece: resource; target; extra: how many
    SCORED,  # whose; extra: prestige, below 0 if paid
    HAPPIER,  # whose; target: points now; extra: how many more
    LEVEL_GAINED,  # whose; piece: domain; target: level now
    FAVOUR_MOVED,  # whose; origin, target: steps
    FAVOUR_TAKEN,  # whose; piece: step
    TILE_BUILT,  # whose; piece: tile; target: slot
    MIRACLE_TAKEN,  # whose; piece: miracle; target: slot
    MYSTERY_TAKEN,  # whose; piece: design
    EVENT_TURNED,  # piece: card
    LOT_ADDED,  # piece: resource; extra: how many
    EVENT_TAKEN,  # whose; piece: card
    EVENT_USED,  # whose; piece: card
    EVENT_DISCARDED,  # piece: card
    EVENT_SEEN,  # whose; piece: card, UNKNOWN to others; origin: depth in the pile, 0 is the top
    FISH_DRAWN,  # whose; piece: card; extra: 1 if doubled
    FISHING_SHUFFLED,
    RESTED,  # whose
    FIRST_CHOSEN,  # whose; extra: 1 yes, 0 no
    FED,  # whose; piece: water; origin: fruit; target: fish
    NOT_FED,  # whose
    HEALTH_CHANGED,  # whose; origin, target: levels
    HEALTH_PAID,  # whose; extra: prestige
    MEEPLES_CHANGED,  # whose; extra: how many more, below 0 if lost
    MEEPLE_CALLED,  # whose: an own meeple comes back from above the candle for a white one
    FISH_LOST,  # whose; extra: how many
    MAJORITY,  # whose, NOBODY for a tie
    ROUND_BEGUN,  # extra: round number
    LAST_ROUND,  # whose: who covered the last slot, NOBODY if the Ship came
    GAME_OVER,
) = range(36)
