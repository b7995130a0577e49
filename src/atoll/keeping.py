"""The commands `backup` and `restore`: a copy of all that a site keeps, and putting it back."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from atoll.command_options import console, progress_bar, translator
from atoll.text.errors import AtollError
from atoll.text.messages import Message

if TYPE_CHECKING:
    from atoll.web.serving.backup import ArchiveEntry


def backup(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE",
            help=translator("A new file; if not said, one here that is named after the day and time."),
        ),
    ] = None,
) -> None:
    """Copy all tables and what browsers are known by into one file, while the site runs or not."""
    from atoll.web.serving.backup import back_up, usual_name

    to = file or Path(usual_name())
    with progress_bar() as bar:
        task = bar.add_task(translator("Copying"), total=None)
        kept = back_up(to, lambda done, of: bar.update(task, completed=done, total=of))
    console().print(translator("%(file)s: %(held)s", file=str(to), held=_held(kept)), soft_wrap=True)


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=translator("A file that atoll backup wrote."))],
    check: Annotated[
        bool,
        typer.Option("--check", help=translator("Only say whether the file is whole and what it holds.")),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help=translator("Do not ask first."))] = False,
) -> None:
    """Put a backup in the place of the tables that are there, which are kept beside it. The site must be stopped."""
    from atoll.web.serving import backup as backups

    held = backups.look_at(file)
    console().print(translator("%(file)s: %(held)s", file=str(file), held=_held(held)), soft_wrap=True)
    if check:
        return
    if not yes and not _agreed():
        raise AtollError(Message("nothing was changed"))
    _, before = backups.restore(file)
    if before is not None:
        console().print(
            translator("The tables that were there are in %(file)s.", file=str(before)), soft_wrap=True
        )
    console().print(translator("Restored; start the site again with atoll serve."))


def _agreed() -> bool:
    """Whether the person says so; raises AtollError where there is nobody to ask."""
    try:
        return typer.confirm(translator("Put it in the place of the tables that are there?"))
    except typer.Abort as ended:
        if isinstance(ended.__context__, EOFError):
            raise AtollError(
                Message("nothing was changed: nobody answers; --yes says it beforehand")
            ) from None
        raise


def _held(kept: "ArchiveEntry") -> str:
    tables = translator.plural("%(num)s table", "%(num)s tables", kept.tables)
    moves = translator.plural("%(num)s move", "%(num)s moves", kept.moves)
    size = translator("%(size)s MB", size=translator.number(kept.size / 1e6, 1))
    return f"{tables}, {moves}, {size}"


def add_commands(app: typer.Typer) -> None:
    """Add these commands to the command line."""
    app.command(help=translator("Copy all tables into one file, while the site runs or not."))(backup)
    app.command(help=translator("Put a backup in the place of the tables that are there."))(restore)
