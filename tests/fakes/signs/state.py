"""The state of Signs."""

from atoll.core.fields import Int8s, everybody, owner
from atoll.core.parts import Parts, part
from atoll.core.state import State

CARDS = 16
HAND = 6
MOST = 4


class SignsState(State):
    """A position of Signs; a card that was played, or is not chosen yet, is -2."""

    round_number: int = everybody("the round, from 1", least=1)
    hand: Int8s = owner("cards", shape=(MOST, HAND), least=-2, most=CARDS - 1)
    chosen: Int8s = owner("chosen cards", shape=(MOST, 2), least=-2, most=CARDS - 1)
    shown: Int8s = everybody("sum of the cards shown last", shape=MOST)
    points: Int8s = everybody("points", shape=MOST)


class SignsParts(Parts):
    """How long a game is."""

    rounds: int = part("rounds of a game", of="")
