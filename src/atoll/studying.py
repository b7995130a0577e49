"""The commands that study a game: `report`, `compare`; `tune` stands in a module of its own."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated

import typer

from atoll.bots.external import named_bots
from atoll.command_options import (
    CORES,
    BotNames,
    ComponentsFile,
    GameName,
    Language,
    Players,
    RayAddress,
    Seed,
    Workers,
    check_files,
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
from atoll.text.errors import AtollError
from atoll.text.files import write_whole
from atoll.text.messages import Message, quoted
from atoll.tuning import tune

if TYPE_CHECKING:
    from rich.progress import TaskID

    from atoll.lab.batches import Workers as AtWork
    from atoll.lab.played import Setup
    from atoll.lab.report import GameReport
    from atoll.lab.report_builder import Extra
    from atoll.lab.totals import Totals

Games = Annotated[int, typer.Option("--games", "-n", min=1, help=translator("How many games, at most."))]
Until = Annotated[
    str | None,
    typer.Option(
        metavar="WIDTH",
        help=translator("Stop as soon as every share of the win is known to within this much, such as 1%."),
    ),
]
FiguresFile = Annotated[
    Path | None, typer.Option("--json", metavar="FILE", help=translator("Write every figure to this file."))
]
DataFolder = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="DIR",
        help=translator(
            "Keep every game and decision in this folder as Parquet; the same command goes on where it stopped."
        ),
    ),
]
OTHER_NUMBERS = 2000
"""Games at each other number of players, if not said: shares of the win are known to some 2 points."""
SWITCHES = {"on": True, "off": False, "true": True, "false": False}
"""What an option can be set to on a command line."""


def width_of(text: str) -> float:
    """A width as people write it, "1%" or "0.01", as a part of 1; raises AtollError."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?|\.\d+)\s*(%?)", text.strip())
    width = float(found[1]) / (100 if found[2] else 1) if found else 0.0
    if not 0 < width < 1:
        raise AtollError(Message("--until is a share such as 1%% or 0.01, not %(text)s", text=quoted(text)))
    return width


def report(
    game: GameName,
    players: Players = None,
    bots: BotNames = "greedy",
    games: Games = 10_000,
    seed: Seed = None,
    workers: Workers = CORES,
    ray: RayAddress = None,
    data: DataFolder = None,
    json: FiguresFile = None,
    page: Annotated[
        Path | None,
        typer.Option(
            "-o", "--out", metavar="FILE", help=translator("Write the report as a page to this file.")
        ),
    ] = None,
    language: Language = translator.language,
    until: Until = None,
    deals: Annotated[
        int,
        typer.Option(
            min=0, help=translator("Deals played again and again, for how much the deal settles; 0: none.")
        ),
    ] = 100,
    seats: Annotated[
        int | None,
        typer.Option(
            min=0,
            help=translator(
                "Games at each other number of players, for their seats; if not said, 2,000, and none where a bot is "
                "not compiled."
            ),
        ),
    ] = None,
    rungs: Annotated[
        int,
        typer.Option(
            min=0,
            help=translator(
                "Games of each search against one with half its budget, for how much skill wins; 0: none."
            ),
        ),
    ] = 0,
    swaps: Annotated[
        int,
        typer.Option(
            min=0,
            help=translator(
                "Positions in which each thing is forced and forbidden, for what it causes; 0: none."
            ),
        ),
    ] = 0,
    restricted: Annotated[
        int,
        typer.Option(
            min=0,
            help=translator(
                "Games of a player of each style, such as one who plays for points alone, and of one who never uses a "
                "thing, for what that costs; 0: none."
            ),
        ),
    ] = 0,
    only: Annotated[
        str,
        typer.Option(
            metavar="KEY",
            help=translator(
                "With --swaps and --restricted: only things whose key begins so, such as move/build."
            ),
        ),
    ] = "",
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option", help=translator("Turn an option of the game on, such as open_huts; may be repeated.")
        ),
    ] = None,
    components: ComponentsFile = None,
) -> None:
    """What a designer wants to know of a game, from many games between bots."""
    played_game = find_game(game)
    width = None if until is None else width_of(until)
    count, parts = players_of(played_game, players), components_in(played_game, components)
    options = played_game.check_options(dict.fromkeys(option or (), True))
    usual = Path(f"{played_game.name}-report.json") if data is None else data / "report.json"
    check_files(json or (usual if data is None else None), page)

    from atoll.lab import report_builder
    from atoll.lab.figures import encode
    from atoll.lab.played import Setup

    with named_bots(bots) as chosen, players_at_work(workers, ray, chosen) as at_work:
        if seed is None:
            seed = _seed_in(data)
        played = Setup(played_game, played_game.under(parts, options), count, chosen, seed, options)
        others = seats if seats is not None else OTHER_NUMBERS if played.is_compiled else 0
        extra = report_builder.Extra(deals if played.is_quick else 0, rungs, swaps, restricted, only, others)
        report_builder.check_extra(played, extra)
        totals = report_builder.empty(played)
        finished = True
        try:
            _count(played, games, totals, at_work, data, report_builder.known_to(width))
        except KeyboardInterrupt:
            finished = False
        if not totals.games:
            raise KeyboardInterrupt
        found = report_builder.report(played, totals, finished=finished)
        if finished:
            found, finished = _with_extra(found, played, totals, extra, at_work)
    file = json or usual
    write_whole(file, encode(found))
    console().print(
        translator.plural(
            "The figures of %(games)s game are in %(file)s.",
            "The figures of %(games)s games are in %(file)s.",
            totals.games,
            games=translator.number(totals.games),
            file=file,
        ),
        soft_wrap=True,
    )
    if page is not None:
        from atoll.lab.report_page import write_page

        write_page(found, language, page)
        console().print(translator("The report is %(file)s.", file=page), soft_wrap=True)
    if not finished:
        raise KeyboardInterrupt


def _with_extra(
    found: "GameReport", played: "Setup", totals: "Totals", extra: "Extra", workers: "AtWork"
) -> "tuple[GameReport, bool]":
    """The figures with the sections that play games of their own, and whether they were not interrupted."""
    from atoll.lab import report_builder

    said = {
        "seats": translator("Seats and fairness"),
        "luck": translator("Luck and skill"),
        "causes": translator("Forced swaps"),
        "strategies": translator("Restricted players"),
    }
    with progress_bar() as bar:
        tasks: dict[str, TaskID] = {}

        def advance(section: str, done: int, total: int) -> None:
            if section not in tasks:
                tasks[section] = bar.add_task(said[section], total=total)
            bar.advance(tasks[section], done)

        try:
            return report_builder.with_extra(found, played, totals, extra, workers, advance), True
        except KeyboardInterrupt:
            return found, False


def _seed_in(data: Path | None) -> int:
    """The seed of the games in a folder of data, or else a new one, which is told."""
    seed = None
    if data is not None:
        seed = _dataset().seed_in(data)
    if seed is None:
        seed = new_seed()
        tell_seed(seed)
    return seed


def _dataset() -> ModuleType:
    """The module that writes Parquet; raises AtollError where pyarrow is not installed."""
    try:
        from atoll.lab import dataset
    except ImportError:
        raise AtollError(Message("--data needs pyarrow: make lab installs it")) from None
    return dataset


def _count(
    played: "Setup",
    games: int,
    totals: "Totals",
    workers: "AtWork",
    data: Path | None,
    enough: "Callable[[Totals], bool]",
) -> None:
    """Play and count with a progress bar, and keep the games in `data` if it is named."""
    from atoll.lab import report_builder

    with console().status(translator("Compiling the rules; the first time takes some seconds…")):
        report_builder.prepare(played)
    with progress_bar() as bar:
        task = bar.add_task(translator("Games"), total=games)

        def advance(done: int) -> None:
            bar.advance(task, done)

        if data is None:
            report_builder.play_and_count(played, games, totals, workers, advance, enough=enough)
            return
        part = report_builder.part_size(played)
        with _dataset().Dataset(data, played, report_builder.header(played), totals, part) as keeper:
            advance(min(keeper.games, games))
            report_builder.play_and_count(played, games, totals, workers, advance, keeper, enough)


def compare(
    game: GameName,
    other: Annotated[
        Path | None,
        typer.Option(
            "--with", metavar="FILE", help=translator("The components file, or set, to compare with.")
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            metavar="NAME=VALUE",
            help=translator("An option of the game, on or off in the second alone: NAME=on or NAME=off."),
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
        typer.Option(metavar="BOT", help=translator("Compare between this bot, too, such as search:100.")),
    ] = "",
    search_games: Annotated[
        int, typer.Option(min=1, help=translator("With --search: how many games."))
    ] = 100,
    json: FiguresFile = None,
) -> None:
    """What differs between two sets of components, or an option on and off."""
    played_game = find_game(game)
    width = None if until is None else width_of(until)
    count = players_of(played_game, players)
    if other is None and not option:
        raise AtollError(Message("name what differs: --with FILE, or --option NAME=VALUE"))
    own = components_in(played_game, components)
    options = played_game.check_options({}), played_game.check_options(_settings(option or ()))
    sets = own, own if other is None else components_in(played_game, other)
    check_files(json)

    from atoll.lab import report_builder
    from atoll.lab.comparison import compare as run
    from atoll.lab.differences_text import tell_comparison
    from atoll.lab.figures import encode
    from atoll.lab.played import Setup

    if seed is None:
        seed = new_seed()
        tell_seed(seed)
    with (
        named_bots(bots) as chosen,
        named_bots(search or bots) as searching,
        players_at_work(workers, ray, [*chosen, *searching]) as at_work,
    ):
        sides = [(played_game.under(parts, own), own) for parts, own in zip(sets, options, strict=True)]
        first, second = (Setup(played_game, parts, count, chosen, seed, own) for parts, own in sides)
        slow = [Setup(played_game, parts, count, searching, seed + 1, own) for parts, own in sides]
        with console().status(translator("Compiling the rules; the first time takes some seconds…")):
            report_builder.prepare(first)
            if search:
                report_builder.prepare(slow[0])
        with progress_bar() as bar:
            task = bar.add_task(translator("Games"), total=games + (search_games if search else 0))
            found = run(
                first,
                second,
                games,
                at_work,
                lambda done: bar.advance(task, done),
                width,
                (slow[0], slow[1], search_games) if search else None,
            )
    for part in tell_comparison(translator, found):
        console().print(part)
    if json is not None:
        write_whole(json, encode(found))
        console().print(translator("The figures are in %(file)s.", file=json), soft_wrap=True)


def _settings(option: Sequence[str]) -> dict[str, bool]:
    """The options of "NAME=on" and "NAME=off"; raises AtollError."""
    found = {}
    for text in option:
        name, _, value = text.partition("=")
        if value not in SWITCHES:
            raise AtollError(Message("--option is NAME=on or NAME=off, not %(text)s", text=quoted(text)))
        found[name] = SWITCHES[value]
    return found


def add_commands(app: typer.Typer) -> None:
    """Add these commands to the command line."""
    app.command(
        help=translator("Tell what a designer wants to know of a game, from many games between bots.")
    )(report)
    app.command(
        help=translator(
            "Play the same deals with two sets of components, or an option on and off, and tell what differs."
        )
    )(compare)
    app.command(help=translator("Search numbers of a components file for what is wanted of the game."))(tune)
