"""The seats on a table's page: who plays in each, and what the viewer can change about it."""

from collections.abc import Sequence
from typing import Any

from atoll.bots import DEFAULT_BOT, LEVELS
from atoll.text.translation import Translator, seat_names
from atoll.web.pages import clocks
from atoll.web.pages.drawings import COLOURS, MARKS
from atoll.web.pages.isolation import isolated
from atoll.web.table.move_choice import post
from atoll.web.table.names import distinct_names
from atoll.web.table.seats import Seating
from atoll.web.table.seen_table import SeenTable

Entry = dict[str, Any]


def seats(table: SeenTable, translator: Translator) -> list[Entry]:
    """The seats as the templates show them."""
    return [
        {
            "name": table.names[sitting.seat],
            "colour": COLOURS[sitting.seat],
            "mark": MARKS[sitting.seat],
            "kind": "bot" if sitting.bot else "person" if sitting.browser else "free",
            "bot": sitting.bot,
            "you": sitting.seat == table.seat,
            "to_act": sitting.seat in table.to_act,
            "has_chosen": sitting.seat in table.have_chosen,
            "clock": clocks.seat_clock(table, translator, sitting.seat),
            "away": clocks.absence(table, translator, sitting.seat),
        }
        for sitting in table.seating.seats
    ]


def seating(table: SeenTable, translator: Translator) -> list[Entry]:
    """The menu's list of seats: who plays there, with a button that takes the seat and a form that changes its bot."""
    replaceable = () if table.daily else table.seating.replaceable(table.viewer, table.has_ended)
    absent = table.seating.away
    names, colours = names_of(translator, table.seating), seat_names(translator)
    return [
        {
            "seat": sitting.seat,
            "name": names[sitting.seat],
            "colour": colours[sitting.seat],
            "who": who_plays(table, sitting.seat, translator, absent),
            "take": take_button(table, sitting.seat, translator),
            "change": bot_form(table, sitting.seat, translator) if sitting.seat in replaceable else None,
        }
        for sitting in table.seating.seats
    ]


def take_button(table: SeenTable, seat: int, translator: Translator) -> Entry | None:
    """The button that takes an open seat, or the viewer's own seat back from a bot; None if neither can be."""
    control = post(f"{table.address}/seats", seat=str(seat))
    if table.has_ended:
        return None
    if seat == table.seat and table.has_stand_in:
        return {"control": control, "label": translator("Play myself again")}
    if table.seat is None and seat in table.open_seats:
        return {"control": control, "label": translator("Play as %(name)s", name=table.names[seat])}
    return None


def bot_form(table: SeenTable, seat: int, translator: Translator) -> Entry:
    """The form that puts a bot in a seat: its levels and its button's label."""
    bot = table.seating.seats[seat].bot
    levels = [level.name for level in LEVELS]
    if bot is not None:
        label = translator("Change")
    else:
        label = translator("Let a bot play") if seat == table.seat else translator("Put a bot")
    return {
        "url": f"{table.address}/bots",
        "bots": [
            {"name": name, "label": translator(name), "selected": name == (bot or DEFAULT_BOT)}
            for name in (levels if bot is None or bot in levels else [bot, *levels])
        ],
        "label": label,
    }


def who_plays(table: SeenTable, seat: int, translator: Translator, absent: Sequence[int]) -> str:
    """Who plays in a seat, as text; `absent` are the seats of persons who have not been seen for a while."""
    sitting, mine = table.seating.seats[seat], seat == table.seat
    if sitting.bot is not None:
        bot = translator(sitting.bot)
        if mine:
            return translator("bot for you: %(bot)s", bot=bot)
        if sitting.browser is not None:
            return translator("bot for a person: %(bot)s", bot=bot)
        return translator("bot: %(bot)s", bot=bot)
    if mine:
        return translator("you")
    if sitting.browser is None:
        return translator("nobody yet")
    if absence := clocks.absence(table, translator, seat):
        return translator("a person: %(away)s", away=absence)
    return translator("a person who is away") if seat in absent else translator("a person")


def names_of(translator: Translator, seating: Seating) -> list[str]:
    """The names of the seats: of their persons, else of their colours."""
    people = [name and isolated(name) for name in seating.names]
    return distinct_names(translator, people, seat_names(translator))


def seat_labels(translator: Translator, seating: Seating, seat: int | None) -> list[str]:
    """The names of the seats, with "(you)" after the viewer's own."""
    names = names_of(translator, seating)
    return [
        translator("%(name)s (you)", name=name) if own == seat else name for own, name in enumerate(names)
    ]
