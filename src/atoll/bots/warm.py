"""Compiling a game's rules and the bots for it ahead of time, in stages that a progress bar can show."""

from collections.abc import Callable

from atoll.bots.catalogue import LEVELS, QUICK_BOTS
from atoll.core.game import Game

STAGES = ("rules", "views", "bots")
"""What is compiled, in this order; in English, to be translated where it is shown."""


def warm(game: Game, stage: Callable[[str], None] = lambda name: None) -> None:
    """Compile or load everything that a table of this game needs to be shown; calls `stage` as each stage begins."""
    stage("rules")
    position = game.start(game.seats.start, seed=0)
    seat = position.to_act[0]
    action = int(position.legal_moves(seat).actions[0])
    position.copy().play_action(seat, action)
    stage("views")
    view = position.view(seat)
    view.legal_moves()
    view.resample(0)
    assert position.outcome is None
    stage("bots")
    for bot in QUICK_BOTS:
        bot.choose(view, seed=0)


def warm_search(game: Game) -> None:
    """Compile or load the search for this game, which only the bots that search wait for."""
    LEVELS[0].prepare(game)
