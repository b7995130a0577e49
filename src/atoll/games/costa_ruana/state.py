"""The state of Costa Ruana and its parts: their numbers and their records."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.core.fields import Int8s, Partition, Resource, everybody, nobody, owner
from atoll.core.forms import Named, Row, SeatSet, Truth
from atoll.core.parts import Parts, part
from atoll.core.state import State
from atoll.text.translation import texts

# Declared maxima: a components file stays within them.
MAX_PLAYERS = 6
MAX_ISLANDS = 12
MAX_CAPACITY = 15  # natives on an island
MAX_NATIVES = 15  # of a player
MAX_TREASURES = 100  # in the game
MAX_HAND = 10
MAX_DECK = 120
MAX_ROUNDS = 9
CARDS_A_ROUND = 2  # one face up and one face down
TABLE_CARDS = CARDS_A_ROUND * MAX_PLAYERS  # by each player in a round

# Kinds of cards, in the order in which they resolve (CR-14).
MOVE_TREASURE, RETURN_1, RETURN_2, RETURN_3, PLACE_1, PLACE_2, PLACE_3, MOVE_NATIVE = range(8)
KINDS = ("move treasure", "return 1", "return 2", "return 3", "place 1", "place 2", "place 3", "move native")
PIECES = np.array([int(kind[-1]) if kind[-1].isdigit() else 1 for kind in KINDS])
"""How many pieces a card moves, by kind."""

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
    *("setup", "face up", "face down", "native", "condition", "order", "take treasure", "drop treasure"),
    *("return", "place", "take native", "drop native", "resign", "over"),
)
SETUP, FACE_UP, FACE_DOWN, NATIVE, CONDITION, ORDER, TAKE_TREASURE, DROP_TREASURE = range(8)
RETURN, PLACE, TAKE_NATIVE, DROP_NATIVE, RESIGN, OVER = range(8, len(PHASES))
RESOLVING = range(ORDER, RESIGN)
ACTS_IN = np.array([TAKE_TREASURE, RETURN, RETURN, RETURN, PLACE, PLACE, PLACE, TAKE_NATIVE])
"""By kind, the phase in which a card begins to act; cards resolve in this order, those of one phase as one chooses
(CR-14).
"""

NOWHERE = -1
"""No card, no island."""

_EACH_SEAT: dict[str, Any] = {"shape": MAX_PLAYERS, "used": "players"}
_EACH_CARD: dict[str, Any] = {"shape": TABLE_CARDS}
_EACH_ISLAND: dict[str, Any] = {"shape": MAX_ISLANDS, "used": "islands"}
_A_CARD: dict[str, Any] = {"most": CARD_TYPES - 1, "empty": NOWHERE}
_A_DECK: dict[str, Any] = {**_A_CARD, "shape": MAX_DECK}
_SEAT: dict[str, Any] = {"most": MAX_PLAYERS - 1, "of": "seat"}
_SEAT_OR_NONE: dict[str, Any] = {**_SEAT, "empty": NOWHERE}


class CostaRuanaState(State):
    """A position of Costa Ruana. Cards are numbers, 4 * kind + background."""

    phase: int = everybody("what is being decided", names=PHASES, key="phase")
    round_number: int = everybody("the round, from 1", least=1, most=MAX_ROUNDS, within="rounds", key="round")
    shaman: int = everybody("seat of the Shaman", **_SEAT, key="shaman")
    turns: int = everybody("decisions taken in this phase by going round the table")
    tide: int = everybody("visible face of the tide", least=HIGH_TIDE, names=("high", "low"), key="tide")
    time: int = everybody("visible face of the time of day", least=DAY, names=("day", "night"), key="time")
    islands: int = everybody("how many islands there are", most=MAX_ISLANDS, counts="islands")
    treasures: Int8s = everybody(
        "treasures on each island", **_EACH_ISLAND, most=MAX_TREASURES, key="islands[]."
    )
    natives: Int8s = everybody(
        "natives on each island, of each seat",
        shape=(MAX_ISLANDS, MAX_PLAYERS),
        most=MAX_NATIVES,
        key="islands[].",
        form=Row(length="players"),
    )
    crowd: Int8s = everybody(
        "natives on each island, of all seats", **_EACH_ISLAND, most=MAX_CAPACITY, within="island_capacity"
    )
    supply: Int8s = everybody(
        "natives in each supply",
        **_EACH_SEAT,
        most=MAX_NATIVES,
        key="players[].",
        resources=(Resource(*texts("natives in the supply")),),
    )
    hut: Int8s = everybody(
        "treasures behind each hut; they could be counted (CR-19)",
        **_EACH_SEAT,
        most=MAX_TREASURES,
        resources=(Resource(*texts("treasures behind the hut")),),
    )
    collected: Int8s = everybody(
        "treasures of each seat in the collection going on, else 0", **_EACH_SEAT, most=MAX_TREASURES
    )
    hand_count: Int8s = everybody("cards in each hand", **_EACH_SEAT, most=MAX_HAND, counts="players[].hand")
    hand: Int8s = owner(
        "cards in each hand, ascending",
        shape=(MAX_PLAYERS, MAX_HAND),
        **_A_CARD,
        key="players[].hand",
        form=Row(Named(CARDS), ascending=True),
    )
    table_count: int = everybody("cards played in this round", most=TABLE_CARDS, counts="table")
    table_card: Int8s = nobody(
        "cards in the order played; what lies face down is known to who played it (CR-10)",
        **_EACH_CARD,
        **_A_CARD,
        key="table[].card",
        form=Named(CARDS),
    )
    table_player: Int8s = everybody("who played it", **_EACH_CARD, **_SEAT_OR_NONE, key="table[].played_by")
    table_front: Int8s = everybody(
        "in front of whom it lies", **_EACH_CARD, **_SEAT_OR_NONE, key="table[].in_front_of"
    )
    table_up: Int8s = everybody(
        "whether it lies face up", **_EACH_CARD, names=("down", "up"), key="table[].face"
    )
    table_natives: NDArray[np.uint8] = everybody(
        "bit set of the owners of natives on it",
        "u1",
        **_EACH_CARD,
        most=(1 << MAX_PLAYERS) - 1,
        key="table[].natives",
        form=SeatSet(),
    )
    table_resolved: Int8s = everybody(
        "1 if it is inactive or done with", **_EACH_CARD, key="table[].resolved", form=Truth()
    )
    resolver: int = everybody("seats from the Shaman that have resolved their cards", most=MAX_PLAYERS)
    card: int = everybody("index of the card being resolved", most=TABLE_CARDS - 1, empty=NOWHERE)
    applied: int = everybody(
        "how far its effect got: 1 to the player in front, 2 + i to their i-th neighbour's native",
        most=MAX_PLAYERS + 2,
    )
    applying_to: int = everybody("seat that the card is being applied to", **_SEAT_OR_NONE)
    pieces_left: int = everybody("pieces that this application still moves", most=MAX_NATIVES)
    taken_from: int = everybody(
        "island that the piece in hand came from", most=MAX_ISLANDS - 1, empty=NOWHERE
    )
    taken_owner: int = everybody("seat that the native in hand belongs to", **_SEAT_OR_NONE)
    pile_count: int = everybody("cards in the draw pile", most=MAX_DECK, counts="draw_pile")
    pile: Int8s = nobody(
        "cards in the draw pile, the top last",
        **_A_DECK,
        key="draw_pile",
        form=Row(Named(CARDS), reverse=True),
    )
    discard_count: int = everybody("cards on the discard pile", most=MAX_DECK, counts="discarded")
    discarded: Int8s = everybody(
        "cards on the discard pile, the oldest first", **_A_DECK, key="discarded", form=Row(Named(CARDS))
    )

    partitions = (
        Partition(
            "cards",
            ("pile", "discarded", "hand", "table_card"),
            lambda parts, players: parts.deck[players][: parts.deck_count[players]],
        ),
    )


class CostaRuanaParts(Parts):
    """What is printed and counted; the first axis of what hangs on the number of players counts from none."""

    rounds: int = part("rounds of a game", of="game")
    hand: int = part("cards dealt to each player", of="game")
    draws: Int8s = part(
        "cards drawn by each player before round r, at r - 1", shape=MAX_ROUNDS + 1, of="game", shift=1
    )
    natives: int = part("natives of a player", of="game")
    first_natives: int = part("natives that each player places in the setup", of="game")
    island_capacity: int = part("natives that an island holds", of="game")
    treasure_points: int = part("points of a treasure", of="game")
    native_points: int = part("points of a native in the supply", of="game")
    islands: Int8s = part("islands, by number of players", shape=MAX_PLAYERS + 1)
    treasures: Int8s = part(
        "treasures on each island, by number of players", shape=(MAX_PLAYERS + 1, MAX_ISLANDS)
    )
    deck_count: Int8s = part("cards of the deck, by number of players", shape=MAX_PLAYERS + 1)
    deck: Int8s = part(
        "the deck's cards, by number of players", shape=(MAX_PLAYERS + 1, MAX_DECK), empty=NOWHERE
    )
