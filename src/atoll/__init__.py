"""Atoll plays, studies and tunes island board games from one source of rules.

What is public in Python is named here and imported when it is first used; `docs/python.md` shows it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from atoll.bots.catalogue import find_bot
    from atoll.core import records
    from atoll.core.catalogue import find_game, games
    from atoll.core.game import Game, LegalMoves, Position, View
    from atoll.core.types import Components, Outcome
    from atoll.text.errors import AtollError, IllegalMove, RecordError, UnknownBot, UnknownGame

__version__ = "0.1.0"

__all__ = [
    "AtollError",
    "Components",
    "Game",
    "IllegalMove",
    "LegalMoves",
    "Outcome",
    "Position",
    "RecordError",
    "UnknownBot",
    "UnknownGame",
    "View",
    "find_bot",
    "find_game",
    "games",
    "records",
]

_HOMES = {
    "atoll.bots.catalogue": ("find_bot",),
    "atoll.core.catalogue": ("find_game", "games"),
    "atoll.core.game": ("Game", "LegalMoves", "Position", "View"),
    "atoll.core.types": ("Components", "Outcome"),
    "atoll.text.errors": ("AtollError", "IllegalMove", "RecordError", "UnknownBot", "UnknownGame"),
}
"""The modules in which the public names stand."""


def __getattr__(name: str) -> Any:
    """A public name, imported now: Atoll's command line must not wait for all of them."""
    if name == "records":
        return import_module("atoll.core.records")
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
