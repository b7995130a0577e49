"""What the commands share: the language, the console, the options that several have, and what these mean."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from atoll.bots import bot_names
from atoll.bots.catalogue import Bot
from atoll.core.catalogue import games
from atoll.core.game import Components, Game
from atoll.text.errors import AtollError
from atoll.text.files import check_writable
from atoll.text.messages import Message, quoted
from atoll.text.translation import LANGUAGES, Translator

if TYPE_CHECKING:
    from rich.progress import Progress

    from atoll.console import PlainConsole
    from atoll.lab.batches import Cluster


def _language_of_environment() -> str:
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        language = os.environ.get(variable, "")[:2]
        if language in LANGUAGES:
            return language
    return next(iter(LANGUAGES))


translator = Translator(_language_of_environment())
LANGUAGE = "language"
"""Where the context of a command holds the language for which a user asks."""


@cache
def console() -> "PlainConsole":
    """The terminal. Rich is loaded when a command first writes there, so that serving the site does without."""
    from atoll.console import PlainConsole

    return PlainConsole()


GameName = Annotated[
    str, typer.Argument(metavar="GAME", help=translator("The game: %(names)s.", names=", ".join(games())))
]
Players = Annotated[
    int | None,
    typer.Option("--players", "-p", help=translator("How many play; the game's usual number if not said.")),
]
BotNames = Annotated[
    str,
    typer.Option(
        "--bots",
        help=translator(
            "Bots, separated by commas, repeated to fill the seats: %(names)s.",
            names=", ".join(
                (
                    *bot_names(),
                    "search:1000",
                    "search:500ms",
                    "restrict:greedy,never=MOVES",
                    "cmd:python mybot.py",
                )
            ),
        ),
    ),
]
ComponentsFile = Annotated[
    Path | None,
    typer.Option(
        "--components",
        help=translator(
            "A components file to play with instead of the game's own, or the name of a set that comes with it."
        ),
    ),
]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        help=translator("Turn an option of the game on, such as open_huts; may be repeated."),
    ),
]


def _chosen_language(context: typer.Context, language: str) -> str:
    """The language for which a user asks; raises AtollError for one that there is not."""
    if language not in LANGUAGES:
        raise AtollError(
            Message(
                "there is no language %(name)s; there are: %(names)s",
                name=quoted(language),
                names=", ".join(LANGUAGES),
            )
        )
    context.meta[LANGUAGE] = language
    return language


Language = Annotated[
    str,
    typer.Option(
        "--language",
        callback=_chosen_language,
        is_eager=True,  # so that what is wrong with the other options is told in it
        help=translator("Language: %(names)s.", names=", ".join(LANGUAGES)),
    ),
]

Seed = Annotated[
    int | None,
    typer.Option(min=0, help=translator("The same seed gives the same games; a new one if not said.")),
]
Workers = Annotated[int, typer.Option(min=1, help=translator("Cores to use."))]
CORES = os.cpu_count() or 1
RayAddress = Annotated[
    str | None,
    typer.Option(
        "--ray",
        metavar="ADDRESS",
        help=translator("Play on the Ray cluster at this address, such as auto, instead of on this machine."),
    ),
]


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
            raise AtollError(
                Message(
                    "%(bot)s runs on this machine alone, so it cannot play with --ray", bot=quoted(bot.name)
                )
            )
    try:
        from atoll.lab.ray_cluster import RayCluster
    except ImportError:
        raise AtollError(Message("--ray needs Ray: make ray installs it")) from None
    with console().status(translator("Joining the cluster…")):
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
    else:
        components = game.read_components(path)
    return game.under(components, dict.fromkeys(option or (), True))


def components_text(game: Game, path: Path | None) -> str:
    """The text of the file that `components_in` reads."""
    name = next(iter(game.component_files)) if path is None else str(path)
    if path is None or _names_a_set(game, path):
        return (game.folder / game.component_files[name]).read_text(encoding="utf-8")
    return path.read_text(encoding="utf-8")


def _names_a_set(game: Game, path: Path) -> bool:
    """Whether that is a set that comes with the game, or would be: a word without an ending that no file is called."""
    is_word = path.name == str(path) and not path.suffix
    return bool(game.component_files) and is_word and not path.is_file()


def players_of(game: Game, players: int | None) -> int:
    """How many play; raises AtollError if the game is not for so many."""
    number = game.default_players if players is None else players
    game.check_players(number)
    return number


def check_files(*files: Path | None) -> None:
    """Raise AtollError if two of these are one file, and OSError now for one that could not be written in the end."""
    named = [file for file in files if file is not None]
    for number, file in enumerate(named):
        if file.absolute() in (other.absolute() for other in named[:number]):
            raise AtollError(Message("%(file)s would be written twice; give each its own name", file=file))
        check_writable(file)


def tell_seed(seed: int) -> None:
    """Print the seed that was drawn, so that the run can be repeated."""
    console().print(translator("The seed is %(seed)s.", seed=seed))
