"""The command `compare`: what differs between two sets of components, or an option on and off."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from atoll.bots.external import named_bots
from atoll.commands.options import (
    COMPILING,
    CORES,
    BotNames,
    ComponentsFile,
    FiguresFile,
    GameName,
    Games,
    Players,
    RayAddress,
    Seed,
    Until,
    Workers,
    check_files,
    components_in,
    console,
    players_at_work,
    players_of,
    progress_bar,
    tell_seed,
    translator,
    width_of,
)
from atoll.core.catalogue import find_game
from atoll.engine.seeds import new_seed
from atoll.text.errors import AtollError
from atoll.text.files import write_whole
from atoll.text.messages import quoted

SWITCHES = {"on": True, "off": False, "true": True, "false": False}
"""What an option can be set to on a command line."""


def compare(
    game_name: GameName,
    other: Annotated[
        Path | None,
        typer.Option("--with", metavar="FILE", help="The components file, or set, to compare with."),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            metavar="NAME=VALUE",
            help="An option of the game, on or off in the second alone: NAME=on or NAME=off.",
        ),
    ] = None,
    components: ComponentsFile = None,
    players: Players = None,
    bots: BotNames = "greedy",
    games: Games = 10_000,
    seed: Seed = None,
    workers: Workers = CORES,
    ray: RayAddress = None,
    until: Until = None,
    search: Annotated[
        str,
        typer.Option(metavar="BOT", help="Compare between this bot, too, such as search:100."),
    ] = "",
    search_games: Annotated[int, typer.Option(min=1, help="With --search: how many games.")] = 100,
    json: FiguresFile = None,
) -> None:
    """Play the same deals with two sets of components, or an option on and off, and tell what differs."""
    game = find_game(game_name)
    width = None if until is None else width_of(until)
    count = players_of(game, players)
    if other is None and not option:
        raise AtollError("name what differs: --with FILE, or --option NAME=VALUE")
    own = components_in(game, components)
    options = game.check_options({}), game.check_options(_settings(option or ()))
    sets = own, own if other is None else components_in(game, other)
    check_files(json)

    from atoll.lab import report_builder
    from atoll.lab.comparison import compare as run
    from atoll.lab.differences_text import comparison_tables
    from atoll.lab.figures import encode
    from atoll.lab.played import Setup
    from atoll.lab.report_page import caution

    if seed is None:
        seed = new_seed()
        tell_seed(seed)
    with (
        named_bots(bots) as lineup,
        named_bots(search or bots) as search_lineup,
        players_at_work(workers, ray, [*lineup, *search_lineup]) as at_work,
    ):
        sides = [(game.under(parts, own), own) for parts, own in zip(sets, options, strict=True)]
        first, second = (Setup(game, parts, count, lineup, seed, own) for parts, own in sides)
        slow = [Setup(game, parts, count, search_lineup, seed + 1, own) for parts, own in sides]
        with console().status(COMPILING):
            report_builder.prepare(first)
            if search:
                report_builder.prepare(slow[0])
        with progress_bar() as bar:
            task = bar.add_task("Games", total=games + (search_games if search else 0))
            comparison = run(
                first,
                second,
                games,
                at_work,
                lambda done: bar.advance(task, done),
                width,
                (slow[0], slow[1], search_games) if search else None,
            )
    if not search and (text := caution(comparison.first, translator)):
        console().print(text)
    for part in comparison_tables(comparison):
        console().print(part)
    if json is not None:
        write_whole(json, encode(comparison))
        console().print(f"The figures are in {json}.", soft_wrap=True)


def _settings(option: Sequence[str]) -> dict[str, bool]:
    """The options of "NAME=on" and "NAME=off"; raises AtollError."""
    settings = {}
    for text in option:
        name, _, value = text.partition("=")
        if value not in SWITCHES:
            raise AtollError(f"--option is NAME=on or NAME=off, not {quoted(text)}")
        settings[name] = SWITCHES[value]
    return settings
