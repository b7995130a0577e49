"""The command `report`: a game's figures, from many games between bots."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated

import typer

from atoll.bots.external import named_bots
from atoll.commands.options import (
    COMPILING,
    CORES,
    OPTION_HELP,
    BotNames,
    ComponentsFile,
    FiguresFile,
    GameName,
    Games,
    Language,
    Players,
    RayAddress,
    Seed,
    Until,
    Workers,
    check_files,
    components_in,
    console,
    counted,
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

if TYPE_CHECKING:
    from rich.progress import TaskID

    from atoll.lab.batches import Workers as AtWork
    from atoll.lab.finding_games import Beside
    from atoll.lab.played import Setup
    from atoll.lab.report import GameReport
    from atoll.lab.report_builder import Extra
    from atoll.lab.totals import Totals

DataFolder = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="DIR",
        help="Keep every game and decision in this folder as Parquet; the same command goes on where it stopped.",
    ),
]
OTHER_NUMBERS = 2000
"""Games at each other number of players, if not said: shares of the win are known to some 2 points."""


def report(
    game_name: GameName,
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
        typer.Option("-o", "--out", metavar="FILE", help="Write the report as a page to this file."),
    ] = None,
    language: Language = translator.language,
    until: Until = None,
    deals: Annotated[
        int,
        typer.Option(min=0, help="Deals played again and again, for how much the deal settles; 0: none."),
    ] = 100,
    seats: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Games at each other number of players, for their seats; if not said, 2,000, and none where a bot is "
            "not compiled.",
        ),
    ] = None,
    rungs: Annotated[
        int,
        typer.Option(
            min=0,
            help="Games of each search against one with half its budget, for how much skill wins; 0: none.",
        ),
    ] = 0,
    swaps: Annotated[
        int,
        typer.Option(
            min=0,
            help="Positions in which each thing is forced and forbidden, for what it causes; 0: none.",
        ),
    ] = 0,
    restricted: Annotated[
        int,
        typer.Option(
            min=0,
            help="Games of a player of each style, such as one who plays for points alone, and of one who never uses a "
            "thing, for what that costs; 0: none.",
        ),
    ] = 0,
    only: Annotated[
        str,
        typer.Option(
            metavar="KEY",
            help="With --swaps and --restricted: only things whose key begins so, such as move/build.",
        ),
    ] = "",
    findings: Annotated[
        int,
        typer.Option(min=0, max=7, help="Findings at the top, with games to watch and what to try; 0: none."),
    ] = 7,
    since: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Findings are what has changed since these components, or this set of the game.",
        ),
    ] = None,
    beside: Annotated[
        str,
        typer.Option(
            metavar="BOT",
            help="A bot of another strength that is asked about findings; if not said, the trained one that a game "
            "brings along.",
        ),
    ] = "",
    beside_games: Annotated[int, typer.Option(min=30, help="Games of the bot beside.")] = 100,
    people: Annotated[
        Path | None,
        typer.Option(
            metavar="RECORDS",
            help="Put the figures of people's games beside those of bots: a file of records, or a folder of them.",
        ),
    ] = None,
    site: Annotated[
        bool,
        typer.Option(
            "--site",
            help="The same of finished games of the site here whose tables' makers let them be counted, with what "
            "people said of this set.",
        ),
    ] = False,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", help=OPTION_HELP),
    ] = None,
    components: ComponentsFile = None,
) -> None:
    """Tell what a designer wants to know of a game, from many games between bots."""
    game = find_game(game_name)
    width = None if until is None else width_of(until)
    count, parts = players_of(game, players), components_in(game, components)
    options = game.check_options(dict.fromkeys(option or (), True))
    usual = Path(f"{game.name}-report.json") if data is None else data / "report.json"
    check_files(json or (usual if data is None else None), page)

    from msgspec.structs import replace

    from atoll.commands.people import count_people
    from atoll.lab import report_builder
    from atoll.lab.figures import encode
    from atoll.lab.played import Setup

    with named_bots(bots) as lineup, players_at_work(workers, ray, lineup) as at_work:
        if seed is None:
            seed = _seed_in(data)
        setup = Setup(game, game.under(parts, options), count, lineup, seed, options)
        others = seats if seats is not None else OTHER_NUMBERS if setup.is_compiled else 0
        extra = report_builder.Extra(
            deals if setup.is_quick else 0,
            rungs,
            swaps,
            restricted,
            only,
            others,
            findings if setup.is_compiled or since is not None else 0,
            _beside(setup, beside, beside_games),
            None if since is None else game.under(components_in(game, since), options),
        )
        report_builder.check_extra(setup, extra)
        counted_people = count_people(setup, people, at_site=site)
        totals = report_builder.empty(setup)
        finished = True
        try:
            _count(setup, games, totals, at_work, data, report_builder.known_to(width))
        except KeyboardInterrupt:
            finished = False
        if not totals.games:
            raise KeyboardInterrupt
        figures = report_builder.report(
            setup, totals, finished=finished, missing=() if finished else extra.sections
        )
        if counted_people is not None:
            figures = replace(figures, people=counted_people.beside(figures, totals))
        if finished:
            figures = _with_extra(figures, setup, totals, extra, at_work)
    from atoll.lab.report_page import caution, section_titles, write_page
    from atoll.lab.sections.people import people_told

    if text := caution(figures.about, translator):
        console().print(text)
    if missing := section_titles(figures.about.missing, translator):
        console().print(
            translator("Missing, since the run was stopped: %(sections)s.", sections=translator.both(missing))
        )
    if figures.people is not None:
        console().print(people_told(figures.people, translator), soft_wrap=True)
    file = json or usual
    write_whole(file, encode(figures))
    console().print(f"The figures of {counted(totals.games, 'game')} are in {file}.", soft_wrap=True)
    if page is not None:
        write_page(figures, language, page)
        console().print(f"The report is {page}.", soft_wrap=True)
    if not figures.about.finished:
        raise KeyboardInterrupt


def _with_extra(
    figures: "GameReport", setup: "Setup", totals: "Totals", extra: "Extra", workers: "AtWork"
) -> "GameReport":
    """The figures with the sections that play games of their own, as far as it was not interrupted."""
    from atoll.lab import report_builder

    titles = {
        "seats": "Seats and fairness",
        "luck": "Luck and skill",
        "causes": "Forced swaps",
        "strategies": "Restricted players",
        "findings": "Findings",
    }
    with progress_bar() as bar:
        tasks: dict[str, TaskID] = {}

        def advance(section: str, done: int, total: int) -> None:
            if section not in tasks:
                tasks[section] = bar.add_task(titles[section], total=total or None)
            bar.advance(tasks[section], done)

        return report_builder.with_extra(figures, setup, totals, extra, workers, advance)


def _beside(setup: "Setup", name: str, games: int) -> "Beside | None":
    """The bot of another strength; None where none is named and the game's own is not quick enough or plays already."""
    from atoll.bots.catalogue import find_bot
    from atoll.lab.finding_games import Beside

    bot = find_bot(name or "trained")
    own = setup.is_quick and bot.quick(setup.game) is None
    return Beside(bot, games) if name or own else None


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
        raise AtollError("--data needs pyarrow: make lab installs it (or pip install 'atoll[lab]')") from None
    return dataset


def _count(
    setup: "Setup",
    games: int,
    totals: "Totals",
    workers: "AtWork",
    data: Path | None,
    enough: "Callable[[Totals], bool]",
) -> None:
    """Play and count with a progress bar, and keep the games in `data` if it is named."""
    from atoll.lab import report_builder

    with console().status(COMPILING):
        report_builder.prepare(setup)
    with progress_bar() as bar:
        task = bar.add_task("Games", total=games)

        def advance(done: int) -> None:
            bar.advance(task, done)

        if data is None:
            report_builder.play_and_count(setup, games, totals, workers, advance, enough=enough)
            return
        part = report_builder.part_size(setup)
        with _dataset().Dataset(data, setup, report_builder.header(setup), totals, part) as keeper:
            advance(min(keeper.games, games))
            report_builder.play_and_count(setup, games, totals, workers, advance, keeper, enough)
