"""Premoves at a table: moves that are repeated for a seat until an event ends them."""

from collections.abc import Sequence

from atoll.core.premoves import Premove, has_ended, next_move, premove_named
from atoll.core.types import Json
from atoll.web.store.store import SeatRow
from atoll.web.table.timeline import Timeline


def active_premove(timeline: Timeline, occupant: SeatRow) -> Premove | None:
    """The seat's premove; None once an event has ended it, or an undo went to before it was set."""
    entry = occupant.program
    if entry is None or occupant.browser is None or timeline.is_over:
        return None
    premove = premove_named(timeline.position.game.premoves, entry["name"])
    since = entry["since"]
    if premove is None or since > len(timeline.answers):
        return None
    return None if has_ended(premove, timeline.events_seen(occupant.seat)[since:]) else premove


def next_premove(timeline: Timeline, occupant: SeatRow) -> Json | None:
    """The move that the seat's premove makes now; None if there is none."""
    if occupant.bot is not None or occupant.seat not in timeline.to_act:
        return None
    premove = active_premove(timeline, occupant)
    return None if premove is None else next_move(premove, timeline.legal_moves(occupant.seat))


def premove_offers(timeline: Timeline, seat: int) -> Sequence[Premove]:
    """The premoves that the seat's person can set now."""
    game = timeline.position.game
    if not game.premoves or seat not in timeline.to_act:
        return ()
    moves = timeline.legal_moves(seat)
    return [premove for premove in game.premoves if next_move(premove, moves) is not None]
