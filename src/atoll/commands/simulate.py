"""The command `simulate`: many games between bots, and what came of them."""

import time
from pathlib import Path
from typing import Annotated

import typer

from atoll.bots.external import named_bots
from atoll.commands.options import (
    COMPILING,
    CORES,
    BotNames,
    ComponentsFile,
    GameName,
    Players,
    Seed,
    Set,
    Workers,
    components_in,
    console,
    players_of,
    progress_bar,
    tell_seed,
)
from atoll.core.catalogue import find_game
from atoll.engine.seeds import new_seed
from atoll.text.errors import AtollError


def simulate(
    game_name: GameName,
    players: Players = None,
    bots: BotNames = "greedy,random",
    number: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games.")] = 1000,
    seed: Seed = None,
    workers: Workers = CORES,
    record: Annotated[
        Path | None, typer.Option(help="Write the games to this file, in the public record format.")
    ] = None,
    trace: Annotated[
        bool, typer.Option("--trace", help="With --record: state and legal moves on every line.")
    ] = False,
    option: Set = None,
    components: ComponentsFile = None,
) -> None:
    """Play many games between bots and tell what came of it."""
    if trace and record is None:
        raise AtollError("--trace needs --record FILE")
    game = find_game(game_name)
    count, parts = players_of(game, players), components_in(game, components, option)

    from atoll.lab.played import Setup
    from atoll.lab.recording import record_games
    from atoll.lab.simulate import compile_simulation
    from atoll.lab.simulate import simulate as run
    from atoll.lab.summary import lengths, summary

    with named_bots(bots) as lineup:
        if seed is None:
            seed = new_seed()
            tell_seed(seed)
        with console().status(COMPILING):
            compile_simulation(game, parts, lineup)
        with progress_bar() as bar:
            task = bar.add_task("Games", total=number)
            began = time.perf_counter()
            if record is None:
                results = run(
                    game, parts, count, lineup, number, seed, workers, lambda done: bar.advance(task, done)
                )
            else:
                results = record_games(
                    Setup(game, parts, count, lineup, seed, parts.options),
                    number,
                    record,
                    trace=trace,
                    workers=workers,
                    progress=lambda done: bar.advance(task, done),
                )
            seconds = time.perf_counter() - began
    for part in (*summary(results, seconds), *lengths(game, results)):
        console().print(part)
    if record is not None:
        console().print(f"Recorded in {record}.")
