"""Undo on a table's page: the bar's button, and requests that others answer."""

from typing import Any

from atoll.text.translation import Translator
from atoll.web.table.move_choice import MoveChoice, post
from atoll.web.table.seen_table import SeenTable
from atoll.web.table.undo import voters


def undo_button(table: SeenTable, translator: Translator, choosing: MoveChoice) -> dict[str, Any] | None:
    """The bar's button that undoes the viewer's last move, or requests it: which of both is found out when it is
    pressed. None while a move is being chosen.
    """
    if not table.may_undo or choosing.fields or table.choice is not None:
        return None
    if table.seat is None and table.undo_seat is not None:
        label = translator("Undo %(name)s’s last move", name=table.names[table.undo_seat])
    elif table.alone:
        label = translator("Undo my last move")
    else:
        label = translator("Undo my last move, or ask the others if it showed something")
    control = post(f"{table.address}/undo", decision=str(table.decision))
    return {"control": control, "label": label}


def undo_request(table: SeenTable, translator: Translator) -> dict[str, Any] | None:
    """The open request for an undo, with the viewer's answers; None if there is none."""
    request = table.undo_request
    if request is None:
        return None
    name = table.names[request.seat]
    if request.refused is not None:
        if request.refused == table.seat:
            return {"text": translator("You did not agree: nothing is taken back."), "answers": []}
        refused = table.names[request.refused]
        text = translator("%(name)s did not agree: nothing is taken back.", name=refused)
        return {"text": text, "answers": []}
    agreed = {table.seating.seats[seat].browser for seat in request.agreed}
    awaited = [
        table.names[seat] for seat in voters(table.seating) if table.seating.seats[seat].browser not in agreed
    ]
    waiting = translator("Waiting for %(names)s to agree.", names=translator.both(awaited))
    url = f"{table.address}/undo/answer"
    if request.seat == table.seat:
        text = translator.plural(
            "You ask to take back %(num)s move.", "You ask to take back %(num)s moves.", request.count
        )
        withdraw = {
            "id": "undo-withdraw",
            "label": translator("Withdraw the request"),
            "control": post(url, answer="withdraw"),
        }
        return {"text": f"{text} {waiting}", "answers": [withdraw]}
    text = translator.plural(
        "%(name)s asks to take back %(num)s move.",
        "%(name)s asks to take back %(num)s moves.",
        request.count,
        name=name,
    )
    if table.seat is None or table.seat in request.agreed or table.seat not in voters(table.seating):
        return {"text": f"{text} {waiting}", "answers": []}
    answers = [
        {"id": "undo-agree", "label": translator("Agree"), "control": post(url, answer="yes")},
        {"id": "undo-refuse", "label": translator("Decline"), "control": post(url, answer="no")},
    ]
    return {"text": text, "answers": answers}
