"""What the table's templates are drawn from: where each piece stands, what just moved, what the cards would do.

Everything here is a pure function of a view and of the events since the start, both as one player
sees them, so nothing hidden can come through.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from atoll.core.events import Event
from atoll.core.game import View
from atoll.core.seen import Seen
from atoll.core.state import UNKNOWN, seats_in
from atoll.core.types import Json
from atoll.games.costa_ruana import events as ev
from atoll.games.costa_ruana import state as cr
from atoll.games.costa_ruana.notation import treasures_shown
from atoll.games.costa_ruana.prospects import Prospects
from atoll.games.costa_ruana.vocabulary import hand_of

SHORES = 6
"""How many shapes of islands are drawn."""

NATIVE_WIDTH, NATIVE_STEP, GROUP_GAP = 36, 23, 11
ROOM_ON_ISLAND = 196
"""Measures of natives at full size and of the sand they stand on, in the board's units (1/928 of its width)."""

CROWDS = (1.0, 0.88, 0.77, 0.67, 0.58, 0.5)
"""Sizes of natives, the roomiest first: `crowd` is an index into it and a class in table.css."""

# Pieces

Where = tuple[int, int]
"""A place as the events number it, and the owner of the pieces there."""


def pieces_at_start(seen: Seen) -> "PiecePlaces":
    """The pieces where they stood before all that led to where the view shows them."""
    state, seats = seen.view.fields, range(seen.view.players)
    steps = [event for events in seen.heard for event in events if event.what in ev.MOVING_PIECES]
    count: Counter[Where] = Counter()
    for i in range(state.islands):
        count[ev.ISLAND_PLACE + i, ev.TREASURE] = state.treasures[i]
        count.update({(ev.ISLAND_PLACE + i, seat): state.natives[i][seat] for seat in seats})
    for k in range(state.table_count):
        count.update((ev.CARD_PLACE + k, seat) for seat in seats_in(state.table_natives[k]))
    count.update({(ev.SUPPLY_PLACE + seat, seat): state.supply[seat] for seat in seats})
    for event in steps:
        count[event.target, event.piece] -= event.target != ev.HELD_PLACE
        count[event.origin, event.piece] += event.origin != ev.HELD_PLACE
    pieces: defaultdict[Where, list[str]] = defaultdict(list)
    numbers: Counter[int] = Counter()
    for place, owner in sorted(count.elements()):
        name = "g" if owner == ev.TREASURE else f"n-{owner}"
        pieces[place, owner].append(f"{name}-{numbers[owner]}")
        numbers[owner] += 1
    return PiecePlaces(pieces)


class PiecePlaces:
    """Where each piece stands while events are followed; one that leaves a place is the one that came there last."""

    def __init__(self, where: Mapping[Where, list[str]]) -> None:
        self.where = defaultdict(list, where)

    def copy(self) -> "PiecePlaces":
        """An independent copy."""
        return PiecePlaces({where: list(ids) for where, ids in self.where.items()})

    def follow(self, event: Event) -> str | None:
        """The piece that an event moves, if it moves one."""
        if event.what not in ev.MOVING_PIECES or not self.where[event.origin, event.piece]:
            return None
        piece = self.where[event.origin, event.piece].pop()
        self.where[event.target, event.piece].append(piece)
        return piece


class PieceIds:
    """Ids of all natives and treasures by where they stand; a piece keeps its id for the whole game."""

    def __init__(self, seen: Seen) -> None:
        view = seen.view
        state, seats = view.fields, range(view.players)
        places = seen.followed(PiecePlaces, lambda: pieces_at_start(seen))
        self.moved: dict[str, int] = {}
        """those that the last move moved, and their order"""
        self.arrived: list[list[str]] = [[] for _ in seats]
        """[seat]: treasures that the last move brought behind the hut; older ones are nobody's business"""
        for event in seen.latest:
            if piece := places.follow(event):
                self.moved.setdefault(piece, len(self.moved))
                if ev.HUT_PLACE <= event.target < ev.HAND_PLACE:
                    self.arrived[event.target - ev.HUT_PLACE].append(piece)
        where = places.where
        self.islands = [[where[ev.ISLAND_PLACE + i, seat] for seat in seats] for i in range(state.islands)]
        """[island][seat]: natives"""
        self.gems = [where[ev.ISLAND_PLACE + i, ev.TREASURE] for i in range(state.islands)]
        """[island]: treasures"""
        self.supplies = [where[ev.SUPPLY_PLACE + seat, seat] for seat in seats]
        """[seat]: natives"""
        self.cards = [[where[ev.CARD_PLACE + k, seat] for seat in seats] for k in range(state.table_count)]
        """[index on the table][seat]: natives"""
        held_pieces = where[ev.HELD_PLACE, state.taken_owner]  # without an owner it is a treasure
        self.held = held_pieces[-1] if held_pieces else None
        """the piece taken up and not yet put down"""
        self.held_owner = state.taken_owner if held_pieces and state.taken_owner != cr.NOWHERE else None
        """its seat, if it is a native"""


# The scene


def islands(view: View, prospects: Prospects, ids: Sequence[Sequence[Sequence[str]]]) -> list[Json]:
    """The islands: `treasures`; `shore`: shape; `groups`: natives by seat, with their `ids` and what they would do if
    it were collected now; `crowd`.
    """
    state = view.fields
    return [
        {
            "treasures": state.treasures[i],
            "shore": i % SHORES,
            "groups": [
                {"seat": seat, "ids": ids[i][seat], "count": count, "state": result.state(seat)}
                for seat, count in enumerate(state.natives[i])
                if count
            ],
            "crowd": crowd(state.natives[i]),
        }
        for i, result in enumerate(prospects.collections)
    ]


def crowd(natives: Sequence[int]) -> int:
    """How small an island's natives must be drawn: an index into CROWDS."""
    present = [count for count in natives if count]
    width = sum(NATIVE_WIDTH + NATIVE_STEP * (count - 1) + GROUP_GAP for count in present) - GROUP_GAP
    sizes = (k for k, size in enumerate(CROWDS) if width * size <= ROOM_ON_ISLAND)
    return next(sizes, len(CROWDS) - 1)


def card_element(card: str, copy: int) -> str:
    """The id of a card in one's own hand; equal cards are numbered."""
    return f"hand-{card.replace('/', '-').replace(' ', '-')}-{copy}"


def card_id(round_number: int, k: int) -> str:
    """The id of a card on the table."""
    return f"card-{round_number}-{k}"


def card_on_table(view: View, k: int, is_active: bool, reveals: Collection[int]) -> Json:
    """A card on the table: `card`, None if it is not known; `player`: who played it; `front`: in front of whom; `down`:
    whether it lies face down; `natives`: their owners; `id`, `source`: id of the element it came from;
    `state: hidden|live|inactive|resolved`, `revealed`, `current`.
    """
    state = view.fields
    card = None if state.table_card[k] == UNKNOWN else cr.CARDS[state.table_card[k]]
    player, down = state.table_player[k], not state.table_up[k]
    done = "resolved" if is_active else "inactive"
    return {
        "card": card,
        "player": player,
        "front": state.table_front[k],
        "down": down,
        "natives": seats_in(state.table_natives[k]),
        "id": card_id(state.round_number, k),
        "source": card_element(card, hand_of(view).count(card))
        if card and player == view.viewer
        else f"hand-of-{player}",
        "state": done if state.table_resolved[k] else "hidden" if down else "live",
        "revealed": ev.CARD_PLACE + k in reveals,
        "current": k == state.card,
    }


class CostaRuanaScene:
    """What the table shows besides the pieces."""

    def __init__(self, view: View, pieces: PieceIds, latest: Sequence[Event]) -> None:
        state, prospects, hand = view.fields, Prospects(view), hand_of(view)
        self.phase = cr.PHASES[state.phase]
        self.shaman: int = state.shaman
        self.islands = islands(view, prospects, pieces.islands)
        self.conditions = [
            {"key": key, "face": cr.BACKGROUNDS[face], "back": cr.BACKGROUNDS[prospects.faces_turned[i][i]]}
            for i, (key, face) in enumerate(zip(cr.CONDITIONS, (state.tide, state.time), strict=True))
        ]
        """of each condition card its `key`, the visible `face`, and the `back`"""
        reveals = {event.origin for event in latest if event.what == ev.CARD_REVEALED}
        self.cards = [card_on_table(view, k, active, reveals) for k, active in enumerate(prospects.is_active)]
        self.applied_with_mine = prospects.applied_to
        """by card: to whom it would be applied, in order, were an own native put on it"""
        self.players = [
            {
                "supply": state.supply[seat],
                "cards": state.hand_count[seat],
                "treasures": treasures_shown(state, seat, view.options),
                "front": [k for k, card in enumerate(self.cards) if card["front"] == seat],
            }
            for seat in range(view.players)
        ]
        """by seat: natives in the `supply`, `cards` in the hand, `treasures` or None, and in `front` of them the
        indices of the table's cards"""
        self.hand = [
            {"card": card, "id": card_element(card, hand[:k].count(card)), "goes": card not in hand[k + 1 :]}
            for k, card in enumerate(hand)
        ]
        """own hand; `goes`: whether it is the one of its equals that is played first, the last of them"""
        self.applying_to = None if state.applying_to == cr.NOWHERE else state.applying_to
        """seat that the current card is being applied to"""
        conditions = (cr.CONDITIONS[event.piece] for event in latest if event.what == ev.CONDITION_TURNED)
        self.turned = next(conditions, None)
        """condition card turned by the last move"""
        self.collected = [event.origin - ev.ISLAND_PLACE for event in latest if event.what == ev.COLLECTED]
        """islands on which the last move collected a treasure"""


def table(seen: Seen) -> dict[str, Any]:
    """The context of the table's templates: `pieces`, `moved` and `scene`."""
    pieces = PieceIds(seen)
    order = pieces.moved
    for event in seen.latest:
        if event.what in (ev.CARD_PLAYED, ev.CARD_HIDDEN):
            card = card_id(seen.view.fields.round_number, event.target - ev.CARD_PLACE)
            order.setdefault(card, len(order))
    return {"pieces": pieces, "moved": order, "scene": CostaRuanaScene(seen.view, pieces, seen.latest)}
