"""Programmed moves at a table: what a seat's person has let be done, until when, and carrying it out."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from atoll.core.premoves import Premove, has_ended, next_move, premove_named
from atoll.core.types import Json
from atoll.web.refusal import Refusal
from atoll.web.store.store import SeatRow
from atoll.web.table.move_choice import fields_of
from atoll.web.table.timeline import Timeline

if TYPE_CHECKING:
    from atoll.web.table.table import Table


def running(timeline: Timeline, sitting: SeatRow) -> Premove | None:
    """What the seat's person lets be done; None once what ends it has happened, or was taken back to before it."""
    kept = sitting.program
    if kept is None or sitting.browser is None or timeline.is_over:
        return None
    program = premove_named(timeline.position.game.premoves, kept["name"])
    since = kept["since"]
    if program is None or since > len(timeline.answers):
        return None
    return None if has_ended(program, timeline.heard(sitting.seat)[since:]) else program


def programmed(timeline: Timeline, sitting: SeatRow) -> Json | None:
    """The move that is made for the seat now, if there is one."""
    if sitting.bot is not None or sitting.seat not in timeline.to_act:
        return None
    program = running(timeline, sitting)
    return None if program is None else next_move(program, timeline.legal_moves(sitting.seat))


def offered(timeline: Timeline, seat: int) -> Sequence[Premove]:
    """What the seat's person can let be done from now on."""
    game = timeline.position.game
    if not game.premoves or seat not in timeline.to_act:
        return ()
    moves = timeline.legal_moves(seat)
    return [program for program in game.premoves if next_move(program, moves) is not None]


def set_program(table: "Table", seat: int, name: str | None) -> None:
    """Let something be done again and again for a seat, or no longer (None). Raises Refusal. The caller holds the
    lock."""
    timeline = table.timeline
    kept = None
    if name is not None:
        table.check_begun()
        if table.row.lesson is not None or not any(
            program.name == name for program in offered(timeline, seat)
        ):
            raise Refusal(409, "That cannot be done again and again now.")
        kept = {"name": name, "since": len(timeline.answers)}

    def changed() -> SeatRow | None:
        sitting = table.seating.seats[seat]
        return None if sitting.program == kept else replace(sitting, program=kept)

    table.change_seat(changed)


def stop_by_hand(table: "Table", seat: int) -> None:
    """Whoever moves by hand what would be moved for them wants to do so themselves from now on."""
    if programmed(table.timeline, table.seating.seats[seat]) is not None:
        set_program(table, seat, None)


def carry_out_programmed(table: "Table") -> bool:
    """Make the next move that somebody has programmed; whether there was one."""
    with table.lock:
        table.catch_up()
        found = table.bots.programmed()
        if found is None:
            return False
        seat, decision, move = found
        try:
            table.answer(seat, decision, {name: (text,) for name, text in fields_of(move).items()})
        except Refusal:  # the table has moved on, or time is out
            return False
        return True
