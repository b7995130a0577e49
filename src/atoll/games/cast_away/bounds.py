"""How far effects reach: what may cause what, and the declared bounds of a game's length and points.

An effect may carry out an action, and an action may cause further effects. A Prayer causes a favour's, a Fishing a
card's. A Construction or a miracle causes those of a tile and of a slot, but covers the slot, so only a few times.
"""

from collections.abc import Callable
from functools import cache
from graphlib import CycleError, TopologicalSorter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.core.types import Components
from atoll.games.cast_away import state as ca
from atoll.games.cast_away.parts import EffectRow, rows_of

CAUSED: dict[int, range] = {
    ca.PRAY: range(ca.STEP_ROWS, ca.STEP_ROWS + ca.MAX_STEPS),
    ca.FISH_ACTION: range(ca.FISHING_ROWS, ca.FISHING_ROWS + ca.MAX_FISHING_CARDS),
}
"""The owners of effects of which an action causes one, and which it may cause over and over."""
QUESTIONS = {ca.EXPLORE: 2, ca.PRAY: 1, ca.FISH_ACTION: 1}
"""The questions of an action itself; those of a Construction are counted with the slot that it covers."""


def _effects(parts: Any, owner: int) -> list[EffectRow]:
    """An owner's effects that happen, at once or by activation."""
    return [row for row in rows_of(parts, owner) if row.when % ca.OTHERWISE in (ca.AT_ONCE, ca.ACTIVATED)]


def endless_effects(parts: Any) -> list[int] | None:
    """Owners of effects each of which may cause the next one, and the last one the first again; None if none may."""
    causes = {
        owner: {
            effect
            for _, word, action, _ in _effects(parts, owner)
            if word == ca.CARRY_OUT
            for effect in CAUSED.get(action, ())
        }
        for owner in range(ca.ROW_OWNERS)
    }
    try:
        TopologicalSorter(causes).prepare()
    except CycleError as error:
        return list(reversed(error.args[1][1:]))
    return None


def most_lasting(parts: Any) -> NDArray[np.int64]:
    """The most that a player can have of each word of what holds always, shape (BONUSES,): by every event card, and by
    as many tiles as there are slots.
    """
    amounts = np.zeros((ca.EVENT_ROWS + ca.MAX_EVENT_CARDS, ca.MAX_LASTING), dtype=np.int64)
    for owner in range(len(amounts)):
        for when, word, _, amount in rows_of(parts, owner):
            if when == ca.ALWAYS:
                amounts[owner, word] += amount
    tiles, events = np.sort(amounts[: ca.EVENT_ROWS], axis=0), amounts[ca.EVENT_ROWS :]
    most: NDArray[np.int64] = tiles[-int(parts.slots) :].sum(axis=0) + events.sum(axis=0)
    return most


def _most_choices(parts: Any) -> Callable[[int], int]:
    """The most decisions that the effects of an owner ask for, with those of all that they may cause."""

    @cache
    def of_owner(owner: int) -> int:
        return sum(
            of_action(target) if word == ca.CARRY_OUT else amount if word >= ca.QUESTION else 0
            for _, word, target, amount in _effects(parts, owner)
        )

    def of_action(action: int) -> int:
        return QUESTIONS.get(action, 0) + max(map(of_owner, CAUSED.get(action, ())), default=0)

    return of_owner


def max_decisions(components: Components, players: int) -> int:
    """Declared bound of a game's length, in decisions.

    In a round everybody places each meeple, with the choices of what it causes, and the marker, may be asked for it
    after the last meeple, may meet the tribe and leave it with each meeple, takes a lot and singles, is asked for the
    first choice, and feeds or goes down. Once a slot is covered there were a tile to choose, its discounts, and the
    choices of the tile and of the slot.
    """
    parts = components.parts[0]
    choices = _most_choices(parts)
    rounds = int(parts.event_cards) - int(parts.events_boxed)
    meeples = players * int(parts.meeples.max())
    a_meeple = 3 + max(map(choices, range(ca.ROW_OWNERS)))
    a_player = 4 + int(parts.free_compass) + int(most_lasting(parts)[ca.SINGLES])
    a_slot = (
        1
        + int(parts.tile_cost.sum(axis=1).max())
        + max(map(choices, range(ca.TILE_ROWS, ca.TILE_ROWS + ca.MAX_TILES)))
        + max(map(choices, range(ca.SLOT_ROWS, ca.ROW_OWNERS)))
    )
    boosts = 1 + ca.BOOSTS_EACH * max(map(choices, range(ca.BOOST_ROWS, ca.STEP_ROWS)))
    a_round = meeples * (a_meeple + 2) + players * (1 + a_player)
    return players * (boosts + int(parts.slots) * a_slot) + rounds * a_round


def points_range(components: Components, players: int) -> tuple[int, int]:
    """Declared bounds of a seat's points: nothing at all, or the most that the state can hold."""
    return 0, int(np.iinfo(np.int32).max)
