"""The commands `backup` and `restore`: a copy of all that a site keeps, and putting it back."""

import signal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from atoll.commands.options import console, counted, progress_bar
from atoll.text.errors import AtollError
from atoll.text.platform import HANGUP

if TYPE_CHECKING:
    from atoll.web.serving.backup import ArchiveEntry


def backup(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE",
            help="A new file; if not said, one here that is named after the day and time.",
        ),
    ] = None,
) -> None:
    """Copy all tables into one file, while the site runs or not."""
    from atoll.web.serving.backup import back_up, default_name

    _stop_cleanly()

    to = file or Path(default_name())
    with progress_bar() as bar:
        task = bar.add_task("Copying", total=None)
        contents = back_up(to, lambda done, of: bar.update(task, completed=done, total=of))
    console().print(f"{to}: {_summary(contents)}", soft_wrap=True)


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that atoll backup wrote.")],
    check: Annotated[
        bool, typer.Option("--check", help="Only say whether the file is whole and what it holds.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask first.")] = False,
) -> None:
    """Put a backup in the place of the tables that are there, which stay beside it; the site must be stopped."""
    from atoll.web.serving import backup as backups

    _stop_cleanly()

    contents = backups.inspect_backup(file)
    console().print(f"{file}: {_summary(contents)}", soft_wrap=True)
    if check:
        return
    if not yes and not _confirm():
        raise AtollError("nothing was changed")
    _, before = backups.restore(file)
    if before is not None:
        console().print(f"The tables that were there are in {before}.", soft_wrap=True)
    console().print("Restored; start the site again with atoll serve.")


def _stop_cleanly() -> None:
    """Whoever ends the program, or closes its terminal, ends it as Ctrl-C does, which leaves nothing half done. What
    is ignored, as `nohup` has it, stays so."""
    for number in (signal.SIGTERM, HANGUP):
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)


def _confirm() -> bool:
    """Whether the person says so; raises AtollError where there is nobody to ask."""
    try:
        return typer.confirm("Put it in the place of the tables that are there?")
    except typer.Abort as ended:
        if isinstance(ended.__context__, EOFError):
            raise AtollError("nothing was changed: nobody answers; --yes says it beforehand") from None
        raise


def _summary(contents: "ArchiveEntry") -> str:
    """What a backup holds."""
    return f"{counted(contents.tables, 'table')}, {counted(contents.moves, 'move')}, {contents.size / 1e6:,.1f} MB"
