"""The command `atoll` and the list of its commands.

What a player meets (`atoll`, `serve`, `play`, `replay`) speaks the user's language, other commands English. Wrong input
ends with one sentence and exit status 2.
"""

import sys
from io import TextIOWrapper
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from atoll import __version__
from atoll.commands.analyse import analyse
from atoll.commands.arena import arena
from atoll.commands.backup import backup, restore
from atoll.commands.benchmark import benchmark
from atoll.commands.build import build
from atoll.commands.compare import compare
from atoll.commands.components import components
from atoll.commands.dataset import dataset
from atoll.commands.describe import describe
from atoll.commands.examples import examples
from atoll.commands.exploit import exploit
from atoll.commands.mcp import mcp
from atoll.commands.new_game import new_game
from atoll.commands.options import console, problem_in, translator
from atoll.commands.play import play
from atoll.commands.print_box import print_box
from atoll.commands.puzzles import puzzles
from atoll.commands.replay import replay
from atoll.commands.report import report
from atoll.commands.serve import serve
from atoll.commands.simulate import simulate
from atoll.commands.train import train
from atoll.commands.tune import tune
from atoll.text.errors import AtollError
from atoll.text.printable import sentence


class Commands(TyperGroup):
    """Lists every command with the whole of its help, which Typer cuts off."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, self.commands[name].help) for name in self.list_commands(ctx)])


app = typer.Typer(
    cls=Commands,
    help=translator("Play, study and tune island board games."),
    no_args_is_help=False,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command(help=translator("Serve the site; Ctrl-C stops it."))(serve)
app.command(help=translator("Play a game in the terminal against bots."))(play)
app.command(help=translator("Play recorded games again, check every line, and tell what happened."))(replay)
app.command(help=translator("Explain a finished game: what decisions cost, and what luck brought."))(analyse)
app.command()(simulate)
app.command()(arena)
app.command()(report)
app.command()(compare)
app.command()(tune)
app.command()(exploit)
app.add_typer(benchmark, name="benchmark")
app.command()(puzzles)
app.command()(components)
app.command("print")(print_box)
app.command()(describe)
app.command()(dataset)
app.command()(mcp)
app.command()(train)
app.command("new-game")(new_game)
app.command()(examples)
app.command()(build)
app.command()(backup)
app.command()(restore)


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help=translator("Print the version and stop."))
    ] = False,
) -> None:
    """Without a command: serve the site on this machine and open the browser."""
    if version:
        console().print(f"atoll {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        serve(browser=True)


def main() -> None:
    """Run the command line; wrong input ends with one sentence and exit status 2."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="atoll.plain")
    try:
        status = app(standalone_mode=False)
    except typer.TyperException as error:
        _fail(error.format_message())
    except (AtollError, OSError) as error:
        _fail(str(problem_in(error)))
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(130)
    else:
        sys.exit(status if isinstance(status, int) else 0)


def _fail(why: str) -> None:
    text = sentence(why).rstrip(".")
    sys.stderr.write(f"atoll: {text}{'' if text.endswith('?') else '.'}\n")
    sys.exit(2)
