"""The page of everything in a components file, drawn as on the table: served by the site, or as one file.

A game's template `sheet.html.jinja` is the inside of the page, and its module `sheet` gives that template's context
besides the file's `data`. A game without them is listed in tables.
"""

import re
from base64 import b64encode
from pathlib import Path
from typing import Any

from atoll.core.attested import Origins
from atoll.core.entries import labels
from atoll.core.game import Game
from atoll.core.game_translator import GameTranslator
from atoll.core.listings import listings
from atoll.core.types import Components
from atoll.web import STATIC
from atoll.web.pages.drawings import drawings_css, drawings_url
from atoll.web.pages.isolation import isolated
from atoll.web.pages.rules_page import has_rules_page
from atoll.web.pages.templating import draw, short_name
from atoll.web.translation import translator_for

PICTURE = re.compile(r'url\("(?:\.\./\.\./static/)?([a-z-]+\.svg)"\)')
"""A picture that a stylesheet takes from the site."""


def components_page(
    game: Game, components: Components, language: str, *, alone: bool = False, table: str | None = None
) -> str:
    """The page as HTML.

    `alone`: with its stylesheets and pictures inlined, to be opened without the site. `table`: the id of the table from
    which it was opened.
    """
    return draw(
        "components.html.jinja",
        language,
        game,
        **sheet_context(game, components, language),
        styles=stylesheet(game) if alone else None,
        here=f"/games/{game.name}/components" + (f"?table={table}" if table else ""),
        table=table,
        to_rules=has_rules_page(game),
    )


def sheet_context(game: Game, components: Components, language: str) -> dict[str, Any]:
    """The context of the templates that draw a components file; its `edit` draws nothing."""
    translator = GameTranslator(translator_for(language, game.package), components)
    origins, names = Origins(game, components.data), labels(game)

    def label(key: str) -> str:
        return translator(names.get(key, key))

    context: dict[str, Any] = {
        "sheet": None,
        "listings": list(listings(game, components, translator)),
        "origins": origins,
        "changed": bool(origins.changed()),
        "label": label,
    }
    if (game.folder / "sheet.html.jinja").is_file():
        context["sheet"] = f"{short_name(game)}/sheet.html.jinja"
        if game.sheet is not None:
            context |= game.sheet.sheet(components)
    return context | {
        "game": {"key": game.name, "package": short_name(game), "title": game.title},
        "set_name": translator(components.name) if components.shipped else isolated(components.name),
        "data": components.data,
        "t": game.messages.bind(translator),
        "drawings": drawings_url(game),
        "moved": {},
        "edit": lambda path: "",
        "to_workshop": bool(game.component_files),
    }


def stylesheet(game: Game) -> str:
    """All stylesheets of the page as one, with their pictures as data URLs."""
    before = [STATIC / name for name in ("tokens.css", "site.css", "pages.css")]
    after = [game.folder / "table.css", STATIC / "sheet.css", game.folder / "sheet.css"]
    texts = [file.read_text(encoding="utf-8") for file in [*before, *after] if file.is_file()]
    text = "\n".join([*texts[: len(before)], drawings_css(game) or "", *texts[len(before) :]])
    return PICTURE.sub(lambda match: f'url("{picture_url(STATIC / match[1])}")', text)


def picture_url(picture: Path) -> str:
    """An SVG picture as a data URL."""
    return f"data:image/svg+xml;base64,{b64encode(picture.read_bytes()).decode()}"
