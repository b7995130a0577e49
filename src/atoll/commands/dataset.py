"""The command `dataset`: games as episodes for offline learning."""

from pathlib import Path
from typing import Annotated

import typer

from atoll.bots.external import named_bots
from atoll.commands.options import (
    COMPILING,
    CORES,
    ComponentsFile,
    GameName,
    Players,
    Seed,
    Set,
    Workers,
    components_in,
    console,
    counted,
    players_of,
    progress_bar,
    tell_seed,
)
from atoll.core.catalogue import find_game
from atoll.engine.seeds import new_seed
from atoll.text.errors import AtollError


def dataset(
    game_name: GameName,
    folder: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="A new folder for them.")],
    players: Players = None,
    bots: Annotated[
        str,
        typer.Option("--bots", help="Bots, separated by commas; chance seats one of them in each seat."),
    ] = "random,greedy,trained,search:100",
    number: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games.")] = 1000,
    form: Annotated[
        str, typer.Option(help="How observations are encoded: normalized, one-hot or bytes.")
    ] = "normalized",
    seed: Seed = None,
    workers: Workers = CORES,
    option: Set = None,
    components: ComponentsFile = None,
) -> None:
    """Write games of mixed strengths as a Minari dataset of Parquet files."""
    game = find_game(game_name)
    count, parts = players_of(game, players), components_in(game, components, option)
    try:
        from atoll.lab.episodes import OfflineGames, write_episodes
    except ImportError as error:
        raise AtollError(
            f"atoll dataset needs {error.name}: make envs installs it (or pip install 'atoll[envs]')"
        ) from None
    with named_bots(bots) as lineup:
        if seed is None:
            seed = new_seed()
            tell_seed(seed)
        games = OfflineGames(game, parts, count, lineup, seed, form)
        with console().status(COMPILING):
            games.observation.of(game.start(count, 1, parts), 0)
        with progress_bar() as bar:
            task = bar.add_task("Games", total=number)
            written = write_episodes(folder, games, number, workers, lambda done: bar.advance(task, done))
    console().print(
        f"{counted(written.total_episodes, 'episode')} with {written.total_steps:,} decisions are in {folder}.",
        soft_wrap=True,
    )
