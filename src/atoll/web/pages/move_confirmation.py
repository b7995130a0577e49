"""What a press does to a move, as the browser's cookie says: choose it, to be confirmed in the bar, or play it."""

from starlette.requests import HTTPConnection

COOKIE = "atoll_pressing"

CONFIRM, AT_ONCE = "confirm", "once"
CHOICES = (CONFIRM, AT_ONCE)
"""The first is what nobody has to choose: a slip of the finger costs nothing."""


def confirms(request: HTTPConnection) -> bool:
    """Whether each move asks to be confirmed."""
    return request.cookies.get(COOKIE) != AT_ONCE
