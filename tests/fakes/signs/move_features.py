"""What learners are told of moves of Signs: their sum, and how far they are from the cards of others that are seen."""

# mypy: disable-error-code="no-untyped-def"

from atoll.core.move_features import MoveFeature
from atoll.engine.compiling import compiled
from signs.state import CARDS, HAND

MOVE_FEATURES = (
    MoveFeature("sum", "both cards added up", 4.0),
    MoveFeature("seen", "the sum less what the view shows of all hands, added up", 8.0),
)


@compiled
def write_features(view, parts, moves, count, found):
    seen = 0
    for seat in range(view.players):
        for i in range(HAND):
            seen += max(0, int(view.hand[seat, i]))
    for i in range(count):
        total = moves[i] // CARDS + moves[i] % CARDS
        found[i, 0] = total
        found[i, 1] = total - seen
