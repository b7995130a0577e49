"""Compiling everything ahead of time, each game in a process of its own."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from atoll.bots.warm import STAGES, Stage, apart, warm, warm_bots
from atoll.core.catalogue import games
from atoll.core.game import Game
from atoll.lab.simulate import compile_simulation

STEPS = len(STAGES) + 1
"""What is reported of each game: its stages, and the simulation."""


def warm_games(progress: Callable[[], None]) -> None:
    """Compile or load all that tables, simulations and searches of every game need.

    Calls `progress` as each of a game's STEPS begins. Raises AtollError if a game cannot be compiled.
    """
    all_games = list(games().values())
    with ThreadPoolExecutor(len(all_games)) as threads:
        for task in [threads.submit(apart, warm_all, game, lambda stage: progress()) for game in all_games]:
            task.result()


def warm_all(game: Game, stage: Stage) -> None:
    """Compile or load all of one game."""
    warm(game, stage)
    stage("simulation")
    compile_simulation(game, game.components())
    warm_bots(game, stage)
