"""The components file of Lantern Bay: what its parts do not say by themselves."""

from typing import Any

from atoll.core.components import FileContent
from lantern_bay.state import MOST_PLAYERS


def check(content: FileContent, file: Any) -> None:
    """Raise ComponentError if there are too few cards for the last night."""
    needed = (file.game.nights - 1) * file.game.picks + max(file.game.hand, file.game.picks)
    if sum(card.count for card in file.cards) < MOST_PLAYERS * needed:
        raise content.fault("cards", "too few for %(most)s players", most=MOST_PLAYERS)
