"""Greedy for a game that gives no advice: it plays each legal move on full states that agree with the view, lets
whoever decides at the same time do anything, and takes the move after which it is best off. The player who goes by its
own points alone does the same in any game.
"""

# mypy: disable-error-code="no-untyped-def"

from functools import cache
from typing import Any

import numpy as np

from atoll.bots.sampling import draw_highest
from atoll.core.game import Game
from atoll.core.state import MOST_SEATS
from atoll.engine.chance import draw_below
from atoll.engine.compiling import compiled
from atoll.engine.derived import derive
from atoll.engine.records import copy_record, no_events, scratch

DRAWS = 8
"""Full states on which each move is tried."""
WIN = 1 << 20
"""What winning is worth in points."""

STATE: Any = None
MAX_LEGAL: Any = None
resample: Any = None
legal_actions: Any = None
play: Any = None
result: Any = None
worth: Any = None


def choose(view, parts, moves, count, generator):
    """The move after which `worth` is highest for the seat of `view`; of equals, any."""
    world = scratch(1, STATE)
    after = scratch(1, STATE)
    events = no_events()
    codes = scratch(MAX_LEGAL, np.int32)
    points = scratch(MOST_SEATS, np.int32)
    values = scratch(MAX_LEGAL, np.int64)
    for i in range(count):
        values[i] = 0
    seat = int(view.seat)
    players = int(view.players)
    for _ in range(DRAWS):
        resample(view, parts, generator, world[0])
        together = int(world[0].to_act)
        for i in range(count):
            state = after[0]
            copy_record(world[0], state)
            play(state, parts, seat, moves[i], events)
            for other in range(players):
                if other != seat and together >> other & 1 and state.to_act >> other & 1:
                    number = legal_actions(state, parts, other, codes)
                    play(state, parts, other, codes[draw_below(generator, number)], events)
            points[:] = 0
            winners = result(state, parts, points)
            values[i] += worth(points, winners, seat, players)
    return moves[draw_highest(values, count, generator)]


@compiled
def lead(points, winners, seat, players):
    """Points ahead of the best other, and a win before everything."""
    most = -WIN
    sharing = 0
    for other in range(players):
        sharing += winners >> other & 1
        if other != seat:
            most = max(most, points[other])
    won = WIN // sharing if winners >> seat & 1 else 0
    return points[seat] - most + won


@compiled
def own_points(points, winners, seat, players):
    """The seat's points, whatever the others have."""
    return points[seat]


@cache
def look_ahead(game: Game) -> Any:
    """`choose` for a game: what leaves the seat furthest ahead, or winning."""
    return _choosing(game, lead)


@cache
def most_points(game: Game) -> Any:
    """`choose` for a game: what leaves the seat with the most points."""
    return _choosing(game, own_points)


def _choosing(game: Game, worth: Any) -> Any:
    rules = game.rules
    bindings = {
        name: getattr(rules, name) for name in ("MAX_LEGAL", "STATE", "legal_actions", "play", "resample")
    }
    return compiled(derive(choose, f"{game.package}.rules", result=rules.result, worth=worth, **bindings))
