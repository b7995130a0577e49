"""What the table's templates need beyond the view: where each piece stands, what just moved, who would collect.

Everything here is a pure function of a view and of the events since the start, both as one player
sees them, so nothing hidden can come through.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from atoll.core.events import Event
from atoll.core.position import View
from atoll.core.seen import Seen
from atoll.games.costa_ruana.collecting import Collection, collections
from atoll.games.costa_ruana.state import (
    CARD_APPLIED,
    CARD_BEGUN,
    CARD_DONE,
    CARD_PLACE,
    CARD_PLAYED,
    CARD_REVEALED,
    COLLECTED,
    CONDITION_TURNED,
    CONDITIONS,
    HELD_PLACE,
    HUT_PLACE,
    ISLAND_PLACE,
    NATIVE_MOVED,
    NO_PLACE,
    ROUND_BEGUN,
    SUPPLY_PLACE,
    TREASURE_MOVED,
)

TREASURE = -1
"""Stands for the owner of a treasure where a native would have a seat."""

SHORES = 6
"""How many shapes of islands are drawn."""

NATIVE_WIDTH, NATIVE_STEP, GROUP_GAP = 36, 23, 11
ROOM_ON_ISLAND = 196
"""Measures of natives at full size and of the sand they stand on, in the board's units (1/928 of its width)."""

CROWDS = (1.0, 0.88, 0.77, 0.67, 0.58, 0.5)
"""Sizes of natives, the roomiest first: `crowd` is an index into it and a class in table.css."""


# Pieces

Place = int
"""A place as the events number it."""


@dataclass
class Pieces:
    """Ids of all natives and treasures by where they stand; a piece keeps its id for the whole game."""

    islands: list[list[list[str]]]
    """[island][seat]: natives"""
    gems: list[list[str]]
    """[island]: treasures"""
    supplies: list[list[str]]
    """[seat]: natives"""
    cards: list[list[list[str]]]
    """[index on the table][seat]: natives"""
    arrived: list[list[str]]
    """[seat]: treasures that the last move brought behind the hut; older ones are nobody's business"""
    held: str | None = None
    """the piece taken up and not yet put down"""
    held_owner: int | None = None
    """its seat, if it is a native"""


@dataclass
class Scene:
    """What is to be seen on the table besides the pieces."""

    islands: list[dict[str, Any]] = field(default_factory=list)
    """`shore`: shape; `groups`: natives by seat as `{seat, ids, count, state: collects|argues|stands}`; `crowd`"""
    cards: list[dict[str, Any]] = field(default_factory=list)
    """`id`, `source`: id of the element it came from; `state: hidden|live|inactive|resolved`, `revealed`, `current`;
    `applies_to`: seats in order, `applies_to_with_mine`: were an own native put on it"""
    fronts: list[list[int]] = field(default_factory=list)
    """[seat]: indices of the table's cards that lie in front of the player"""
    hand: list[dict[str, Any]] = field(default_factory=list)
    """own hand: `card`, `id`, and whether it `goes` first of its equals when they are played"""
    applying_to: int | None = None
    """seat that the current card is being applied to"""
    turned: str | None = None
    """condition card turned by the last move"""
    collected: list[int] = field(default_factory=list)
    """islands on which the last move collected a treasure"""


def counts(view: View) -> Counter[tuple[Place, int]]:
    """How many pieces of each owner (TREASURE: treasures) stand at each place of a view."""
    found: Counter[tuple[Place, int]] = Counter()
    for i, island in enumerate(view["islands"]):
        found[ISLAND_PLACE + i, TREASURE] = island["treasures"]
        for seat, count in enumerate(island["natives"]):
            found[ISLAND_PLACE + i, seat] = count
    for seat, player in enumerate(view["players"]):
        found[SUPPLY_PLACE + seat, seat] = player["supply"]
    for k, entry in enumerate(view["table"]):
        for seat in entry["natives"]:
            found[CARD_PLACE + k, seat] += 1
    return found


def moves_of_pieces(history: Iterable[Sequence[Event]]) -> list[tuple[int, Event, int]]:
    """Every step of a native or a treasure: (number of the move it belongs to, event, owner or TREASURE)."""
    return [
        (number, event, event.piece if event.what == NATIVE_MOVED else TREASURE)
        for number, events in enumerate(history)
        for event in events
        if event.what in (NATIVE_MOVED, TREASURE_MOVED)
    ]


def place_pieces(view: View, history: Sequence[Sequence[Event]]) -> tuple[Pieces, dict[str, int]]:
    """Where each piece stands, and the order in which the last move's pieces moved.

    Where the pieces stood at the start follows from where they stand now and from every step between; ids are given
    out there. A piece that leaves a place is the one that came there last.
    """
    steps = moves_of_pieces(history)
    start = counts(view)
    for _, event, owner in steps:
        if event.target != HELD_PLACE:
            start[event.target, owner] -= 1
        if event.origin not in (HELD_PLACE, NO_PLACE):
            start[event.origin, owner] += 1

    standing: defaultdict[tuple[Place, int], list[str]] = defaultdict(list)
    given: Counter[int] = Counter()
    for (place, owner), count in sorted(start.items()):
        for _ in range(count):
            name = "g" if owner == TREASURE else f"n-{owner}"
            standing[place, owner].append(f"{name}-{given[owner]}")
            given[owner] += 1

    moved: dict[str, int] = {}
    arrived: defaultdict[int, list[str]] = defaultdict(list)
    for number, event, owner in steps:
        if not standing[event.origin, owner]:
            continue
        piece = standing[event.origin, owner].pop()
        standing[event.target, owner].append(piece)
        if number == len(history) - 1:
            moved.setdefault(piece, len(moved))
            if owner == TREASURE and event.target >= HUT_PLACE and event.target != HELD_PLACE:
                arrived[event.target - HUT_PLACE].append(piece)

    seats = range(len(view["players"]))
    places = range(len(view["islands"]))
    held = [(ids[-1], owner) for (place, owner), ids in standing.items() if place == HELD_PLACE and ids]
    pieces = Pieces(
        islands=[[standing[ISLAND_PLACE + i, seat] for seat in seats] for i in places],
        gems=[standing[ISLAND_PLACE + i, TREASURE] for i in places],
        supplies=[standing[SUPPLY_PLACE + seat, seat] for seat in seats],
        cards=[[standing[CARD_PLACE + k, seat] for seat in seats] for k in range(len(view["table"]))],
        arrived=[arrived[seat] for seat in seats],
        held=held[0][0] if held else None,
        held_owner=held[0][1] if held and held[0][1] != TREASURE else None,
    )
    return pieces, moved


# The scene


def groups(natives: Sequence[int], ids: Sequence[Sequence[str]], result: Collection) -> list[dict[str, Any]]:
    """The natives of an island by seat, and what they would do if it were collected now."""
    return [
        {
            "seat": seat,
            "ids": ids[seat],
            "count": count,
            "state": result.state(seat),
        }
        for seat, count in enumerate(natives)
        if count
    ]


def crowd(natives: Sequence[int]) -> int:
    """How small an island's natives must be drawn: an index into CROWDS."""
    present = [count for count in natives if count]
    width = sum(NATIVE_WIDTH + NATIVE_STEP * (count - 1) + GROUP_GAP for count in present) - GROUP_GAP
    fitting = (k for k, size in enumerate(CROWDS) if width * size <= ROOM_ON_ISLAND)
    return next(fitting, len(CROWDS) - 1)


def card_element(card: str, copy: int) -> str:
    """The id of a card in one's own hand; equal cards are numbered."""
    return f"hand-{card.replace('/', '-').replace(' ', '-')}-{copy}"


def hand(view: View, seat: int | None) -> list[dict[str, Any]]:
    """The cards of one's own hand with their ids; none for a spectator. Of equal cards the last one goes first."""
    if seat is None:
        return []
    cards: list[str] = view["players"][seat]["hand"]
    return [
        {"card": card, "id": card_element(card, cards[:k].count(card)), "goes": card not in cards[k + 1 :]}
        for k, card in enumerate(cards)
    ]


def source(view: View, seat: int | None, entry: Mapping[str, Any]) -> str:
    """The id of the element that a card on the table was before it was played."""
    if seat is not None and entry["played_by"] == seat and entry["card"] is not None:
        return card_element(entry["card"], view["players"][seat]["hand"].count(entry["card"]))
    return f"hand-of-{entry['played_by']}"


def card_state(view: View, entry: Mapping[str, Any]) -> str:
    """Whether a card on the table is hidden, live, inactive (CR-2) or resolved."""
    if entry["resolved"]:
        shown = {f"{view['tide']} tide", view["time"]}
        return "resolved" if entry["card"].partition("/")[2] in shown else "inactive"
    return "hidden" if entry["face"] == "down" else "live"


def applications(view: View, k: int, seat: int | None = None) -> list[int]:
    """To whom card k would be applied, in this order (CR-15), were a native of `seat` put on it as well."""
    entry = view["table"][k]
    count = len(view["players"])
    front = entry["in_front_of"]
    natives = entry["natives"] if seat is None else [*entry["natives"], seat]
    return [front, *sorted(natives, key=lambda owner: (owner - front) % count)]


def this_round(history: Sequence[Sequence[Event]]) -> list[Event]:
    """The events since the round began."""
    events = [event for move in history for event in move]
    begun = [k for k, event in enumerate(events) if event.what == ROUND_BEGUN]
    return events[begun[-1] + 1 :] if begun else events


def current_card(history: Sequence[Sequence[Event]]) -> tuple[int | None, int | None]:
    """The index of the card that is being resolved, and the seat it is being applied to."""
    card = applied = None
    for event in this_round(history):
        if event.what == CARD_BEGUN:
            card, applied = event.origin - CARD_PLACE, None
        elif event.what == CARD_APPLIED:
            applied = event.whose
        elif event.what == CARD_DONE:
            card = applied = None
    return card, applied


def table(seen: Seen) -> dict[str, Any]:
    """The context of the table's templates: `pieces`, `moved` and `scene`."""
    view, seat, history = seen.view, seen.view.viewer, seen.heard
    pieces, moved = place_pieces(view, history)
    latest = history[-1] if history else ()
    resolving, applying_to = current_card(history)
    revealed = {event.origin - CARD_PLACE for event in latest if event.what == CARD_REVEALED}
    turned = [CONDITIONS[event.piece] for event in latest if event.what == CONDITION_TURNED]
    for event in latest:
        if event.what == CARD_PLAYED:
            moved.setdefault(f"card-{view['round']}-{event.target - CARD_PLACE}", len(moved))

    scene = Scene(
        islands=[
            {
                "shore": i % SHORES,
                "groups": groups(island["natives"], pieces.islands[i], result),
                "crowd": crowd(island["natives"]),
            }
            for i, (island, result) in enumerate(zip(view["islands"], collections(view), strict=True))
        ],
        cards=[
            {
                "id": f"card-{view['round']}-{k}",
                "source": source(view, seat, entry),
                "state": card_state(view, entry),
                "revealed": k in revealed,
                "current": k == resolving,
                "applies_to": applications(view, k),
                "applies_to_with_mine": applications(view, k, seat),
            }
            for k, entry in enumerate(view["table"])
        ],
        fronts=[
            [k for k, entry in enumerate(view["table"]) if entry["in_front_of"] == front]
            for front in range(len(view["players"]))
        ],
        hand=hand(view, seat),
        applying_to=applying_to,
        turned=turned[0] if turned else None,
        collected=[event.origin - ISLAND_PLACE for event in latest if event.what == COLLECTED],
    )
    return {"pieces": pieces, "moved": moved, "scene": scene}
