"""What the page of rules draws: the cards, and examples as the rules play them out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from atoll.core.types import Components
from atoll.games.karuba import game
from atoll.games.karuba.cards import numbered_cards
from atoll.games.karuba.state import CELLS, CHOSEN_CARDS, MIDDLE, NEIGHBOURS, NO_CARD, cell_at
from atoll.games.karuba.table import Adventurer, Island, Route, build_island, routes

SCORED = (
    (13, 15, 0, 0),
    (8, 3, 1, 16),
    (4, 14, 2, 10),
    (9, 0, 11, 12),
)
"""An island at the end, row by row; 0 where no card lies."""

BEGUN = (
    (8, 0),
    (4, 3),
    (0, 6),
)
"""An island that can still grow."""

EXAMPLE_PLAYERS = 3
SEEDS = 40
"""So many first rounds are looked at for one in which two players share the lowest sum."""


def illustrations(components: Components) -> dict[str, Any]:
    """The context of the page's templates that follows from the file alone."""
    numbers, cards = components.file.game, numbered_cards(components)
    exits = [len(card.exits) for card in cards.values() if not (card.adventurer or card.temple)]
    return {
        "cards": cards,
        "low_paths_lead_on": exits == sorted(exits, reverse=True) and len(set(exits)) > 1,
        "last_hand": min(numbers.hand, len(cards) - CHOSEN_CARDS * (numbers.rounds - 1)),
        "left_over": len(cards) - CHOSEN_CARDS * numbers.rounds,
        "chosen_cards": CHOSEN_CARDS,
    }


@dataclass
class IslandExample:
    """An island with how its adventurers fare, and what it is worth."""

    island: Island
    fates: list[Adventurer]
    routes: list[Route]
    points: int


@dataclass
class Sum:
    """What a player shows in a round: the cards, their sum, and whether one of them has to go."""

    cards: list[int]
    total: int
    discards: bool


def examples(components: Components, options: Mapping[str, bool]) -> dict[str, Any]:
    """The worked examples: `sums` of a round, an island that is `begun`, and one that is `scored`."""
    return {
        "sums": sums(components, options),
        "begun": island_example(components, options, BEGUN),
        "scored": island_example(components, options, SCORED),
    }


def sums(components: Components, options: Mapping[str, bool]) -> list[Sum]:
    """What players show in a first round: one in which not all discard, and several if there is such a one."""

    def discards(choices: list[Sum]) -> int:
        count = sum(one.discards for one in choices)
        return count if count < EXAMPLE_PLAYERS else 0

    return max((first_round(components, options, seed) for seed in range(SEEDS)), key=discards)


def first_round(components: Components, options: Mapping[str, bool], seed: int) -> list[Sum]:
    """What players show in a round in which all choose the first cards they can."""
    position = game.start(EXAMPLE_PLAYERS, seed, components, options)
    for seat in position.to_act:
        position.play(seat, next(iter(position.legal_moves(seat))))
    choices = position.state.chosen[:EXAMPLE_PLAYERS].tolist()
    return [Sum(cards, sum(cards), seat in position.to_act) for seat, cards in enumerate(choices)]


def island_example(
    components: Components, options: Mapping[str, bool], rows: tuple[tuple[int, ...], ...]
) -> IslandExample:
    """An island of these cards, as far as the components have them and the frame has room for them, at the end."""
    variant = game.under(components, options)
    parts = variant.parts[0]
    island = build_island(variant, bytes(cells_of(rows, int(parts.cards), int(parts.frame))))
    fates = island.adventurers
    ways = routes(island, fates, numbered_cards(components))
    return IslandExample(island, fates, ways, sum(fate.points for fate in fates))


def cells_of(rows: tuple[tuple[int, ...], ...], cards: int, frame: int) -> list[int]:
    """The cells of an island, one after another: what of `rows` is within the frame and hangs together."""
    cells = [NO_CARD] * CELLS
    by_cell = {
        cell_at(column, row): card
        for row, line in enumerate(rows[:frame])
        for column, card in enumerate(line[:frame])
        if 0 < card <= cards
    }
    queue = [MIDDLE if MIDDLE in by_cell else min(by_cell, default=MIDDLE)]
    for cell in queue:
        if cell in by_cell:
            cells[cell] = by_cell.pop(cell)
            queue += [int(other) for other in NEIGHBOURS[cell] if other in by_cell]
    return cells
