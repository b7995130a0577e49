"""The command `atoll`: serve the site, play in the terminal, simulate, replay, compile ahead of time.

Wrong input ends with one sentence and exit status 2.
"""

import json
import os
import sys
import time
import webbrowser
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from atoll import __version__, exploiting, keeping, meeting, studying, training
from atoll.bots import DEFAULT_BOT
from atoll.bots.external import named_bots
from atoll.command_options import (
    CORES,
    BotNames,
    ComponentsFile,
    GameName,
    Language,
    Players,
    Seed,
    Set,
    Workers,
    components_in,
    console,
    players_of,
    progress_bar,
    tell_seed,
    translator,
)
from atoll.command_words import Commands, error_said
from atoll.core.catalogue import find_game, games
from atoll.core.game import Components, Game
from atoll.engine.garbage import loaded_for_good
from atoll.engine.seeds import new_seed
from atoll.text.errors import AtollError
from atoll.text.files import write_whole
from atoll.text.messages import Message
from atoll.text.printable import sentence
from atoll.text.translation import Translator

app = typer.Typer(
    cls=Commands,
    help=translator("Play, study and tune island board games."),
    no_args_is_help=False,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
DEFAULT_PORT = 0


class LogForm(StrEnum):
    """How the site's log is written."""

    TEXT = "text"
    JSON = "json"


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help=translator("Print the version and stop."))
    ] = False,
) -> None:
    """Without a command: serve the site on this machine and open the browser."""
    if version:
        console().print(f"atoll {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        _serve("127.0.0.1", DEFAULT_PORT, open_browser=True)


@app.command(help=translator("Serve the site; Ctrl-C stops it."))
def serve(
    host: Annotated[
        str, typer.Option(help=translator("Address to listen on; 0.0.0.0 opens the site to other devices."))
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help=translator("Port; 0 takes a free one."))
    ] = DEFAULT_PORT,
    browser: Annotated[bool, typer.Option(help=translator("Open the browser."))] = False,
    tables: Annotated[
        int | None,
        typer.Option(
            min=0,
            help=translator(
                "Unfinished tables that one browser may make within 24 hours, and five times as many from one "
                "network; 0: any number. If not said, 20, or any number where only this machine can come."
            ),
        ),
    ] = None,
    search: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="MS",
            help=translator(
                "Milliseconds that a bot at a table may search for a move. If not said, 2000, or 10000 where only "
                "this machine can come."
            ),
        ),
    ] = None,
    processes: Annotated[
        int,
        typer.Option(
            min=1,
            max=64,
            help=translator("Processes that serve it together; several want a database on PostgreSQL."),
        ),
    ] = 1,
    behind_proxy: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help=translator(
                "The address that visitors know, such as https://atoll.example.org, of a proxy on this machine: "
                "its X-Forwarded-For and X-Forwarded-Proto are believed."
            ),
        ),
    ] = None,
    metrics: Annotated[
        bool, typer.Option(help=translator("Give figures for Prometheus at /metrics, to this machine alone."))
    ] = False,
    log: Annotated[
        LogForm,
        typer.Option(
            help=translator(
                "How the log is written: warnings as text, or as lines of JSON with one for each request."
            )
        ),
    ] = LogForm.TEXT,
) -> None:
    _serve(
        host,
        port,
        open_browser=browser,
        tables=tables,
        search=search,
        proxy=behind_proxy,
        processes=processes,
        measured=metrics,
        logged=log is LogForm.JSON,
    )


def _serve(
    host: str,
    port: int,
    *,
    open_browser: bool,
    tables: int | None = None,
    search: int | None = None,
    proxy: str | None = None,
    processes: int = 1,
    measured: bool = False,
    logged: bool = False,
) -> None:
    with loaded_for_good():
        from atoll.web.serving.serve import allowance_at
        from atoll.web.serving.serve import serve as run
    run(
        host,
        port,
        open_browser,
        allowance=allowance_at(host, tables, search, behind_proxy=proxy is not None),
        proxy=proxy,
        processes=processes,
        measured=measured,
        logged=logged,
        translator=translator,
    )


@app.command(help=translator("Play a game in the terminal against bots."))
def play(
    game: GameName,
    players: Players = None,
    seat: Annotated[int, typer.Option(min=1, help=translator("Your seat, from 1."))] = 1,
    bots: BotNames = DEFAULT_BOT,
    seed: Annotated[
        int | None, typer.Option(min=0, help=translator("Deal this game; random if not said."))
    ] = None,
    option: Set = None,
    components: ComponentsFile = None,
    language: Language = translator.language,
) -> None:
    from atoll import terminal

    played = find_game(game)
    with named_bots(bots) as others:
        terminal.play(
            played,
            players_of(played, players),
            seat - 1,
            others,
            seed,
            language,
            dict.fromkeys(option or (), True),
            components_in(played, components),
        )


@app.command(help=translator("Play many games between bots and tell what came of it."))
def simulate(
    game: GameName,
    players: Players = None,
    bots: BotNames = "greedy,random",
    number: Annotated[int, typer.Option("--games", "-n", min=1, help=translator("How many games."))] = 1000,
    seed: Seed = None,
    workers: Workers = CORES,
    record: Annotated[
        Path | None,
        typer.Option(help=translator("Write the games to this file, in the public record format.")),
    ] = None,
    trace: Annotated[
        bool, typer.Option("--trace", help=translator("With --record: state and legal moves on every line."))
    ] = False,
    option: Set = None,
    components: ComponentsFile = None,
) -> None:
    if trace and record is None:
        raise AtollError(Message("--trace needs --record FILE"))
    played = find_game(game)
    count, parts = players_of(played, players), components_in(played, components, option)

    from atoll.lab.played import Setup
    from atoll.lab.recording import record_games
    from atoll.lab.simulate import compile_simulation
    from atoll.lab.simulate import simulate as run
    from atoll.lab.summary import lengths, summary

    with named_bots(bots) as chosen:
        if seed is None:
            seed = new_seed()
            tell_seed(seed)
        with console().status(translator("Compiling the rules; the first time takes some seconds…")):
            compile_simulation(played, parts, chosen)
        with progress_bar() as bar:
            task = bar.add_task(translator("Games"), total=number)
            began = time.perf_counter()
            if record is None:
                results = run(
                    played, parts, count, chosen, number, seed, workers, lambda done: bar.advance(task, done)
                )
            else:
                results = record_games(
                    Setup(played, parts, count, chosen, seed, parts.options),
                    number,
                    record,
                    trace=trace,
                    workers=workers,
                    progress=lambda done: bar.advance(task, done),
                )
            seconds = time.perf_counter() - began
    for part in (*summary(translator, results, seconds), *lengths(translator, played, results)):
        console().print(part)
    if record is not None:
        console().print(translator("Recorded in %(file)s.", file=record))


meeting.add_command(app)


@app.command(help=translator("Play recorded games again, check every line, and tell what happened."))
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=translator("A file of game records."))],
    log: Annotated[
        bool | None,
        typer.Option(help=translator("Tell every move; if not said, only when there is one game.")),
    ] = None,
    language: Language = translator.language,
) -> None:
    from atoll.replaying import replay_file

    replay_file(file, Translator(language), console(), log)


@app.command(help=translator("Check a components file, or show everything that stands in one."))
def components(
    game: GameName,
    check: Annotated[
        Path | None, typer.Option(metavar="FILE", help=translator("Say whether this file can be played."))
    ] = None,
    show: Annotated[
        bool,
        typer.Option(
            "--show",
            help=translator(
                "Write all of it as a page with pictures and open that; the game's own if no file is said."
            ),
        ),
    ] = False,
    page: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help=translator("Where --show writes the page, if not here.")),
    ] = None,
    language: Language = translator.language,
) -> None:
    if page is not None and not show:
        raise AtollError(Message("--out needs --show"))
    played = find_game(game)
    if check is None and not played.component_files:
        raise AtollError(
            Message("%(game)s has no components file: its rules hold all that there is", game=played.title)
        )
    found = components_in(played, check)
    if check is not None:
        console().print(
            Translator(language)("%(file)s can be played: %(name)s.", file=check, name=found.name)
        )
    if show:
        name = check.stem if check is not None else "components"
        _show_page(played, found, language, page or Path(f"{played.name}-{name}.html"))
    elif check is None:
        from atoll.show_components import show_components

        show_components(console(), played, found, Translator(language))


@app.command(
    help=translator(
        "Tell what a game's state holds, who sees what, its moves, and what a seat observes as numbers."
    )
)
def describe(
    game: GameName,
    players: Players = None,
    form: Annotated[
        str, typer.Option(help=translator("How values become numbers: normalized, one-hot or bytes."))
    ] = "normalized",
    as_json: Annotated[bool, typer.Option("--json", help=translator("Print it as JSON."))] = False,
    language: Language = translator.language,
) -> None:
    from atoll.describing import describe, description

    played = find_game(game)
    told = description(played, players_of(played, players), form)
    if as_json:
        print(json.dumps(told, ensure_ascii=False, indent=2))
    else:
        describe(console(), Translator(language), told)


def _show_page(game: Game, found: Components, language: str, file: Path) -> None:
    from atoll.web.pages.components_page import components_page

    write_whole(file, components_page(game, found, language, alone=True).encode())
    console().print(Translator(language)("The page is %(file)s.", file=file.absolute()), soft_wrap=True)
    if _is_at_a_desktop():
        webbrowser.open(file.absolute().as_uri())


def _is_at_a_desktop() -> bool:
    """Whether somebody sits before the terminal who can see a browser."""
    display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return sys.stdout.isatty() and (bool(display) or sys.platform in ("darwin", "win32"))


@app.command(help=translator("Compile the rules of every game now, so that nothing has to wait later."))
def warm() -> None:
    from atoll.lab.warm import STEPS, warm_games

    with progress_bar() as bar:
        task = bar.add_task(translator("Compiling"), total=len(games()) * STEPS)
        warm_games(lambda: bar.advance(task))
    console().print(translator("Everything is compiled."))


@app.command(
    "new-game", help=translator("Write the package of a new game: small, complete, and yours to change.")
)
def new_game(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help=translator("Its name: lower-case words joined by hyphens."))
    ],
    into: Annotated[
        Path,
        typer.Option(
            "--into", metavar="DIR", help=translator("Where its folder is written; here if not said.")
        ),
    ] = Path(),
) -> None:
    from atoll.new_game import write_game

    folder = write_game(name, into)
    console().print(
        translator("The game is in %(folder)s; its README says how to play it.", folder=folder),
        soft_wrap=True,
    )


studying.add_commands(app)
exploiting.add_command(app)
keeping.add_commands(app)
training.add_command(app)


def main() -> None:
    """Run the command line; wrong input ends with one sentence and exit status 2."""
    try:
        status = app(standalone_mode=False)
    except AtollError as error:
        _fail(str(error))
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(130)
    except typer.TyperException as error:
        _fail(error_said(error.format_message(), translator))
    else:
        sys.exit(status if isinstance(status, int) else 0)


def _fail(why: str) -> None:
    sys.stderr.write(f"atoll: {sentence(why).rstrip('.')}.\n")
    sys.exit(2)
