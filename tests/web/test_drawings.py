"""Drawings as pictures in a stylesheet (web/pages/drawings.py): each is whole by itself, and none is missing."""

import random
import re
from collections.abc import Iterator
from urllib.parse import unquote
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from atoll.core.catalogue import games
from atoll.core.game import Game
from atoll.web.pages.components_page import components_page
from atoll.web.pages.drawings import SVG, drawings_css
from atoll.web.pages.table_page import draw_table
from atoll.web.table.move_choice import Fields, fields_of
from atoll.web.table.seats import Viewer

from .conftest import Browser, QuietTable

RULE = re.compile(
    r'^\.drawn-(\S+) \{ aspect-ratio: [\d. /]+; border-image-source: url\("data:image/svg\+xml,([^"]*)"\); \}$',
    re.M,
)
DRAWN = re.compile(r"\bdrawn-([\w-]+)")
LINK = re.compile(r'<link rel="stylesheet" href="(/games/[^"]*/drawings\.css[^"]*)">')

WITH_DRAWINGS = [game for game in games().values() if (game.folder / "drawings.svg.jinja").is_file()]


def drawings(game: Game) -> Iterator[tuple[str, Element]]:
    """The names and the pictures of a game's stylesheet."""
    for name, picture in RULE.findall(drawings_css(game) or ""):
        yield name, ElementTree.fromstring(unquote(picture))


@pytest.mark.parametrize("game", WITH_DRAWINGS, ids=lambda game: game.name)
def test_a_picture_is_whole_by_itself(game: Game) -> None:
    """A picture in a stylesheet sees nothing of the page: symbols, rules and colours are in it."""
    names = [name for name, _ in drawings(game)]
    assert len(names) == len(set(names)) == drawings_css(game).count(".drawn-") > 0  # type: ignore[union-attr]
    coloured = set(
        re.findall(r"^ *\.([\w-]+)", (game.folder / "drawings.css").read_text(encoding="utf-8"), re.M)
    )
    for name, picture in drawings(game):
        style = picture.findtext(f"{{{SVG}}}style", "")
        ids = {element.get("id") for element in picture.iter()}
        used = {element.get("href", "#")[1:] for element in picture.iter(f"{{{SVG}}}use")}
        assert used <= ids, name
        classes = {word for element in picture.iter() for word in element.get("class", "").split()}
        styled = set(re.findall(r"\.([\w-]+)", style))
        assert classes & coloured <= styled, name
        assert set(re.findall(r"var\((--[\w-]+)\)", style)) <= set(re.findall(r"(--[\w-]+):", style)), name


@pytest.mark.parametrize("game", WITH_DRAWINGS, ids=lambda game: game.name)
def test_a_picture_has_a_size_of_its_own(game: Game) -> None:
    """Else a browser lays it out anew for each box that it fills (docs/table-page.md)."""
    for name, picture in drawings(game):
        assert picture.get("viewBox", "").split()[2:] == [picture.get("width"), picture.get("height")], name


@pytest.mark.parametrize("game", WITH_DRAWINGS, ids=lambda game: game.name)
def test_whole_games_show_no_drawing_that_is_missing(game: Game, quiet_table: QuietTable) -> None:
    known = {name for name, _ in drawings(game)}
    chance, shown = random.Random(4), set[str]()
    table = quiet_table(game.name)
    while True:
        for viewer in (None, *range(len(table.seating.seats))):
            shown.update(DRAWN.findall(str(draw_table(table, Viewer(viewer), "en", {}))))
        if table.timeline.is_over:
            break
        seat = chance.choice(table.timeline.to_act)
        fields: Fields = {
            name: (value,)
            for name, value in fields_of(chance.choice(table.timeline.legal_moves(seat))).items()
        }
        shown.update(DRAWN.findall(str(draw_table(table, Viewer(seat), "en", fields))))
        table.answer(seat, table.timeline.decision(seat), fields)
    assert shown <= known
    assert len(shown) > len(known) / 2


@pytest.mark.parametrize("game", list(games()))
def test_a_page_is_told_where_the_drawings_are(game: str, browser: Browser) -> None:
    """Kept for good, since the address changes with what is in it; a game without drawings has no such address."""
    paths = browser.make_table(game), f"/games/{game}/rules", f"/games/{game}/components"
    links = [LINK.findall(browser.get(path).text) for path in paths]
    answer = browser.get(f"/games/{game}/drawings.css")
    if drawings_css(games()[game]) is None:
        assert links == [[], [], []]
        assert answer.status_code == 404
        return
    assert answer.headers["cache-control"] == "no-cache"
    address = links[0][0]
    assert links == [[address]] * 3
    answer = browser.get(address)
    assert answer.text == drawings_css(games()[game])
    assert answer.headers["content-type"].startswith("text/css")
    assert "immutable" in answer.headers["cache-control"]


@pytest.mark.parametrize("game", WITH_DRAWINGS, ids=lambda game: game.name)
def test_a_page_by_itself_has_its_styles_in_the_order_of_the_site(game: Game) -> None:
    """Else a rule for all drawings could take away the picture of each."""
    page = components_page(game, game.components(), "en", alone=True)
    assert (drawings_css(game) or "-") in page
    own = (game.folder / "table.css").read_text(encoding="utf-8")
    assert page.index("\n.drawn {") < page.index("\n.drawn-") < page.index(own)
