"""What the table's templates need beyond the view: the islands cell by cell, what just moved, how the adventurers fare.

Everything here is a pure function of a view (see the records) and of the events since the start, both as one player
sees them, so nothing hidden can come through. A card that is known has the id `card-SEAT-NUMBER`; one that lies face
down before its owner is `back-SEAT-0` or `back-SEAT-1`, whatever it is.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from atoll.core.events import Event
from atoll.core.game import Components, Json
from atoll.core.position import View
from atoll.core.seen import Seen
from atoll.games.karuba.events import CARD_CHOSEN, CARD_DISCARDED, CARD_DRAWN, CARD_LAID, CARD_REVEALED
from atoll.games.karuba.notation import paths_of
from atoll.games.karuba.state import (
    CELLS,
    CHOSEN_CARDS,
    COLOURS,
    EDGES,
    STEPS,
    cell_at,
)

At = tuple[int, int]
"""Column and row, counted from the first card; rows count downwards."""

OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
BEYOND = dict(zip(EDGES, STEPS, strict=True))

CELL = 100
"""Side of a card in the units of all drawings."""


def card_id(seat: int, number: int) -> str:
    """The id of a card that is known."""
    return f"card-{seat}-{number}"


def back_id(seat: int, index: int) -> str:
    """The id of a chosen card that lies face down."""
    return f"back-{seat}-{index}"


# Islands


@dataclass
class Cell:
    """A place of an island: with a card, open for the next one, or only within reach."""

    at: At
    card: int | None
    kind: str
    """card, open (the next card may be laid here), inside (of the cards' rectangle, but nowhere edge to edge), reach"""
    shut: list[str]
    """edges at which a path of the card ends before a card without an exit"""


@dataclass
class Island:
    """An island in the rectangle that the page shows: its cards, and one more row or column where it can still grow."""

    seat: int
    places: dict[At, int]
    exits: Mapping[int, str]
    frame: int

    @cached_property
    def columns(self) -> range:
        """Columns between the outermost cards."""
        columns = [column for column, _ in self.places] or [0]
        return range(min(columns), max(columns) + 1)

    @cached_property
    def rows(self) -> range:
        """Rows between the outermost cards."""
        rows = [row for _, row in self.places] or [0]
        return range(min(rows), max(rows) + 1)

    @cached_property
    def shown_columns(self) -> range:
        """The columns that the page shows."""
        return grown(self.columns, self.frame)

    @cached_property
    def shown_rows(self) -> range:
        """The rows that the page shows."""
        return grown(self.rows, self.frame)

    @property
    def is_fixed(self) -> bool:
        """Whether its frame cannot move any more."""
        return len(self.columns) == self.frame and len(self.rows) == self.frame

    @property
    def size(self) -> int:
        """How many cells go into the drawing's width and height."""
        return max(self.frame, len(self.shown_columns), len(self.shown_rows))

    def neighbours(self, at: At) -> Iterator[tuple[str, int]]:
        """The cards edge to edge with a place, each with the edge between."""
        for edge, (column, row) in BEYOND.items():
            card = self.places.get((at[0] + column, at[1] + row))
            if card is not None:
                yield edge, card

    def joins(self, at: At, card: int) -> list[str]:
        """The edges at which a card laid here would be joined to another (KA-9)."""
        return [
            edge
            for edge, other in self.neighbours(at)
            if edge in self.exits[card] and OPPOSITE[edge] in self.exits[other]
        ]

    def cell(self, at: At) -> Cell:
        """What is to be seen at a place."""
        card = self.places.get(at)
        beside = dict(self.neighbours(at))
        if card is not None:
            shut = [
                edge
                for edge, other in beside.items()
                if edge in self.exits[card] and OPPOSITE[edge] not in self.exits[other]
            ]
            return Cell(at, card, "card", shut)
        if beside or (not self.places and at == (0, 0)):
            return Cell(at, None, "open", [])
        within = at[0] in self.columns and at[1] in self.rows
        return Cell(at, None, "inside" if within else "reach", [])

    @property
    def cells(self) -> list[Cell]:
        """The cells that the page shows, row by row."""
        return [self.cell((column, row)) for row in self.shown_rows for column in self.shown_columns]


def grown(extent: range, frame: int) -> range:
    """The extent, and one more on either side unless it is as wide as the frame already."""
    return extent if len(extent) >= frame else range(extent.start - 1, extent.stop + 1)


# The adventurers


@dataclass
class Adventurer:
    """How an adventurer fares: `state` is one of the keys that the template has words for."""

    colour: str
    cards: tuple[int, int]
    """its card and its temple's"""
    where: tuple[str, str]
    """where these two are: laid, discarded, chosen, hand or coming"""
    state: str
    """arrives, stopped, apart, or pending (not both are laid)"""
    points: int = 0
    path: Sequence[int] = ()
    """cards from the adventurer on: to the temple, or to the card that stops it"""
    stopped_by: str | None = None


def whereabouts(player: Json) -> dict[int, str]:
    """Where each known card of a player is; what is missing is still to come."""
    found = dict.fromkeys(player["island"].values(), "laid")
    found |= dict.fromkeys(player["discarded"], "discarded")
    for name in ("hand", "chosen"):
        if isinstance(player[name], list):
            found = dict.fromkeys(player[name], name) | found
    return found


def island_array(places: Mapping[At, int]) -> Any:
    """An island as the rules have it; shape (CELLS,)."""
    island = np.zeros(CELLS, dtype=np.int8)
    for at, card in places.items():
        island[cell_at(*at)] = card
    return island


def shortest_way(island: Island, start: int, goal: int) -> list[int]:
    """The cards of a shortest joined way, whoever stands on it; empty if there is none."""
    at_of = {card: at for at, card in island.places.items()}
    ways = {start: [start]}
    fresh = [start]
    for card in fresh:
        at = at_of[card]
        for edge in island.joins(at, card):
            other = island.places[at[0] + BEYOND[edge][0], at[1] + BEYOND[edge][1]]
            if other not in ways:
                ways[other] = [*ways[card], other]
                fresh.append(other)
    return ways.get(goal, [])


def adventurers(
    island: Island, player: Json, cards: Mapping[int, Json], components: Components
) -> list[Adventurer]:
    """How each adventurer of a player would fare if the game ended now (KA-10 to KA-13)."""
    arrived = {path["colour"]: path for path in paths_of(island_array(island.places), components)}
    place = whereabouts(player)
    found = []
    for colour in COLOURS:
        mine = next(number for number, card in cards.items() if card.get("adventurer") == colour)
        temple = next(number for number, card in cards.items() if card.get("temple") == colour)
        where = place.get(mine, "coming"), place.get(temple, "coming")
        fate = Adventurer(colour, (mine, temple), where, "pending")
        if colour in arrived:
            fate.state, fate.points, fate.path = (
                "arrives",
                arrived[colour]["points"],
                arrived[colour]["cards"],
            )
        elif where == ("laid", "laid"):
            fate.state = "apart"
            way = shortest_way(island, mine, temple)
            stops = [k for k, card in enumerate(way) if k and cards[card].get("adventurer")]
            if stops:
                fate.state, fate.path = "stopped", way[: stops[0] + 1]
                fate.stopped_by = cards[fate.path[-1]]["adventurer"]
        found.append(fate)
    return found


# Routes: the final score as a picture

Point = tuple[float, float]

LANES = {1: 18, 2: 18, 3: 15, 4: 11}
"""How far apart routes over the same cards are drawn, by how many they are."""

CORNER, START, END = 20, 24, 38
"""Radius of a bend; how far from the middle of its first and last card a route begins and ends."""

CHIPS = ((32, 32), (-32, 32), (32, -32), (-34, 2))
"""Where on a card points are written, one adventurer after another."""


@dataclass
class Route:
    """A way drawn over an island: SVG path data, the arrow's place and direction, points and where they are written."""

    colour: str
    line: str
    tip: Point
    turn: int
    """degrees by which an arrow that points right is turned"""
    arrives: bool
    chips: list[tuple[float, float, int]]
    treasures: list[tuple[float, float, str]]
    """crystal or nugget, and where it is drawn above the way"""


def middle(island: Island, at: At) -> Point:
    """The middle of a place in the drawing."""
    return (
        (at[0] - island.shown_columns.start + 0.5) * CELL,
        (at[1] - island.shown_rows.start + 0.5) * CELL,
    )


def lanes(ways: Sequence[Adventurer]) -> dict[str, float]:
    """How far each way is drawn beside the middle, so that those over the same cards lie side by side."""
    shifts = {}
    for way in ways:
        beside = [other.colour for other in ways if other is way or set(other.path) & set(way.path)]
        apart = LANES[len(beside)]
        shifts[way.colour] = (beside.index(way.colour) - (len(beside) - 1) / 2) * apart
    return shifts


def toward(start: Point, goal: Point, distance: float) -> Point:
    """The point at a distance from `start` in the direction of `goal`, both in one row or column."""
    sign = [(b > a) - (b < a) for a, b in zip(start, goal, strict=True)]
    return start[0] + sign[0] * distance, start[1] + sign[1] * distance


def line_through(points: Sequence[Point]) -> str:
    """SVG path data of a line with round bends."""
    parts = [f"M{points[0][0]:g} {points[0][1]:g}"]
    for before, at, after in zip(points, points[1:], points[2:], strict=False):
        arrive, leave = toward(at, before, CORNER), toward(at, after, CORNER)
        parts.append(f"L{arrive[0]:g} {arrive[1]:g}Q{at[0]:g} {at[1]:g} {leave[0]:g} {leave[1]:g}")
    parts.append(f"L{points[-1][0]:g} {points[-1][1]:g}")
    return "".join(parts)


def routes(
    island: Island, fates: Sequence[Adventurer], cards: Mapping[int, Json], figures: Json
) -> list[Route]:
    """The ways of all adventurers that get anywhere, to be drawn over the island."""
    at_of = {card: at for at, card in island.places.items()}
    ways = [fate for fate in fates if fate.path]
    shifts = lanes(ways)
    written: dict[int, int] = {}
    found = []
    for way in ways:
        shift = shifts[way.colour]
        points = [(x + shift, y + shift) for x, y in (middle(island, at_of[card]) for card in way.path)]
        arrives = way.state == "arrives"
        first = toward(points[0], points[1], START)
        last = toward(points[-1], points[-2], END if arrives else CELL / 2)
        chips = []
        treasures = []
        for card in way.path if arrives else ():
            x, y = middle(island, at_of[card])
            found_here = [kind for kind in ("crystal", "nugget") if cards[card].get(kind + "s")]
            treasures += [(x, y, kind) for kind in found_here]
            worth = card_points(cards[card], figures) + (
                figures["adventurer_points"] if card == way.path[-1] else 0
            )
            if worth:
                across, down = CHIPS[written.get(card, 0)]
                written[card] = written.get(card, 0) + 1
                chips.append((x + across, y + down, worth))
        turn = {(1, 0): 0, (0, 1): 90, (-1, 0): 180, (0, -1): 270}[
            toward((0, 0), (points[-1][0] - points[-2][0], points[-1][1] - points[-2][1]), 1)  # type: ignore[index]
        ]
        line = line_through([first, *points[1:-1], last])
        found.append(Route(way.colour, line, last, turn, arrives, chips, treasures))
    return found


def card_points(card: Json, figures: Json) -> int:
    """What the treasures on a card are worth (KA-13)."""
    crystals, nuggets = card.get("crystals", 0), card.get("nuggets", 0)
    return int(crystals * figures["crystal_points"] + nuggets * figures["nugget_points"])


# Sums


@dataclass
class Choice:
    """What a player has chosen this round, as far as the viewer may know it."""

    cards: list[int]
    """none while they are hidden"""
    hidden: int
    """cards that lie face down"""
    total: int | None
    lowest: bool
    discarded: list[int]
    laid: list[int]


def choices(view: View) -> list[Choice]:
    """What everybody has chosen, with the sums and who is lowest (KA-4, KA-5)."""
    found = []
    for player in view["players"]:
        chosen = player["chosen"]
        known = chosen if isinstance(chosen, list) else []
        hidden = chosen if isinstance(chosen, int) else 0
        shown = bool(known) and view["phase"] != "choose"
        found.append(
            Choice(
                cards=list(known),
                hidden=hidden,
                total=sum(known) if shown else None,
                lowest=False,
                discarded=[card for card in known if card in player["discarded"]],
                laid=[card for card in known if card in player["island"].values()],
            )
        )
    totals = [choice.total for choice in found if choice.total is not None]
    for choice in found:
        choice.lowest = choice.total is not None and choice.total == min(totals)
    return found


# The scene

Motion = tuple[int | None, bool, str | None]
"""The order in which the last move moved a card, whether it turned it face up, and what element it came from."""


@dataclass
class Scene:
    """What is to be seen on the table."""

    main: int
    """the seat whose island is shown large"""
    islands: list[Island]
    fates: list[list[Adventurer]]
    """[seat]: its adventurers, in the order of the colours"""
    routes: list[list[Route]]
    """[seat]: none before the end"""
    overviews: list[dict[int, str]]
    """[seat]: of each card: laid, discarded, chosen, hand or coming"""
    choices: list[Choice]
    revealed: frozenset[str]
    """cards that the last move turned face up"""
    sources: dict[str, str]
    """ids of the elements that cards came from"""
    motions: list[dict[str, Motion]]
    """[seat]: how each of its cards came to where it is"""


def moved_cards(events: Sequence[Event], seat: int | None) -> dict[str, int]:
    """The cards that the last move moved and that the viewer knows, in the order in which they moved."""
    moved: dict[str, int] = {}
    for event in events:
        own = event.whose == seat and event.what in (CARD_DRAWN, CARD_CHOSEN)
        if event.what in (CARD_LAID, CARD_DISCARDED) or own:
            moved[card_id(event.whose, event.piece)] = len(moved)
    return moved


def sources(view: View, seat: int | None) -> dict[str, str]:
    """Where cards came from that had another id before: drawn ones from the pile, revealed ones from their backs."""
    found: dict[str, str] = {}
    for owner, player in enumerate(view["players"]):
        if owner == seat:
            found |= {card_id(owner, card): "own-pile" for card in player["hand"]}
        elif isinstance(player["chosen"], list):
            found |= {card_id(owner, card): back_id(owner, k) for k, card in enumerate(player["chosen"])}
        elif isinstance(player["chosen"], int):
            found |= {back_id(owner, k): f"player-{owner}" for k in range(CHOSEN_CARDS)}
    return found


def motions(
    owner: int, moved: Mapping[str, int], revealed: frozenset[str], came_from: Mapping[str, str]
) -> dict[str, Motion]:
    """How each of a player's cards came to where it is."""
    prefixes = card_id(owner, 0)[:-1], back_id(owner, 0)[:-1]
    names = sorted(name for name in {*moved, *revealed, *came_from} if name.startswith(prefixes))
    return {name: (moved.get(name), name in revealed, came_from.get(name)) for name in names}


def numbered_cards(components: Components) -> dict[int, Json]:
    """The cards of the components file by number, each with its `number`."""
    return {
        number: dict(card, number=number) for number, card in enumerate(components.data["cards"], start=1)
    }


def table(seen: Seen) -> dict[str, Any]:
    """The context of the table's templates: `cards` by number, `moved` and `scene`."""
    view, seat, history, components = seen.view, seen.view.viewer, seen.heard, seen.view.components
    cards = numbered_cards(components)
    figures = components.data["game"]
    exits = {number: card["exits"] for number, card in cards.items()}
    islands = [
        Island(
            owner,
            {tuple(map(int, place.split(","))): card for place, card in player["island"].items()},  # type: ignore[misc]
            exits,
            figures["frame"],
        )
        for owner, player in enumerate(view["players"])
    ]
    fates = [
        adventurers(island, player, cards, components)
        for island, player in zip(islands, view["players"], strict=True)
    ]
    latest = history[-1] if history else ()
    moved, came_from = moved_cards(latest, seat), sources(view, seat)
    revealed = frozenset(card_id(event.whose, event.piece) for event in latest if event.what == CARD_REVEALED)
    over = view["phase"] == "over"
    scene = Scene(
        main=0 if seat is None else seat,
        islands=islands,
        fates=fates,
        routes=[
            routes(island, fate, cards, figures) if over else []
            for island, fate in zip(islands, fates, strict=True)
        ],
        overviews=[
            {number: whereabouts(player).get(number, "coming") for number in cards}
            for player in view["players"]
        ],
        choices=choices(view),
        revealed=revealed,
        sources=came_from,
        motions=[motions(owner, moved, revealed, came_from) for owner in range(len(islands))],
    )
    return {"cards": cards, "figures": figures, "moved": moved, "scene": scene}
