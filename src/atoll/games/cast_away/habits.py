"""Tastes of players of Cast Away: each keeps to a plan in the action phase, and plays as ever otherwise."""

# mypy: disable-error-code="no-untyped-def"

from atoll.core.habits import Habit
from atoll.engine.compiling import compiled
from atoll.games.cast_away import effects
from atoll.games.cast_away import moves as mv
from atoll.games.cast_away import state as ca
from atoll.games.cast_away.moves import WHERE
from atoll.text.translation import texts

HOARD = 15
"""Resources that a hoarder wants to have lying about."""
MATERIALS = 8
"""Building resources that a builder wants to have."""


@compiled
def board_place(view, action):
    """The place of the board to which a meeple goes, or NOBODY."""
    return int(WHERE[action, 0]) if view.phase == ca.ACTION and action < mv.SOLVE else ca.NOBODY


@compiled
def held(view, kinds):
    """How many of the first kinds of resources the view's seat has."""
    total = 0
    for resource in range(kinds):
        total += int(view.resources[view.seat, resource])
    return total


@compiled
def is_hoarding(view, parts, action):
    """Whether resources are got, as long as there are few."""
    if view.phase != ca.ACTION:
        return True
    place = board_place(view, action)
    return held(view, len(ca.RESOURCES)) < HOARD and (
        0 <= place < ca.CONSTRUCTION_PLACE or ca.GATHERING_PLACE <= place <= ca.FISHING_PLACE
    )


@compiled
def is_building(view, parts, action):
    """Whether something is built, or got to build with where nothing can be."""
    if view.phase != ca.ACTION:
        return True
    seat = int(view.seat)
    if effects.may_build(view, parts, seat, effects.build_discounts(view, parts, seat)):
        return board_place(view, action) == ca.CONSTRUCTION_PLACE
    return 0 <= board_place(view, action) < ca.CONSTRUCTION_PLACE and held(view, ca.BUILDING) < MATERIALS


@compiled
def is_exploring(view, parts, action):
    """Whether something new is seen or learnt."""
    if view.phase != ca.ACTION:
        return True
    place = board_place(view, action)
    is_new = place == ca.STUDY_PLACE or place == ca.EVENT_PLACE
    return is_new or mv.SOLVE <= action < mv.ACTIVATE_WITH or mv.MEET_TRIBE <= action < mv.LEAVE_TRIBE


@compiled
def is_spoiling(view, parts, action):
    """Whether others are left without: the last room of a place, or a construction that one of them could pay for."""
    if view.phase != ca.ACTION:
        return True
    seat = int(view.seat)
    place = board_place(view, action)
    if place == ca.CONSTRUCTION_PLACE:
        tile = mv.decode_build(action)[0]
        for other in range(view.players):
            discounts = effects.free_discounts(view, other)
            if other != seat and effects.can_pay_for(view, parts, other, tile, discounts):
                return True
        return False
    if place >= 0:
        return view.place_count[place] + 1 == parts.places[place]
    return mv.ACTIVATE_WITH <= action < mv.MEET_TRIBE and mv.decode_activate(action)[1] != seat


HABITS = (
    Habit(
        "hoarder",
        is_hoarding,
        *texts("Hoarder", "Explores, gathers, draws water and fishes until it has 15 resources."),
        is_taste=True,
    ),
    Habit(
        "builder",
        is_building,
        *texts(
            "Builder", "Builds whenever it can, and else explores until it has 8 resources to build with."
        ),
        is_taste=True,
    ),
    Habit(
        "explorer",
        is_exploring,
        *texts(
            "Explorer", "Studies, solves the mystery, takes the event or meets the tribe wherever it can."
        ),
        is_taste=True,
    ),
    Habit(
        "spoiler",
        is_spoiling,
        *texts(
            "Spoiler",
            "Takes the last room of a place, a construction that another could pay for, or the use of another’s.",
        ),
        is_taste=True,
    ),
)
