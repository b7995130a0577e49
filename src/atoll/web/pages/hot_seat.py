"""Hot seat: several people play at one screen, and a hand is shown only after its player asks for it."""

from dataclasses import dataclass
from typing import Any

from atoll.text.translation import Translator
from atoll.web.table.move_choice import post
from atoll.web.table.seen_table import SeenTable


@dataclass(frozen=True)
class HotSeat:
    """The bar's prompt, a button for the hand of each player to act, and one for each who may change a choice."""

    prompt: dict[str, Any]
    hands: list[dict[str, Any]]
    changeable: list[dict[str, Any]]


def hot_seat(table: SeenTable, translator: Translator) -> HotSeat | None:
    """What a shared screen offers while no hand is shown there; None if none of its players has anything to decide."""
    if table.seat is not None or table.has_ended or table.seating.waiting:
        return None
    here = [seat for seat in table.viewer.here if not table.seating.has_stand_in(seat)]
    deciding = [seat for seat in here if seat in table.to_act]
    changeable = [
        {
            "seat": seat,
            "control": post(f"{table.address}/hand", seat=str(seat), again="yes"),
            "label": translator("%(name)s: choose again", name=table.names[seat]),
        }
        for seat in here
        if seat in table.have_chosen
    ]
    if not deciding and not changeable:
        return None
    if not deciding:
        others = translator.both([table.names[seat] for seat in table.to_act])
        hint = translator("You can change it until everyone has chosen.")
        return HotSeat(
            {"text": translator("Waiting for %(names)s", names=others), "hint": hint, "mine": False},
            [],
            changeable,
        )
    names = [table.names[seat] for seat in deciding]
    hands = [
        {
            "seat": seat,
            "control": post(f"{table.address}/hand", seat=str(seat)),
            "label": translator("I am %(name)s", name=table.names[seat]),
        }
        for seat in deciding
    ]
    text = translator("%(names)s’s turn", names=translator.both(names))
    hint = translator("The hands are hidden. Whoever plays next takes the screen and shows their hand.")
    return HotSeat({"text": text, "hint": hint, "mine": False}, hands, changeable)
