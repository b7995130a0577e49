"""The command `components`: checking a components file, and showing it as tables or as a page.

What it finds and shows is what the site's workshop says too, so it is said in the language that is asked for.
"""

import os
import sys
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from atoll.commands.options import GameName, Language, components_in, console, errors_in, translator
from atoll.core.catalogue import find_game
from atoll.core.game import Game
from atoll.core.types import Components
from atoll.text.errors import AtollError
from atoll.text.files import write_whole
from atoll.text.messages import Message
from atoll.text.translation import Translator


def components(
    game_name: GameName,
    check: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Say whether this file can be played.")
    ] = None,
    show: Annotated[
        bool,
        typer.Option(
            "--show",
            help="Write all of it as a page with pictures and open that; the game's own if no file is said.",
        ),
    ] = False,
    page: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Where --show writes the page, if not here."),
    ] = None,
    language: Language = translator.language,
) -> None:
    """Check a components file, or show everything that stands in one."""
    say = Translator(language)
    with errors_in(say):
        if page is not None and not show:
            raise AtollError(Message("--out needs --show"))
        game = find_game(game_name)
        if check is None and not game.component_files:
            raise AtollError(
                Message("%(game)s has no components file: its rules hold all that there is", game=game.title)
            )
        content = components_in(game, check)
        if check is not None:
            console().print(say("%(file)s can be played: %(name)s.", file=check, name=content.name))
        if show:
            name = check.stem if check is not None else "components"
            _show_page(game, content, say, page or Path(f"{game.name}-{name}.html"))
        elif check is None:
            _show_tables(game, content, say)


def _show_page(game: Game, content: Components, say: Translator, file: Path) -> None:
    from atoll.web.pages.components_page import components_page

    write_whole(file, components_page(game, content, say.language, alone=True).encode())
    console().print(say("The page is %(file)s.", file=file.absolute()), soft_wrap=True)
    if _is_at_a_desktop():
        webbrowser.open(file.absolute().as_uri())


def _is_at_a_desktop() -> bool:
    """Whether somebody sits before the terminal who can see a browser."""
    display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return sys.stdout.isatty() and (bool(display) or sys.platform in ("darwin", "win32"))


def _show_tables(game: Game, content: Components, say: Translator) -> None:
    from rich.table import Table

    from atoll.core.listings import listings

    for listing in listings(game, content, say):
        table = Table(*listing.heading, title=listing.title, title_justify="left")
        for row in listing.rows:
            table.add_row(*row)
        console().print(table)
