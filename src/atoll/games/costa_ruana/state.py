"""The state of Costa Ruana: its numbers, its record and its events."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from atoll.core.state import HEADER, State, record_dtype

# Declared maxima: a components file stays within them.
MAX_PLAYERS = 6
MAX_ISLANDS = 12
MAX_CAPACITY = 15  # natives on an island
MAX_NATIVES = 15  # of a player
MAX_TREASURES = 100  # in the game
MAX_HAND = 10
MAX_DECK = 120
MAX_ROUNDS = 9
TABLE_CARDS = 2 * MAX_PLAYERS  # one face up and one face down by each player and round

# Kinds of cards, in the order in which they resolve (CR-14).
MOVE_TREASURE, RETURN_1, RETURN_2, RETURN_3, PLACE_1, PLACE_2, PLACE_3, MOVE_NATIVE = range(8)
KINDS = ("move treasure", "return 1", "return 2", "return 3", "place 1", "place 2", "place 3", "move native")

# Backgrounds; a condition card's two faces are 2 * condition and 2 * condition + 1.
HIGH_TIDE, LOW_TIDE, DAY, NIGHT = range(4)
BACKGROUNDS = ("high tide", "low tide", "day", "night")
TIDE, TIME = range(2)
CONDITIONS = ("tide", "time")

# A card's number is 4 * kind + background.
CARD_TYPES = len(KINDS) * len(BACKGROUNDS)
CARDS = tuple(f"{kind}/{background}" for kind in KINDS for background in BACKGROUNDS)

# Phases, in the rulebook's order.
PHASES = (
    "setup",
    "face up",
    "face down",
    "native",
    "condition",
    "order",
    "take treasure",
    "drop treasure",
    "return",
    "place",
    "take native",
    "drop native",
    "resign",
    "over",
)
(
    SETUP,
    FACE_UP,
    FACE_DOWN,
    NATIVE,
    CONDITION,
    ORDER,
    TAKE_TREASURE,
    DROP_TREASURE,
    RETURN,
    PLACE,
    TAKE_NATIVE,
    DROP_NATIVE,
    RESIGN,
    OVER,
) = range(len(PHASES))

NOWHERE = -1
"""No card, no island."""

STATE = record_dtype(
    [
        *HEADER,
        ("phase", "i1"),  # one of PHASES
        ("round_number", "i1"),  # from 1
        ("shaman", "i1"),  # seat
        ("turns", "i1"),  # decisions taken in this phase by going round the table
        ("tide", "i1"),  # visible face: HIGH_TIDE or LOW_TIDE
        ("time", "i1"),  # visible face: DAY or NIGHT
        ("islands", "i1"),  # how many
        ("treasures", "i1", (MAX_ISLANDS,)),  # on each island
        ("natives", "i1", (MAX_ISLANDS, MAX_PLAYERS)),  # on each island, of each seat
        ("crowd", "i1", (MAX_ISLANDS,)),  # natives on each island, of all seats
        ("supply", "i1", (MAX_PLAYERS,)),  # natives
        ("hut", "i1", (MAX_PLAYERS,)),  # treasures behind each hut
        ("collected", "i1", (MAX_PLAYERS,)),  # treasures in the collection going on, else 0
        ("hand_count", "i1", (MAX_PLAYERS,)),
        ("hand", "i1", (MAX_PLAYERS, MAX_HAND)),  # card numbers ascending, then UNKNOWN
        ("table_count", "i1"),  # cards played in this round
        ("table_card", "i1", (TABLE_CARDS,)),  # card number, in the order played
        ("table_player", "i1", (TABLE_CARDS,)),  # who played it
        ("table_front", "i1", (TABLE_CARDS,)),  # in front of whom it lies
        ("table_up", "i1", (TABLE_CARDS,)),  # 1 if it lies face up
        ("table_natives", "u1", (TABLE_CARDS,)),  # bit set of the owners of natives on it
        ("table_resolved", "i1", (TABLE_CARDS,)),  # 1 if inactive or done with
        ("resolver", "i1"),  # how many seats from the Shaman have resolved their cards
        ("card", "i1"),  # index of the card being resolved, or NOWHERE
        (
            "applied",
            "i1",
        ),  # how far its effect got: 1 to the player in front, 2 + i to their i-th neighbour's native
        ("applying_to", "i1"),  # seat that the card is being applied to, or NOWHERE
        ("pieces_left", "i1"),  # pieces that this application still moves
        ("taken_from", "i1"),  # island that the piece in hand came from, or NOWHERE
        ("taken_owner", "i1"),  # seat that the native in hand belongs to, or NOWHERE
        ("pile_count", "i1"),
        ("pile", "i1", (MAX_DECK,)),  # card numbers; the top is the last of pile_count
        ("discard_count", "i1"),
        ("discarded", "i1", (MAX_DECK,)),  # card numbers, the oldest first
    ]
)

PARTS = record_dtype(
    [
        ("rounds", "i1"),
        ("hand_limit", "i1"),  # cards dealt
        ("draws", "i1", (MAX_ROUNDS + 1,)),  # cards drawn by each player at the end of round r: draws[r]
        ("natives", "i1"),  # of a player
        ("first_natives", "i1"),  # placed by each player in the setup
        ("capacity", "i1"),  # natives that an island holds
        ("treasure_points", "i1"),
        ("native_points", "i1"),
        ("islands", "i1", (MAX_PLAYERS + 1,)),  # by number of players
        ("treasures", "i1", (MAX_PLAYERS + 1, MAX_ISLANDS)),  # on each island, by number of players
        ("deck_count", "i1", (MAX_PLAYERS + 1,)),  # by number of players
        ("deck", "i1", (MAX_PLAYERS + 1, MAX_DECK)),  # card numbers, by number of players
    ]
)


class CostaRuanaState(State, Protocol):
    """The record's fields, as the uncompiled rules and the words see them."""

    phase: int
    round_number: int
    shaman: int
    turns: int
    tide: int
    time: int
    islands: int
    treasures: NDArray[np.int8]
    natives: NDArray[np.int8]
    crowd: NDArray[np.int8]
    supply: NDArray[np.int8]
    hut: NDArray[np.int8]
    collected: NDArray[np.int8]
    hand_count: NDArray[np.int8]
    hand: NDArray[np.int8]
    table_count: int
    table_card: NDArray[np.int8]
    table_player: NDArray[np.int8]
    table_front: NDArray[np.int8]
    table_up: NDArray[np.int8]
    table_natives: NDArray[np.uint8]
    table_resolved: NDArray[np.int8]
    resolver: int
    card: int
    applied: int
    applying_to: int
    pieces_left: int
    taken_from: int
    taken_owner: int
    pile_count: int
    pile: NDArray[np.int8]
    discard_count: int
    discarded: NDArray[np.int8]


# Events: (what, whose, piece, origin, target, extra). Origin and target are places:
ISLAND_PLACE = 0  # + island
CARD_PLACE = 20  # + index on the table
SUPPLY_PLACE = 40  # + seat
HUT_PLACE = 50  # + seat
HAND_PLACE = 60  # + seat
PILE_PLACE = 70
DISCARD_PLACE = 71
HELD_PLACE = 72  # in the hand of who is moving it
NO_PLACE = -1

(
    NATIVE_MOVED,  # whose: who moved it, or UNKNOWN when nobody chose; piece: its owner; origin, target
    TREASURE_MOVED,  # whose: as above; origin, target
    CARD_PLAYED,  # whose; piece: card number, UNKNOWN to others while face down; origin, target; extra: 1 face up
    NATIVE_KEPT,  # whose
    CONDITION_TURNED,  # whose; piece: condition; origin: old face; target: new face (backgrounds)
    CARD_REVEALED,  # whose: in front of whom; piece: card number; origin: its place
    CARD_INACTIVE,  # whose: in front of whom; piece: card number; origin: its place
    CARD_BEGUN,  # whose: in front of whom; piece: card number; origin: its place
    CARD_APPLIED,  # whose: to whom; piece: card number; origin: its place; extra: pieces to move, 0 if none can
    CARD_DONE,  # whose: in front of whom; piece: card number; origin: its place
    ARGUED,  # piece: bit set of the seats; origin: island
    COLLECTED,  # whose; origin: island; followed by the moves of the treasure and the native
    CARD_DISCARDED,  # piece: card number; origin, target
    SHAMAN_NEXT,  # whose: the new Shaman; extra: treasures they collected
    CARD_DRAWN,  # whose; piece: card number, UNKNOWN to others; origin, target
    ROUND_BEGUN,  # extra: round number
    SHAMAN_KEPT,  # whose
    SHAMAN_APPOINTED,  # whose: by whom; piece: the new Shaman
    GAME_OVER,
) = range(19)
