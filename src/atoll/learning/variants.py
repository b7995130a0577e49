"""Components as a designer might change them: a few numbers of a game's own file, drawn anew near what they are."""

import copy
import random
from collections.abc import Iterator
from typing import Any

from atoll.core.game import Game
from atoll.core.types import Components
from atoll.text.errors import AtollError

CHANGED = (1, 1, 2, 3, 4)
"""How many numbers are changed: any of these, equally likely."""
ATTEMPTS = 40
"""Sets that are tried before the game's own is taken."""
LONGER = 2
"""Games may have at most so many times as many decisions as with the game's own set."""


def varied(game: Game, seed: int) -> Components:
    """The game's components with some numbers changed, the same for the same seed; its own, if it has no numbers that
    can be changed.
    """
    usual = game.components()
    chance = random.Random(seed)
    most = LONGER * game.most_decisions(game.under(usual, {}), game.seats[-1])
    for _ in range(ATTEMPTS):
        data = copy.deepcopy(dict(usual.data))
        places = list(_numbers(data))
        if not places:
            break
        for _ in range(chance.choice(CHANGED)):
            inside, key = chance.choice(places)
            near = max(1, abs(inside[key]) // 3)
            inside[key] += chance.choice((-1, 1)) * chance.randint(1, near)
        try:
            variant = game.components_from(f"varied {seed}", data)
            if variant.sha256 != usual.sha256 and game.most_decisions(variant, game.seats[-1]) <= most:
                return variant
        except AtollError:
            continue
    return usual


def _numbers(value: Any) -> Iterator[tuple[Any, Any]]:
    """Where whole numbers stand in a file's data: a dictionary or list, and the key; the format is none."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        if type(value[key]) is int and key != "format":
            yield value, key
        else:
            yield from _numbers(value[key])
