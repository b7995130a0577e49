"""What the table's templates are drawn from: where each piece stands, what just moved, what the cards would do.

Everything here is a pure function of a view and of the events since the start, both as one player
sees them, so nothing hidden can come through.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from atoll.core.events import Event
from atoll.core.position import View, seats_in
from atoll.core.seen import Seen
from atoll.core.state import UNKNOWN
from atoll.games.costa_ruana import events as ev
from atoll.games.costa_ruana import state as cr
from atoll.games.costa_ruana.notation import treasures_shown
from atoll.games.costa_ruana.prospects import Collection, Prospects, prospects
from atoll.games.costa_ruana.vocabulary import hand_of

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

    phase: str
    shaman: int
    """seat of the Shaman"""
    islands: list[dict[str, Any]]
    """`treasures`; `shore`: shape; `groups`: natives by seat as `{seat, ids, count, state: collects|argues|stands}`;
    `crowd`"""
    conditions: list[dict[str, str]]
    """of each condition card its `key`, the visible `face`, and the `back`"""
    cards: list[dict[str, Any]]
    """`card`, None if it is not known; `player`: who played it; `front`: in front of whom; `down`: whether it lies face
    down; `natives`: their owners; `id`, `source`: id of the element it came from;
    `state: hidden|live|inactive|resolved`, `revealed`, `current`"""
    applied_with_mine: list[list[int]]
    """by card: to whom it would be applied, in order, were an own native put on it"""
    players: list[dict[str, Any]]
    """by seat: natives in the `supply`, `cards` in the hand, `treasures` or None, and in `front` of them the indices of
    the table's cards"""
    hand: list[dict[str, Any]]
    """own hand: `card`, `id`, and whether it `goes` first of its equals when they are played"""
    applying_to: int | None = None
    """seat that the current card is being applied to"""
    turned: str | None = None
    """condition card turned by the last move"""
    collected: list[int] = field(default_factory=list)
    """islands on which the last move collected a treasure"""


def counts(view: View) -> Counter[tuple[Place, int]]:
    """How many pieces of each owner (TREASURE: treasures) stand at each place of a view."""
    state, seats = view.fields, range(view.players)
    found: Counter[tuple[Place, int]] = Counter()
    for i in range(state.islands):
        found[ev.ISLAND_PLACE + i, TREASURE] = state.treasures[i]
        found.update({(ev.ISLAND_PLACE + i, seat): state.natives[i][seat] for seat in seats})
    found.update({(ev.SUPPLY_PLACE + seat, seat): state.supply[seat] for seat in seats})
    for k in range(state.table_count):
        found.update({(ev.CARD_PLACE + k, seat): state.table_natives[k] >> seat & 1 for seat in seats})
    return found


def moves_of_pieces(history: Iterable[Sequence[Event]]) -> list[tuple[int, Event, int]]:
    """Every step of a native or a treasure: (number of the move it belongs to, event, owner or TREASURE)."""
    return [
        (number, event, event.piece if event.what == ev.NATIVE_MOVED else TREASURE)
        for number, events in enumerate(history)
        for event in events
        if event.what in (ev.NATIVE_MOVED, ev.TREASURE_MOVED)
    ]


def place_pieces(view: View, history: Sequence[Sequence[Event]]) -> tuple[Pieces, dict[str, int]]:
    """Where each piece stands, and the order in which the last move's pieces moved.

    Where the pieces stood at the start follows from where they stand now and from every step between; ids are given
    out there. A piece that leaves a place is the one that came there last.
    """
    steps = moves_of_pieces(history)
    start = counts(view)
    for _, event, owner in steps:
        start[event.target, owner] -= event.target != ev.HELD_PLACE
        start[event.origin, owner] += event.origin != ev.HELD_PLACE

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
            if owner == TREASURE and event.target >= ev.HUT_PLACE and event.target != ev.HELD_PLACE:
                arrived[event.target - ev.HUT_PLACE].append(piece)

    held = [(ids[-1], owner) for (place, owner), ids in standing.items() if place == ev.HELD_PLACE and ids]
    state, seats = view.fields, range(view.players)
    pieces = Pieces(
        islands=[[standing[ev.ISLAND_PLACE + i, seat] for seat in seats] for i in range(state.islands)],
        gems=[standing[ev.ISLAND_PLACE + i, TREASURE] for i in range(state.islands)],
        supplies=[standing[ev.SUPPLY_PLACE + seat, seat] for seat in seats],
        cards=[[standing[ev.CARD_PLACE + k, seat] for seat in seats] for k in range(state.table_count)],
        arrived=[arrived[seat] for seat in seats],
        held=held[0][0] if held else None,
        held_owner=held[0][1] if held and held[0][1] != TREASURE else None,
    )
    return pieces, moved


# The scene


def groups(natives: Sequence[int], ids: Sequence[Sequence[str]], result: Collection) -> list[dict[str, Any]]:
    """The natives of an island by seat, and what they would do if it were collected now."""
    return [
        {"seat": seat, "ids": ids[seat], "count": count, "state": result.state(seat)}
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


def hand(cards: Sequence[str]) -> list[dict[str, Any]]:
    """The cards of one's own hand with their ids. Of equal cards the last one goes first."""
    return [
        {"card": card, "id": card_element(card, cards[:k].count(card)), "goes": card not in cards[k + 1 :]}
        for k, card in enumerate(cards)
    ]


def cards_on_table(view: View, seen: Prospects, latest: Sequence[Event]) -> list[dict[str, Any]]:
    """The cards on the table, as `Scene.cards` tells."""
    state, seat, hand_left = view.fields, view.viewer, hand_of(view)
    revealed = {event.origin - ev.CARD_PLACE for event in latest if event.what == ev.CARD_REVEALED}
    found = []
    for k in range(state.table_count):
        card = None if state.table_card[k] == UNKNOWN else cr.CARDS[state.table_card[k]]
        player, down = state.table_player[k], not state.table_up[k]
        done = "resolved" if seen.is_active[k] else "inactive"
        found.append(
            {
                "card": card,
                "player": player,
                "front": state.table_front[k],
                "down": down,
                "natives": seats_in(state.table_natives[k]),
                "id": card_id(state.round_number, k),
                "source": card_element(card, hand_left.count(card))
                if player == seat and card
                else f"hand-of-{player}",
                "state": done if state.table_resolved[k] else "hidden" if down else "live",
                "revealed": k in revealed,
                "current": k == state.card,
            }
        )
    return found


def card_id(round_number: int, k: int) -> str:
    """The id of a card on the table."""
    return f"card-{round_number}-{k}"


def table(seen: Seen) -> dict[str, Any]:
    """The context of the table's templates: `pieces`, `moved` and `scene`."""
    view, state, latest = seen.view, seen.view.fields, seen.latest
    pieces, moved = place_pieces(view, seen.heard)
    for event in latest:
        if event.what in (ev.CARD_PLAYED, ev.CARD_HIDDEN):
            moved.setdefault(card_id(state.round_number, event.target - ev.CARD_PLACE), len(moved))
    foreseen = prospects(view)
    cards = cards_on_table(view, foreseen, latest)
    faces = ((cr.TIDE, state.tide, cr.HIGH_TIDE + cr.LOW_TIDE), (cr.TIME, state.time, cr.DAY + cr.NIGHT))
    turned = [cr.CONDITIONS[event.piece] for event in latest if event.what == ev.CONDITION_TURNED]
    scene = Scene(
        phase=cr.PHASES[state.phase],
        shaman=state.shaman,
        islands=[
            {
                "treasures": state.treasures[i],
                "shore": i % SHORES,
                "groups": groups(state.natives[i], pieces.islands[i], result),
                "crowd": crowd(state.natives[i]),
            }
            for i, result in enumerate(foreseen.collections)
        ],
        conditions=[
            {
                "key": cr.CONDITIONS[condition],
                "face": cr.BACKGROUNDS[face],
                "back": cr.BACKGROUNDS[both - face],
            }
            for condition, face, both in faces
        ],
        cards=cards,
        applied_with_mine=foreseen.applied_to,
        players=[
            {
                "supply": state.supply[seat],
                "cards": state.hand_count[seat],
                "treasures": treasures_shown(state, seat, view.options),
                "front": [k for k, card in enumerate(cards) if card["front"] == seat],
            }
            for seat in range(view.players)
        ],
        hand=hand(hand_of(view)),
        applying_to=state.applying_to if state.applying_to != cr.NOWHERE else None,
        turned=turned[0] if turned else None,
        collected=[event.origin - ev.ISLAND_PLACE for event in latest if event.what == ev.COLLECTED],
    )
    return {"pieces": pieces, "moved": moved, "scene": scene}
