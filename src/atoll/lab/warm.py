"""Compiling everything ahead of time, each game in a process of its own: Numba compiles one function at a time."""

import signal
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait

from atoll.bots.warm import STAGES, warm, warm_search
from atoll.core.catalogue import find_game, games
from atoll.core.errors import AtollError
from atoll.lab.simulate import compile_simulation

STEPS = len(STAGES) + 2
"""What is reported of each game: the stages of its table, the simulation, the search."""


def warm_games(progress: Callable[[], None]) -> None:
    """Compile or load all that tables, simulations and searches of every game need.

    Calls `progress` as each of a game's STEPS begins. Raises AtollError if a game cannot be compiled; what its
    process complained of is on standard error.
    """
    context = get_context("spawn")
    processes, receivers = {}, []
    for name, game in games().items():
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=_warm, args=(name, sender), daemon=True)
        process.start()
        sender.close()
        processes[game.title] = process
        receivers.append(receiver)
    while receivers:
        ready = wait(receivers)
        for receiver in [receiver for receiver in receivers if receiver in ready]:
            try:
                receiver.recv()
            except EOFError:
                receivers.remove(receiver)
            else:
                progress()
    for title, process in processes.items():
        process.join()
        if process.exitcode:
            raise AtollError(
                f"{title} could not be compiled; its process ended with status {process.exitcode}"
            )


def _warm(name: str, sender: Connection) -> None:
    """Compile one game, in a process of its own, which its parent ends when it is interrupted."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    game = find_game(name)
    warm(game, sender.send)
    sender.send("simulation")
    compile_simulation(game, game.components())
    sender.send("search")
    warm_search(game)
