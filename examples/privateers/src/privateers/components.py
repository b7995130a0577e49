"""The components file of Privateers: what its parts do not say by themselves."""

from typing import Any

from atoll.core.components import FileContent
from privateers.state import MOST_PLAYERS


def check(content: FileContent, file: Any) -> None:
    """Raise ComponentError if there are too few cards for the hands."""
    if len(file.cards) < file.game.hand * MOST_PLAYERS:
        raise content.fault("cards", "too few for %(most)s hands", most=MOST_PLAYERS)
