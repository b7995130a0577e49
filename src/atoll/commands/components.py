"""The command `components`: checking a components file, showing it as tables or as a page, and taking it to a
spreadsheet and back.

What it finds and shows is what the site's workshop says too, so it is said in the language that is asked for.
"""

import os
import sys
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from atoll.commands.options import (
    GameName,
    Language,
    components_in,
    components_text,
    console,
    errors_in,
    translator,
)
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
    sheet: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write every list of it as a sheet of this workbook (.xlsx, .ods), or of this folder of CSV files.",
        ),
    ] = None,
    from_sheet: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Make a components file of a workbook, a CSV file or a folder of them; what they lack is as in the "
            "file of --check, or in the game's own.",
        ),
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Where --show writes the page, or --from-sheet the file, if not here.",
        ),
    ] = None,
    language: Language = translator.language,
) -> None:
    """Check a components file, show everything that stands in one, or edit it in a spreadsheet."""
    say = Translator(language)
    with errors_in(say):
        if page is not None and not show and from_sheet is None:
            raise AtollError(Message("--out needs --show or --from-sheet"))
        if from_sheet is not None and (show or sheet is not None):
            raise AtollError(Message("--from-sheet goes with neither --show nor --sheet"))
        game = find_game(game_name)
        if check is None and not game.component_files:
            raise AtollError(
                Message("%(game)s has no components file: its rules hold all that there is", game=game.title)
            )
        if from_sheet is not None:
            _from_sheet(game, from_sheet, check, page or Path(f"{game.name}-{from_sheet.stem}.toml"), say)
            return
        content = components_in(game, check)
        if sheet is not None:
            _to_sheet(game, content, sheet, say)
            return
        if check is not None:
            console().print(say("%(file)s can be played: %(name)s.", file=check, name=content.name))
        if show:
            name = check.stem if check is not None else "components"
            _show_page(game, content, say, page or Path(f"{game.name}-{name}.html"))
        elif check is None:
            _show_tables(game, content, say)


def _to_sheet(game: Game, content: Components, path: Path, say: Translator) -> None:
    from atoll.core.component_sheets import ComponentSheets
    from atoll.text.spreadsheets import separator_in, write_tables

    tables = ComponentSheets(game, say.language).tables(content.data)
    write_tables(path, tables, separator_in(say.language))
    console().print(
        say.plural(
            "%(num)s sheet is in %(file)s.",
            "%(num)s sheets are in %(file)s.",
            len(tables),
            file=path.absolute(),
        ),
        soft_wrap=True,
    )


def _from_sheet(game: Game, sheet: Path, base: Path | None, out: Path, say: Translator) -> None:
    from atoll.core.component_sheets import read_sheets
    from atoll.text.toml_text import with_data

    data = read_sheets(game, sheet, components_in(game, base).data, say.language)
    write_whole(out, with_data(components_text(game, base), data).encode())
    console().print(say("%(file)s can be played: %(name)s.", file=out, name=data["name"]), soft_wrap=True)


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
