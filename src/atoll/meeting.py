"""The command `arena`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from atoll.bots.external import named_bots
from atoll.command_options import (
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
    translator,
)
from atoll.core.catalogue import find_game
from atoll.engine.seeds import new_seed

if TYPE_CHECKING:
    from atoll.lab.arena import Match, MatchGames


def arena(
    game: GameName,
    players: Players = None,
    bots: BotNames = "normal,greedy,random",
    number: Annotated[
        int,
        typer.Option("--games", "-n", min=1, help=translator("How many games; rounded up to whole deals.")),
    ] = 1000,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            help=translator(
                "The same seed gives the same deals; if not said, that of the games in the file, else a new one."
            ),
        ),
    ] = None,
    workers: Workers = CORES,
    ray: RayAddress = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--out",
            help=translator(
                "Keep every game in this file as it ends, and draw a plot beside it; the same command goes on "
                "where it stopped."
            ),
        ),
    ] = None,
    option: Set = None,
    components: ComponentsFile = None,
) -> None:
    """Bots that meet in every seat of the same deals, and their ratings."""
    played = find_game(game)
    count, parts = players_of(played, players), components_in(played, components, option)

    from atoll.lab.arena import Match, MatchGames, play_match, prepare, seed_in

    with named_bots(bots) as chosen, players_at_work(workers, ray, chosen) as at_work:
        if seed is None:
            seed = seed_in(file) if file is not None else None
            seed = new_seed() if seed is None else seed
            tell_seed(seed)
        match = Match(played, parts, count, chosen, seed, parts.options)
        deals = match.deals(number)
        with MatchGames(match, file) as results:
            with console().status(translator("Compiling the rules; the first time takes some seconds…")):
                prepare(match)
            with progress_bar() as bar:
                total = deals * len(match.seatings)
                task = bar.add_task(translator("Games"), total=total, completed=results.of_deals(deals))
                try:
                    play_match(match, deals, results, at_work, lambda done: bar.advance(task, done))
                finally:
                    bar.stop()
                    _tell_match(match, results, file)


def _tell_match(match: "Match", results: "MatchGames", file: Path | None) -> None:
    """The standings after the whole deals that there are, and a plot of them beside `file`."""
    from atoll.lab.rating_table import rated_bots, rating_text

    found = rated_bots(match, results)
    for part in rating_text(translator, match, results, found):
        console().print(part)
    if file is None:
        return
    console().print(translator("The games are kept in %(file)s.", file=file))
    if not found:
        return
    try:
        from atoll.lab.rating_plot import picture_beside, plot_ratings
    except ImportError:
        console().print(translator("A plot needs matplotlib: make lab installs it."))
    else:
        picture = picture_beside(file)
        plot_ratings(translator, match, results, found, picture)
        console().print(translator("The plot is in %(file)s.", file=picture))


def add_command(app: typer.Typer) -> None:
    """Add the command to `atoll`."""
    app.command(help=translator("Let bots meet in every seat of the same deals, and rate them."))(arena)
