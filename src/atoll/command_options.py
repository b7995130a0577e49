"""What the commands share: the language, the console, the options that several have, and what these mean."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeRemainingColumn,
)

from atoll.bots import bot_names
from atoll.console import PlainConsole
from atoll.core.catalogue import games
from atoll.core.errors import AtollError
from atoll.core.game import Components, Game
from atoll.core.words import LANGUAGES, Words


def _language_of_environment() -> str:
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        language = os.environ.get(variable, "")[:2]
        if language in LANGUAGES:
            return language
    return next(iter(LANGUAGES))


words = Words(_language_of_environment())
out = PlainConsole()

GameName = Annotated[
    str, typer.Argument(metavar="GAME", help=words("The game: %(names)s.", names=", ".join(games())))
]
Players = Annotated[
    int | None,
    typer.Option("--players", "-p", help=words("How many play; the game's usual number if not said.")),
]
BotNames = Annotated[
    str,
    typer.Option(
        "--bots",
        help=words(
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
    typer.Option("--components", help=words("A components file to play with instead of the game's own.")),
]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--option", "-o", help=words("Turn an option of the game on, such as open_huts; may be repeated.")
    ),
]
Language = Annotated[
    str, typer.Option("--language", help=words("Language: %(names)s.", names=", ".join(LANGUAGES)))
]


def progress_bar(console: PlainConsole) -> Progress:
    """A progress bar of counted things."""
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )


def components_in(game: Game, path: Path | None, option: Sequence[str] | None = None) -> Components:
    """The components in a file, the game's own if there is none, as they are played with these options."""
    components = game.components() if path is None else game.read_components(path)
    return game.under(components, dict.fromkeys(option or (), True))


def players_of(game: Game, players: int | None) -> int:
    """How many play; raises AtollError if the game is not for so many."""
    number = game.default_players if players is None else players
    game.check_players(number)
    return number


def check_language(language: str) -> None:
    """Raise AtollError for a language that there is not."""
    if language not in LANGUAGES:
        raise AtollError(
            words(
                "there is no language %(name)s; there are: %(names)s",
                name=repr(language),
                names=", ".join(LANGUAGES),
            )
        )


def tell_seed(seed: int) -> None:
    """Print the seed that was drawn, so that the run can be repeated."""
    out.print(words("The seed is %(seed)s.", seed=seed))
