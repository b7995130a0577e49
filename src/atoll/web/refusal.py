"""Refusals: requests that the site does not carry out, each with one sentence for the reader."""

import re
from typing import Any

from atoll.text.errors import LeftOut
from atoll.text.translation import texts

TABLE_ID = re.compile(r"[A-Za-z0-9_-]{1,32}")
"""What a table can be called in an address."""


class Refusal(Exception):
    """Nothing was changed. `status` is the HTTP status, `text` the sentence, in English with its values apart."""

    package: str | None = None
    """the game whose catalogue has the text, if it is not the site's"""

    def __init__(self, status: int, text: str, **values: Any) -> None:
        super().__init__(text)
        self.status = status
        self.text = text
        self.values = values


class NoSuchTable(Refusal):
    """There is no such table, or there is none any more."""

    def __init__(self) -> None:
        super().__init__(404, *texts("There is no such table; whoever made it may have deleted it."))


class Closed(Refusal):
    """The table is for those who play there."""

    def __init__(self) -> None:
        super().__init__(403, *texts("This table is closed to others; whoever made it can open it."))


def cannot_be_played(error: LeftOut) -> Refusal:
    """Raised where a game is asked for that the site is without."""
    return Refusal(503, "This game cannot be played here now: %(why)s.", why=error.message)


def busy() -> Refusal:
    """Raised when a table kept changing while a change was tried again and again."""
    return Refusal(503, "The table is busy; try again.")
