"""The command `puzzles`: positions in which one move is right, or several are, from games that bots play."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from atoll.commands.options import CORES, GameName, Workers, check_files, console, counted, progress_bar
from atoll.core.catalogue import find_game
from atoll.text.errors import AtollError

if TYPE_CHECKING:
    from atoll.lab.puzzles import Puzzle


def puzzles(
    game_name: GameName,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="JSON Lines, a puzzle a line.")],
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="How many puzzles.")] = 300,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same puzzles.")] = 1,
    workers: Workers = CORES,
) -> None:
    """Make puzzles of games between bots; goes on with a FILE that has some of the same seed."""
    game = find_game(game_name)
    check_files(out)

    from msgspec.json import encode

    from atoll.lab.puzzle_making import make_puzzles
    from atoll.lab.puzzles import LEVELS, SEVERAL

    found = _known(out, game_name, seed)
    with progress_bar() as bar, out.open("ab") as file:
        task = bar.add_task("Puzzles", completed=len(found), total=count)
        for puzzle in make_puzzles(game, count, seed, workers, found):
            file.write(encode(puzzle) + b"\n")
            file.flush()
            found.append(puzzle)
            bar.update(task, completed=len(found))
    levels = ", ".join(f"{sum(one.level == level for one in found)} {level}" for level in LEVELS)
    several = sum(one.kind == SEVERAL for one in found)
    console().print(f"{counted(len(found), 'puzzle')}: {levels}; in {several} several moves are fine.")


def _known(out: Path, game: str, seed: int) -> "list[Puzzle]":
    """What a file has from before; raises AtollError if that is something else."""
    from atoll.lab.puzzles import read_puzzles

    known = list(read_puzzles(out)) if out.is_file() else []
    if any(one.game != game or one.origin[0] != seed for one in known):
        raise AtollError(f"{out} holds other puzzles than those of {game} with the seed {seed}")
    return known
