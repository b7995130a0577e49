"""What the page of rules draws: effects of cards, tracks and slots, and examples as the rules play them out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from atoll.core.events import Event
from atoll.core.game import Position, View
from atoll.core.types import Components
from atoll.games.cast_away import events as ev
from atoll.games.cast_away import game
from atoll.games.cast_away import state as ca
from atoll.games.cast_away.outlook import outlook
from atoll.games.cast_away.sheet import sheet
from atoll.games.cast_away.state import PHASES
from atoll.games.cast_away.vocabulary import event_owner, rows_of

PLENTY = 9
"""Resources of each kind with which everybody comes to the first Feeding of the example."""

EXAMPLE_PLAYERS = 3
HEALTHY = 3
"""The level of those who eat in the example, if there is one above it."""


def illustrations(components: Components) -> dict[str, Any]:
    """The context of the page's templates that follows from the file alone."""
    file, parts = components.file, components.parts[0]
    uses = [(tile.id, int(parts.tile_use[tile.id - 1])) for tile in file.constructions]
    return sheet(components) | {
        "own_tiles": [tile for tile, use in uses if use == ca.ACTIVATED_OWN],
        "any_tiles": [tile for tile, use in uses if use == ca.ACTIVATED],
        "top_health": int(parts.health_top),
        "pyramids": list(pyramids(file.mystery)),
        "tie_cards": [
            card.id
            for card in file.events
            if any(row.word == ca.CALUMET for row in rows_of(components, event_owner(card.id)))
        ],
    }


def pyramids(mystery: Any) -> Iterator[tuple[int, int]]:
    """How many tiles somebody has with so many complete storeys from the lowest, and what they score (CA-40)."""
    tiles = prestige = 0
    for storey in mystery.storeys:
        tiles += storey.designs
        prestige += storey.designs * mystery.tile_prestige + storey.complete
        yield tiles, prestige


@dataclass
class Eater:
    """A player before and after the Feeding of the example."""

    seat: int
    health: int
    health_after: int
    meeples: int
    meeples_after: int
    prestige: int
    """what the Feeding brought"""
    resources: dict[str, int]
    fire: bool
    water_needed: int
    food_needed: int
    food: int
    """what the resources are worth"""
    meals: list[tuple[int, int]]
    """fish and fruit of each meal between which the player can choose"""


@dataclass
class Feeding:
    """The example of a Feeding: what each player has, and the lines of the log."""

    eaters: list[Eater]
    events: list[Event]
    view: View


def examples(components: Components, options: Mapping[str, bool]) -> dict[str, Any]:
    """The worked examples: a `feeding` of three players, None if nobody has to decide with these components."""
    return {"feeding": feeding(components, options)}


def feeding(components: Components, options: Mapping[str, bool]) -> Feeding | None:
    """One who can eat and has fire, one who has the same without fire, and one with nothing just above the lowest
    health (CA-31 to CA-33).
    """
    position = first_feeding(components, options)
    if position is None:
        return None
    order = position.state.order[:EXAMPLE_PLAYERS].tolist()
    if position.to_act != (order[0],):
        return None
    prepare(position, order)
    before = position.opened()
    meals = [int(move["choice"]) for move in position.legal_moves(order[0])]
    events, view = eat(position)
    eaters = [eater(before, view, seat, meals if seat == order[0] else []) for seat in order]
    return Feeding(eaters, events, view)


def first_feeding(components: Components, options: Mapping[str, bool]) -> Position | None:
    """The first Feeding of a game in which everybody takes the first move that there is."""
    position = game.start(EXAMPLE_PLAYERS, 1, components, options)
    position.state.resources[:EXAMPLE_PLAYERS] = PLENTY
    position.state.experience[:EXAMPLE_PLAYERS, ca.FIRE] = 1  # there is a choice between fish and fruit
    for _ in position.until_over():
        if phase(position) == "feeding":
            return position
        seat = position.to_act[0]
        position.play(seat, next(iter(position.legal_moves(seat))))
    return None


def phase(position: Position) -> str:
    """What is being decided."""
    return PHASES[int(position.state.phase)]


def prepare(position: Position, order: Sequence[int]) -> None:
    """Give the three their health and goods."""
    state, parts = position.state, position.components.parts[0]
    top = int(parts.health_top)
    levels = [min(HEALTHY, top - 1), min(HEALTHY, top), ca.LOWEST_HEALTH + 1]
    for number, (seat, level) in enumerate(zip(order, levels, strict=True)):
        food = int(parts.food_need[level - ca.LOWEST_HEALTH])
        state.health[seat] = level
        state.meeples[seat] = parts.meeples[level - ca.LOWEST_HEALTH]
        state.experience[seat, ca.FIRE] = 1 if number == 0 else 0
        state.rests[seat] = 0
        state.prestige[seat] = parts.ransom
        state.resources[seat] = 0
        if number < 2:
            state.resources[seat, ca.WATER] = parts.water_need[level - ca.LOWEST_HEALTH]
            state.resources[seat, ca.FRUIT] = food if number == 0 else max(0, food - 1)
            state.resources[seat, ca.FISH] = min(-(-food // int(parts.fish_food)), int(parts.fish_kept))
    state.candle[:] = 0


def eater(view: View, after: View, seat: int, meals: Sequence[int]) -> Eater:
    """A player as they come to the Feeding, with the fish of each meal, and leave it."""
    fields, later, look = view.fields, after.fields, outlook(view, seat)
    counts = zip(ca.RESOURCES, fields.resources[seat], strict=True)
    return Eater(
        seat=seat,
        health=fields.health[seat],
        health_after=later.health[seat],
        meeples=fields.meeples[seat],
        meeples_after=later.meeples[seat],
        prestige=later.prestige[seat] - fields.prestige[seat],
        resources={name: count for name, count in counts if count},
        fire=fields.experience[seat][ca.FIRE] > 0,
        water_needed=look.water_needed[seat],
        food_needed=look.food_needed[seat],
        food=look.food[seat],
        meals=[(fish, look.fruit_beside[fish]) for fish in meals],
    )


def eat(position: Position) -> tuple[list[Event], View]:
    """Carry the Feeding out: as many fish as can be, and prestige rather than health. What happened until fish rot or
    the round ends, and the position after it.
    """
    events: list[Event] = []
    after = position.opened()
    until = (ev.FISH_LOST, ev.MAJORITY, ev.ROUND_BEGUN, ev.EVENT_DISCARDED, ev.GAME_OVER)
    while not position.is_over and phase(position) in ("feeding", "health"):
        seat = position.to_act[0]
        move = list(position.legal_moves(seat))[-1]
        for event in position.play(seat, move):
            if event.what in until:
                return events, position.opened()
            events.append(event)
        after = position.opened()
    return events, after
