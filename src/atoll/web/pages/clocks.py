"""Clocks as pages show them: the choices for a new table, the time left to each seat, and announced absences."""

from datetime import date
from typing import Any

from babel.dates import format_date

from atoll.text.translation import Translator
from atoll.web.store.store import ListedTable
from atoll.web.table.clocks import DAY, PRESETS, Clock, Times
from atoll.web.table.seen_table import SeenTable

LONG = 36_000
"""Seconds from which a clock shows hours alone, since there is little room beside a name."""


def clock_choices(translator: Translator) -> list[dict[str, str]]:
    """The clocks that the form for a new table offers."""
    return [{"name": name, "label": clock_label(translator, Clock.read(name, ""))} for name in PRESETS]


def clock_label(translator: Translator, clock: Clock | None) -> str:
    """A clock in words."""
    if clock is None:
        return translator("No limit")
    if clock.kind == "days":
        days = clock.seconds // DAY
        return translator.plural("%(num)s day for each decision", "%(num)s days for each decision", days)
    if clock.seconds % 60:
        return translator("%(time)s for each decision", time=clock_text(clock.seconds))
    minutes = clock.seconds // 60
    if clock.kind == "decision":
        return translator.plural(
            "%(num)s minute for each decision", "%(num)s minutes for each decision", minutes
        )
    return translator.plural(
        "%(num)s minute each, and %(more)s seconds more for each decision",
        "%(num)s minutes each, and %(more)s seconds more for each decision",
        minutes,
        more=clock.increment,
    )


def clock_text(seconds: float) -> str:
    """Remaining seconds as a clock shows them: 4:59, 1:02:03."""
    whole = max(0, int(seconds))
    hours, minutes = whole // 3600, whole // 60 % 60
    rest = f"{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"
    return f"{hours}:{rest}" if hours else rest


def remaining_time(translator: Translator, seconds: float) -> str:
    """Remaining seconds as text: as a clock below LONG, else in hours, or in days and hours."""
    if seconds < LONG:
        return clock_text(seconds)
    if seconds < DAY:
        return translator("%(hours)s h", hours=int(seconds // 3600))
    return translator("%(days)s d %(hours)s h", days=int(seconds // DAY), hours=int(seconds % DAY // 3600))


def seat_clock(table: SeenTable, translator: Translator, seat: int) -> dict[str, Any] | None:
    """A seat's clock: its text and, while it runs, when it is due, in seconds since 1970. None without a clock."""
    clock = table.clocks[seat]
    if clock is None or table.has_ended or table.seating.seats[seat].browser is None:
        return None
    left, due = clock
    return {"text": remaining_time(translator, left), "due": None if due is None else round(due, 1)}


def time_left(listed: ListedTable, browser: str, time: float) -> float | None:
    """The shortest time left to a browser's seats at a table, in seconds; None if none of their clocks runs."""
    row = listed.row
    if row.clock is None or not row.to_act:
        return None
    times = Times.of(Clock(**row.clock), row.players, row.clock_state)
    running = [
        sitting.seat for sitting in listed.seats if sitting.browser == browser and sitting.seat in times.since
    ]
    return min((max(0.0, times.left_to(seat, time)) for seat in running), default=None)


def bar_clock(table: SeenTable, translator: Translator) -> dict[str, Any] | None:
    """The clock that the bar shows: the viewer's own while it runs, else that of the first seat to act."""
    running = [seat for seat in table.to_act if table.clocks[seat] and table.clocks[seat][1] is not None]  # type: ignore[index]
    if not running:
        return None
    seat = table.seat if table.seat in running else running[0]
    assert seat is not None
    name = (
        translator("Your time")
        if seat == table.seat
        else translator("%(name)s’s time", name=table.names[seat])
    )
    clock = seat_clock(table, translator, seat)
    return None if clock is None else {**clock, "label": name, "seat": seat}


def absence(table: SeenTable, translator: Translator, seat: int) -> str:
    """Until when the person in a seat is away; empty if nothing was announced, or the day is past."""
    until = table.seating.seats[seat].away_until
    if until is None or until < date.today().isoformat():
        return ""
    day = format_date(date.fromisoformat(until), format="d MMMM", locale=translator.locale)
    return translator("away until %(day)s", day=day)


def absent_players(table: SeenTable, translator: Translator) -> str:
    """The seats to act whose persons are away, with their dates; empty if none is."""
    absences = [(table.names[seat], absence(table, translator, seat)) for seat in table.to_act]
    return " · ".join(
        translator("%(name)s: %(away)s", name=name, away=until) for name, until in absences if until
    )
