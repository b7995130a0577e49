"""The curtain of a screen that several people share: whose turn it is there, and what shows their hand."""

from dataclasses import dataclass
from typing import Any

from atoll.text.translation import Translator
from atoll.web.table.move_choice import post
from atoll.web.table.seen_table import SeenTable


@dataclass(frozen=True)
class Curtain:
    """What the bar says, the button of each who has to decide, and of each who has chosen and may choose again."""

    prompt: dict[str, Any]
    people: list[dict[str, Any]]
    chosen: list[dict[str, Any]]


def curtain_of(table: SeenTable, translator: Translator) -> Curtain | None:
    """Who at the viewer's screen decides, while nobody's hand is shown there; None if nobody there has a say."""
    if table.seat is not None or table.has_ended or table.seating.waiting:
        return None
    here = [seat for seat in table.viewer.here if not table.seating.has_stand_in(seat)]
    awaited = [seat for seat in here if seat in table.to_act]
    chosen = [
        {
            "seat": seat,
            "control": post(f"{table.address}/hand", seat=str(seat), again="yes"),
            "label": translator("%(name)s: choose again", name=table.names[seat]),
        }
        for seat in here
        if seat in table.have_chosen
    ]
    if not awaited and not chosen:
        return None
    if not awaited:
        others = translator.both([table.names[seat] for seat in table.to_act])
        hint = translator("You can change it until everyone has chosen.")
        return Curtain(
            {"text": translator("Waiting for %(names)s", names=others), "hint": hint, "mine": False},
            [],
            chosen,
        )
    names = [table.names[seat] for seat in awaited]
    people = [
        {
            "seat": seat,
            "control": post(f"{table.address}/hand", seat=str(seat)),
            "label": translator("I am %(name)s", name=table.names[seat]),
        }
        for seat in awaited
    ]
    text = translator("Turn of %(names)s", names=translator.both(names))
    hint = translator("The hands are hidden. Who plays next takes the screen and shows theirs.")
    return Curtain({"text": text, "hint": hint, "mine": False}, people, chosen)
