"""Would a larger budget answer a game's puzzles otherwise, and do levels say how hard they are?

`python -m bench.puzzles --game karuba --sample 20`; drawn from the shipped ones, or from those of `--file`.

A puzzle is answered otherwise where, with 32 times what it was first made with, a search tries most a move that is not
right (256,000 iterations), or greedy's games do better after a wrong move than after the best one (32,000 worlds; the
best and the next three are played on). Bots of each level solve it anew, with other chance than when its level was
found.
"""

import argparse
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from atoll.bots.catalogue import LEVELS as BOT_LEVELS
from atoll.bots.search import evaluate
from atoll.core.catalogue import find_game
from atoll.core.game import Game
from atoll.engine.chance import derive, generator
from atoll.lab.batches import in_order
from atoll.lab.estimates import share
from atoll.lab.judge import Judge
from atoll.lab.puzzle_making import CONFIRMING, ROUNDS, timeless
from atoll.lab.puzzles import LEVELS, Puzzle, read_puzzles, shipped_puzzles, view_of

TIMES = 32
CHUNK = 1000
"""Worlds at once."""
COMPARED = 4
"""Moves that are played on."""
TRIES = 8


class Answered(NamedTuple):
    """What a larger budget says of a puzzle, and in how many of TRIES each level solves it."""

    puzzle: Puzzle
    search_agrees: bool
    games_agree: bool
    solved: dict[str, int]


def answer(game: Game, puzzle: Puzzle, seed: int, times: int) -> Answered:
    """Answer a puzzle anew."""
    view, action_of = view_of(game, puzzle), game.notation.action_of
    right = {action_of(move) for move in puzzle.right}
    judge = Judge(seed)
    tried = [action_of(choice.move) for choice in puzzle.choices[:COMPARED]]
    wins = np.zeros(len(tried))
    for part in range(times * ROUNDS[-1] // CHUNK):
        shares = judge.engine.shares(view, judge.bot, derive(seed, 0, part), CHUNK, tried)
        wins += shares[:, :, puzzle.seat].sum(axis=1)
    searched = evaluate(view, generator(derive(seed, 1)), times * CONFIRMING[0], None)[0].action

    def solved(level: str) -> int:
        bot = timeless(next(bot for bot in BOT_LEVELS if bot.name == level))
        return sum(
            bot.choose(view, derive(seed, 2, LEVELS.index(level), one)) in right for one in range(TRIES)
        )

    solving = {level: solved(level) for level in LEVELS}
    return Answered(puzzle, searched in right, tried[int(wins.argmax())] in right, solving)


def told(answers: list[Answered], times: int) -> Iterator[str]:
    """What was found, line by line."""
    otherwise = [one for one in answers if not (one.search_agrees and one.games_agree)]
    part = share(len(otherwise), len(answers))
    yield (
        f"{len(answers)} puzzles, {times} times the budget: {len(otherwise)} answered otherwise "
        f"({100 * part.value:.1f} %, {100 * part.low:.1f} to {100 * part.high:.1f}), "
        f"by the search {sum(not one.search_agrees for one in answers)}, "
        f"by games {sum(not one.games_agree for one in answers)}: {[one.puzzle.origin for one in otherwise]}"
    )
    for level in LEVELS:
        of_it = [one for one in answers if one.puzzle.level == level]
        rates = [
            f"{name} {100 * np.mean([one.solved[name] for one in of_it]) / TRIES:.0f} %"
            for name in LEVELS
            if of_it
        ]
        yield f"{level}: {len(of_it)} puzzles, solved by {', '.join(rates) or 'nobody'}"
    levels = [LEVELS.index(one.puzzle.level) for one in answers]
    missed = [-sum(one.solved.values()) for one in answers]
    if len(set(levels)) > 1:
        yield f"correlation of the level with how often bots miss it: {np.corrcoef(levels, missed)[0, 1]:.2f}"


def main() -> None:
    """Answer puzzles and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.puzzles",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--game", default="karuba")
    parser.add_argument("--file", type=Path, help="of puzzles, instead of the shipped ones")
    parser.add_argument("--sample", type=int, default=20, help="how many of them")
    parser.add_argument("--times", type=int, default=TIMES, help="of the budget")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="cores to use")
    settings = parser.parse_args()
    game = find_game(settings.game)
    puzzles = read_puzzles(settings.file) if settings.file else shipped_puzzles(game)
    drawn = np.random.default_rng(settings.seed).permutation(len(puzzles))[: settings.sample]
    work = (
        partial(answer, game, puzzles[place], derive(settings.seed, int(place)), settings.times)
        for place in drawn
    )
    for line in told(list(in_order(work, settings.workers)), settings.times):
        print(line, flush=True)


if __name__ == "__main__":
    main()
