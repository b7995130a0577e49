"""Whether a broken components file is always refused with a sentence, and one that is accepted played to the end:
`python -m bench.mutated_components --count 10000 --seed 1`.

Case i of a game depends on the seed and i alone. What is accepted is played at each number of players by rules that
Numba compiled with checked bounds, mostly at random, now and then by the bot that goes by the game's advice. The first
file that gives a traceback, an access out of bounds or a game past its declared maximum is written out.
"""

import os

os.environ.setdefault("NUMBA_BOUNDSCHECK", "1")  # before Numba is imported

import argparse
import faulthandler
import random
import sys
import traceback
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cache
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from atoll.bots.catalogue import find_bot
from atoll.core.catalogue import find_game, games
from atoll.core.component_tables import component_tables
from atoll.core.errors import AtollError
from atoll.core.game import Components, Game
from atoll.core.printable import printable
from atoll.core.words import LANGUAGES, Words
from atoll.lab.simulate import compile_simulation, simulate_chunk
from atoll.rules_page import rules_html
from atoll.web.pages.components_page import components_page
from bench.component_mutations import mutated

CHUNK = 20
"""Cases that a process tries at once."""
PATIENCE = 300
"""Seconds after which a case that does not end ends its process."""
GREEDY_ONE_IN = 4
"""Decisions of which the bot that goes by the advice takes one."""
CHECK_EVERY = 20
"""Decisions from one check of a position to the next."""

# One file


@cache
def prepared(name: str) -> Game:
    """The game, when all that trying runs is compiled or loaded: games between the bots, a view, a drawn state."""
    game = find_game(name)
    compile_simulation(game, game.components())
    position = game.start(game.default_players, 1)
    find_bot("greedy").choose(position.view(position.to_act[0]).resample(1).view(position.to_act[0]), 1)
    return game


def is_accepted(game: Game, content: bytes, folder: Path, chance: random.Random) -> bool:
    """Whether the file is accepted; if it is, it is told, drawn, and played at each number of players."""
    file = folder / f"tried-{random.SystemRandom().getrandbits(64):x}.toml"
    file.write_bytes(content)
    try:
        components = game.read_components(file)
    except AtollError as error:
        sentence = str(error)
        assert sentence.startswith(str(file)), f"the file is not named: {sentence}"
        assert printable(sentence) == sentence, f"not printable: {sentence!r}"
        return False
    finally:
        file.unlink()
    again = game.components_from("again", components.data)
    assert again.parts.tobytes() == components.parts.tobytes(), "another reading gives other components"
    _tell(game, components, chance)
    for players in game.seats:
        _play(game, components, players, chance)
        simulate_chunk(game, components, players, [find_bot("greedy")], chance.getrandbits(60), 0, 1)
    return True


def _tell(game: Game, components: Components, chance: random.Random) -> None:
    """All that is said of components, in one of the languages."""
    language = chance.choice(list(LANGUAGES))
    list(component_tables(game, components, Words(language)))
    if chance.random() < 0.1:
        rules_html(game, language, components)
        components_page(game, components, language)


def _play(game: Game, components: Components, players: int, chance: random.Random) -> None:
    """A game to its end, within its declared bounds, its positions checked, drawn from a view and told."""
    greedy = find_bot("greedy")
    words = Words("en").with_package(game.package).with_components(components.data)
    names = [str(seat) for seat in range(players)]
    position = game.start(players, chance.getrandbits(60), components)
    least, most = game.rules.points_range(components, players)
    for number in range(position.most_decisions + 1):
        if number % CHECK_EVERY == 0 or position.is_over:
            position.check()
            seat = chance.randrange(players)
            position.view(seat).resample(chance.getrandbits(60)).check()
        if position.is_over:
            break
        seat = chance.choice(position.to_act)
        moves = position.legal_moves(seat).actions
        assert len(moves) > 0, "a seat has to decide and has no move"
        view = position.view(seat)
        if chance.randrange(GREEDY_ONE_IN) == 0:
            events = position.play_action(seat, greedy.choose(view, chance.getrandbits(60)))
        else:
            events = position.play_action(seat, chance.choice(moves.tolist()))
        if number % CHECK_EVERY == 0:
            game.telling.tell(words, names, events, position.view(seat))
    else:
        raise game.endless(components, players)
    position.check()
    outcome = position.outcome
    assert outcome is not None
    assert least <= min(outcome.points) <= max(outcome.points) <= most, "points beyond the declared range"


# Many files


@dataclass(frozen=True)
class Failure:
    """A case that failed: its file, and the traceback."""

    file: Path
    story: str


def prepare(name: str) -> None:
    """Compile in one process what the others then load."""
    prepared(name)


def try_cases(name: str, seed: int, first: int, count: int, folder: Path) -> int | Failure:
    """Try cases first to first + count - 1; returns how many were accepted, or the first failure.

    A case's file is there while it is tried, so that it can be found even if it ends the process.
    """
    game = prepared(name)
    accepted = 0
    for index in range(first, first + count):
        chance = random.Random(f"{name} {seed} {index}")
        file = folder / f"{name}-{seed}-{index}.toml"
        faulthandler.dump_traceback_later(PATIENCE, exit=True)
        content = mutated(game, chance)
        file.write_bytes(content)
        try:
            accepted += is_accepted(game, content, folder, chance)
        except BaseException:
            return Failure(file, traceback.format_exc())
        finally:
            faulthandler.cancel_dump_traceback_later()
        file.unlink()
    return accepted


def try_all(name: str, seed: int, count: int, folder: Path, progress: Progress) -> int | Failure:
    """Try cases 0 to count - 1 of a game on all cores; returns how many were accepted, or a failure."""
    bar = progress.add_task(find_game(name).title, total=count)
    chunks = ((first, min(CHUNK, count - first)) for first in range(0, count, CHUNK))
    running: dict[Future[int | Failure], int] = {}
    accepted = 0
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        pool.submit(prepare, name).result()
        while True:
            for first, size in islice(chunks, 4 * (os.cpu_count() or 1) - len(running)):
                running[pool.submit(try_cases, name, seed, first, size, folder)] = size
            if not running:
                break
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                try:
                    found = done.result()
                except BrokenProcessPool:
                    left = sorted(folder.glob(f"{name}-{seed}-*"))
                    found = Failure(left[0] if left else folder, "a process ended, or was ended as too slow")
                if isinstance(found, Failure):
                    pool.shutdown(cancel_futures=True)
                    return found
                accepted += found
                progress.advance(bar, running.pop(done))
    progress.remove_task(bar)
    return accepted


def main() -> None:
    """Try the cases of each game; exit status 1 at the first that fails."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.mutated_components", description=__doc__.partition(":")[0]
    )
    parser.add_argument("--game", choices=sorted(games()), help="which game (all)")
    parser.add_argument("--count", type=int, default=10_000, help="cases of each game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--folder", type=Path, default=Path("build/mutations"), help="where files are written"
    )
    asked = parser.parse_args()
    console = Console(highlight=False)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    asked.folder.mkdir(parents=True, exist_ok=True)
    for old in asked.folder.glob(f"*-{asked.seed}-*"):
        old.unlink()
    with Progress(*columns, console=console, transient=True) as progress:
        for name in [asked.game] if asked.game else games():
            found = try_all(name, asked.seed, asked.count, asked.folder, progress)
            if isinstance(found, Failure):
                progress.stop()
                sys.exit(f"{found.story}\n{found.file} is accepted or refused as it should not be")
            console.print(
                f"{find_game(name).title}: of {asked.count:,} files {asked.count - found:,} were refused with "
                f"a sentence, {found:,} accepted and played to the end at each number of players"
            )


if __name__ == "__main__":
    main()
