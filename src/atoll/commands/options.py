"""What the commands share: language, console, errors, the options that several have, and what these mean."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from atoll.bots import bot_names
from atoll.bots.bot import Bot
from atoll.core.catalogue import games
from atoll.core.game import Game
from atoll.core.types import Components, Json
from atoll.text.errors import AtollError
from atoll.text.files import check_writable, reason_of
from atoll.text.messages import Message, quoted
from atoll.text.spreadsheets import is_spreadsheet
from atoll.text.translation import LANGUAGES, Translator

if TYPE_CHECKING:
    from rich.progress import Progress

    from atoll.commands.console import PlainConsole
    from atoll.lab.batches import Cluster


def _language_of_environment() -> str:
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        language = os.environ.get(variable, "")[:2]
        if language in LANGUAGES:
            return language
    return next(iter(LANGUAGES))


translator = Translator(_language_of_environment())
"""What players meet is said in their language."""
COMPILING = "Compiling the rules; the first time takes some seconds…"


@cache
def console() -> "PlainConsole":
    """The terminal. Rich is loaded when a command first writes there, so that serving the site does without."""
    from atoll.commands.console import PlainConsole

    return PlainConsole()


def problem_in(error: AtollError | OSError) -> Message:
    """What is wrong, with the file that it is about."""
    if isinstance(error, AtollError):
        return error.message
    why = reason_of(error)
    return Message("%(file)s: %(problem)s", file=error.filename, problem=why) if error.filename else why


@contextmanager
def errors_in(translator: Translator) -> Iterator[None]:
    """Raise what is wrong as an AtollError in the language of the words."""
    try:
        yield
    except BrokenPipeError:  # whoever read what is printed has gone: Typer ends without a word
        raise
    except (AtollError, OSError) as error:
        raise AtollError(problem_in(error).translate(translator)) from None


def tell_in(translator: Translator) -> Callable[[Message], None]:
    """What writes lines on the terminal in the language of the words."""
    return lambda said: print(said.translate(translator), flush=True)


GAME_NAMES = ", ".join(games())
BOT_EXAMPLES = ", ".join(
    (*bot_names(), "search:1000", "search:500ms", "restrict:greedy,never=MOVES", "cmd:python mybot.py")
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help=f"The game: {GAME_NAMES}.")]
Players = Annotated[
    int | None, typer.Option("--players", "-p", help="How many play; the game's usual number if not said.")
]
BotNames = Annotated[
    str,
    typer.Option("--bots", help=f"Bots, separated by commas, repeated to fill the seats: {BOT_EXAMPLES}."),
]
ComponentsFile = Annotated[
    Path | None,
    typer.Option(
        "--components",
        help="A components file or a spreadsheet to play with instead of the game's own, or the name of a set.",
    ),
]
OPTION_HELP = "Turn an option of the game on, such as open_huts; may be repeated."
Set = Annotated[list[str] | None, typer.Option("--option", "-o", help=OPTION_HELP)]


def _check_language(language: str) -> str:
    """The language for which a user asks; raises BadParameter for one that there is not."""
    if language not in LANGUAGES:
        raise typer.BadParameter(
            f"there is no language {quoted(language)}; there are: {', '.join(LANGUAGES)}"
        )
    return language


Language = Annotated[str, typer.Option("--language", metavar="|".join(LANGUAGES), callback=_check_language)]

Seed = Annotated[
    int | None, typer.Option(min=0, help="The same seed gives the same games; a new one if not said.")
]
Games = Annotated[int, typer.Option("--games", "-n", min=1, help="How many games, at most.")]
Until = Annotated[
    str | None,
    typer.Option(
        metavar="WIDTH",
        help="Stop as soon as every share of the win is known to within this much, such as 1%.",
    ),
]
FiguresFile = Annotated[
    Path | None, typer.Option("--json", metavar="FILE", help="Write every figure to this file.")
]
Workers = Annotated[int, typer.Option(min=1, help="Cores to use.")]
RayAddress = Annotated[
    str | None,
    typer.Option(
        "--ray",
        metavar="ADDRESS",
        help="Play on the Ray cluster at this address, such as auto, instead of on this machine.",
    ),
]
CORES = os.cpu_count() or 1


@contextmanager
def players_at_work(cores: int, address: str | None, bots: Sequence[Bot]) -> "Iterator[int | Cluster]":
    """What plays: so many cores, or the Ray cluster at an address; raises AtollError if there is none, or if these
    bots cannot play there.
    """
    if address is None:
        yield cores
        return
    for bot in bots:
        if bot.name.startswith("cmd:"):
            raise AtollError(f"{quoted(bot.name)} runs on this machine alone, so it cannot play with --ray")
    try:
        from atoll.lab.ray_cluster import RayCluster
    except ImportError:
        raise AtollError("--ray needs Ray: make ray installs it (or pip install 'atoll[ray]')") from None
    with console().status("Joining the cluster…"):
        cluster = RayCluster(address)
    with cluster:
        yield cluster


def progress_bar() -> "Progress":
    """A progress bar of counted things, which only a terminal shows."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console(),
        transient=True,
        disable=not console().is_terminal,
    )


def components_in(game: Game, path: Path | None, option: Sequence[str] | None = None) -> Components:
    """The components in a file or of a set that comes with the game, its usual ones if none is named, as they are
    played with these options.
    """
    if path is None or _names_a_set(game, path):
        components = game.components(None if path is None else str(path))
    elif game.component_files and is_spreadsheet(path):
        data = _sheets_data(game, path)
        components = game.components_from(str(data["name"]), data)
    else:
        components = game.read_components(path)
    return game.under(components, dict.fromkeys(option or (), True))


def components_text(game: Game, path: Path | None) -> str:
    """The text of the file that `components_in` reads."""
    name = next(iter(game.component_files)) if path is None else str(path)
    if path is None or _names_a_set(game, path):
        return (game.folder / game.component_files[name]).read_text(encoding="utf-8")
    if is_spreadsheet(path):
        from atoll.text.toml_text import with_data

        return with_data(components_text(game, None), _sheets_data(game, path))
    return path.read_text(encoding="utf-8-sig")


def _sheets_data(game: Game, path: Path) -> Json:
    from atoll.core.component_sheets import read_sheets

    return read_sheets(game, path, game.components().data, translator.language)


def _names_a_set(game: Game, path: Path) -> bool:
    """Whether that is a set that comes with the game, or would be: a word without an ending that no file is called,
    and no folder of sheets.
    """
    is_word = path.name == str(path) and not path.suffix
    return bool(game.component_files) and is_word and not path.is_file() and not any(path.glob("*.csv"))


def players_of(game: Game, players: int | None) -> int:
    """How many play; raises AtollError if the game is not for so many."""
    number = game.default_players if players is None else players
    game.check_players(number)
    return number


def width_of(text: str) -> float:
    """A width as people write it, "1%" or "0.01", as a part of 1; raises AtollError."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?|\.\d+)\s*(%?)", text.strip())
    width = float(match[1]) / (100 if match[2] else 1) if match else 0.0
    if not 0 < width < 1:
        raise AtollError(f"--until is a share such as 1% or 0.01, not {quoted(text)}")
    return width


def check_files(*files: Path | None) -> None:
    """Raise AtollError if two of these are one file, and OSError now for one that could not be written in the end."""
    paths = [file for file in files if file is not None]
    for number, file in enumerate(paths):
        if file.absolute() in (other.absolute() for other in paths[:number]):
            raise AtollError(f"{file} would be written twice; give each its own name")
        check_writable(file)


def counted(number: int, noun: str) -> str:
    """A number of things, such as "1 game" or "1,000 games"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def tell_seed(seed: int) -> None:
    """Print the seed that was drawn, so that the run can be repeated."""
    console().print(f"The seed is {seed}.")
