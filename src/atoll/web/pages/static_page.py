"""A position as a static page: the table as a seat or a spectator sees it, in one file.

Styles and drawings are inlined and there are no scripts; its buttons lead nowhere.
"""

import re
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import quote

from atoll.bots import DEFAULT_BOT
from atoll.core.game import Game
from atoll.core.game_translator import GameTranslator
from atoll.web import STATIC
from atoll.web.pages.drawings import drawings_css
from atoll.web.pages.log import log
from atoll.web.pages.plain_table import STYLES
from atoll.web.pages.players import seat_labels
from atoll.web.pages.regions import RegionDrawer
from atoll.web.pages.table_page import ELSEWHERE, context
from atoll.web.pages.templating import draw
from atoll.web.store.store import SeatRow
from atoll.web.table.memory_table import MemoryTable
from atoll.web.table.seats import Seating, Viewer
from atoll.web.table.seen_table import seen_by
from atoll.web.table.table import Table
from atoll.web.table.timeline import Timeline
from atoll.web.translation import translator_for

if TYPE_CHECKING:
    from atoll.core.game import Position

VIEWER = "viewer"
"""The browser of the viewer's seat."""
STYLESHEET = re.compile(r'<link rel="stylesheet" href="([^"?]+)[^"]*">')
EXTERNAL = re.compile(r"<script.*?</script>|<link .*?>", re.DOTALL)
"""Elements that load something else from a server."""
PICTURE = re.compile(r'url\("(?:../../static/)?([\w.-]+\.svg)"\)')


PICTURE_STYLE = (
    "<style>:is(.icon-button, .languages, .log, .end .bar, .confetti) { display: none !important; } "
    "*, *::before, *::after { animation: none !important; }</style>"
)
"""What a picture of a table does without."""


class StaticTable(MemoryTable):
    """A position, without legal moves. The page is always the same."""

    def __init__(self, position: "Position", seat: int | None, seating: Seating | None = None) -> None:
        seats = tuple(
            SeatRow(s, VIEWER) if s == seat else SeatRow(s, bot=DEFAULT_BOT) for s in range(position.players)
        )
        super().__init__("still", position, seating or Seating("", False, seats), Timeline(position.copy()))


def draw_static(position: "Position", seat: int | None = None, language: str = "en", again: int = 0) -> str:
    """The page as HTML: the position as `seat` sees it, or for None a spectator.

    With `again` the browser reloads the file after so many seconds.
    """
    html = _drawn(StaticTable(position, seat), seat, language)
    return (
        html.replace("<head>", f'<head><meta http-equiv="refresh" content="{again}">', 1) if again else html
    )


def draw_picture(table: Table, language: str) -> str:
    """A table as whoever watches it sees it, for a picture: its people are named, and there are no buttons."""
    seating = replace(table.seating, open_bots=False, opened=None)
    html = _drawn(StaticTable(table.timeline.position, None, seating), None, language)
    return html.replace("</head>", PICTURE_STYLE + "</head>", 1)


def _drawn(table: StaticTable, seat: int | None, language: str) -> str:
    viewer = Viewer(seat)
    translator = GameTranslator(translator_for(language, table.game.package), table.components)
    names = seat_labels(translator, table.seating, seat)
    drawing = RegionDrawer({})
    page = draw(
        "table.html.jinja",
        language,
        table.game,
        draw_region=drawing.draw_region,
        log=log(table.timeline, seat, translator, names),
        **context(seen_by(viewer, table, names), translator, {}, confirms=False)
        | ELSEWHERE
        | dict.fromkeys(("rules", "resign", "deal", "talk", "confirm", "proposal"))
        | {"menu": [], "refreshes": False},
    )
    return inlined(str(drawing.fragment(page, table.version)), table.game)


def inlined(html: str, game: Game) -> str:
    """A table's page with its styles in it, and nothing that it loads from a server."""
    return EXTERNAL.sub("", STYLESHEET.sub(lambda link: style_element(link[1], game), html))


def style_element(address: str, game: Game) -> str:
    """The site's stylesheet at an address, as a style element."""
    name = address.rpartition("/")[2]
    if address.startswith("/static/"):
        css = (STATIC / name).read_text(encoding="utf-8")
    elif name == "drawings.css":
        css = drawings_css(game) or ""
    else:
        own = game.folder / name
        css = (own if own.is_file() else STATIC / STYLES).read_text(encoding="utf-8")
    return f"<style>{PICTURE.sub(lambda match: picture_css(match[1]), css)}</style>"


def picture_css(name: str) -> str:
    """A picture of the site as a CSS data URL."""
    return f'url("data:image/svg+xml,{quote((STATIC / name).read_text(encoding="utf-8"))}")'
