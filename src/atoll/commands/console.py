"""The terminal as the commands write to it."""

import os
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from atoll.text.printable import printable

WIDE = 72
"""Columns from which on cells that should stay whole have room for it."""


class PlainConsole(Console):
    """A console that shows every text as it is, whoever wrote it: brackets are no markup, colons no emoji, and of
    control characters it obeys line ends alone. What is styled is given as Rich's `Text`.
    """

    def __init__(self, **settings: Any) -> None:
        if os.environ.get("COLUMNS") == "0":  # as many as nobody knows, which Rich takes for none
            del os.environ["COLUMNS"]
        super().__init__(highlight=False, markup=False, emoji=False, **settings)

    def print(self, *objects: Any, **settings: Any) -> None:
        """As Rich does it, but what is too wide for a cell of a table goes on below and is not cut off."""
        for table in (one for one in objects if isinstance(one, Table)):
            for column in table.columns:
                column.overflow = "fold"
                if self.width < WIDE:
                    column.no_wrap, column.min_width = False, None
        super().print(*objects, **settings)

    def render_str(self, text: str, **settings: Any) -> Text:
        return super().render_str(printable(text, keep="\n"), **settings)
