"""Programmed moves as a table's page offers and shows them."""

from typing import Any

from atoll.text.translation import Translator
from atoll.web.table.move_choice import MoveChoice, post
from atoll.web.table.seen_table import SeenTable

Entry = dict[str, Any]


def entries(table: SeenTable, translator: Translator) -> list[Entry]:
    """What the menu offers: everything that can be programmed now."""
    stop = stopping(table, translator)
    if stop is not None:
        return [stop]
    here = f"{table.address}/program"
    return [{"label": translator(one.label), "control": post(here, name=one.name)} for one in table.premoves]


def in_bar(table: SeenTable, translator: Translator, choosing: MoveChoice) -> Entry | None:
    """The bar's button beside a chosen move that can be made again and again."""
    if table.premove is not None or choosing.whole is None:
        return None
    alike = (one for one in table.premoves if dict(one.move) == choosing.whole)
    found = next(alike, None)
    if found is None:
        return None
    return {"label": translator(found.label), "control": post(f"{table.address}/program", name=found.name)}


def stopping(table: SeenTable, translator: Translator) -> Entry | None:
    """The bar's button that stops what is done again and again, and says what that is."""
    if table.premove is None:
        return None
    label = translator("Stop: %(program)s", program=translator(table.premove.label))
    return {"label": label, "control": post(f"{table.address}/program", name="")}
