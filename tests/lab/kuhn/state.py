"""What a position of Kuhn poker holds."""

from atoll.core.fields import Int8s, everybody, owner
from atoll.core.state import State


class KuhnState(State):
    """A position of Kuhn poker."""

    card: Int8s = owner("card of each seat: 0 the jack, 1 the queen, 2 the king", shape=2, most=2)
    decisions: int = everybody("how many were taken", most=3)
    bet: Int8s = everybody("1 for a seat that has bet or called", shape=2, most=1)
