"""Who plays in each seat, as the page of a table shows it, and what the viewer can change about it."""

from collections.abc import Sequence
from typing import Any

from atoll.bots import DEFAULT_BOT, LEVELS
from atoll.core.words import Words, seat_names
from atoll.web.pages import clocks
from atoll.web.pages.drawings import COLOURS, MARKS
from atoll.web.people.names import told_apart
from atoll.web.table.choosing import post
from atoll.web.table.seating import Seating
from atoll.web.table.seen_table import SeenTable

Entry = dict[str, Any]


def seats(table: SeenTable, words: Words) -> list[Entry]:
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
            "clock": clocks.of_seat(table, words, sitting.seat),
            "away": clocks.away(table, words, sitting.seat),
        }
        for sitting in table.seating.seats
    ]


def seating(table: SeenTable, words: Words) -> list[Entry]:
    """Who plays in each seat, and what the viewer can change about it: take the seat, or choose a bot for it."""
    replaceable, gone = table.seating.replaceable(table.viewer, table.has_ended), table.seating.away
    names, colours = names_of(words, table.seating), seat_names(words)
    return [
        {
            "seat": sitting.seat,
            "name": names[sitting.seat],
            "colour": colours[sitting.seat],
            "who": who_plays(table, sitting.seat, words, gone),
            "take": taking(table, sitting.seat, words),
            "change": changing_bot(table, sitting.seat, words) if sitting.seat in replaceable else None,
        }
        for sitting in table.seating.seats
    ]


def taking(table: SeenTable, seat: int, words: Words) -> Entry | None:
    """The button with which the viewer takes an open seat, or its own back from a bot."""
    control = post(f"{table.address}/seats", seat=str(seat))
    if table.has_ended:
        return None
    if seat == table.seat and table.has_stand_in:
        return {"control": control, "label": words("Play myself again")}
    if table.seat is None and seat in table.open_seats:
        return {"control": control, "label": words("Play as %(name)s", name=table.names[seat])}
    return None


def changing_bot(table: SeenTable, seat: int, words: Words) -> Entry:
    """The form that puts a bot in a seat: the levels, and what its button says."""
    bot = table.seating.seats[seat].bot
    levels = [level.name for level in LEVELS]
    if bot is not None:
        label = words("Change")
    else:
        label = words("Let a bot play") if seat == table.seat else words("Put a bot")
    return {
        "url": f"{table.address}/bots",
        "bots": [
            {"name": name, "label": words(name), "selected": name == (bot or DEFAULT_BOT)}
            for name in (levels if bot is None or bot in levels else [bot, *levels])
        ],
        "label": label,
    }


def who_plays(table: SeenTable, seat: int, words: Words, gone: Sequence[int]) -> str:
    """Who plays in a seat, as the list of players says it; `gone` are the seats of persons who have not looked for a
    while."""
    sitting, mine = table.seating.seats[seat], seat == table.seat
    if sitting.bot is not None:
        bot = words(sitting.bot)
        if mine:
            return words("bot for you: %(bot)s", bot=bot)
        if sitting.browser is not None:
            return words("bot for a person: %(bot)s", bot=bot)
        return words("bot: %(bot)s", bot=bot)
    if mine:
        return words("you")
    if sitting.browser is None:
        return words("nobody yet")
    if said := clocks.away(table, words, seat):
        return words("a person: %(away)s", away=said)
    return words("a person who is away") if seat in gone else words("a person")


def names_of(words: Words, seating: Seating) -> list[str]:
    """What the seats are called: by their people's names, else by their colours."""
    return told_apart(words, seating.names, seat_names(words))


def called(words: Words, seating: Seating, seat: int | None) -> list[str]:
    """What the seats are called on a page, and one's own so that one knows it."""
    names = names_of(words, seating)
    return [words("%(name)s (you)", name=name) if own == seat else name for own, name in enumerate(names)]
