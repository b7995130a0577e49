"""The state of Cast Away: its numbers, its record and its events."""

import re
from typing import Any, ClassVar

from atoll.core.fields import Int8s, Int16s, Int32s, Partition, Resource, everybody, nobody
from atoll.core.forms import Amounts, FieldLimits, Form, OrNull, Row, Subset, Truth
from atoll.core.invariants import flagged
from atoll.core.state import UNKNOWN, State
from atoll.text.messages import Message
from atoll.text.translation import texts

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
MOST_SOLVERS = 3  # meeples for a tile of the mystery
MOST_FISH_EATEN = 15
MAX_LASTING = 32  # words of what holds always
MOST_BONUS = 100  # of anything that a player's tiles and event cards together give always
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
FLOWING = (
    *(Resource("bamboo"), Resource("liana"), Resource("palm leaf"), Resource("fruit"), Resource("water")),
    Resource("fish", lost_by="fish lost"),
)

FIRE, FISHING, NATURE, CONSTRUCTION, FAITH = range(5)
DOMAINS = ("fire", "fishing", "nature", "construction", "faith")

OWN, WHITE = range(2)
MEEPLES = texts("own", "white")

STEPS = ("A", "B", "C", "D", "E", "F", "G", "H")
STOREYS = 3
DESIGNS = STOREYS * MAX_DESIGNS  # a design of the mystery is MAX_DESIGNS * storey + design, both from 0

BOOSTS = ("fire", "construction", "fishing", "mystery", "faith", "nature", "prestige", "first player")
FIRST_PLAYER = BOOSTS.index("first player")
BOOSTS_EACH = 2

MIRACLES = (
    *("abundance", "joy", "vigour", "wisdom", "builders", "spirits"),
    *("mystery", "tales", "fire", "rain", "gardens", "shoals"),
)
MIRACLE_SLOT = MAX_TILES  # a slot holds a tile's index, or this + a miracle

SHIP = 0
"""The index of the Ship among the event cards; card "7" has index 7."""

# Places of the board, in the order of the moves; then the activatable constructions.
PLACES = (
    *("exploration bamboo", "exploration liana", "exploration palm"),
    *("construction", "gathering", "water", "fishing", "event"),
    *("prayer", "leisure", "rest", "study", "mystery"),
)
EXPLORATION_PLACE = 0  # + resource
CONSTRUCTION_PLACE, GATHERING_PLACE, WATER_PLACE, FISHING_PLACE, EVENT_PLACE = range(3, 8)
PRAYER_PLACE, LEISURE_PLACE, REST_PLACE, STUDY_PLACE, MYSTERY_PLACE = range(8, 13)
TILE_PLACE = len(PLACES)  # + tile
ENDLESS = 127  # room on a place without a limit

# Phases, in the rulebook's order: of the start boosts and the actions, then of the end of a round.
PHASES = (
    *("boost", "boost tile", "action", "fruit", "discount", "favour"),
    *("miracle", "cube", "domain", "spot", "tile", "double", "marker"),
    *("first choice", "orientation", "dugout", "feeding", "health", "over"),
)
BOOST, BOOST_TILE, ACTION, FRUIT_SPENT, DISCOUNT, FAVOUR = range(6)
MIRACLE, CUBE, DOMAIN, SPOT, TILE, DOUBLE, MARKER = range(6, 13)
FIRST_CHOICE, ORIENTATION, DUGOUT, FEEDING, HEALTH, OVER = range(13, 19)

# What goes round the table when nothing is left to do.
BOOSTING, ROUND_START, ACTING, CHOOSING_FIRST = range(4)
ORIENTING, TAKING_SINGLES, FEEDING_ALL, ROUND_END, ENDED = range(4, 9)

# Effects are rows of when, word (`effect_words.py`), target and amount. When:
AT_ONCE, ALWAYS, ACTIVATED, ACTIVATED_OWN, AT_END = range(5)
OTHERWISE = 8  # added to the time of what comes instead of a level that cannot be gained

FINISH_BUILDING, DRAW_FISH, SHUFFLE_FISHING = range(3)  # words that no file has: rules put them on the pile
CARRY_OUT, PAY = range(3, 5)  # an action, the price of an activation
FIRST_WORD = 5  # from here on what is gained without asking, as `effect_words.py` numbers it
QUESTION = 32  # + phase, a word: ask for something; what target and amount mean is told where the answers are
OTHERWISE_WORD = 64  # added to a word on the pile of things to do

# Actions that an effect carries out without their place.
EXPLORE, BUILD, GATHER, DRAW_WATER, FISH_ACTION, PRAY, ENJOY, REST = range(8)

# What holds always for a player: sums of what tiles and event cards give.
INCOME = 0  # + resource: at the start of a round
REDUCTION = INCOME + len(RESOURCES)  # + building resource: constructions cost so much less of it
FREE_REDUCTION = REDUCTION + BUILDING  # constructions cost so much less of what one chooses
GATHERING_BONUS = FREE_REDUCTION + 1  # what each means, `effect_words.LASTING` says
FISHING_BONUS, EXPLORATION_BONUS, FREE_EXPLORATION = range(GATHERING_BONUS + 1, GATHERING_BONUS + 4)
PRAYER_BONUS, KEEP_FISH, NO_GIFT, EVENT_PRESTIGE = range(FREE_EXPLORATION + 1, FREE_EXPLORATION + 5)
MAJORITY_PRESTIGE, SINGLES, CALUMET, DOUBLE_FISHING = range(EVENT_PRESTIGE + 1, EVENT_PRESTIGE + 5)
FIRST_IN_ORIENTATION = DOUBLE_FISHING + 1

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
MOST_HEALTH = LOWEST_HEALTH + MAX_HEALTH_LEVELS - 1

# What a player did with the tribe in this round.
NOTHING, MET, LEFT = range(3)
TRIBE = (None, "met", "left")

_EACH_SEAT: dict[str, Any] = {"shape": MAX_PLAYERS, "used": "players"}
_OF_PLAYER: dict[str, Any] = {"shape": MAX_PLAYERS, "key": "players[]."}
_FLAG = {"most": 1}
_SEAT_OR_NONE = {"most": MAX_PLAYERS - 1, "empty": NOBODY, "of": "seat"}
_HEAP: dict[str, Any] = {"kind": "i2", "shape": len(RESOURCES), "form": Amounts(RESOURCES, sparse=True)}
_EVENT_OR_NONE = {"most": MAX_EVENT_CARDS - 1, "empty": NOBODY}


class EventCardForm(Form):
    """An event card: "ship", or its number as text; null for none."""

    def say(self, value: int) -> str | None:
        if value == NOBODY:
            return None
        return "ship" if value == SHIP else str(value)

    def read(self, text: Any, field: FieldLimits) -> int:
        if text is None and field.empty == NOBODY and not field.shape:
            return NOBODY
        if text == "ship":
            return SHIP
        if not isinstance(text, str) or not re.fullmatch("[1-9][0-9]?", text) or int(text) > field.most:
            right = Message("“ship” or a number from “1” to “%(most)s”", most=field.most)
            raise ValueError(right.of(__package__))
        return int(text)


class Slot(Form):
    """What covers a slot: "construction 11", or "miracle joy"."""

    def say(self, value: int) -> str:
        miracle = value >= MIRACLE_SLOT
        return f"miracle {MIRACLES[value - MIRACLE_SLOT]}" if miracle else f"construction {value + 1}"

    def read(self, text: Any, field: FieldLimits) -> int:
        kind, _, which = text.partition(" ") if isinstance(text, str) else ("", "", "")
        if kind == "miracle" and which in MIRACLES:
            return MIRACLE_SLOT + MIRACLES.index(which)
        if kind != "construction" or not re.fullmatch("[1-9][0-9]?", which) or int(which) > MAX_TILES:
            right = Message("a construction from 1 to %(most)s or a miracle", most=MAX_TILES)
            raise ValueError(right.of(__package__))
        return int(which) - 1


class CastAwayState(State):
    """A position of Cast Away."""

    phase: int = everybody("what is being decided", names=PHASES, key="phase")
    stage: int = everybody("what goes on once nothing is left to do", most=ENDED)
    round_number: int = everybody("the round, from 1", least=1, key="round")
    order: Int8s = everybody(
        "seats in turn order; while boosts are taken, in that order",
        **_EACH_SEAT,
        **_SEAT_OR_NONE,
        key="order",
        form=Row(length="players"),
    )
    queue: Int8s = everybody("seats in the order of the Orientation phase", **_EACH_SEAT, **_SEAT_OR_NONE)
    turn: int = everybody("how far the stage has come in its order", most=MAX_PLAYERS)
    chooser: int = everybody("who uses event 8 in this Orientation phase", **_SEAT_OR_NONE)
    last_round: int = everybody(
        "1 once the Ship came or a player's last slot was covered", key="last_round", form=Truth()
    )
    event: int = everybody(
        "card of the round, until it is taken", **_EVENT_OR_NONE, key="event", form=EventCardForm()
    )
    event_count: int = everybody("cards in the event pile", most=MAX_EVENT_CARDS)
    event_pile: Int8s = nobody(
        "events to come, the top last; a seat knows those that it looked at (CA-23)",
        shape=MAX_EVENT_CARDS,
        **_EVENT_OR_NONE,
        used="event_count",
    )
    event_turned: Int8s = everybody("1 if it was turned up in this game", shape=MAX_EVENT_CARDS, **_FLAG)
    seen_count: Int8s = everybody(
        "how many of the pile's top cards each seat has looked at", **_EACH_SEAT, most=MAX_EVENT_CARDS
    )
    boost_face_up: int = everybody(
        "1 while the first player's boost lies there", key="boosts.first player", form=Truth()
    )
    boost_count: int = everybody("boosts face down", most=len(BOOSTS))
    boost_pile: Int8s = nobody(
        "boosts face down, the top last; which they are is public",
        shape=len(BOOSTS),
        most=len(BOOSTS) - 1,
        empty=UNKNOWN,
        used="boost_count",
    )
    boost_left: Int8s = everybody("1 if the boost is in the pile", shape=len(BOOSTS), **_FLAG)
    first_player: int = everybody("who took the first player's boost", **_SEAT_OR_NONE)
    stock: Int8s = everybody(
        "resources on the board",
        shape=STOCKED,
        within="stock",
        key="stock",
        form=Amounts(RESOURCES[:STOCKED]),
    )
    lots: Int16s = everybody("resources on the compass", **_HEAP, key="compass.")
    markers: Int8s = everybody(
        "seat on each position of the compass",
        **_EACH_SEAT,
        **_SEAT_OR_NONE,
        key="compass.",
        form=Row(OrNull(), length="players"),
    )
    white_left: int = everybody("white meeples above the candle", most=MAX_WHITE, key="candle.white")
    candle: Int8s = everybody(
        "own meeples above the candle",
        **_EACH_SEAT,
        most=MAX_MEEPLES,
        key="candle.own",
        form=Row(length="players"),
    )
    gifts: Int16s = everybody("resources on the candle", **_HEAP, key="candle.")
    fishing_count: int = everybody("cards in the fishing pile", most=MAX_FISHING_CARDS)
    fishing_pile: Int8s = nobody(
        "fishing cards, the top last; which they are is public",
        shape=MAX_FISHING_CARDS,
        most=MAX_FISHING_CARDS - 1,
        empty=UNKNOWN,
        used="fishing_count",
    )
    fishing_left: Int8s = everybody("1 if the card is in the pile", shape=MAX_FISHING_CARDS, **_FLAG)
    tile_owner: Int8s = everybody(
        "seat, NOBODY if the construction can be built, or NOT_IN_GAME",
        shape=MAX_TILES,
        least=NOT_IN_GAME,
        most=MAX_PLAYERS - 1,
        of="seat",
    )
    tile_used: Int8s = everybody("1 if a meeple stands on the construction", shape=MAX_TILES, **_FLAG)
    miracle_left: Int8s = everybody(
        "1 if the miracle can be taken", shape=len(MIRACLES), **_FLAG, key="miracles", form=Subset(MIRACLES)
    )
    designs: Int8s = everybody("how many each storey of the mystery has", shape=STOREYS, most=MAX_DESIGNS)
    mystery_left: Int8s = everybody("tiles left of each design", shape=DESIGNS, most=MAX_COPIES)
    place_count: Int8s = everybody(
        "meeples on each place of the board", shape=len(PLACES), most=MAX_ARRIVALS, within="places"
    )
    arrivals: int = everybody("meeples placed in this round", most=MAX_ARRIVALS)
    arrival_place: Int8s = everybody(
        "where, by place in order of the first arrival",
        shape=MAX_ARRIVALS,
        most=TILE_PLACE + MAX_TILES - 1,
        empty=NOBODY,
        used="arrivals",
    )
    arrival_seat: Int8s = everybody("whose", shape=MAX_ARRIVALS, **_SEAT_OR_NONE, used="arrivals")
    prestige: Int32s = everybody("prestige on the track", "i4", **_OF_PLAYER)
    health: Int8s = everybody(
        "level, from LOWEST_HEALTH", **_OF_PLAYER, least=LOWEST_HEALTH, most=MOST_HEALTH, within="health_top"
    )
    happiness: Int8s = everybody("points", **_OF_PLAYER, most=MAX_HAPPINESS, within="happiness_top")
    favour: Int8s = everybody(
        "step of divine favour, 0 below A", **_OF_PLAYER, most=MAX_STEPS, within="steps"
    )
    experience: Int8s = everybody(
        "level in each domain",
        shape=(MAX_PLAYERS, len(DOMAINS)),
        most=MAX_LEVEL,
        within="domain_top",
        key="players[].",
        form=Amounts(DOMAINS),
    )
    resources: Int32s = everybody(
        "resources of each player",
        "i4",
        (MAX_PLAYERS, len(RESOURCES)),
        key="players[].",
        form=Amounts(RESOURCES),
        resources=FLOWING,
    )
    meeples: Int8s = everybody("own meeples, those above the candle included", **_OF_PLAYER, most=MAX_MEEPLES)
    white: Int8s = everybody("white meeples held", **_OF_PLAYER, most=MAX_WHITE)
    left_own: Int8s = everybody(
        "own meeples to place in this round", **_EACH_SEAT, most=MAX_MEEPLES, key="players[].left.own"
    )
    left_white: Int8s = everybody(
        "white meeples to place in this round", **_EACH_SEAT, most=MAX_WHITE, key="players[].left.white"
    )
    left_compass: Int8s = everybody(
        "1 if the compass marker is to be placed", **_EACH_SEAT, key="players[].left.compass", form=Truth()
    )
    slot_count: Int8s = everybody(
        "slots covered", **_EACH_SEAT, most=MAX_SLOTS, within="slots", counts="players[].slots"
    )
    slots: Int8s = everybody(
        "tile, MIRACLE_SLOT + miracle, or NOBODY",
        shape=(MAX_PLAYERS, MAX_SLOTS),
        most=MIRACLE_SLOT + len(MIRACLES) - 1,
        empty=NOBODY,
        key="players[].",
        form=Row(Slot()),
    )
    held_count: int = everybody("event cards that players have", most=MAX_EVENT_CARDS)
    held_event: Int8s = everybody(
        "event cards by seat, in the order taken", shape=MAX_EVENT_CARDS, **_EVENT_OR_NONE, used="held_count"
    )
    held_by: Int8s = everybody("whose they are", shape=MAX_EVENT_CARDS, **_SEAT_OR_NONE, used="held_count")
    mystery: Int8s = everybody(
        "1 if the player has a tile of the design", shape=(MAX_PLAYERS, DESIGNS), **_FLAG, used="players"
    )
    rests: Int8s = everybody("1 if the player rests in this round", **_OF_PLAYER, form=Truth())
    tribe: Int8s = everybody("what the player did with the tribe in this round", **_OF_PLAYER, names=TRIBE)
    bonus: Int16s = everybody(
        "sums of what holds always, of each player",
        "i2",
        (MAX_PLAYERS, MAX_LASTING),
        used="players",
        least=-MOST_BONUS,
        most=MOST_BONUS,
    )
    actor: int = everybody("whose effects are carried out", most=MAX_PLAYERS - 1, of="seat")
    learnt: int = everybody("1 if the latest level that an effect gives was gained", **_FLAG)
    doubled: int = everybody("1 if event 6 was used for the fishing card that is drawn next", **_FLAG)
    building: int = everybody("tile being built", most=MAX_TILES - 1, empty=NOBODY)
    price: Int8s = everybody("what is left to pay for it, of each resource for building", shape=BUILDING)
    asked_target: int = everybody("target of the effect that waits for an answer", least=NOBODY)
    asked_amount: int = everybody("amount of the effect that waits for an answer", least=-MAX_AMOUNT)
    todo_count: int = everybody("things to do", "i2", most=MAX_TODO)
    todo_word: Int8s = everybody(
        "their words; the next is the last of todo_count", shape=MAX_TODO, used="todo_count"
    )
    todo_target: Int8s = everybody("their targets", shape=MAX_TODO, used="todo_count", least=NOBODY)
    todo_amount: Int8s = everybody("their amounts", shape=MAX_TODO, used="todo_count", least=-MAX_AMOUNT)

    partitions: ClassVar[tuple[Partition, ...]] = (
        Partition(  # CA-20
            "the miracles",
            (lambda state: taken_miracles(state.slots), lambda state: flagged(state.miracle_left)),
            lambda parts, players: flagged(parts.miracle_there),
        ),
    )


def taken_miracles(slots: list[list[int]]) -> list[int]:
    """The miracles on everybody's slots."""
    return [tile - MIRACLE_SLOT for row in slots for tile in row if tile >= MIRACLE_SLOT]
