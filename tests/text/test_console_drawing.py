"""What pictures for a terminal are drawn with: columns count cells, not markup."""

from rich.text import Text

from atoll.core.playable import MOST_PLAYERS
from atoll.text.console_drawing import (
    SEAT_MARKS,
    WIDTH,
    columns,
    mark,
    padded,
    side_by_side,
    turn_mark,
    wrapped,
)


def plain(markup: str) -> str:
    return Text.from_markup(markup).plain


def test_every_seat_has_a_mark_of_its_own() -> None:
    marks = [plain(mark(seat, 2)) for seat in range(MOST_PLAYERS)]
    assert marks == [f"{shape}2" for shape in SEAT_MARKS]
    assert len(set(marks)) == MOST_PLAYERS
    assert [plain(turn_mark((1,), seat)) for seat in (0, 1)] == [" ", ">"]


def test_markup_takes_no_room() -> None:
    assert plain(padded("[bold]a[/]", 4)) == "a   "
    assert [plain(line) for line in columns(["[red]a[/]", "b", "c"], 3, 2, "-")] == ["-a  b  ", "-c  "]


def test_blocks_stand_beside_each_other() -> None:
    assert side_by_side([["a", "b"], ["c"], ["d"]], 2, 2, "|") == [["a |c ", "b |  "], ["d "]]


def test_lines_are_broken_before_the_terminal_ends() -> None:
    lines = wrapped("Label", ["word"] * 40)
    assert max(map(len, lines)) <= WIDTH
    assert " ".join(" ".join(lines).split()) == " ".join(["Label", *["word"] * 40])
