"""Positions of Karuba in a few words, and playing on from them.

What is not said is filled in so that no card is missing: who has to lay nothing has nothing chosen, and the pile holds
the cards that are nowhere else.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.core.catalogue import find_game
from atoll.core.events import Event
from atoll.core.game import Position
from atoll.core.invariants import check_declared
from atoll.core.types import Components, Json
from atoll.games.karuba.state import CELLS, KarubaState, cell_at
from atoll.testing.playing import abridged

GAME = find_game("karuba")

CLAUDIA, TINA, LOUIS = range(3)
"""Players of the rulebook's examples."""

CARDS = range(1, 17)

LOUIS_ISLAND = """
14  2  3  1
16  8  . 15
10  6  5  9
 . 13 12 11
"""
"""An island that brings what Louis' island in the rulebook brings."""


def island(drawn: str, first: int | None = None) -> dict[str, int]:
    """An island as the record says it, from rows of cards, `.` for none; `first` (else the first) lies at 0,0."""
    rows = [line.split() for line in drawn.strip().splitlines()]
    places = {
        (column, row): int(card)
        for row, cards in enumerate(rows)
        for column, card in enumerate(cards)
        if card != "."
    }
    x, y = next(place for place, card in places.items() if first in (None, card))
    return {f"{column - x},{row - y}": card for (column, row), card in places.items()}


def board(drawn: str) -> NDArray[np.int8]:
    """An island as the rules see it, wherever it lies on the board."""
    cells = np.zeros(CELLS, dtype=np.int8)
    for row, line in enumerate(drawn.strip().splitlines()):
        for column, card in enumerate(line.split()):
            if card != ".":
                cells[cell_at(column - 1, row - 1)] = int(card)
    return cells


def player(
    *,
    hand: Sequence[int] = (),
    chosen: Sequence[int] = (),
    to_lay: Sequence[int] = (),
    discarded: Sequence[int] = (),
    island: Mapping[str, int] | None = None,
    pile: Sequence[int] | None = None,
) -> Json:
    """A player in the record's words."""
    lying = island or {}
    elsewhere = {*hand, *chosen, *to_lay, *discarded, *lying.values()}
    return {
        "hand": sorted(hand),
        "pile": [card for card in CARDS if card not in elsewhere] if pile is None else list(pile),
        "chosen": sorted(chosen),
        "to_lay": sorted(to_lay),
        "discarded": list(discarded),
        "island": dict(lying),
    }


def position(
    *players: Json,
    phase: str = "choose",
    round: int = 1,  # as the record says it
    to_act: Sequence[int] | None = None,
    components: Components | None = None,
) -> Position:
    """The position with these players, all of whom have to decide unless it is said who has."""
    words = {
        "round": round,
        "phase": phase,
        "to_act": list(range(len(players)) if to_act is None else to_act),
        "players": list(players),
    }
    made = abridged(GAME, words, components)
    check_declared(made.state, KarubaState, made.components.parts[0])
    return made


def laying(lying: Mapping[str, int], card: int) -> Position:
    """Claudia, with this island, has to lay one card; Tina lays 1 as her first."""
    return position(
        player(chosen=_pair(card, lying), to_lay=[card], discarded=[_other(card, lying)], island=lying),
        player(chosen=[1, 16], to_lay=[1], discarded=[16]),
        phase="lay",
    )


def _other(card: int, lying: Mapping[str, int]) -> int:
    return next(other for other in CARDS if other != card and other not in lying.values())


def _pair(card: int, lying: Mapping[str, int]) -> list[int]:
    return [card, _other(card, lying)]


def choose(where: Position, seat: int, *cards: int) -> list[Event]:
    """Choose two cards."""
    return play(where, seat, "choose", cards=list(cards))


def discard(where: Position, seat: int, card: int) -> list[Event]:
    """Discard a card."""
    return play(where, seat, "discard", card=card)


def lay(where: Position, seat: int, card: int, column: int, row: int) -> list[Event]:
    """Lay a card."""
    return play(where, seat, "lay", card=card, at=[column, row])


def play(where: Position, seat: int, do: str, **keys: Any) -> list[Event]:
    """Play a move; nothing may be lost by it."""
    events = where.play(seat, {"do": do, **keys})
    check_declared(where.state, KarubaState, where.components.parts[0])
    return events


def places(where: Position, seat: int, card: int) -> set[tuple[int, int]]:
    """Where a player may lay a card."""
    return {tuple(move["at"]) for move in where.legal_moves(seat) if move["card"] == card}


def of(where: Position, seat: int) -> Json:
    """A player in the record's words."""
    found: Json = where.to_json()["players"][seat]
    return found


def waiting(where: Position) -> list[int]:
    """Who has to decide."""
    return list(where.to_act)
