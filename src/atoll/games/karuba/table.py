"""What the table's templates need: the players, the islands cell by cell, what just moved, how the adventurers fare.

Everything here is a pure function of a view and of the events since the start, both as one player sees them, so nothing
hidden can come through. A card that is known has the id `card-SEAT-NUMBER`; one that lies face down before its owner is
`back-SEAT-0` or `back-SEAT-1`, whatever it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import numpy as np

from atoll.core.components import latest_by_components
from atoll.core.events import Event
from atoll.core.game import View
from atoll.core.seen import Seen
from atoll.core.types import Components
from atoll.games.karuba import events as ev
from atoll.games.karuba import state as ka
from atoll.games.karuba.cards import Card, numbered_cards
from atoll.games.karuba.islands import edges, occupied_cells, open_cells
from atoll.games.karuba.players import Player, players_of
from atoll.games.karuba.scoring import way
from atoll.games.karuba.svg_paths import Point, bent_line, quarter_turn, toward

CELL = 100
"""Side of a card in the units of all drawings."""

ISLANDS_KEPT = 256
"""Islands that are kept for each set of components, some hundred cells and their paths."""


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

    number: int
    at: tuple[int, int]
    """column and row, counted from the first card; rows count downwards"""
    card: int
    kind: str
    """card, open (the next card may be laid here), inside (of the cards' rectangle, but nowhere edge to edge), reach"""
    shut: list[str]
    """edges at which a path of the card ends before a card without an exit"""


@dataclass
class Island:
    """An island in the rectangle that the page shows: its cards, and one more row or column where it can still grow."""

    cells: list[Cell]
    """row by row"""
    columns: range
    """between the outermost cards, counted from the first one"""
    rows: range
    shown_columns: range
    shown_rows: range
    adventurers: "list[Adventurer]"
    """how that of each colour fares here, in the order of the colours"""
    land: Any = field(repr=False)
    """the card on each cell, int8 of shape (CELLS,)"""
    parts: Any = field(repr=False)

    @property
    def frame(self) -> int:
        """Its greatest width and height."""
        return int(self.parts.frame)

    @property
    def begun(self) -> bool:
        """Whether a card lies there."""
        return any(cell.card for cell in self.cells)

    @property
    def is_fixed(self) -> bool:
        """Whether its frame cannot move any more."""
        return len(self.columns) == self.frame and len(self.rows) == self.frame

    @property
    def size(self) -> int:
        """How many cells go into the drawing's width and height."""
        return max(self.frame, len(self.shown_columns), len(self.shown_rows))

    def joins(self, cell: int, card: int) -> list[str]:
        """The edges at which a card laid here would be joined to another (KA-9)."""
        return edge_names(edges(self.land, self.parts, card, cell)[0])


def island_of(view: View, seat: int) -> Island:
    """A player's island."""
    return build_island(view.components, view.states["island"][0, seat].tobytes())


@latest_by_components(ISLANDS_KEPT)
def build_island(components: Components, cards: bytes) -> Island:
    """The island of these cards, one a cell."""
    land, parts = np.frombuffer(cards, dtype=np.int8).copy(), components.parts[0]
    frame, numbers = int(parts.frame), land.tolist()
    places = [ka.place_of(cell) for cell, card in enumerate(numbers) if card != ka.NO_CARD] or [(0, 0)]
    columns, rows = (range(min(lines), max(lines) + 1) for lines in zip(*places, strict=True))
    shown_columns, shown_rows = with_margin(columns, frame), with_margin(rows, frame)
    open_to_cards = int(open_cells(occupied_cells(land), parts))
    cells = []
    for row, column in product(shown_rows, shown_columns):
        cell = ka.cell_at(column, row)
        card, shut = numbers[cell], 0
        if card != ka.NO_CARD:
            kind, shut = "card", edges(land, parts, card, cell)[1]
        elif open_to_cards >> cell & 1:
            kind = "open"
        else:
            kind = "inside" if column in columns and row in rows else "reach"
        cells.append(Cell(cell, (column, row), card, kind, edge_names(shut)))
    fates = [adventurer(land, parts, colour) for colour in range(len(ka.COLOURS))]
    return Island(cells, columns, rows, shown_columns, shown_rows, fates, land, parts)


def edge_names(bits: int) -> list[str]:
    """The edges of a bit set."""
    return [name for edge, name in enumerate(ka.EDGES) if bits >> edge & 1]


def with_margin(extent: range, frame: int) -> range:
    """The extent, and one more on either side unless it is as wide as the frame already."""
    return extent if len(extent) >= frame else range(extent.start - 1, extent.stop + 1)


# The adventurers


@dataclass
class Adventurer:
    """How an adventurer fares: `state` is one of the keys that the template has words for."""

    colour: str
    state: str
    """arrives, stopped, apart, or pending (its card and its temple's are not both laid)"""
    points: int = 0
    path: Sequence[int] = ()
    """cards from the adventurer on: to the temple, or to the card that stops it"""
    stopped_by: str | None = None
    where: tuple[str, ...] = ()
    """where its card and its temple's are: laid, discarded, chosen, hand or coming"""


def adventurer(land: Any, parts: Any, colour: int) -> Adventurer:
    """How a colour's would fare on an island, of shape (CELLS,), if the game ended now (KA-10 to KA-13)."""
    path, points = way(land, parts, colour)
    if path:
        return Adventurer(ka.COLOURS[colour], "arrives", points, path)
    path, _ = way(land, parts, colour, everywhere=True)
    for count, card in enumerate(path[1:], start=2):
        if (blocker := parts.adventurer[card]) >= 0:
            return Adventurer(ka.COLOURS[colour], "stopped", 0, path[:count], ka.COLOURS[blocker])
    are_laid = {parts.adventurer_card[colour], parts.temple_card[colour]} <= set(land.tolist())
    return Adventurer(ka.COLOURS[colour], "apart" if are_laid else "pending")


def adventurers(where: Mapping[int, str], island: Island) -> list[Adventurer]:
    """How those of a player fare, whose cards are so, in the order of the colours."""
    cards = zip(island.parts.adventurer_card.tolist(), island.parts.temple_card.tolist(), strict=True)
    places = [(where[card], where[temple]) for card, temple in cards]
    return [replace(one, where=its) for one, its in zip(island.adventurers, places, strict=True)]


# Routes: the final score as a picture

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


def lanes(ways: Sequence[Adventurer]) -> dict[str, float]:
    """How far each way is drawn beside the middle, so that those over the same cards lie side by side."""
    shifts = {}
    for one in ways:
        beside = [other.colour for other in ways if other is one or set(other.path) & set(one.path)]
        shifts[one.colour] = (beside.index(one.colour) - (len(beside) - 1) / 2) * LANES[len(beside)]
    return shifts


def routes(island: Island, fates: Sequence[Adventurer], cards: Mapping[int, Card]) -> list[Route]:
    """The ways of all adventurers that get anywhere, to be drawn over the island."""
    west, north = island.shown_columns.start - 0.5, island.shown_rows.start - 0.5
    middle = {
        cell.card: ((cell.at[0] - west) * CELL, (cell.at[1] - north) * CELL)
        for cell in island.cells
        if cell.card
    }
    ways = [fate for fate in fates if fate.path]
    shifts = lanes(ways)
    chip_counts: dict[int, int] = {}
    drawings = []
    for fate in ways:
        shift, arrives = shifts[fate.colour], fate.state == "arrives"
        points = [(x + shift, y + shift) for x, y in (middle[card] for card in fate.path)]
        first = toward(points[0], points[1], START)
        last = toward(points[-1], points[-2], END if arrives else CELL / 2)
        chips, treasures = [], []
        for card in fate.path if arrives else ():
            x, y = middle[card]
            counts = {"crystal": cards[card].crystals, "nugget": cards[card].nuggets}
            treasures += [(x, y, kind) for kind, count in counts.items() if count]
            worth = int(island.parts.treasure_points[card])
            worth += int(island.parts.adventurer_points) if card == fate.path[-1] else 0
            if worth:
                across, down = CHIPS[chip_counts.get(card, 0)]
                chip_counts[card] = chip_counts.get(card, 0) + 1
                chips.append((x + across, y + down, worth))
        line = bent_line([first, *points[1:-1], last], CORNER)
        turn = quarter_turn(points[-2], points[-1])
        drawings.append(Route(fate.colour, line, last, turn, arrives, chips, treasures))
    return drawings


# The scene


@dataclass
class KarubaScene:
    """What the table shows."""

    main: int
    """the seat whose island is shown large"""
    phase: str
    players: list[Player]
    islands: list[Island]
    fates: list[list[Adventurer]]
    """[seat]: its adventurers, in the order of the colours"""
    routes: list[list[Route]]
    """[seat]: none before the end"""
    overviews: list[dict[int, str]]
    """[seat]: of each card: laid, discarded, chosen, hand or coming"""
    revealed: set[str]
    """cards that the last move turned face up"""
    found: set[str]
    """cards that the last move laid and that have a treasure or a temple on them"""
    sources: dict[str, str]
    """ids of the elements that cards came from"""
    motions: list[list[tuple[Any, ...]]]
    """[seat]: of each of its cards how it came to where it is: id, order, whether it was turned up, source"""


def moved_cards(events: Sequence[Event], seat: int | None) -> dict[str, int]:
    """The cards that the last move moved and that the viewer knows, in the order in which they moved."""
    order: dict[str, int] = {}
    for event in events:
        own = event.whose == seat and event.what in (ev.CARD_DRAWN, ev.CARD_CHOSEN)
        if event.what in (ev.CARD_LAID, ev.CARD_DISCARDED) or own:
            order[card_id(event.whose, event.piece)] = len(order)
    return order


def has_find(card: Card) -> bool:
    """Whether a treasure or a temple is on a card."""
    return bool(card.crystals or card.nuggets or card.temple)


def sources(players: Sequence[Player], phase: int, seat: int | None) -> dict[str, str]:
    """Where cards came from that had another id before: drawn ones from the pile, revealed ones from their backs."""
    origins: dict[str, str] = {}
    for owner, player in enumerate(players):
        if owner == seat:
            origins |= {card_id(owner, card): "own-pile" for card in player.hand}
        elif player.choice.cards:
            origins |= {card_id(owner, card): back_id(owner, k) for k, card in enumerate(player.choice.cards)}
        elif phase == ka.CHOOSE:
            origins |= {back_id(owner, k): f"player-{owner}" for k in range(ka.CHOSEN_CARDS)}
    return origins


def table(seen: Seen) -> dict[str, Any]:
    """The context of the table's templates: `cards` by number, the file's `figures`, `moved` and `scene`."""
    view, seat, phase = seen.view, seen.view.viewer, seen.view.fields.phase
    cards, players = numbered_cards(view.components), players_of(view)
    islands = [island_of(view, owner) for owner in range(view.players)]
    overviews = [player.overview(cards) for player in players]
    fates = list(map(adventurers, overviews, islands))
    order, origins = moved_cards(seen.latest, seat), sources(players, phase, seat)
    reveals = {card_id(event.whose, event.piece) for event in seen.latest if event.what == ev.CARD_REVEALED}
    laid = [(event.whose, event.piece) for event in seen.latest if event.what == ev.CARD_LAID]
    motions = [
        (name, order.get(name), name in reveals, origins.get(name))
        for name in sorted({*order, *reveals, *origins})
    ]
    scene = KarubaScene(
        main=0 if seat is None else seat,
        phase=ka.PHASES[phase],
        players=players,
        islands=islands,
        fates=fates,
        routes=[
            routes(island, fate, cards) if phase == ka.OVER else []
            for island, fate in zip(islands, fates, strict=True)
        ],
        overviews=overviews,
        revealed=reveals,
        found={card_id(*one) for one in laid if has_find(cards[one[1]])},
        sources=origins,
        motions=[[one for one in motions if f"-{owner}-" in one[0]] for owner in range(view.players)],
    )
    return {"cards": cards, "figures": view.components.file.game, "moved": order, "scene": scene}
