"""Move confirmation, a setting in a cookie: whether pressing a move plays it or selects it for the bar's button."""

from starlette.requests import HTTPConnection

COOKIE = "atoll_pressing"

CONFIRM, AT_ONCE = "confirm", "once"
CHOICES = (CONFIRM, AT_ONCE)
"""The first is the default."""


def confirms(request: HTTPConnection) -> bool:
    """Whether this browser confirms each move."""
    return request.cookies.get(COOKIE) != AT_ONCE
