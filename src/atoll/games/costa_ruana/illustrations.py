"""What the page of rules draws: how many cards there are, and examples as the rules play them out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from atoll.core.events import Event
from atoll.core.game import Position, View
from atoll.core.types import Components, Json
from atoll.games.costa_ruana import events as ev
from atoll.games.costa_ruana import game
from atoll.games.costa_ruana import state as cr
from atoll.games.costa_ruana.moves import MOVES
from atoll.games.costa_ruana.prospects import Prospects
from atoll.games.costa_ruana.sheet import sheet
from atoll.games.costa_ruana.table import SHORES, islands
from atoll.text.errors import IllegalMove

COLLECTIONS = ((3, 1), (2, 2), (3, 3, 1), (3, 2, 2), (2, 2, 1, 1))
"""Natives of each seat on an island that is collected from."""

SHOWN_KINDS = ("move treasure", "return 1", "place 1", "move native")
"""The kinds of cards in the order in which they resolve, with the smallest of each."""


def illustrations(components: Components) -> dict[str, Any]:
    """The context of the page's templates that follows from the file alone."""
    context = sheet(components)
    kinds = list(context["copies"])
    return context | {
        "least": game.seats[0],
        "most": game.seats[-1],
        "numbers": {
            verb: [kind.removeprefix(f"{verb} ") for kind in kinds if kind.startswith(f"{verb} ")]
            for verb in ("place", "return")
        },
        "shown_kinds": [kind for kind in SHOWN_KINDS if kind in kinds],
    }


@dataclass
class RoundStep:
    """A step of the example of a round: its events, for the log, and the view after them."""

    key: str
    events: list[Event]
    view: View


@dataclass
class RoundExample:
    """The example of a round: the islands before and after the cards, what each step brought, the table's cards."""

    before: list[Json]
    collected: list[Json]
    steps: list[RoundStep]


def examples(components: Components, options: Mapping[str, bool]) -> dict[str, Any]:
    """The worked examples: islands that are `collected` from, and a `round`, None where these components forbid it."""
    return {"collected": list(collections(components, options)), "round": example_round(components, options)}


def isles(view: View) -> list[Json]:
    """The islands of a view as the table's drawings show them, by their numbers."""
    entries = islands(view, Prospects(view), [[[""] * count for count in row] for row in view.fields.natives])
    return [island | {"number": number} for number, island in enumerate(entries, start=1)]


def collections(components: Components, options: Mapping[str, bool]) -> Iterator[Json]:
    """Islands with natives of several seats, as many as these components allow, and who collects there (CR-17)."""
    figures = components.file.game
    position = game.start(4, 1, components, options)
    for number, natives in enumerate((*COLLECTIONS, (1,))):
        if sum(natives) > figures.island_capacity or max(natives) > figures.natives:
            continue
        settle(position, 0, natives, treasures=0 if natives == (1,) else 1)
        yield isles(position.opened())[0] | {"shore": number % SHORES, "number": number + 1}


def settle(position: Position, island: int, natives: Sequence[int], treasures: int) -> None:
    """Put these natives of the seats and so many treasures on an island."""
    state = position.state
    state.natives[island] = [*natives, *([0] * (cr.MAX_PLAYERS - len(natives)))]
    state.crowd[island] = sum(natives)
    state.treasures[island] = treasures


# The example of a round, with three players; the first is the Shaman

SETTLED = ((1, 0, 2), (0, 0, 0), (0, 0, 2), (2, 2, 0))
SCRIPT: dict[str, tuple[tuple[Any, ...], ...]] = {
    "face-up": (
        (0, "play card", "place 2/night", 0),
        (1, "play card", "return 1/day", 0),
        (2, "play card", "move treasure/low tide", 2),
    ),
    "face-down": (
        (0, "play card", "place 3/low tide", 0),
        (1, "play card", "move native/night", 1),
        (2, "play card", "place 1/day", 1),
    ),
    "natives": (
        (0, "keep native"),
        (1, "put native on card", 0),
        (2, "put native on card", 3),
    ),
    "condition": ((0, "turn condition", "time"),),
    "resolve": (
        (0, "place native", 0),
        (0, "place native", 0),
        (1, "place native", 1),
        (1, "place native", 2),
        (1, "take native", 0, 0),
        (1, "drop native", 2),
    ),
}
"""By step of the round: who makes a move, its kind, and its parts in the order of the declaration."""
EXAMPLE_PLAYERS = 3


def example_round(components: Components, options: Mapping[str, bool]) -> RoundExample | None:
    """The example of a round, played by the rules; None if it cannot be played with these components."""
    file = components.file
    by_seat = [sum(row[seat] for row in SETTLED) for seat in range(EXAMPLE_PLAYERS)]
    if (
        len(file.islands(EXAMPLE_PLAYERS)) < len(SETTLED)
        or max(map(sum, SETTLED)) > file.game.island_capacity
        or max(by_seat) >= file.game.natives
    ):
        return None
    position = game.start(EXAMPLE_PLAYERS, 1, components, options)
    state = position.state
    state.natives[:] = state.crowd[:] = 0
    for island, natives in enumerate(SETTLED):
        settle(position, island, natives, treasures=max(1, int(state.treasures[island])))
    state.hand[:EXAMPLE_PLAYERS] = cr.NOWHERE
    for seat, up, down in zip(range(EXAMPLE_PLAYERS), SCRIPT["face-up"], SCRIPT["face-down"], strict=True):
        cards = sorted(cr.CARDS.index(card) for _, _, card, _ in (up, down))
        state.supply[seat] = file.game.natives - by_seat[seat]
        state.hand_count[seat] = len(cards)
        state.hand[seat, : len(cards)] = cards
    state.shaman = state.turns = 0
    state.tide, state.time = cr.HIGH_TIDE, cr.DAY
    state.phase, state.to_act = cr.FACE_UP, 1
    return play_round(position)


def play_round(position: Position) -> RoundExample | None:
    """Play the script; the last move brings the collection and all that follows it."""
    before = outcome = isles(position.opened())
    steps: list[RoundStep] = []
    for key, moves in SCRIPT.items():
        events: list[Event] = []
        for seat, do, *parts in moves:
            move = MOVES.move(do, *parts)
            outcome = landing(position, move) or outcome
            try:
                events += position.play(seat, move)
            except IllegalMove:
                return None
        round_events = takewhile(lambda event: event.what != ev.ROUND_BEGUN, events)
        steps.append(RoundStep(key, list(round_events), position.opened()))
    return RoundExample(before, outcome, steps)


def landing(position: Position, move: Json) -> list[Json]:
    """The islands once a native in hand is put down, before they are collected from; none for another move."""
    after = position.copy()
    state, owner = after.state, int(position.state.taken_owner)
    if owner == cr.NOWHERE:
        return []
    state.natives[move["island"], owner] += 1
    state.crowd[move["island"]] += 1
    return isles(after.opened())
