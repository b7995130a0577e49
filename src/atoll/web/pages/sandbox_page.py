"""The page on which one tries moves out: the table's own page, of a private copy."""

from atoll.core.game_translator import GameTranslator
from atoll.text.translation import Translator
from atoll.web.pages.players import names_of
from atoll.web.pages.regions import Fragment, RegionDrawer
from atoll.web.pages.render_cache import render_cache
from atoll.web.pages.table_page import Entry, context, log
from atoll.web.pages.templating import draw
from atoll.web.table.move_choice import Fields, post
from atoll.web.table.sandbox import SandboxTable
from atoll.web.table.seen_table import seen_by
from atoll.web.translation import translator_for


def draw_try(
    tried: SandboxTable,
    language: str,
    fields: Fields,
    notice: str | None = None,
    *,
    whole: bool,
    confirms: bool,
    stale: bool,
) -> Fragment:
    """A copy on which one tries: the live part, or the whole page; `stale` if the table has gone on since.

    The caller holds the copy's lock.
    """
    translator = GameTranslator(translator_for(language, tried.game.package), tried.components)
    names, viewer = names_of(translator, tried.real), tried.viewer
    seen = seen_by(viewer, tried, names)
    drawing = RegionDrawer({})
    html = draw(
        "table.html.jinja" if whole else "table_live.html.jinja",
        language,
        tried.game,
        draw_region=drawing.draw_region,
        log=log(tried.timeline, viewer.seat, translator, names, cache=render_cache(tried)),
        **context(seen, translator, fields, confirms, notice) | frame(tried, translator, bool(fields), stale),
    )
    return drawing.fragment(html, tried.version)


def frame(tried: SandboxTable, translator: Translator, choosing: bool, stale: bool) -> Entry:
    """What stands around the copy instead of what a table has there."""
    here, table = tried.address, f"/tables/{tried.row.id}"
    undo = {"control": post(f"{here}/undo"), "label": translator("Undo: take my last move back")}
    said = translator("Only a try: what is hidden is guessed, you move for everybody, and nobody sees it.")
    if stale:
        said = translator("The game has gone on since this try began.")
    return {
        "trying": {
            "text": said,
            "answers": [
                {"id": "try-anew", "label": translator("Begin anew"), "control": post(f"{here}/anew")},
                {"id": "try-end", "label": translator("Back to the game"), "control": post(f"{here}/end")},
            ],
        },
        "undo": undo if (tried.timeline.answers or tried.timeline.choices) and not choosing else None,
        "tab_title": translator("Trying – %(game)s", game=tried.game.title),
        "menu": [{"label": translator("Back to the game"), "url": table}],
        "talk": None,
        "agreement": None,
        "to_program": None,
        "seating": [],
        "paces": [],
        "pressing": [],
        "free": (),
        "again": None,
        "look_back": None,
        "branch": None,
    }
