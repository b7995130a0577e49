"""The terminal as the commands write to it."""

from typing import Any

from rich.console import Console
from rich.text import Text

from atoll.core.printable import printable


class PlainConsole(Console):
    """A console that shows every text as it is, whoever wrote it: brackets are no markup, colons no emoji, and of
    control characters it obeys line ends alone. What is styled is given as Rich's `Text`.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(highlight=False, markup=False, emoji=False, **settings)

    def render_str(self, text: str, **settings: Any) -> Text:
        return super().render_str(printable(text, keep="\n"), **settings)
