"""Programmed moves at a table: what a seat's person has let be done, until when, and carrying it out."""

from collections.abc import Sequence

from atoll.core.game import Json
from atoll.core.premoves import Premove, has_ended, next_move, premove_named
from atoll.web.store.store import SeatRow
from atoll.web.table.timeline import Timeline


def running(timeline: Timeline, sitting: SeatRow) -> Premove | None:
    """What the seat's person lets be done; None once what ends it has happened, or was taken back to before it."""
    kept = sitting.program
    if kept is None or sitting.browser is None or timeline.is_over:
        return None
    program = premove_named(timeline.position.game, kept["name"])
    since = kept["since"]
    if program is None or since > len(timeline.answers):
        return None
    return None if has_ended(program, timeline.heard(sitting.seat)[since:]) else program


def next_premove(timeline: Timeline, sitting: SeatRow) -> Json | None:
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
