"""Components that differ from the shipped ones."""

from collections.abc import Callable
from copy import deepcopy

from atoll.core.types import Components, Json

from .positions import GAME

Change = Callable[[Json], object]


def changed(*changes: Change) -> Json:
    """The content of the shipped file, changed."""
    data = deepcopy(GAME.components().data)
    for change in changes:
        change(data)
    return data


def variant(*changes: Change) -> Components:
    """Components from the shipped file, changed."""
    return GAME.components_from("my-file.toml", changed(*changes))


def figures(**values: object) -> Change:
    """Other numbers of the rules."""
    return lambda data: data["game"].update(values)


def islands(players: int, *treasures: int) -> Change:
    """Other islands for that many players."""
    return lambda data: data["treasures"].update({f"players_{players}": list(treasures)})
