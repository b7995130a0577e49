"""How many of the decisions that an analysis calls a mistake or a blunder does 32 times its budget take back?

`python -m bench.taken_back --game karuba --games 10`; stopped at any time, the same command goes on.

Games of mixed bots are judged as an analysis does. Each decision that is called a mistake or worse is judged anew,
with other chance, with 32 times as many worlds and iterations: searches of 32,000, 256,000 and 1,024,000, and 64,000
worlds. It is taken back if the larger budget would have the played move itself, or holds it for worse by no more than
a mistake costs at least: the lesser of the mean loss in the worlds and of what the searches gain, without the margins
by which a class is milder.
"""

import argparse
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import msgspec

from atoll.bots import find_bot
from atoll.core.catalogue import find_game
from atoll.core.records import read_records
from atoll.engine.chance import derive
from atoll.lab.analysis import WORLDS, Step, steps_of
from atoll.lab.batches import in_order
from atoll.lab.estimates import share
from atoll.lab.judge import CLASSES, Judge, Judged
from atoll.lab.played import Setup
from atoll.lab.recording import record_game

TIMES = 32
BOTS = ("search:1000", "greedy", "trained", "easy")
FLAGS = ("mistake", "blunder")
FINE, INACCURACY = (most for _, most in CLASSES[:2])


class Flag(msgspec.Struct, frozen=True):
    """A decision that is called a mistake or worse: its class and what it costs, and the same by the larger budget,
    0 where that would have the played move itself.
    """

    number: int
    bot: str
    kind: str
    cost: float
    anew_kind: str
    anew_cost: float


class JudgedGame(msgspec.Struct, frozen=True):
    """A game's decisions among several moves, how many cost something, and its flags."""

    game: str
    seed: int
    index: int
    decisions: int
    inaccuracies: int
    flags: list[Flag]


def cost_of(judged: Judged | None) -> float:
    """What a decision costs by the searches and the worlds."""
    return 0.0 if judged is None else min(judged.loss.value, judged.gain)


def judge_game(setup: Setup, index: int) -> JudgedGame:
    """Play a game and judge its decisions, those that are flagged twice."""
    record = next(read_records(record_game(setup, index)[0].splitlines()))
    steps, _ = steps_of(record)
    judge, other = (Judge(derive(setup.seed, index, part)) for part in (0, 1))

    def decided(number: int, step: Step) -> tuple[str, Flag | None]:
        view = step.before.view(step.seat)
        judged = judge.grade(view, step.action, WORLDS, number)
        if judged.kind not in FLAGS:
            return judged.kind, None
        anew = other.judge_by_search(view, step.action, TIMES * WORLDS, number)
        bot = str(record.header["players"][step.seat])
        kind = "fine" if anew is None else anew.kind
        return judged.kind, Flag(number, bot, judged.kind, cost_of(judged), kind, cost_of(anew))

    found = [
        decided(number, step)
        for number, step in enumerate(steps)
        if len(step.before.legal_moves(step.seat)) > 1
    ]
    return JudgedGame(
        setup.game.name,
        setup.seed,
        index,
        len(found),
        sum(kind == "inaccuracy" for kind, _ in found),
        [flag for _, flag in found if flag],
    )


def kept(path: Path) -> Iterator[JudgedGame]:
    """Games that were judged before; a line that was not finished is left aside."""
    for line in path.read_text("utf-8").splitlines() if path.exists() else []:
        try:
            yield msgspec.json.decode(line, type=JudgedGame)
        except msgspec.DecodeError:
            continue


def told(games: list[JudgedGame]) -> str:
    """What was found, in sentences."""
    flags = [flag for one in games for flag in one.flags]
    decisions = sum(one.decisions for one in games)
    cheaper, fine, milder = (
        sum(flag.anew_cost <= INACCURACY for flag in flags),
        sum(flag.anew_cost <= FINE for flag in flags),
        sum(flag.anew_kind not in FLAGS for flag in flags),
    )
    taken = share(cheaper, len(flags))
    return (
        f"{len(games)} games, {decisions:,} decisions: {sum(one.inaccuracies for one in games)} inaccuracies, "
        f"{len(flags)} flags. Taken back: {cheaper} ({100 * taken.value:.1f} %, {100 * taken.low:.1f} to "
        f"{100 * taken.high:.1f}); {fine} of them would be fine. With its margins the larger budget would call "
        f"{milder} less than a mistake."
    )


def main() -> None:
    """Judge games and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.taken_back",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--game", default="costa-ruana")
    parser.add_argument("--games", type=int, default=4, help="how many")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--bots", nargs="+", default=BOTS, metavar="BOT", help="who plays")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="cores to use")
    parser.add_argument(
        "--results", type=Path, default=Path("out/taken_back.jsonl"), help="file of judged games"
    )
    settings = parser.parse_args()
    game = find_game(settings.game)
    setup = Setup(
        game, game.components(), settings.players, [find_bot(name) for name in settings.bots], settings.seed
    )
    mine = [one for one in kept(settings.results) if (one.game, one.seed) == (settings.game, settings.seed)]
    known = {one.index: one for one in mine}
    wanted = [index for index in range(settings.games) if index not in known]
    settings.results.parent.mkdir(parents=True, exist_ok=True)
    with settings.results.open("ab") as file:
        for one in in_order((partial(judge_game, setup, index) for index in wanted), settings.workers):
            file.write(msgspec.json.encode(one) + b"\n")
            file.flush()
            known[one.index] = one
            for flag in one.flags:
                print(
                    f"Game {one.index}, decision {flag.number}, {flag.bot}: {flag.kind}, {100 * flag.cost:.1f} "
                    f"points; anew {flag.anew_kind}, {100 * flag.anew_cost:.1f}",
                    flush=True,
                )
    print(told([known[index] for index in range(settings.games)]))


if __name__ == "__main__":
    main()
