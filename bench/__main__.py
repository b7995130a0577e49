"""`make bench`: what the engine does a second, and what a start costs."""

import argparse
import ast
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console

from atoll.core.catalogue import games
from bench.engine import rates, starts, step_cost


def measurements() -> Iterator[str]:
    """A line for each further measurement: its command, and what it tells."""
    for file in sorted(Path(__file__).parent.glob("*.py")):
        command, told = f"python -m bench.{file.stem}", ast.get_docstring(ast.parse(file.read_text("utf-8")))
        if told and command in told:
            what, _, _ = told.partition(f"`{command}")
            yield f"  {command:30}  {' '.join(what.split()).rstrip(':,; ')}"


def main() -> None:
    """Print every figure, each the median of several runs on one core."""
    parser = argparse.ArgumentParser(
        prog="make bench, or python -m bench",
        description=__doc__,
        epilog="\n".join(["further measurements, each with a --help of its own:", *measurements()]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("games", nargs="*", metavar="GAME", help="of which game; of all if not said")
    settings = parser.parse_args()
    if unknown := set(settings.games) - set(games()):
        parser.error(f"there is no game {min(unknown)}; there are {', '.join(games())}")
    console = Console(highlight=False)
    for name, game in games().items():
        if not settings.games or name in settings.games:
            console.print(starts(game))
            console.print(rates(game))
            console.print(step_cost(game))


main()
