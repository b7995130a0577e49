"""The command `arena`: matches of bots, and their ratings."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from atoll.bots.external import named_bots
from atoll.commands.options import (
    COMPILING,
    CORES,
    BotNames,
    ComponentsFile,
    GameName,
    Players,
    RayAddress,
    Set,
    Workers,
    components_in,
    console,
    players_at_work,
    players_of,
    progress_bar,
    tell_seed,
)
from atoll.core.catalogue import find_game
from atoll.engine.seeds import new_seed

if TYPE_CHECKING:
    from atoll.lab.arena import Match, MatchGames


def arena(
    game_name: GameName,
    players: Players = None,
    bots: BotNames = "normal,greedy,random",
    number: Annotated[
        int, typer.Option("--games", "-n", min=1, help="How many games; rounded up to whole deals.")
    ] = 1000,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="The same seed gives the same deals; if not said, that of the games in the file, else a new one.",
        ),
    ] = None,
    workers: Workers = CORES,
    ray: RayAddress = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--out",
            help="Keep every game in this file as it ends, and draw a plot beside it; the same command goes on "
            "where it stopped.",
        ),
    ] = None,
    option: Set = None,
    components: ComponentsFile = None,
) -> None:
    """Let bots meet in every seat of the same deals, and rate them."""
    game = find_game(game_name)
    count, parts = players_of(game, players), components_in(game, components, option)

    from atoll.lab.arena import Match, MatchGames, play_match, prepare, seed_in

    with named_bots(bots) as lineup, players_at_work(workers, ray, lineup) as at_work:
        if seed is None:
            seed = seed_in(file) if file is not None else None
            seed = new_seed() if seed is None else seed
            tell_seed(seed)
        match = Match(game, parts, count, lineup, seed, parts.options)
        deals = match.deals(number)
        with MatchGames(match, file) as results:
            with console().status(COMPILING):
                prepare(match)
            with progress_bar() as bar:
                total = deals * len(match.seatings)
                task = bar.add_task("Games", total=total, completed=results.of_deals(deals))
                try:
                    play_match(match, deals, results, at_work, lambda done: bar.advance(task, done))
                finally:
                    bar.stop()
                    _tell_match(match, results, file)


def _tell_match(match: "Match", results: "MatchGames", file: Path | None) -> None:
    """The standings after the whole deals that there are, and a plot of them beside `file`."""
    from atoll.lab.rating_table import rated_bots, rating_text

    rows = rated_bots(match, results)
    for part in rating_text(match, results, rows):
        console().print(part)
    if file is None:
        return
    console().print(f"The games are kept in {file}.")
    if not rows:
        return
    try:
        from atoll.lab.rating_plot import picture_beside, plot_ratings
    except ImportError:
        console().print("A plot needs matplotlib: make lab installs it (or pip install 'atoll[lab]').")
    else:
        picture = picture_beside(file)
        plot_ratings(match, results, rows, picture)
        console().print(f"The plot is in {picture}.")
