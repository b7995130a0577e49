"""The waiting room of a table that has not begun: its settings, and what the viewer can do there."""

import time
from typing import Any

from atoll.bots import DEFAULT_BOT, LEVELS
from atoll.text.translation import Translator
from atoll.web.pages import clocks
from atoll.web.pages.players import take_button
from atoll.web.pages.rules_page import has_rules_page
from atoll.web.pages.table_facts import promises, table_facts, table_settings
from atoll.web.pages.table_links import rules_address
from atoll.web.table.move_choice import post
from atoll.web.table.seen_table import SeenTable


def waiting_room(table: SeenTable, translator: Translator) -> dict[str, Any] | None:
    """The waiting room without its seats; None once the game has begun."""
    if not table.seating.waiting:
        return None
    here, free = table.address, len(table.seating.free)
    starts = table.viewer.maker or (table.seat is not None and not free)
    has_name = table.seat is None or table.seating.seats[table.seat].name is not None
    return {
        "summary": translator(table.game.summary),
        "facts": table_facts(table, translator),
        "table_settings": table_settings(table, translator),
        "promises": promises(table, translator),
        "rules": rules_address(table) if has_rules_page(table.game) else None,
        "counts": [
            {"count": count, "control": post(f"{here}/players", players=str(count))}
            for count in table.game.seats
        ]
        if table.viewer.maker and len(table.game.seats) > 1
        else [],
        "begins": None
        if table.begins_at is None
        else {
            "text": clocks.remaining_time(translator, max(0.0, table.begins_at - time.time())),
            "due": round(table.begins_at, 1),
        },
        "free": free,
        "hosts": table.viewer.maker,
        "ask_name": not has_name,
        "fills_in": starts or not has_name,  # a reload would empty the form
        "leave": post(f"{here}/leave") if table.seat is not None else None,
        "start": f"{here}/start" if starts else None,
        "bots": [
            {"name": level.name, "label": translator(level.name), "selected": level.name == DEFAULT_BOT}
            for level in LEVELS
        ],
        "public": table.public,
        "publish": post(f"{here}/public", public="no" if table.public else "yes")
        if table.viewer.maker
        else None,
    }


def room_prompt(table: SeenTable, translator: Translator) -> dict[str, Any]:
    """The bar's prompt in the waiting room."""
    free = len(table.seating.free)
    text = translator.plural("Waiting for %(num)s more player.", "Waiting for %(num)s more players.", free)
    hint = translator("The game begins when the person who made the table starts it.")
    if not free:
        text = translator("All seats are taken.")
    if table.viewer.maker:
        hint = (
            translator("Share the link, or start with bots in the free seats.")
            if free
            else translator("You can start.")
        )
    elif table.seat is None and free:
        hint = translator("Take a free seat to play along.")
    elif table.seat is not None and not free:
        hint = translator("Anybody who plays can start.")
    return {"text": text, "hint": hint, "mine": False}


def room_button(table: SeenTable, translator: Translator) -> dict[str, Any] | None:
    """The bar's button in the waiting room: start, or take a seat."""
    if table.seat is None and table.open_seats:
        return take_button(table, table.open_seats[0], translator)
    if not table.seating.free and (table.viewer.maker or table.seat is not None):
        return {"control": post(f"{table.address}/start"), "label": translator("Start the game")}
    return None
