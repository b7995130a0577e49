"""`make bench`: what the engine does a second, and what a start costs. Further measurements: `python -m bench.NAME`."""

from rich.console import Console

from atoll.core.catalogue import games
from bench.engine import rates, starts, step_cost


def main() -> None:
    """Print every figure, each the median of several runs on one core."""
    console = Console(highlight=False)
    for game in games().values():
        console.print(starts(game))
        console.print(rates(game))
        console.print(step_cost(game))


main()
