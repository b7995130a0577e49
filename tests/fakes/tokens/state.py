"""The state of Tokens: each token is a few numbers."""

from atoll.core.fields import Int8s, everybody, nobody, owner
from atoll.core.state import State

MOST = 3
SIZE = 5
HAND = 2 * SIZE
COMING = 2 * SIZE


class TokensState(State):
    """A position of Tokens."""

    round_number: int = everybody("the round, from 1", least=1, key="round")
    shown: Int8s = everybody("the token that each has shown last", shape=(MOST, SIZE), key="players[].shown")
    hand: Int8s = owner("tokens in each hand", shape=(MOST, HAND), key="players[].hand")
    coming: Int8s = nobody("the tokens to come", shape=COMING, key="coming")
