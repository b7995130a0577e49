"""Functions of quick bots that do without one of their game's habits, or keep to it, compiled for each game."""

# mypy: disable-error-code="no-untyped-def"

from typing import Any

import numpy as np

from atoll.core.game import Game
from atoll.core.habits import Habit
from atoll.engine.compiling import compiled
from atoll.engine.derived import derive
from atoll.engine.records import scratch

MAX_LEGAL: Any = None
includes: Any = None
wanted: Any = None
choose_free: Any = None


def choose(view, parts, moves, count, generator):
    """What the free bot takes; if the habit forbids that, what it takes of the other moves, if there are any."""
    action = choose_free(view, parts, moves, count, generator)
    if includes(view, parts, action) == wanted:
        return action
    others = scratch(MAX_LEGAL, np.int32)
    number = 0
    for i in range(count):
        if includes(view, parts, moves[i]) == wanted:
            others[number] = moves[i]
            number += 1
    if number == 0:
        return action
    if number == 1:
        return others[0]
    return choose_free(view, parts, others, number, generator)


def holding(game: Game, habit: Habit, free: Any, *, keeps: bool) -> Any:
    """`choose` for a game, with the function of the free bot: it does without a habit, or keeps to it."""
    bindings = {
        "includes": habit.includes,
        "choose_free": free,
        "wanted": keeps,
        "MAX_LEGAL": game.rules.MAX_LEGAL,
    }
    return compiled(derive(choose, f"{game.package}.rules", **bindings))
