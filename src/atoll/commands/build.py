"""The command `build`: a game's module, in which its rules and bots run anywhere."""

from typing import Annotated

import typer

from atoll.commands.options import console, progress_bar
from atoll.core.catalogue import find_game, games
from atoll.core.running import built_modules


def build(
    name: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="The game; all if none is named.")
    ] = None,
    here: Annotated[
        bool, typer.Option("--here", help="Keep it for this machine alone, not in the game's package.")
    ] = False,
) -> None:
    """Compile a game's rules and bots into the module that its package brings along, to run anywhere."""
    from atoll.lab import modules

    chosen = [find_game(name)] if name else list(games().values())
    with progress_bar() as bar:
        task = bar.add_task("Building", total=len(chosen))
        for game in chosen:
            folder = built_modules(game) if here else modules.package_folder(game)
            modules.build(game, folder)
            bar.advance(task)
    said = ", ".join(game.title for game in chosen)
    console().print(f"The modules are as the rules are: {said}.", soft_wrap=True)
