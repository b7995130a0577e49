"""Where pieces lie on sheets of paper, in millimetres from the top left corner of what the printer can reach.

Front and back are in register: the back of a piece lies where the paper, turned over about its long edge or folded
along its middle, has the front. A sheet for both sides stands upright, one that is folded lies across.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from atoll.core.box import PieceGroup, PrintedPiece
from atoll.text.errors import AtollError
from atoll.text.messages import Message

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height, millimetres."""
SIDE, TOP, BOTTOM = 8.0, 8.0, 12.0
"""Margins: what printers leave white, and at the bottom the number of the page."""
MARK = 4.0
"""Length of a crop mark, outside the bleed."""
FOLD = 5.0
"""From the cut to the fold."""


@dataclass(frozen=True)
class PrintPlace:
    """A piece on a sheet: its cut edges, and by how much it is turned, degrees clockwise."""

    group: PieceGroup
    piece: PrintedPiece
    side: str  # "front" or "back"
    x: float
    y: float
    turned: int = 0

    @property
    def width(self) -> float:
        """As it lies."""
        return self.group.height if self.turned else self.group.width

    @property
    def height(self) -> float:
        """As it lies."""
        return self.group.width if self.turned else self.group.height


@dataclass(frozen=True)
class PrintSheet:
    """One side of a sheet of paper. `marks` are the lines along which it is cut: x1, y1, x2, y2."""

    titles: tuple[str, ...]
    kind: str  # "front", "back", or "fold" for one that is folded along `fold`
    places: tuple[PrintPlace, ...] = ()
    marks: tuple[tuple[float, float, float, float], ...] = ()
    fold: float | None = None


def layout(groups: Sequence[PieceGroup], paper: str, *, fold: bool) -> list[PrintSheet]:
    """All sheets, in the order in which they are printed; raises AtollError if a piece does not go on the paper."""
    sheets: list[PrintSheet] = []
    for is_folded, run in groupby(groups, key=lambda group: fold and group.back != "none"):
        for side in _filled(list(run), paper, across=is_folded):
            titles = tuple(dict.fromkeys(place.group.title for place in side.places))
            width = room(paper, across=is_folded)[0]
            backs = tuple(_behind(p, width) for p in side.places if p.group.back != "none")
            if is_folded:
                sheets.append(
                    PrintSheet(titles, "fold", (*side.places, *backs), tuple(side.marks), width / 2)
                )
            else:
                sheets.append(PrintSheet(titles, "front", tuple(side.places), tuple(side.marks)))
                if not fold:
                    sheets.append(PrintSheet(titles, "back", backs))
    return sheets


def room(paper: str, *, across: bool = False) -> tuple[float, float]:
    """The width and height that the printer can reach."""
    width, height = PAPERS[paper]
    if across:
        width, height = height, width
    return width - 2 * SIDE, height - TOP - BOTTOM


def _behind(place: PrintPlace, width: float) -> PrintPlace:
    """The back of a piece, where the paper turned over or folded has it."""
    return replace(place, side="back", x=width - place.x - place.width, turned=-place.turned)


@dataclass
class Side:
    """Fronts on a sheet that is being filled from above, block by block: pieces of one size in rows."""

    places: list[PrintPlace] = field(default_factory=list)
    marks: list[tuple[float, float, float, float]] = field(default_factory=list)
    bottom: float = 0.0


def _filled(groups: Sequence[PieceGroup], paper: str, *, across: bool) -> list[Side]:
    """The fronts; of a sheet that is folded they lie in its left half."""
    width, height = room(paper, across=across)
    sides = [Side()]
    for _, alike in groupby(groups, key=lambda g: (g.width, g.height, g.bleed)):
        block = list(alike)
        items = [(g, piece) for g in block for piece in g.pieces for _ in range(piece.count)]
        around, gap = block[0].bleed + MARK, 2 * block[0].bleed
        free = width / 2 - FOLD - around if across else width - 2 * around
        columns, turned = _columns(block[0], free, height - 2 * around, paper)
        w, h = (block[0].height, block[0].width) if turned else (block[0].width, block[0].height)
        left = width / 2 - FOLD if across else (width - columns * (w + gap) + gap) / 2
        while items:
            top = sides[-1].bottom + around
            rows = min(_fits(height - around - top, h, gap), -(-len(items) // columns))
            if not rows:
                sides.append(Side())
                continue
            here, items = items[: rows * columns], items[rows * columns :]
            places = []
            for i, (g, piece) in enumerate(here):
                row, column = divmod(i, columns)
                x = left - column * (w + gap) - w if across else left + column * (w + gap)
                places.append(PrintPlace(g, piece, "front", x, top + row * (h + gap), turned))
            sides[-1].places += places
            sides[-1].marks += _marks(places, block[0].bleed)
            sides[-1].bottom = top + rows * (h + gap) - gap + around
    return [side for side in sides if side.places]


def _fits(length: float, size: float, gap: float) -> int:
    return max(0, int((length + gap + 1e-6) // (size + gap)))


def _columns(group: PieceGroup, width: float, height: float, paper: str) -> tuple[int, int]:
    """How many columns hold the most pieces in that room, and by how much they are turned: not at all if that is as
    good.
    """
    gap, ways = 2 * group.bleed, []
    for turned, w, h in ((0, group.width, group.height), (90, group.height, group.width)):
        columns = _fits(width, w, gap)
        ways.append((columns * _fits(height, h, gap), -turned, columns))
    cells, turned, columns = max(ways)
    if not cells:
        raise AtollError(
            Message(
                "%(title)s: %(width)s by %(height)s mm do not go on a page of %(paper)s",
                title=group.title,
                width=f"{group.width:g}",
                height=f"{group.height:g}",
                paper=paper,
            )
        )
    return columns, -turned


def _marks(places: Sequence[PrintPlace], bleed: float) -> tuple[tuple[float, float, float, float], ...]:
    """Crop marks around all places: at each cut edge, outside of what is printed."""
    left, right = min(p.x for p in places), max(p.x + p.width for p in places)
    top, bottom = min(p.y for p in places), max(p.y + p.height for p in places)
    near, far = bleed + 0.6, bleed + MARK
    downs = sorted({round(x, 4) for p in places for x in (p.x, p.x + p.width)})
    across = sorted({round(y, 4) for p in places for y in (p.y, p.y + p.height)})
    return (
        *((x, top - far, x, top - near) for x in downs),
        *((x, bottom + near, x, bottom + far) for x in downs),
        *((left - far, y, left - near, y) for y in across),
        *((right + near, y, right + far, y) for y in across),
    )
