"""How often each bot wins against the simplest: `python -m bench.bots`; rotated seats, the same games every time."""

import argparse

from rich.console import Console
from rich.table import Table

from atoll.bots import bot_names, find_bot
from atoll.bots.catalogue import QUICK_BOTS
from atoll.core.catalogue import games
from atoll.lab.ratings import share_estimate
from atoll.lab.simulate import simulate
from atoll.lab.summary import share_text
from atoll.text.translation import Translator

GAMES = 2000


def main() -> None:
    """Print wins of one bot of each kind against simplest ones in all other seats."""
    argparse.ArgumentParser(prog="python -m bench.bots", description=__doc__).parse_args()
    table = Table(title=f"One bot against {bot_names()[0]} in all other seats, {GAMES} games each, seed 1")
    for heading in ("Game", "Players", "Bot", "Won, %", "Mean points", "Others' mean points"):
        table.add_column(heading, justify="right")
    simplest = find_bot(bot_names()[0])
    for game in games().values():
        for bot in QUICK_BOTS[1:]:
            for players in (2, 4):
                seated = [bot] + [simplest] * (players - 1)
                results = simulate(game, game.components(), players, seated, GAMES, seed=1)
                own = results.bots == results.names.index(bot.name)
                shares, points = results.shares[own], results.points
                table.add_row(
                    game.title,
                    str(players),
                    bot.name,
                    share_text(Translator("en"), share_estimate(shares)),
                    f"{points[own].mean():.2f}",
                    f"{points[~own].mean():.2f}",
                )
    Console(highlight=False).print(table)


main()
