"""The state of Karuba, the card game: its numbers and its record.

An island lies on a board of 7 x 7 cells, the first card on the middle one: so it can grow to 4 cards in any
direction. Cells are numbered row by row from the top.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.core.fields import Int8s, Int16s, Partition, everybody, nobody, owner
from atoll.core.forms import Amounts, Index, OwnForm, Row
from atoll.core.parts import Parts, part
from atoll.core.state import REFEREE, State
from atoll.core.types import Json
from atoll.text.messages import Message

# Declared maxima: a components file stays within them.
MAX_PLAYERS = 6
MAX_CARDS = 16  # of a player
MAX_ROUNDS = 8
MAX_FRAME = 4  # width and height of an island
MAX_TREASURES = 5  # crystals, and nuggets, on a card
MAX_POINTS = 20  # for an adventurer, a crystal, a nugget

CHOSEN_CARDS = 2  # by each player and round (KA-4)

REACH = MAX_FRAME - 1  # how far an island can reach from its first card
SPAN = 2 * REACH + 1
CELLS = SPAN * SPAN
MIDDLE = CELLS // 2

COLOURS = ("blue", "orange", "green", "purple")

# Edges of a card, clockwise; an exit on edge e is bit 1 << e.
EDGES = ("N", "E", "S", "W")
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))  # columns and rows to the neighbour over each edge

NOWHERE = -1
"""No cell."""


def cell_at(column: int, row: int) -> int:
    """The cell at a place counted from the first card, or NOWHERE beyond the board."""
    if max(abs(column), abs(row)) > REACH:
        return NOWHERE
    return (row + REACH) * SPAN + column + REACH


def place_of(cell: int) -> tuple[int, int]:
    """Column and row of a cell, counted from the first card; rows count downwards."""
    return cell % SPAN - REACH, cell // SPAN - REACH


NEIGHBOURS = np.array(
    [[cell_at(column + x, row + y) for x, y in STEPS] for column, row in map(place_of, range(CELLS))],
    dtype=np.int64,
)
"""The cell over each edge of a cell, or NOWHERE; shape (CELLS, 4)."""

PHASES = ("choose", "discard", "lay", "over")
CHOOSE, DISCARD, LAY, OVER = range(len(PHASES))

NO_CARD = 0
"""Where there is no card; cards are numbered from 1."""


PLACES = tuple(f"{column},{row}" for column, row in map(place_of, range(CELLS)))
"""What records call each cell."""
_COUNT: Json = {"shape": MAX_PLAYERS, "most": MAX_CARDS}


def _cards(places: int) -> Json:
    """A list of cards of each player."""
    shape = MAX_PLAYERS, places
    return {"shape": shape, "least": 1, "most": MAX_CARDS, "empty": NO_CARD, "key": "players[]."}


class ChoiceForm(OwnForm):
    """The two cards of the round, none before they are chosen."""

    def say(self, state: Any, index: Index) -> Any:
        """The cards, or their number where the view hides them or may not say whether there are any."""
        (seat,) = index
        cards = [card for card in state.chosen[seat].tolist() if card != NO_CARD]
        is_hidden = state.phase == CHOOSE and state.seat not in (REFEREE, seat)
        return len(cards) if is_hidden else cards

    def read(self, state: Any, index: Index, value: Any) -> None:
        """Two cards, or none."""
        cards = Row(ascending=True).read(value, KarubaState.field("chosen"))
        if len(cards) not in (0, CHOSEN_CARDS):
            right = Message("a list of %(count)s cards, or an empty one", count=CHOSEN_CARDS)
            raise ValueError(right.of(__package__))
        state.chosen[index][: len(cards)] = cards


class ToLayForm(OwnForm):
    """Those of the chosen cards that are still to be laid."""

    def say(self, state: Any, index: Index) -> Any:
        """The cards, ascending."""
        return [card for i, card in enumerate(state.chosen[index].tolist()) if state.to_lay[index] >> i & 1]

    def read(self, state: Any, index: Index, value: Any) -> None:
        """Some of the chosen cards."""
        choice = state.chosen[index].tolist()
        if not isinstance(value, list) or any(type(card) is not int or card not in choice for card in value):
            raise ValueError(Message("a list of chosen cards").of(__package__))
        state.to_lay[index] = sum(1 << choice.index(card) for card in set(value))


def apart(state: Any, seat: int) -> list[int]:
    """The chosen cards of a seat that are nowhere else: all while others choose, later those to be laid."""
    cards = enumerate(state.chosen[seat])
    pending = [card for i, card in cards if state.phase == CHOOSE or state.to_lay[seat] >> i & 1]
    return [card for card in pending if card != NO_CARD]


class KarubaState(State):
    """A position of Karuba. The first axis of what belongs to players counts seats."""

    phase: int = everybody("what is being decided", names=PHASES, key="phase")
    round_number: int = everybody("the round, from 1", least=1, most=MAX_ROUNDS, key="round")
    hand_count: Int8s = everybody("cards in each hand", **_COUNT, counts="players[].hand")
    hand: Int8s = owner("cards in hand, ascending", **_cards(MAX_CARDS), form=Row(ascending=True))
    pile_count: Int8s = everybody("cards in each draw pile", **_COUNT, counts="players[].pile")
    pile: Int8s = nobody("cards in each draw pile, the top last", **_cards(MAX_CARDS), form=Row(reverse=True))
    chosen: Int8s = owner(
        "the cards chosen for this round, ascending; others see them once all have chosen (KA-4)",
        **_cards(CHOSEN_CARDS),
        form=ChoiceForm(),
    )
    to_lay: NDArray[np.uint8] = everybody(
        "bit i: chosen[i] is still to be laid",
        "u1",
        MAX_PLAYERS,
        most=(1 << CHOSEN_CARDS) - 1,
        key="players[].",
        form=ToLayForm(),
    )
    discard_count: Int8s = everybody(
        "cards on each discard pile", shape=MAX_PLAYERS, most=MAX_ROUNDS, counts="players[].discarded"
    )
    discarded: Int8s = everybody("cards on each discard pile, the oldest first", **_cards(MAX_ROUNDS))
    island: Int8s = everybody(
        "the card on each cell of each island", **_cards(CELLS), form=Amounts(PLACES, sparse=True)
    )

    partitions = (
        Partition(
            "the cards",
            ("hand", "pile", "discarded", "island", apart),
            lambda parts, players: range(1, int(parts.cards) + 1),
            each_seat=True,
        ),
    )


class KarubaParts(Parts):
    """What is printed and counted; cards are those of each player, by number."""

    rounds: int = part("rounds of a game", of="game")
    hand: int = part("cards that a hand holds", of="game")
    frame: int = part("greatest width and height of an island", of="game")
    adventurer_points: int = part("points of an adventurer who arrives", of="game")
    cards: int = part("how many cards a player has", counts="cards")
    exits: Int8s = part("bit set of the edges to which paths lead", shape=MAX_CARDS + 1)
    treasure_points: Int16s = part("points of all crystals and nuggets on a card", "i2", MAX_CARDS + 1)
    adventurer: Int8s = part(
        "colour of the adventurer on a card, or -1",
        shape=MAX_CARDS + 1,
        of="cards[]",
        shift=1,
        names=COLOURS,
        empty=-1,
    )
    adventurer_card: Int8s = part("card of each colour's adventurer", shape=len(COLOURS))
    temple_card: Int8s = part("card of each colour's temple", shape=len(COLOURS))
    blocked_shortest: int = part(
        "1 if an adventurer takes the shortest path of all, and is stopped if that is blocked (KA-12)",
        option="blocked_shortest",
    )
