"""The search against another commit's, with as much time a move: `python -m bench.rivals costa-ruana 145ab28`.

Each side thinks in a process of its own, which runs the sources of its commit in this environment and is given the
record of the game so far; it searches from its seat's view of the position. Time is what a core works for the search,
so that neither side loses by what else runs. Every deal is played in each rotation of the seats, by this tree's rules.
Ctrl-C prints what was played; a deal with the same seed begins alike.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import local

import msgspec
import numpy as np
from rich.console import Console
from rich.progress import Progress

from atoll.core import records
from atoll.core.catalogue import games
from atoll.core.game import Game, Json
from atoll.lab.played import game_seed
from atoll.lab.ratings import share_estimate
from atoll.lab.summary import share_text
from atoll.text.translation import Translator
from bench.commits import ROOT, environment_of, worktree

THINKER = """
import json, sys, time
from types import SimpleNamespace
from atoll.bots import find_bot, search
from atoll.core import records
from atoll.core.catalogue import find_game
game, bot = find_game(sys.argv[1]), find_bot(f"search:{sys.argv[2]}ms")
bot.prepare(game)
search.time = SimpleNamespace(monotonic=time.thread_time)
for line in sys.stdin:
    asked = json.loads(line)
    record, = records.read_records(asked["record"])
    position = records.first_position(record)
    for step in records.replay(record):
        position = step.position
    action = bot.choose(position.view(asked["seat"]), asked["seed"])
    print(json.dumps(game.notation.move_of(action)), flush=True)
"""
"""Runs in every commit since 145ab28."""


class Thinker:
    """A process that searches with the sources of a commit."""

    def __init__(self, root: Path, home: str, game: Game, milliseconds: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", THINKER, game.name, str(milliseconds)],
            cwd=root,
            env=environment_of(root, home),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # Ctrl-C is for the one that counts
        )

    def move(self, record: list[str], seat: int, seed: int) -> Json:
        """The move that it takes, in the words of records."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        question = {"record": record, "seat": seat, "seed": seed}
        self._process.stdin.write(msgspec.json.encode(question).decode() + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise SystemExit("a search ended; what it complained of stands above")
        move: Json = msgspec.json.decode(answer)
        return move

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()


def play(game: Game, players: int, seed: int, own: int, ours: Thinker, theirs: Thinker) -> float:
    """The share of the win of the seat in which this tree sits."""
    position = game.start(players, seed)
    header = records.header(position, ["search"] * players, seed)
    del header["options"]  # which older commits may not have; none is on
    record = [records.encode([header])]
    while not position.is_over:
        seat = position.to_act[0]
        legal = position.legal_moves(seat)
        if len(legal) == 1:
            (move,) = legal
        else:
            thinker = ours if seat == own else theirs
            move = thinker.move(record, seat, seed % 2**32 + len(record))
        events = position.play(seat, move)
        record.append(records.encode([records.decision(position, seat, move, events)]))
    outcome = position.outcome
    assert outcome is not None
    return (own in outcome.winners) / len(outcome.winners)


AT = local()
"""The two processes of the thread's table: `ours`, `theirs`."""


@contextmanager
def tables(
    settings: argparse.Namespace, game: Game, other: Path, homes: list[str]
) -> Iterator[ThreadPoolExecutor]:
    """A thread for each table, with two processes that think in turn."""
    started: list[Thinker] = []

    def sit_down() -> None:
        pair = [
            Thinker(root, home, game, settings.milliseconds)
            for root, home in zip((ROOT, other), homes, strict=True)
        ]
        started.extend(pair)
        AT.ours, AT.theirs = pair

    pool = ThreadPoolExecutor(settings.workers, initializer=sit_down)
    try:
        yield pool
    finally:
        for thinker in started:
            thinker.end()
        pool.shutdown(cancel_futures=True)


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.rivals",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", choices=list(games()))
    parser.add_argument("commit", help="against which it is played")
    parser.add_argument("--milliseconds", type=int, default=200, help="of a core for each move")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--workers", type=int, default=2, help="tables at once")
    parser.add_argument("--seed", type=int, default=1)
    settings = parser.parse_args()
    game, players = games()[settings.game], settings.players
    shares: list[float] = []
    with ExitStack() as stack:
        other = stack.enter_context(worktree(settings.commit))
        homes = [stack.enter_context(tempfile.TemporaryDirectory()) for _ in range(2)]

        def deal(number: int) -> float:
            seed = game_seed(settings.seed, number)
            return float(
                np.mean([play(game, players, seed, own, AT.ours, AT.theirs) for own in range(players)])
            )

        pool = stack.enter_context(tables(settings, game, other, homes))
        deals = -(-settings.games // players)
        with Progress(transient=True) as progress:
            task = progress.add_task(game.title, total=deals)
            try:
                for share in pool.map(deal, range(deals)):
                    shares.append(share)
                    progress.advance(task)
            except KeyboardInterrupt:
                pass
        if shares:
            won = share_text(Translator("en"), share_estimate(np.array(shares)))
            Console(highlight=False).print(
                f"{game.title}, {settings.milliseconds} ms a move, against {settings.commit}: "
                f"{won} % of {len(shares) * players} games"
            )


if __name__ == "__main__":
    main()
