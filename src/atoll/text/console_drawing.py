"""What every game's picture for a terminal is drawn with: Rich markup, seats told by mark as by colour."""

from collections.abc import Sequence

from rich.text import Text

SEAT_STYLES = ("red", "bright_blue", "yellow", "green", "magenta", "bright_black")
SEAT_MARKS = ("●", "■", "▲", "◆", "★", "✚")
WIDTH = 79
"""Columns of a terminal."""


def mark(seat: int, count: int = 0) -> str:
    """A seat's mark in its colour, with a number if there is one to say."""
    return f"[bold {SEAT_STYLES[seat]}]{SEAT_MARKS[seat]}{count or ''}[/]"


def turn_mark(to_act: Sequence[int], seat: int) -> str:
    """An arrow before a seat that has to decide."""
    return "[bold]>[/]" if seat in to_act else " "


def padded(markup: str, width: int) -> str:
    """The text filled with spaces up to `width` columns."""
    return markup + " " * (width - Text.from_markup(markup).cell_len)


def wrapped(label: str, items: Sequence[str], indent: str = "    ") -> list[str]:
    """A label and its items, broken into lines of the terminal's width; the items have no markup."""
    lines, line = [], label
    for item in items:
        if len(line) + len(item) + 2 > WIDTH and line != indent:
            lines.append(line)
            line = indent + item
        else:
            line = f"{line} {item}" if line else item
    return [*lines, line]


def columns(items: Sequence[str], width: int, in_a_row: int, indent: str = "") -> list[str]:
    """Texts in rows of so many, each `width` columns wide."""
    rows = [items[first : first + in_a_row] for first in range(0, len(items), in_a_row)]
    return [indent + "".join(padded(item, width) for item in row) for row in rows]


def side_by_side(
    blocks: Sequence[Sequence[str]], width: int, in_a_row: int, between: str = " "
) -> list[list[str]]:
    """Blocks of lines beside each other: the lines of each row of blocks, each block `width` columns wide."""
    rows = []
    for first in range(0, len(blocks), in_a_row):
        row = blocks[first : first + in_a_row]
        height = max(map(len, row))
        lines = zip(*([*block, *[""] * (height - len(block))] for block in row), strict=True)
        rows.append([between.join(padded(part, width) for part in parts) for parts in lines])
    return rows
