"""The page on which one tries moves out: the table's own page, of a private copy."""

from atoll.core.words import Words
from atoll.web.pages.players import names_of
from atoll.web.pages.regions import Fragment, RegionDrawer
from atoll.web.pages.table_page import Entry, context, log
from atoll.web.pages.templating import draw, words_for
from atoll.web.table.choosing import Fields, post
from atoll.web.table.seen_table import seen_by
from atoll.web.table.trying import TriedTable


def draw_try(
    tried: TriedTable,
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
    words = words_for(language, tried.game.package).with_components(tried.components)
    names, viewer = names_of(words, tried.real), tried.viewer
    seen = seen_by(viewer, tried, names)
    drawing = RegionDrawer({})
    html = draw(
        "table.html.jinja" if whole else "table_live.html.jinja",
        language,
        tried.game,
        draw_region=drawing.draw_region,
        log=log(tried.course, viewer.seat, words, names),
        **context(seen, words, fields, confirms, notice) | frame(tried, words, bool(fields), stale),
    )
    return drawing.fragment(html, tried.version)


def frame(tried: TriedTable, words: Words, choosing: bool, stale: bool) -> Entry:
    """What stands around the copy instead of what a table has there."""
    here, table = tried.address, f"/tables/{tried.row.id}"
    undo = {"control": post(f"{here}/undo"), "label": words("Undo: take my last move back")}
    said = words("Only a try: what is hidden is guessed, you move for everybody, and nobody sees it.")
    if stale:
        said = words("The game has gone on since this try began.")
    return {
        "trying": {
            "text": said,
            "answers": [
                {"id": "try-anew", "label": words("Begin anew"), "control": post(f"{here}/anew")},
                {"id": "try-end", "label": words("Back to the game"), "control": post(f"{here}/end")},
            ],
        },
        "undo": undo if (tried.course.answers or tried.course.choices) and not choosing else None,
        "tab_title": words("Trying – %(game)s", game=tried.game.title),
        "menu": [{"label": words("Back to the game"), "url": table}],
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
