"""The command `print`: everything in a box as a PDF to print and cut, or what differs from an older set."""

import secrets
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from atoll.commands.options import (
    ComponentsFile,
    GameName,
    Language,
    components_in,
    console,
    errors_in,
    translator,
)
from atoll.core.catalogue import find_game
from atoll.core.game import Game
from atoll.core.types import Components
from atoll.text.files import check_writable, write_whole
from atoll.text.translation import Translator


class Paper(StrEnum):
    """Sizes of paper."""

    a4 = "a4"
    letter = "letter"


def print_box(
    game_name: GameName,
    components: ComponentsFile = None,
    paper: Annotated[Paper, typer.Option(help="What it is printed on.")] = Paper.a4,
    only: Annotated[
        str | None,
        typer.Option(metavar="PARTS", help="These parts alone, separated by commas, such as cards."),
    ] = None,
    fold: Annotated[
        bool,
        typer.Option(
            "--fold/--duplex",
            help="Fronts and backs on one side, to be folded, instead of on both, turned over along the long edge.",
        ),
    ] = False,
    grey: Annotated[bool, typer.Option("--grey", help="In pale grey, which saves ink.")] = False,
    changes_from: Annotated[
        Path | None,
        typer.Option(
            metavar="OLDER", help="Only what differs from this set, a file or a name as for --components."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="The PDF, or with .html the page of which it is made."
        ),
    ] = None,
    table: Annotated[
        bool,
        typer.Option(
            "--table", help="Also make a table with it at the site here, with bots and a free seat."
        ),
    ] = False,
    language: Language = translator.language,
) -> None:
    """Make a PDF of everything in the box, at true size, to print and cut out. It takes Chromium or Chrome."""
    from atoll.web.chromium import browser, pdf_of
    from atoll.web.pages.print_page import PrintSettings, print_page

    say = Translator(language)
    with errors_in(say):
        game = find_game(game_name)
        file = out or Path(f"{game.name}{'-changes' if changes_from else ''}.pdf")
        as_page = file.suffix.lower() in (".html", ".htm")
        check_writable(file)
        if not as_page:
            browser()
        parts = tuple(part.strip() for part in only.split(",")) if only else ()
        older = components_in(game, changes_from) if changes_from else None
        how = PrintSettings(paper.value, fold, grey, parts)
        own = components_in(game, components)
        html = print_page(game, own, language, how, older)
        write_whole(file, html.encode() if as_page else pdf_of(html))
        console().print(say("%(file)s is ready to be printed.", file=file.absolute()), soft_wrap=True)
        if table:
            address = make_table(game, own)
            console().print(
                say("At the site here %(address)s is a table with it.", address=address), soft_wrap=True
            )


def make_table(game: Game, components: Components) -> str:
    """Make a table at the site here, for whoever opens it first, against bots; returns its address."""
    from atoll.bots import DEFAULT_BOT
    from atoll.web.store.database import open_store
    from atoll.web.store.store import SeatRow
    from atoll.web.table.creation import new_table

    players = game.default_players
    row = new_table(game, players, {}, "calm", components, secrets.token_urlsafe(9), False, "alone")
    store = open_store()
    try:
        bots = [SeatRow(seat, None, DEFAULT_BOT) for seat in range(1, players)]
        store.make_table(row, [SeatRow(0, None, None), *bots])
    finally:
        store.engine.dispose()
    return f"/tables/{row.id}"
