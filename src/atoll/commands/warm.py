"""The command `warm`: compiling ahead of time."""

from atoll.commands.options import console, progress_bar
from atoll.core.catalogue import games


def warm() -> None:
    """Compile the rules of every game now, so that nothing has to wait later."""
    from atoll.lab.warm import STEPS, warm_games

    with progress_bar() as bar:
        task = bar.add_task("Compiling", total=len(games()) * STEPS)
        warm_games(lambda: bar.advance(task))
    console().print("Everything is compiled.")
