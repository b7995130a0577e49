"""Proposals on a table's page: a rematch, or to abandon the game, once all agree."""

from typing import Any

from atoll.text.translation import Translator
from atoll.web.people.proposals import AGAIN, DECLINED, DECLINED_AT, RESIGN, asked, own_seats
from atoll.web.table.move_choice import post
from atoll.web.table.seen_table import SeenTable


def proposal(table: SeenTable, translator: Translator) -> dict[str, Any] | None:
    """The open proposal: who has agreed, who has not yet, and the viewer's buttons; None if there is none."""
    kind = AGAIN if table.has_ended else RESIGN
    agreed, mine = table.agreed.get(kind, ()), own_seats(table.viewer)
    if table.next is not None:
        return None
    if not agreed:
        return declined_proposal(table, translator)
    names = translator.both([table.names[seat] for seat in agreed])
    awaited = [table.names[seat] for seat in asked(table.seating) if seat not in (*agreed, *mine)]
    if kind == AGAIN:
        text = translator("%(names)s: play again, everyone one seat further?", names=names)
    else:
        text = translator("%(names)s: give the game up, without a result?", names=names)
    has_agreed = bool(mine) and set(mine) <= set(agreed)
    here = f"{table.address}/agree"
    return {
        "text": text,
        "awaited": translator("Waiting for %(names)s.", names=translator.both(awaited)) if awaited else "",
        "agree": post(here, about=kind) if mine and not has_agreed else None,
        "decline": post(here, about=kind, no="yes") if mine and not has_agreed else None,
        "withdraw": post(here, about=kind, no="yes") if has_agreed else None,
    }


def declined_proposal(table: SeenTable, translator: Translator) -> dict[str, Any] | None:
    """Tells the other players that a proposal was declined, until the table changes again; None if none was."""
    seats, mine = table.agreed.get(DECLINED, ()), own_seats(table.viewer)
    if table.version not in table.agreed.get(DECLINED_AT, ()) or not mine or set(mine) & set(seats):
        return None
    text = translator(
        "%(names)s did not agree.", names=translator.both([table.names[seat] for seat in seats])
    )
    return {"text": text, "awaited": ""}
