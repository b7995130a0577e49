"""What a position of Privateers holds, and what its rules read of the components file."""

from atoll.core.fields import Int8s, Resource, everybody, owner
from atoll.core.forms import Row
from atoll.core.parts import Parts, part
from atoll.core.state import State
from atoll.text.translation import texts

MOST_PLAYERS, MOST_HAND = 4, 6
MOST_CARDS, MOST_ROUNDS = 30, 10
MOST_GOLD = 100  # of all players together
SIDES = 6  # of the die
NONE = 0  # where no card is
GOLD = (Resource(*texts("gold")),)


class PrivateersParts(Parts):
    """The components; a card is its number in the file's list, from 1."""

    rounds: int = part("rounds of a game", of="game", least=1, most=MOST_ROUNDS)
    hand: int = part("cards that each player is dealt in a round", of="game", least=1, most=MOST_HAND)
    gold: int = part("gold of each player at the start", of="game", least=1, most=MOST_GOLD // MOST_PLAYERS)
    cards: int = part("how many cards there are", counts="cards")
    takes: Int8s = part(
        "gold that a ship takes", shape=MOST_CARDS + 1, of="cards[]", shift=1, least=1, most=MOST_GOLD
    )
    wind: Int8s = part(
        "the least wind in which a ship sails",
        shape=MOST_CARDS + 1,
        of="cards[]",
        shift=1,
        least=1,
        most=SIDES,
        default=1,
    )


class PrivateersState(State):
    """A position: the first axis of what belongs to players counts seats."""

    round_number: int = everybody("the round", least=1, most=MOST_ROUNDS, within="rounds", key="round")
    first: int = everybody("the seat that begins the round", key="first", of="seat", bookkeeping=True)
    wind: int = everybody("the wind in this turn, as it was rolled", least=1, most=SIDES, key="wind")
    sent_count: int = everybody("cards sent in this round", most=MOST_PLAYERS * MOST_HAND, counts="sent")
    sent: Int8s = everybody(
        "cards sent in this round, in order",
        shape=MOST_PLAYERS * MOST_HAND,
        least=1,
        most=MOST_CARDS,
        empty=NONE,
        key="sent",
        of="card",
        within="cards",
    )
    gold: Int8s = everybody(
        "gold of each player", shape=MOST_PLAYERS, most=MOST_GOLD, key="players[].gold", resources=GOLD
    )
    hand_count: Int8s = everybody("of each hand", shape=MOST_PLAYERS, most=MOST_HAND, counts="players[].hand")
    hand: Int8s = owner(
        "cards in each hand",
        shape=(MOST_PLAYERS, MOST_HAND),
        least=1,
        most=MOST_CARDS,
        empty=NONE,
        key="players[].hand",
        form=Row(ascending=True),
        of="card",
        within="cards",
    )
