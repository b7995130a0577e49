"""What a position of Goofspiel holds."""

from atoll.core.fields import Int8s, everybody, nobody, owner
from atoll.core.forms import OrNull, Row, Subset
from atoll.core.state import State

CARDS = 13
MOST_PLAYERS = 6
NONE = 0  # where no card is
MOST_POINTS = sum(range(1, CARDS + 1))


class GoofspielState(State):
    """A position: cards are their values, from 1 to 13; the first axis of what belongs to players counts seats."""

    round_number: int = everybody("the round, from 1", least=1, most=CARDS, key="round")
    at_stake: int = everybody("points that this round's winner takes", most=MOST_POINTS, key="at_stake")
    shown: int = everybody("prizes turned up so far", most=CARDS, counts="prizes")
    prizes: Int8s = everybody("prizes turned up", shape=CARDS, least=1, most=CARDS, empty=NONE, key="prizes")
    left: int = everybody("prizes face down", most=CARDS, counts="stock")
    stock: Int8s = nobody(
        "prizes face down, the next one last",
        shape=CARDS,
        least=1,
        most=CARDS,
        empty=NONE,
        key="stock",
        form=Row(reverse=True),
    )
    points: Int8s = everybody("points won", shape=MOST_PLAYERS, most=MOST_POINTS, key="players[].points")
    hand: Int8s = everybody(
        "1 for each card not bid yet",
        shape=(MOST_PLAYERS, CARDS),
        most=1,
        key="players[].hand",
        form=Subset([str(card) for card in range(1, CARDS + 1)]),
    )
    bid: Int8s = owner(
        "the card bid this round",
        shape=MOST_PLAYERS,
        least=1,
        most=CARDS,
        empty=NONE,
        key="players[].bid",
        form=OrNull(NONE),
    )
    last_bid: Int8s = everybody(
        "the card bid in the round before",
        shape=MOST_PLAYERS,
        least=1,
        most=CARDS,
        empty=NONE,
        key="players[].last_bid",
        form=OrNull(NONE),
    )
