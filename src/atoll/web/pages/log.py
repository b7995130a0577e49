"""The log of a table's page: what happened in each round, as a seat may know it; undos, redeals, who plays."""

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from atoll.core.plain_messages import redeal_message, undo_message
from atoll.core.types import Line
from atoll.text.translation import Translator
from atoll.web.pages.render_cache import RenderCache
from atoll.web.table.timeline import Timeline, TimelineRound

if TYPE_CHECKING:
    from atoll.core.events import Event

Entry = dict[str, Any]


def log(
    timeline: Timeline,
    seat: int | None,
    translator: Translator,
    names: Sequence[str],
    rounds_known: int = 0,
    cache: RenderCache | None = None,
) -> Entry:
    """The log as the seat may know it, round by round.

    `rounds` omits those that a page with `rounds_known` rounds has in full: all but the last, and but those with
    entries that were new before the seat's last move. `new` is the number of entries since that move, and the place of
    the first; `taken_back` is the number of undos.
    """
    seen = None if seat is None else timeline.seen_moves(seat)
    rounds_known = 0 if timeline.undone else rounds_known  # the page may have rounds that were undone
    first = max(0, min(rounds_known - 1, first_unread_round(timeline, seat)))
    events = timeline.events_seen(seat)
    cache = cache or RenderCache()
    rounds: list[Entry] = []
    new: Entry | None = None
    for index, played in enumerate(timeline.rounds[first:], first):

        def entries(played: TimelineRound = played) -> list[Line]:
            view = timeline.view_after(played, seat)
            return view.game.messages.tell(translator, names, played.events(events), view)

        finished = played is not timeline.rounds[-1]
        lines = cache.lines((seat, translator.language, index, *names), entries, keep=finished)
        if has_notes(timeline):
            lines = with_notes(lines, timeline, played, events, translator, names)
        unread = len(lines) if seen is None else first_from(lines, played.events_before(events, seen))
        if unread < len(lines):
            new = new or {"first": f"{index + 1}-{unread + 1}", "number": 0}
            new["number"] += len(lines) - unread
        heading = translator("Round %(round)s", round=played.number) if played.number else ""
        rounds.append({"number": index + 1, "heading": heading, "lines": lines, "unread": unread})
    if (has_notes(timeline)) and not timeline.rounds:
        lines = first_notes(timeline, translator, names)
        rounds.append({"number": 1, "heading": "", "lines": lines, "unread": len(lines)})
    return {"rounds": rounds, "new": new, "taken_back": len(timeline.undone)}


def first_from(lines: Sequence[Line], event: int) -> int:
    """The index of the first entry that begins with that event or a later one."""
    return next((number for number, line in enumerate(lines) if line.event >= event), len(lines))


def first_unread_round(timeline: Timeline, seat: int | None) -> int:
    """The index of the first round in which something can have been new to the seat before its last move."""
    mine = () if seat is None else tuple(islice(timeline.moves_of(seat), 2))
    since = mine[1] if len(mine) > 1 else 0 if mine else len(timeline.answers)
    return next(
        (index for index, played in enumerate(timeline.rounds) if played.last > since), len(timeline.rounds)
    )


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


def has_notes(timeline: Timeline) -> bool:
    """Whether the log has entries that are about no event."""
    return bool(timeline.undone or timeline.seat_notes or timeline.redeals)


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
    seats = [(at, seat, seat_note(translator, names[seat], what)) for at, seat, what in timeline.seat_notes]
    dealt = [
        (one.at, one.seat, redeal_message(translator, names[one.seat], committed=one.number is not None))
        for one in timeline.redeals
    ]
    return [*undone, *dealt, *seats]


def seat_note(translator: Translator, name: str, what: str) -> str:
    """A note that a bot plays on for somebody, and why, or that they are back."""
    match what:
        case "out":
            return translator("%(name)s is out of time: a bot plays on.", name=name)
        case "resigned":
            return translator("%(name)s resigned: a bot plays on.", name=name)
        case "bot":
            return translator("A bot plays on for %(name)s.", name=name)
        case _:
            return translator("%(name)s is back and plays on.", name=name)


def is_later(line: Line, note: Line) -> bool:
    """Whether a log entry belongs below a note, since its event is later."""
    return line.event >= note.event and not isinstance(line, LogNote)


class LogNote(Line):
    """A log entry that is about no event; it stands before the event of its number."""


def first_notes(timeline: Timeline, translator: Translator, names: Sequence[str]) -> list[Line]:
    """The log of a game without moves: notes alone."""
    return [LogNote(text, seat) for _, seat, text in notes(timeline, translator, names)]
