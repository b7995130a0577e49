"""Premoves on a table's page: those that can be set, and the one that runs."""

from typing import Any

from atoll.text.translation import Translator
from atoll.web.table.move_choice import MoveChoice, post
from atoll.web.table.seen_table import SeenTable

Entry = dict[str, Any]


def premove_entries(table: SeenTable, translator: Translator) -> list[Entry]:
    """The menu's entries: every premove that can be set now, or the one that stops the running premove."""
    stop = stop_button(table, translator)
    if stop is not None:
        return [stop]
    here = f"{table.address}/program"
    return [{"label": translator(one.label), "control": post(here, name=one.name)} for one in table.premoves]


def repeat_button(table: SeenTable, translator: Translator, choosing: MoveChoice) -> Entry | None:
    """The bar's button that repeats the chosen move in later turns; None if no premove has that move."""
    if table.premove is not None or choosing.whole is None:
        return None
    matching = (one for one in table.premoves if dict(one.move) == choosing.whole)
    premove = next(matching, None)
    if premove is None:
        return None
    return {
        "label": translator(premove.label),
        "control": post(f"{table.address}/program", name=premove.name),
    }


def stop_button(table: SeenTable, translator: Translator) -> Entry | None:
    """The bar's button that names the running premove and stops it; None if none runs."""
    if table.premove is None:
        return None
    label = translator("Stop: %(program)s", program=translator(table.premove.label))
    return {"label": label, "control": post(f"{table.address}/program", name="")}
