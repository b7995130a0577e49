"""Moving one's own seat to another device by a link that works once."""

import hmac
import secrets
from datetime import timedelta
from hashlib import sha256

from atoll.web.refusal import Refusal
from atoll.web.store.seat_links import SeatLink, SeatLinks
from atoll.web.store.store import now
from atoll.web.table.table import Table

GOOD_FOR = timedelta(hours=24)
"""How long a link leads somewhere."""


def new_link(links: SeatLinks, table: Table, seat: int, browser: str) -> str:
    """What a new link for the seat says; earlier ones of that seat lead nowhere."""
    token = secrets.token_urlsafe(24)
    links.make(table.row.id, seat, browser, digest(token))
    return token


def link_of(links: SeatLinks, table: Table, token: str) -> SeatLink:
    """The link that says so; raises Refusal for one that leads nowhere, or no longer."""
    match = None
    for link in links.of(table.row.id):
        if hmac.compare_digest(link.digest, digest(token)):
            match = link
    if match is None or now() - match.made_at > GOOD_FOR or _has_moved(table, match):
        raise Refusal(
            404, "This link leads nowhere: it was used, taken back or is older than a day. Make another one."
        )
    return match


def move_here(links: SeatLinks, table: Table, token: str, browser: str) -> int:
    """Let the link's seat be played by this browser; returns the seat. Raises Refusal. The caller holds the lock."""
    link = link_of(links, table, token)
    viewer = table.seating.viewer(browser)
    if viewer.seat is not None or viewer.here:
        raise Refusal(409, "You already have a seat at this table.")
    if not links.take(table.row.id, link):
        raise Refusal(404, "This link was used already.")
    table.move_seat(link.seat, link.browser, browser)
    return link.seat


def digest(token: str) -> str:
    """What is kept of a link."""
    return sha256(token.encode()).hexdigest()


def _has_moved(table: Table, link: SeatLink) -> bool:
    return table.seating.seats[link.seat].browser != link.browser
