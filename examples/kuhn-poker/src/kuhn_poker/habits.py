"""What players of Kuhn poker do by habit: they bluff."""

# mypy: disable-error-code="no-untyped-def"

from atoll.core.habits import Habit
from atoll.engine.compiling import compiled
from atoll.text.translation import texts
from kuhn_poker.rules import BET
from kuhn_poker.state import CARDS

JACK = CARDS.index("jack")


@compiled
def is_bluff(view, parts, action):
    """Whether the lowest card bets: it wins only if the other folds."""
    return action == BET and view.card[view.seat] == JACK


HABITS = (Habit("bluff", is_bluff, *texts("No bluff", "It is a bluff to bet with the jack.")),)
