"""Programmed moves as a table's page offers and shows them."""

from typing import Any

from atoll.core.words import Words
from atoll.web.table.choosing import Choosing, post
from atoll.web.table.seen_table import SeenTable

Entry = dict[str, Any]


def entries(table: SeenTable, words: Words) -> list[Entry]:
    """What the menu offers: everything that can be programmed now."""
    stop = stopping(table, words)
    if stop is not None:
        return [stop]
    here = f"{table.address}/program"
    return [{"label": words(one.label), "control": post(here, name=one.name)} for one in table.programs]


def in_bar(table: SeenTable, words: Words, choosing: Choosing) -> Entry | None:
    """The bar's button beside a chosen move that can be made again and again."""
    if table.program is not None or choosing.whole is None:
        return None
    alike = (one for one in table.programs if dict(one.move) == choosing.whole)
    found = next(alike, None)
    if found is None:
        return None
    return {"label": words(found.label), "control": post(f"{table.address}/program", name=found.name)}


def stopping(table: SeenTable, words: Words) -> Entry | None:
    """The bar's button that stops what is done again and again, and says what that is."""
    if table.program is None:
        return None
    label = words("Stop: %(program)s", program=words(table.program.label))
    return {"label": label, "control": post(f"{table.address}/program", name="")}
