"""What learners are told of moves of Signs: their sum, and how far they are from the cards of others that are seen."""

# mypy: disable-error-code="no-untyped-def"

from atoll.core.compiling import compiled
from atoll.core.considering import Consideration
from signs.state import CARDS, HAND

CONSIDERED = (
    Consideration("sum", "both cards added up", 4.0),
    Consideration("seen", "the sum less what the view shows of all hands, added up", 8.0),
)


@compiled
def consider(view, parts, moves, count, found):
    seen = 0
    for seat in range(view.players):
        for i in range(HAND):
            seen += max(0, int(view.hand[seat, i]))
    for i in range(count):
        total = moves[i] // CARDS + moves[i] % CARDS
        found[i, 0] = total
        found[i, 1] = total - seen
