"""What holds in every position: nothing is lost or made, and no limit is broken."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.core.game import Components
from atoll.games.cast_away.state import (
    ACTING,
    ALWAYS,
    EVENT_ROWS,
    LOWEST_HEALTH,
    MAX_DESIGNS,
    MIRACLE_SLOT,
    NOBODY,
    NOT_IN_GAME,
    OVER,
    STOREYS,
    CastAwayState,
)


def check(state: CastAwayState, components: Components) -> None:
    """Raise AssertionError, naming it, if pieces were lost or made, or a limit is broken."""
    parts = components.parts[0]
    players = int(state.players)
    check_cards(state, parts)
    check_tiles(state, parts, players)
    check_meeples(state, parts, players)
    assert (state.resources >= 0).all(), "resources of a player"
    assert (state.lots >= 0).all(), "lots on the compass"
    assert (state.gifts >= 0).all(), "gifts on the candle"
    assert (state.stock >= 0).all(), "the stock"
    assert (state.stock <= parts.stock).all(), "the stock"
    assert (state.prestige >= 0).all(), "prestige"
    assert (state.experience[:players] <= parts.domain_top).all(), "experience"
    assert (state.happiness <= parts.happiness_top).all(), "happiness"
    assert (state.favour <= parts.steps).all(), "divine favour"
    markers = [seat for seat in state.markers.tolist() if seat != NOBODY]
    assert len(set(markers)) == len(markers), "compass markers"
    assert sorted(state.order[:players].tolist()) == list(range(players)), "the turn order"
    assert (state.to_act == 0) == (state.phase == OVER), "somebody has to decide until the end"
    assert (state.bonus == bonuses(state, parts)).all(), "sums of lasting effects"


def check_cards(state: CastAwayState, parts: Any) -> None:
    """The event cards and the fishing cards are all there, each once."""
    cards = set(parts.event_card[: parts.event_cards].tolist())
    pile = state.event_pile[: state.event_count].tolist()
    turned = np.flatnonzero(state.event_turned).tolist()
    assert len({*pile, *turned}) == len(pile) + len(turned), "event cards"
    assert {*pile, *turned} <= cards, "event cards"
    assert len(cards) - len(pile) - len(turned) == parts.events_boxed, "event cards in the box"
    held = state.held_event[: state.held_count].tolist()
    assert len(set(held)) == len(held), "event cards held"
    assert set(held) <= set(turned), "event cards held"
    fishing = state.fishing_pile[: state.fishing_count].tolist()
    assert sorted(fishing) == np.flatnonzero(state.fishing_left).tolist(), "fishing cards"
    assert set(fishing) <= set(parts.fishing_card[: parts.fishing_cards].tolist()), "fishing cards"
    boosts = state.boost_pile[: state.boost_count].tolist()
    assert sorted(boosts) == np.flatnonzero(state.boost_left).tolist(), "boosts"


def check_tiles(state: CastAwayState, parts: Any, players: int) -> None:
    """Every construction, miracle and mystery tile is in one place."""
    for seat in range(players):
        slots = state.slots[seat].tolist()
        count = int(state.slot_count[seat])
        assert count <= parts.slots, "slots"
        assert all(tile == NOBODY for tile in slots[count:]), "slots are filled in order"
        built = [tile for tile in slots[:count] if tile < MIRACLE_SLOT]
        assert sorted(built) == np.flatnonzero(state.tile_owner == seat).tolist(), "constructions"
    taken = [tile - MIRACLE_SLOT for tile in state.slots.ravel().tolist() if tile >= MIRACLE_SLOT]
    left = np.flatnonzero(state.miracle_left).tolist()
    assert sorted(taken + left) == np.flatnonzero(parts.miracle_there).tolist(), "miracles"
    assert ((state.tile_owner == NOT_IN_GAME) == (parts.tile_there == 0)).all(), "constructions"
    for storey in range(STOREYS):
        for design in range(MAX_DESIGNS):
            index = storey * MAX_DESIGNS + design
            copies = int(parts.copies[storey]) if design < parts.designs[storey] else 0
            tiles = int(state.mystery_left[index]) + int(state.mystery[:, index].sum())
            assert tiles == copies, "mystery tiles"


def check_meeples(state: CastAwayState, parts: Any, players: int) -> None:
    """No meeple is lost or made."""
    assert int(state.white_left) + int(state.white.sum()) == parts.white, "white meeples"
    assert (state.white == state.candle).all(), "as many white meeples as own ones above the candle"
    for seat in range(players):
        level = int(state.health[seat]) - LOWEST_HEALTH
        assert state.meeples[seat] == parts.meeples[level], "meeples by health"
        assert 0 <= state.candle[seat] <= state.meeples[seat], "meeples above the candle"
        placed = int((state.arrival_seat == seat).sum())
        left = int(state.left_own[seat]) + int(state.left_white[seat])
        assert state.left_own[seat] >= 0, "own meeples left"
        assert state.left_white[seat] >= 0, "white meeples left"
        if state.stage == ACTING:
            assert placed + left == state.meeples[seat], "meeples placed"
    assert int((state.arrival_place != NOBODY).sum()) == state.arrivals, "arrivals"


def bonuses(state: CastAwayState, parts: Any) -> NDArray[np.int16]:
    """The sums of lasting effects from the tiles and cards that players have, as `bonus` holds them."""
    sums = np.zeros_like(state.bonus)
    held = zip(state.held_by.tolist(), state.held_event.tolist(), strict=True)
    owners = [(seat, EVENT_ROWS + card) for seat, card in held if seat != NOBODY]
    owners += [(seat, tile) for tile, seat in enumerate(state.tile_owner.tolist()) if seat >= 0]
    for seat, owner in owners:
        first, count = int(parts.row_first[owner]), int(parts.row_count[owner])
        for when, word, _, amount in parts.rows[first : first + count].tolist():
            if when == ALWAYS:
                sums[seat, word] += amount
    return sums
