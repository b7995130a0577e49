"""Printing a box: every piece on a sheet, cut at its size, its back behind it, and only what differs if that is asked.

What is measured is measured on a PDF that Chromium made: its marks and a piece's edges, in pixels of 300 to the inch.
"""

from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from goofspiel import game as goofspiel
from kuhn_poker import game as kuhn_poker
from numpy.typing import NDArray
from playwright.sync_api import Browser
from privateers import game as privateers
from typer.testing import CliRunner

from atoll.commands.main import app
from atoll.core.box import PieceGroup, PrintedPiece
from atoll.core.catalogue import find_game, games
from atoll.core.game import Game
from atoll.core.types import Components, Json
from atoll.text.errors import AtollError
from atoll.text.translation import LANGUAGES
from atoll.web.chromium import browser, pdf_of
from atoll.web.pages.print_layout import PAPERS, SIDE, TOP, PrintPlace, PrintSheet, layout, room
from atoll.web.pages.print_page import Box, PrintSettings, changes_between, in_grey, print_page

GAMES = [*games().values(), goofspiel, kuhn_poker, privateers]
BOXES = {
    "karuba": {"cards": 6 * 16, "aids": 6},
    "costa-ruana": {
        "cards": 72, "conditions": 2, "aids": 6, "islands": 10, "natives": 60, "treasures": 48, "shaman": 1
    },
    "cast-away": {
        "constructions": 33, "miracles": 6, "events": 15, "fishing": 7, "boosts": 8, "mystery": 14, "meeples": 25,
        "markers": 36, "resources": 120, "island": 1, "boards": 4,
    },
    "goofspiel": {"cards": 13 + 6 * 13, "aids": 6, "tracks": 3, "markers": 8},
    "kuhn-poker": {"cards": 3, "aids": 2, "tracks": 1, "markers": 2},
    "privateers": {"cards": 18, "aids": 4, "tracks": 3, "markers": 6},
}  # fmt: skip
DOTS = 300
MM = DOTS / 25.4


def fronts(sheets: list[PrintSheet]) -> list[PrintPlace]:
    return [place for sheet in sheets for place in sheet.places if place.side == "front"]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("fold", [False, True], ids=["duplex", "fold"])
def test_every_piece_of_the_box_is_printed_where_it_can_be_cut(game: Game, paper: str, fold: bool) -> None:
    box = Box(game, game.components(), "en")
    assert {group.key: group.count for group in box.groups} == BOXES[game.name]
    sheets = layout(box.groups, paper, fold=fold)
    printed = Counter((place.group.key, place.piece.key) for place in fronts(sheets))
    assert printed == {
        (group.key, piece.key): piece.count for group in box.groups for piece in group.pieces if piece.count
    }
    for sheet in sheets:
        width, height = room(paper, across=sheet.kind == "fold")
        for place in sheet.places:
            bleed = place.group.bleed
            assert min(place.x, place.y) >= bleed
            assert place.x + place.width + bleed <= width
            assert place.y + place.height + bleed <= height
        for one, other in zip(sheet.places, sheet.places[1:], strict=False):
            apart = (
                one.x + one.width <= other.x + 1e-6
                or other.x + other.width <= one.x + 1e-6
                or one.y + one.height <= other.y + 1e-6
            )
            assert apart


@pytest.mark.parametrize("fold", [False, True], ids=["duplex", "fold"])
def test_a_back_lies_behind_its_front(fold: bool) -> None:
    """Turned over or folded along the vertical line in the middle, and upright for whoever turns the piece over."""
    pieces = [PrintedPiece(str(k), str(k)) for k in range(7)]
    group = PieceGroup("tiles", "Tiles", 80, 50, pieces)
    sheets = layout([group], "a4", fold=fold)
    width = room("a4", across=fold)[0]
    backs = {p.piece.key: p for sheet in sheets for p in sheet.places if p.side == "back"}
    for front in fronts(sheets):
        back = backs[front.piece.key]
        assert back.x + back.width == pytest.approx(width - front.x)
        assert back.y == front.y
        assert back.turned == -front.turned
    assert [sheet.kind for sheet in sheets][:2] == (["fold", "fold"] if fold else ["front", "back"])


def test_what_does_not_go_on_the_paper_is_said() -> None:
    board = PieceGroup("boards", "Boards", 300, 250, [PrintedPiece("board", "Board")])
    with pytest.raises(AtollError, match="Boards: 300 by 250 mm do not go on a page of a4"):
        layout([board], "a4", fold=False)


def pages_of(pdf: bytes, tmp_path: Path, first: int, last: int) -> tuple[int, list[NDArray[np.int16]]]:
    """How many pages there are, and some as a printer has them, each of shape (height, width, 3)."""
    file = tmp_path / "box.pdf"
    file.write_bytes(pdf)
    with pypdfium2.PdfDocument(file) as document:
        pictures = (document[i].render(scale=DOTS / 72, rev_byteorder=True) for i in range(first, last + 1))
        return len(document), [picture.to_numpy().astype(np.int16) for picture in pictures]


def bounds(page: NDArray[np.int16]) -> list[float]:
    """Left, right, top and bottom of what is printed in the rows and columns of which a third is, mm: marks are not."""
    ink = (page < 250).any(2)
    columns, rows = np.flatnonzero(ink.mean(0) > 1 / 3), np.flatnonzero(ink.mean(1) > 1 / 3)
    return [float(at) / MM for at in (columns[0], columns[-1] + 1, rows[0], rows[-1] + 1)]


def middles(wanted: NDArray[np.bool_]) -> list[float]:
    """The middles of the runs of some pixels in a row of them, mm."""
    at = np.flatnonzero(np.diff(np.concatenate([[0], wanted.astype(np.int8), [0]])))
    return [float(first + last) / 2 / MM for first, last in zip(at[::2], at[1::2], strict=True)]


@pytest.mark.parametrize(
    ("name", "kind", "width_of_piece", "fold"),
    [
        ("karuba", "cards", 58, False),
        ("karuba", "cards", 58, True),
        ("costa-ruana", "cards", 56, False),
        ("cast-away", "constructions", 56, False),
    ],
)
def test_a_printed_sheet_measured(
    name: str, kind: str, width_of_piece: float, fold: bool, tmp_path: Path
) -> None:
    """Marks and drawings within 0.2 mm of the cut, backs within 0.3 mm of their fronts; no pictures, fonts embedded."""
    game = find_game(name)
    pdf = pdf_of(print_page(game, game.components(), "en", PrintSettings(only=(kind,), fold=fold)))
    sheets = layout(Box(game, game.components(), "en").groups[:1], "a4", fold=fold)
    before = 1 if fold else 2  # the first page, and its back
    count, (front, *others) = pages_of(pdf, tmp_path, before, before if fold else before + 1)
    assert count == before + len(sheets)
    back = front if fold else others[0]
    width = front.shape[1] / MM

    places = [place for place in sheets[0].places if place.side == "front"]
    bleed = places[0].group.bleed
    left, top = SIDE + min(p.x for p in places), TOP + min(p.y for p in places)
    right, bottom = SIDE + max(p.x + p.width for p in places), TOP + max(p.y + p.height for p in places)
    printed = bounds(front[:, : round((width / 2 - 1) * MM)] if fold else front)
    assert printed == pytest.approx([left - bleed, right + bleed, top - bleed, bottom + bleed], abs=0.2)

    edges = sorted({SIDE + x for place in places for x in (place.x, place.x + place.width)})
    marks = middles(front[round((top - bleed - 2) * MM)].max(1) < 60)
    fold_line = [width / 2] if fold else []
    assert marks == pytest.approx([*edges, *fold_line], abs=0.2)
    assert edges[1] - edges[0] == pytest.approx(width_of_piece)

    if fold:
        back[:, : round((width / 2 + 1) * MM)] = 255
    behind = bounds(back)
    assert [width - behind[1], width - behind[0], *behind[2:]] == pytest.approx(printed, abs=0.3)
    assert 0 < pdf.count(b"/FontDescriptor ") <= pdf.count(b"/FontFile")
    assert b"/Subtype /Image" not in pdf


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_nothing_on_a_piece_is_cut_off(chromium: Browser, game: Game) -> None:
    """No text runs over the edge of its piece, in either language."""
    page = chromium.new_page()
    for language in LANGUAGES:
        page.set_content(print_page(game, game.components(), language))
        over = page.eval_on_selector_all(".print-piece > *", OVER_THE_EDGE)
        assert not over, language
    page.close()


OVER_THE_EDGE = r"""pieces => pieces.filter(piece => {
  const edge = piece.getBoundingClientRect();
  return [...piece.querySelectorAll("p, li, td, th, b, dt, dd, span")].some(element => {
    const box = element.getBoundingClientRect();
    return element.textContent.trim() && box.width && (box.bottom > edge.bottom + 1 || box.right > edge.right + 1
      || box.left < edge.left - 1 || box.top < edge.top - 1);
  });
}).map(piece => piece.textContent.trim().replace(/\s+/g, " ").slice(0, 80))"""
"""The texts of the pieces of which some runs over the edge."""


def privateers_with(change: Callable[[list[Json]], object]) -> Components:
    data = deepcopy(privateers.components().data)
    change(data["cards"])
    return privateers.components_from("mine", data)


def changes_to(after: Components) -> tuple[list[str], list[tuple[str, str]], bool]:
    """What is printed, what changes, and whether the rules do."""
    before = Box(privateers, privateers.components(), "en")
    groups, changes, rules = changes_between(before, Box(privateers, after, "en"))
    printed = [piece.name for group in groups for piece in group.pieces]
    return printed, [(change.name, change.kind) for change in changes], rules


def test_only_what_differs_is_printed_anew() -> None:
    def dearer(cards: list[Json]) -> None:
        cards[3]["takes"] = 2

    assert changes_to(privateers_with(dearer)) == (["Pinnace"], [("Pinnace", "changed")], False)
    assert changes_to(privateers_with(lambda cards: cards.pop())) == ([], [("Galleon", "gone")], False)
    raft = {"name": {"en": "Raft"}, "takes": 1}
    assert changes_to(privateers_with(lambda cards: cards.append(raft))) == (
        ["Raft"],
        [("Raft", "new")],
        False,
    )
    with pytest.raises(AtollError, match="nothing that is printed differs"):
        print_page(privateers, privateers.components(), "en", older=privateers.components())


def test_a_figure_changes_aids_and_rules_alone() -> None:
    game = find_game("karuba")
    data = deepcopy(game.components().data)
    data["game"]["nugget_points"] = 3
    before, after = (Box(game, one, "en") for one in (game.components(), game.components_from("mine", data)))
    groups, changes, rules = changes_between(before, after)
    assert ([group.key for group in groups], [change.count for change in changes], rules) == (
        ["aids"],
        [6],
        True,
    )


def test_grey_has_no_colours_and_ink_stays() -> None:
    html = """<use href="#add"/><i style="fill:#a32638;color:#fff">url("data:,%23f39c2d") rgb(12 53 46 / 40%)</i>"""
    assert in_grey(html) == (
        """<use href="#add"/><i style="fill:#8e8e8e;color:#ffffff">url("data:,%23cacaca") rgb(44 44 44 / 40%)</i>"""
    )


def test_the_command_makes_what_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke
    done = run(app, ["print", "karuba", "--only", "aids", "--paper", "letter", "--grey", "-o", "aids.pdf"])
    assert done.exit_code == 0, done.output
    with pypdfium2.PdfDocument(tmp_path / "aids.pdf") as document:
        assert len(document) == 4
        assert document[0].get_size() == pytest.approx((612, 792), abs=1)
    wrong = run(app, ["print", "karuba", "--only", "dice"])
    assert str(wrong.exception) == "Karuba has no “dice” to print; there are: cards, aids, rules"
    browser.cache_clear()
    monkeypatch.setenv("CHROMIUM", "no-such-browser")
    assert "apt install chromium installs it" in str(run(app, ["print", "karuba"]).exception)
    assert run(app, ["print", "karuba", "-o", "box.html"]).exit_code == 0
    browser.cache_clear()
    assert [file.name for file in sorted(tmp_path.iterdir())] == ["aids.pdf", "box.html"]
