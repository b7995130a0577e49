"""The command `print`: everything in a box as a PDF to print and cut, or what differs from an older set."""

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
        html = print_page(game, components_in(game, components), language, how, older)
        write_whole(file, html.encode() if as_page else pdf_of(html))
        console().print(say("%(file)s is ready to be printed.", file=file.absolute()), soft_wrap=True)
