"""What a position of Kuhn poker holds."""

from atoll.core.fields import Int8s, everybody, owner
from atoll.core.forms import Named, Truth
from atoll.core.state import State

CARDS = ("jack", "queen", "king")
PLAYERS = 2


class KuhnState(State):
    """A position; the first axis counts seats."""

    card: Int8s = owner(
        "the card dealt to each seat",
        shape=PLAYERS,
        most=len(CARDS) - 1,
        key="players[].card",
        form=Named(CARDS),
    )
    chips: Int8s = everybody(
        "chips that each seat has put in", shape=PLAYERS, least=1, most=2, key="players[].chips"
    )
    folded: Int8s = everybody(
        "1 for a seat that has folded", shape=PLAYERS, most=1, key="players[].folded", form=Truth()
    )
