"""Undo on a table's page: the bar's button, requests that others answer, and the log's notes of undone moves and of
players who were out of time."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from atoll.core.plain_messages import undo_message
from atoll.core.types import Line
from atoll.text.translation import Translator
from atoll.web.table.move_choice import MoveChoice, post
from atoll.web.table.seen_table import SeenTable
from atoll.web.table.timeline import Timeline, TimelineRound
from atoll.web.table.undo import voters

if TYPE_CHECKING:
    from atoll.core.events import Event


def undo_button(table: SeenTable, translator: Translator, choosing: MoveChoice) -> dict[str, Any] | None:
    """The bar's button that undoes the viewer's last move, or requests it; None while a move is being chosen."""
    if table.undo is None or choosing.fields or table.choice is not None:
        return None
    if table.seat is None and table.undo_seat is not None:
        label = translator("Undo: take the last move of %(name)s back", name=table.names[table.undo_seat])
    elif table.undo.freely:
        label = translator("Undo: take my last move back")
    else:
        label = translator("Undo: ask to take my last move back")
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
            "label": translator("Ask no longer"),
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
        {"id": "undo-refuse", "label": translator("Do not agree"), "control": post(url, answer="no")},
    ]
    return {"text": text, "answers": answers}


def with_notes(
    lines: Sequence[Line],
    timeline: Timeline,
    round_: TimelineRound,
    events: "Sequence[Sequence[Event]]",
    translator: Translator,
    names: Sequence[str],
) -> list[Line]:
    """The log entries of a round, with the notes from its beginning to that of the next."""
    entries = list(lines)
    for moves, seat, text in notes(timeline, translator, names):
        if round_.first < moves <= round_.last or (moves == 0 and round_ is timeline.rounds[0]):
            note = LogNote(text, seat, event=round_.events_before(events, moves))
            at = next((number for number, line in enumerate(entries) if is_later(line, note)), len(entries))
            entries.insert(at, note)
    return entries


def notes(timeline: Timeline, translator: Translator, names: Sequence[str]) -> list[tuple[int, int, str]]:
    """All notes of the log: number of moves before it, seat, text."""
    undone = [
        (
            step.at,
            step.seat,
            undo_message(translator, names[step.seat], step.count, by_consent=bool(step.agreed)),
        )
        for step in timeline.undone
    ]
    clock = [(at, seat, clock_note(translator, names[seat], what)) for at, seat, what in timeline.clock_notes]
    return [*undone, *clock]


def clock_note(translator: Translator, name: str, what: str) -> str:
    """A note that a player is out of time, or back."""
    if what == "out":
        return translator("%(name)s is out of time: a bot plays on.", name=name)
    return translator("%(name)s is back and plays on.", name=name)


def is_later(line: Line, note: Line) -> bool:
    """Whether a log entry belongs below a note, since its event is later."""
    return line.event >= note.event and not isinstance(line, LogNote)


class LogNote(Line):
    """A log entry that is about no event; it stands before the event of its number."""


def first_notes(timeline: Timeline, translator: Translator, names: Sequence[str]) -> list[Line]:
    """The log of a game without moves: notes alone."""
    return [LogNote(text, seat) for _, seat, text in notes(timeline, translator, names)]
