"""Proposals: a rematch, or to abandon the game, which all people must agree to; and closing a stale table."""

from collections.abc import Collection
from datetime import timedelta

from atoll.web.refusal import Refusal
from atoll.web.store.engine import aware
from atoll.web.store.store import SeatRow, now
from atoll.web.table.creation import again, check_maker
from atoll.web.table.seats import Seating, Viewer
from atoll.web.table.table import Table

AGAIN, RESIGN = "again", "resign"
"""What can be agreed to."""
DECLINED, DECLINED_AT = "declined", "declined at"
"""Under which names a table keeps who did not agree last, and the version of the table that says so."""
RESIGNED, CLOSED = "resigned", "closed"
"""How a game ends before it is over."""
STALE_AFTER = timedelta(days=1)
"""A table is stale when none of the others has looked for so long."""


def own_seats(viewer: Viewer) -> tuple[int, ...]:
    """The seats for which the viewer speaks."""
    return viewer.here or (() if viewer.seat is None else (viewer.seat,))


def asked(seating: Seating) -> tuple[int, ...]:
    """The seats whose people have to agree: who plays and has looked lately."""
    return tuple(
        occupant.seat
        for occupant in seating.seats
        if occupant.browser is not None and occupant.bot is None and occupant.seat not in seating.away
    )


def several(seating: Seating) -> bool:
    """Whether more than one person plays, each with a screen of their own."""
    return len({occupant.browser for occupant in seating.seats if occupant.browser is not None}) > 1


def is_stale(seating: Seating) -> bool:
    """Whether none of the others has looked for long."""
    return not any(_seen_lately(occupant) for occupant in seating.seats if occupant.browser != seating.maker)


def _seen_lately(occupant: SeatRow) -> bool:
    return occupant.seen_at is not None and now() - aware(occupant.seen_at) < STALE_AFTER


def agree(table: Table, viewer: Viewer, about: str, yes: bool) -> None:
    """Note that somebody agrees, or no longer; what all have agreed to is carried out. Whoever says no without having
    agreed ends the question. The caller holds the lock.
    """
    mine = own_seats(viewer)
    if not mine:
        raise Refusal(403, "You have no seat at this table.")
    check_open(table, about)
    while True:
        entries = dict(table.row.agreed or {})
        before = set(entries.get(about, ()))
        declines = not yes and bool(before) and not before & set(mine)
        after = before | set(mine) if yes else set() if declines else before - set(mine)
        if yes and set(asked(table.seating)) <= after:
            carry_out(table, about, after)
            return
        if after == before:
            return
        entries[about] = sorted(after)
        entries[DECLINED], entries[DECLINED_AT] = (list(mine), [table.version + 1]) if declines else ([], [])
        if table.change(agreed=entries):
            return


def check_open(table: Table, about: str) -> None:
    """Raise Refusal if there is nothing of the kind to agree to now."""
    ended = table.has_ended
    if about == AGAIN and not ended:
        raise Refusal(409, "The game is not over yet.")
    if about == RESIGN and (ended or table.row.waiting):
        raise Refusal(409, "There is no game that goes on.")
    if about not in (AGAIN, RESIGN):
        raise Refusal(400, "Something went wrong with that form: go back, reload the page and try again.")


def carry_out(table: Table, about: str, agreed: Collection[int]) -> None:
    """Do what all have agreed to, in these seats."""
    if about == RESIGN:
        end(table, RESIGNED)
    while about == AGAIN and table.row.next is None:
        check_maker(table.store, table.allowance, table.row.maker)
        table.continue_at(*again(table.row, table.seating.seats, 1, agreed))


def end(table: Table, how: str) -> None:
    """Let a game end here, without a result."""
    while table.row.ended is None:
        table.change(ended=how, to_act=0, opened=None)


def close(table: Table, viewer: Viewer) -> None:
    """Close a table that nobody plays any more."""
    if not viewer.maker:
        raise Refusal(403, "Only the person who made the table can close it.")
    if not is_stale(table.seating):
        raise Refusal(409, "Somebody else has looked at this table within a day: agree with them instead.")
    check_open(table, RESIGN)
    end(table, CLOSED)
