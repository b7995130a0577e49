"""The page of a sandbox: the table's own page, for a private copy on which moves are tried out."""

from collections.abc import Sequence

from atoll.core.game_translator import GameTranslator
from atoll.text.translation import Translator
from atoll.web.pages.log import log
from atoll.web.pages.players import names_of
from atoll.web.pages.regions import Fragment, RegionDrawer
from atoll.web.pages.render_cache import render_cache
from atoll.web.pages.table_page import ELSEWHERE, Entry, context
from atoll.web.pages.templating import draw
from atoll.web.table.move_choice import Control, Fields, post
from atoll.web.table.sandbox import SandboxTable
from atoll.web.table.seen_table import seen_by
from atoll.web.translation import translator_for


def draw_sandbox(
    sandbox: SandboxTable,
    language: str,
    fields: Fields,
    notice: str | None = None,
    *,
    whole: bool,
    confirms: bool,
    stale: bool,
) -> Fragment:
    """A sandbox: the live part, or the whole page; `stale` if the real table has changed since it began.

    The caller holds the sandbox's lock.
    """
    translator = GameTranslator(translator_for(language, sandbox.game.package), sandbox.components)
    names, viewer = names_of(translator, sandbox.real), sandbox.viewer
    seen = seen_by(viewer, sandbox, names)
    drawing = RegionDrawer({})
    html = draw(
        "table.html.jinja" if whole else "table_live.html.jinja",
        language,
        sandbox.game,
        draw_region=drawing.draw_region,
        log=log(sandbox.timeline, viewer.seat, translator, names, cache=render_cache(sandbox)),
        **context(seen, translator, fields, confirms, notice)
        | sandbox_context(sandbox, translator, names, bool(fields), stale),
    )
    return drawing.fragment(html, sandbox.version)


def sandbox_context(
    sandbox: SandboxTable, translator: Translator, names: Sequence[str], choosing: bool, stale: bool
) -> Entry:
    """The entries of the context that differ from a real table's."""
    here, table = sandbox.address_of(for_others=False), f"/tables/{sandbox.row.id}"
    undo = {"control": post(f"{sandbox.address}/undo"), "label": translator("Undo my last move")}
    text = translator("Only a try: what is hidden is guessed, and nobody sees it.")
    if stale:
        text = translator("The game has gone on since this try began.")
    answers: list[Entry] = []
    others: Entry = {}
    if sandbox.moves_for_others:
        own = Control("choose", here, {})
        answers = [{"id": "try-own", "label": translator("Back to my seat"), "control": own}]
    elif sandbox.waits_for_others and not choosing:
        label = translator("Move for %(name)s", name=names[sandbox.timeline.to_act[0]])
        by_hand = Control("choose", sandbox.address_of(for_others=True), {})
        answers = [{"id": "try-others", "label": label, "control": by_hand}]
        others = {"confirm": {"control": post(f"{here}/bots"), "label": translator("Let the others move")}}
    answers += [
        {"id": "try-anew", "label": translator("Start over"), "control": post(f"{here}/anew")},
        {"id": "try-end", "label": translator("Back to the game"), "control": post(f"{here}/end")},
    ]
    return ELSEWHERE | {
        "sandbox": {"text": text, "answers": answers},
        **others,
        "undo": undo if (sandbox.timeline.answers or sandbox.timeline.choices) and not choosing else None,
        "tab_title": translator("Trying – %(game)s", game=sandbox.game.title),
        "menu": [{"label": translator("Back to the game"), "url": table}],
        "talk": None,
        "proposal": None,
        "repeat_move": None,
        "stop_premove": None,
        "resign": None,
        "paces": [],
        "confirmations": [],
        "again": None,
        "branch": None,
    }
