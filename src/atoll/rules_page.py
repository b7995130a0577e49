"""A game's page of rules, and the same page as text for a terminal."""

import re
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path

from jinja2 import Environment, FileSystemLoader
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from atoll.core.errors import AtollError
from atoll.core.game import Components, Game
from atoll.core.words import LANGUAGES


def rules_file(game: Game, language: str) -> str | None:
    """The file of a game's package that has its rules, a template or Markdown, in that language, else in another."""
    for known in (language, *LANGUAGES):
        for name in (f"rules.{known}.html.jinja", f"rules.{known}.md"):
            if (game.folder / name).is_file():
                return name
    return None


def has_rules_page(game: Game) -> bool:
    """Whether the game tells its rules."""
    return rules_file(game, "") is not None


def rules_html(game: Game, language: str, components: Components) -> str:
    """The inside of a game's page of rules, with the numbers of these components; raises AtollError if it has none."""
    name = rules_file(game, language)
    if name is None:
        raise AtollError(f"{game.title} comes without a page of rules")
    if name.endswith(".md"):
        from markdown_it import MarkdownIt

        text = (game.folder / name).read_text(encoding="utf-8")
        html: str = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
        return html
    folder = Path(str(game.folder)).parent
    environment = Environment(
        loader=FileSystemLoader(folder), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    template = environment.get_template(f"{game.package.rpartition('.')[2]}/{name}")
    return template.render(components=components.data)


def rules_text(game: Game, language: str, components: Components) -> RenderableType:
    """A game's page of rules for a `PlainConsole`."""
    reader = _PageReader()
    reader.feed(rules_html(game, language, components))
    return Group(*reader.blocks)


BLOCKS = ("p", "li", "h1", "h2", "h3")
"""Elements that make a paragraph of their own."""

SPACES = re.compile(r"[ \t\n]+")
"""What HTML takes for one space; no-break spaces are not among them."""

STYLES = {"h1": "bold underline", "h2": "bold", "h3": "italic"}
INDENTS = {"li": 2}


class _PageReader(HTMLParser):
    """Turns HTML into paragraphs and tables; pictures and whatever else is not text are left out."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks: list[RenderableType] = []
        self._text: list[str] = []
        self._rows: list[list[str]] = []
        self._unread = 0  # depth inside an <svg>

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        if tag == "svg":
            self._unread += 1
        elif tag == "table":
            self._rows = []
        elif tag == "tr":
            self._rows.append([])
        elif tag in (*BLOCKS, "td", "th"):
            self._take_text()

    def handle_data(self, data: str) -> None:
        if not self._unread:
            self._text.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "svg":
            self._unread -= 1
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
        shown = Text(f"• {text}" if tag == "li" else text, style=STYLES.get(tag, ""))
        self.blocks.append(Padding(shown, (0, 0, 0, INDENTS.get(tag, 0))))

    def _end_table(self) -> None:
        heading, *rows = self._rows
        table = Table(*heading)
        for row in rows:
            table.add_row(*row)
        self.blocks.append(table)
