"""Tastes of players of Karuba: each keeps to a plan in some decisions, and plays as ever otherwise."""

# mypy: disable-error-code="no-untyped-def"

from atoll.core.habits import Habit
from atoll.engine.compiling import compiled
from atoll.games.karuba.islands import edges
from atoll.games.karuba.moves import CHOOSE_CARDS, DISCARD_CARD, PAIRS, decode_lay
from atoll.games.karuba.state import CHOOSE, DISCARD, LAY, NEIGHBOURS, NO_CARD, NOWHERE
from atoll.text.translation import texts


@compiled
def is_hoarding(view, parts, action):
    """Whether treasure is chosen, and none discarded."""
    if view.phase == CHOOSE:
        pair = PAIRS[action - CHOOSE_CARDS]
        return parts.treasure_points[pair[0]] > 0 and parts.treasure_points[pair[1]] > 0
    if view.phase == DISCARD:
        return parts.treasure_points[action - DISCARD_CARD + 1] == 0
    return True


@compiled
def is_building(view, parts, action):
    """Whether a card is laid where its paths go on and none is shut."""
    if view.phase != LAY:
        return True
    card, cell = decode_lay(action)
    joins, shut = edges(view.island[view.seat], parts, card, cell)
    return joins != 0 and shut == 0


@compiled
def is_exploring(view, parts, action):
    """Whether a card is laid beside one card alone."""
    if view.phase != LAY:
        return True
    _, cell = decode_lay(action)
    beside = 0
    for edge in range(4):
        other = NEIGHBOURS[cell, edge]
        if other != NOWHERE and view.island[view.seat, other] != NO_CARD:
            beside += 1
    return beside <= 1


@compiled
def is_spoiling(view, parts, action):
    """Whether the sum of the two cards that are chosen is above that of two cards on average."""
    if view.phase != CHOOSE:
        return True
    pair = PAIRS[action - CHOOSE_CARDS]
    return pair[0] + pair[1] > parts.cards + 1


HABITS = (
    Habit(
        "hoarder",
        is_hoarding,
        *texts("Hoarder", "Chooses cards with crystals or nuggets, and discards cards without."),
        is_taste=True,
    ),
    Habit(
        "builder",
        is_building,
        *texts("Builder", "Lays cards where their paths go on and none of them ends at a card."),
        is_taste=True,
    ),
    Habit(
        "explorer",
        is_exploring,
        *texts("Explorer", "Lays cards beside one other card alone, so that the island spreads."),
        is_taste=True,
    ),
    Habit(
        "spoiler",
        is_spoiling,
        *texts("Spoiler", "Chooses cards whose sum is above the average, so that others have to discard."),
        is_taste=True,
    ),
)
