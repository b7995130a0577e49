"""Programmed moves at a table: what a seat's person has let be done, until when, and carrying it out."""

from collections.abc import Sequence

from atoll.core.premoves import Premove, has_ended, next_move, premove_named
from atoll.core.types import Json
from atoll.web.store.store import SeatRow
from atoll.web.table.timeline import Timeline


def active_premove(timeline: Timeline, occupant: SeatRow) -> Premove | None:
    """What the seat's person lets be done; None once what ends it has happened, or was taken back to before it."""
    entry = occupant.program
    if entry is None or occupant.browser is None or timeline.is_over:
        return None
    premove = premove_named(timeline.position.game.premoves, entry["name"])
    since = entry["since"]
    if premove is None or since > len(timeline.answers):
        return None
    return None if has_ended(premove, timeline.events_seen(occupant.seat)[since:]) else premove


def next_premove(timeline: Timeline, occupant: SeatRow) -> Json | None:
    """The move that is made for the seat now, if there is one."""
    if occupant.bot is not None or occupant.seat not in timeline.to_act:
        return None
    premove = active_premove(timeline, occupant)
    return None if premove is None else next_move(premove, timeline.legal_moves(occupant.seat))


def premove_offers(timeline: Timeline, seat: int) -> Sequence[Premove]:
    """What the seat's person can let be done from now on."""
    game = timeline.position.game
    if not game.premoves or seat not in timeline.to_act:
        return ()
    moves = timeline.legal_moves(seat)
    return [premove for premove in game.premoves if next_move(premove, moves) is not None]
