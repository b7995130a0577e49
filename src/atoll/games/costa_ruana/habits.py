"""What players of Costa Ruana do by habit, and their tastes.

They bluff with the card that they lay face down (CR-10).

Of that card the others see nothing but in front of whom it lies, and may put a native on it (CR-11). What one lays in
front of oneself is expected to help, and what one lays in front of another to hurt. A taste keeps to a plan in some
decisions, and plays as ever otherwise.
"""

# mypy: disable-error-code="no-untyped-def"

from atoll.core.habits import Habit
from atoll.core.state import UNKNOWN
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


@compiled
def is_place_for_oneself(view, action):
    """Whether a card that places natives is laid in front of oneself."""
    card, front = mv.decode_play(action)
    return front == view.seat and cr.PLACE_1 <= kind_of(card) <= cr.PLACE_3


@compiled
def lays_cards(view):
    """Whether a card is laid now."""
    return view.phase == cr.FACE_UP or view.phase == cr.FACE_DOWN


@compiled
def natives_where_placed(view, action):
    """How many own natives are on the island on which an own one is put now; UNKNOWN if none is."""
    phase = view.phase
    is_own = phase == cr.DROP_NATIVE and view.taken_owner == view.seat
    if phase == cr.SETUP or phase == cr.PLACE or is_own:
        return int(view.natives[action - mv.FIRST_ISLAND[phase], view.seat])
    return UNKNOWN


@compiled
def is_hoarding(view, parts, action):
    """Whether natives are kept at home."""
    if view.phase == cr.NATIVE:
        return action == mv.KEEP_NATIVE
    return not lays_cards(view) or not is_place_for_oneself(view, action)


@compiled
def is_building(view, parts, action):
    """Whether natives are put where there are own ones."""
    if lays_cards(view):
        return is_place_for_oneself(view, action)
    return natives_where_placed(view, action) != 0


@compiled
def is_exploring(view, parts, action):
    """Whether natives are put where there are no own ones yet."""
    if lays_cards(view):
        return is_place_for_oneself(view, action)
    return natives_where_placed(view, action) <= 0


@compiled
def is_spoiling(view, parts, action):
    """Whether others are to take natives back, or their natives are moved."""
    if lays_cards(view):
        card, front = mv.decode_play(action)
        return front != view.seat and cr.RETURN_1 <= kind_of(card) <= cr.RETURN_3
    if view.phase == cr.TAKE_NATIVE:
        return mv.decode_take_native(action)[1] != view.seat
    return True


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
    Habit(
        "hoarder",
        is_hoarding,
        *texts(
            "Hoarder", "Keeps its natives at home: puts none on cards, and lays no Place in front of itself."
        ),
        is_taste=True,
    ),
    Habit(
        "builder",
        is_building,
        *texts("Builder", "Lays Place in front of itself, and puts natives where it has some."),
        is_taste=True,
    ),
    Habit(
        "explorer",
        is_exploring,
        *texts("Explorer", "Lays Place in front of itself, and puts natives where it has none yet."),
        is_taste=True,
    ),
    Habit(
        "spoiler",
        is_spoiling,
        *texts("Spoiler", "Lays Return in front of others, and moves the natives of others."),
        is_taste=True,
    ),
)
