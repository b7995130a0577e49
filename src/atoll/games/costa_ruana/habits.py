"""What players of Costa Ruana do by habit: they bluff with the card that they lay face down (CR-10).

Of that card the others see nothing but in front of whom it lies, and may put a native on it (CR-11). What one lays in
front of oneself is expected to help, and what one lays in front of another to hurt.
"""

# mypy: disable-error-code="no-untyped-def"

from atoll.core.habits import Habit
from atoll.engine.compiling import compiled
from atoll.games.costa_ruana import moves as mv
from atoll.games.costa_ruana import state as cr
from atoll.games.costa_ruana.pieces import kind_of
from atoll.text.translation import texts


@compiled
def is_bluff(view, parts, action):
    """Whether a card is laid face down that is not what it seems: one that takes natives back in front of oneself, or
    any other in front of another player.
    """
    if view.phase != cr.FACE_DOWN:
        return False
    card, front = mv.decode_play(action)
    hurts = cr.RETURN_1 <= kind_of(card) <= cr.RETURN_3
    return hurts == (front == view.seat)


HABITS = (
    Habit(
        "bluff",
        is_bluff,
        *texts(
            "No bluff",
            "A bluff is a face-down card that is not what it seems: Return in front of oneself, or any other in "
            "front of another player.",
        ),
    ),
)
