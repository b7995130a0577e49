"""Requests of the site's own script, which ask for the live part of a page alone."""

from starlette.requests import HTTPConnection

FRAGMENT = "atoll-fragment"
"""The header with which the site's script requests only the live part of a page; its value is the number of rounds
in the page's log."""


def wants_fragment(connection: HTTPConnection) -> bool:
    """Whether the request comes from the site's own script."""
    return FRAGMENT in connection.headers


def rounds_known(connection: HTTPConnection) -> int:
    """The number of rounds in the requesting page's log."""
    return as_count(connection.headers.get(FRAGMENT, ""))


def as_count(text: str) -> int:
    """A number of at most five digits that a page sent; 0 for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0
