"""A game's page of rules as text for a terminal: its paragraphs and tables, and what its pictures are called."""

import re
from collections.abc import Sequence
from html.parser import HTMLParser

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from atoll.core.game import Game
from atoll.web.pages.rules_page import GameSetup, rules_html


def rules_text(game: Game, language: str, begun: GameSetup) -> RenderableType:
    """A game's page of rules for a `PlainConsole`."""
    reader = _PageReader()
    reader.feed(rules_html(game, language, begun))
    return Group(*reader.blocks)


BLOCKS = ("p", "li", "h1", "h2", "h3", "h4", "dt", "dd", "figcaption", "caption")
"""Elements that make a paragraph of their own."""

VOID = ("br", "img", "hr", "input", "use", "path", "wbr")
"""Elements that have no end."""

SPACES = re.compile(r"[ \t\n]+")
"""What HTML takes for one space; no-break spaces are not among them."""

STYLES = {"h1": "bold underline", "h2": "bold", "h3": "italic", "h4": "italic", "dt": "bold"}
INDENTS = {"li": 2, "dd": 2}


class _PageReader(HTMLParser):
    """Turns HTML into paragraphs and tables.

    What a screen reader passes over (`aria-hidden`) is left out, drawings among it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.blocks: list[RenderableType] = []
        self._text: list[str] = []
        self._rows: list[list[str]] = []
        self._hidden: list[str] = []  # open elements inside one that is left out, itself the first

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        if self._hidden or tag == "svg" or dict(attrs).get("aria-hidden") == "true":
            if tag not in VOID:
                self._hidden.append(tag)
        elif tag == "table":
            self._rows = []
        elif tag == "tr":
            self._rows.append([])
        elif tag == "br":
            self._text.append(" ")
        elif tag in (*BLOCKS, "td", "th"):
            self._take_text()

    def handle_startendtag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        """An element without content says nothing."""

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self._text.append(data)

    def handle_endtag(self, tag: str) -> None:
        if self._hidden:
            if tag == self._hidden[-1]:
                self._hidden.pop()
        elif tag in ("td", "th"):
            self._rows[-1].append(self._take_text())
        elif tag == "table":
            self._end_table()
        elif tag in BLOCKS:
            self._add_paragraph(tag)

    def _take_text(self) -> str:
        text = SPACES.sub(" ", "".join(self._text)).strip()
        self._text = []
        return text

    def _add_paragraph(self, tag: str) -> None:
        text = self._take_text()
        if not text:
            return
        if tag in ("h1", "h2", "h3"):
            self.blocks.append(Text())
        paragraph = Text(f"• {text}" if tag == "li" else text, style=STYLES.get(tag, ""))
        self.blocks.append(Padding(paragraph, (0, 0, 0, INDENTS.get(tag, 0))))

    def _end_table(self) -> None:
        heading, *rows = self._rows
        table = Table(*heading)
        for row in rows:
            table.add_row(*row)
        self.blocks.append(table)
