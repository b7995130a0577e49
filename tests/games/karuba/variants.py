"""Components that differ from the shipped ones."""

from copy import deepcopy
from typing import Any

from atoll.core.types import Components, Json

from .positions import GAME


def changed(cards: dict[int, Json] | None = None, **figures: Any) -> Json:
    """The content of the shipped file with other figures, and other entries for some cards by their numbers."""
    data = deepcopy(GAME.components().data)
    data["game"].update(figures)
    for number, entries in (cards or {}).items():
        data["cards"][number - 1].update(entries)
    return data


def variant(cards: dict[int, Json] | None = None, **figures: Any) -> Components:
    """Components from the shipped file, changed."""
    return GAME.components_from("my-file.toml", changed(cards, **figures))
