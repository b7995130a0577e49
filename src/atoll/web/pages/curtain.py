"""The curtain of a screen that several people share: whose turn it is there, and what shows their hand."""

from dataclasses import dataclass
from typing import Any

from atoll.core.words import Words
from atoll.web.table.choosing import post
from atoll.web.table.seen_table import SeenTable


@dataclass(frozen=True)
class Curtain:
    """What the bar says, and the button of each who has to decide."""

    prompt: dict[str, Any]
    people: list[dict[str, Any]]


def curtain_of(table: SeenTable, words: Words) -> Curtain | None:
    """Who at the viewer's screen has to decide, while nobody's hand is shown there; None if nobody has to."""
    if table.seat is not None or table.has_ended or table.seating.waiting:
        return None
    awaited = [
        seat for seat in table.viewer.here if seat in table.to_act and not table.seating.has_stand_in(seat)
    ]
    if not awaited:
        return None
    names = [table.names[seat] for seat in awaited]
    people = [
        {
            "seat": seat,
            "control": post(f"{table.address}/hand", seat=str(seat)),
            "label": words("I am %(name)s", name=table.names[seat]),
        }
        for seat in awaited
    ]
    text = words("Turn of %(names)s", names=words.both(names))
    hint = words("The hands are hidden. Who plays next takes the screen and shows theirs.")
    return Curtain({"text": text, "hint": hint, "mine": False}, people)
