"""Is chance fair, and can it be predicted?

`python -m tests.soak chance`, both for each of the generators.

Fair: in a million deals of each game, and as many positions drawn from a view, every card is as often in one place of a
pile as in another (chi-square), and no number of the state is more often something with one generator than with the
other. Foretold: what linear algebra finds out from the cards seen (`tests/soak/prediction.py`).
"""

# mypy: disable-error-code="no-untyped-def"

import argparse
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from rich.table import Table

from atoll.core.catalogue import find_game, games
from atoll.core.exports import GENERATOR, of_rules, some_parts, some_states
from atoll.core.game import Game, Position
from atoll.engine.exports import Export
from tests.soak.prediction import KINDS, chances, foretell, linear_complexity, relations, stream

CHUNK = 10_000
"""Deals that are counted at once."""
FORETOLD = "karuba"
"""The game whose deals are foretold."""

Counts = NDArray[np.int64]
"""How often each number of a state was what, shape (bytes, 256)."""


@dataclass(frozen=True)
class ChiSquare:
    """A chi-square statistic and its degrees of freedom."""

    statistic: float
    freedom: int

    @property
    def probability(self) -> float:
        """How likely so much or more is by chance (E. B. Wilson and M. M. Hilferty, "The Distribution of Chi-Square",
        1931).
        """
        spread = 2 / (9 * self.freedom)
        deviation = ((self.statistic / self.freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
        return math.erfc(deviation / math.sqrt(2)) / 2


def alike(table: Counts) -> ChiSquare | None:
    """Whether the rows of a table of independent counts come from one distribution; None if it has but one row or
    column.
    """
    table = table[:, table.any(axis=0)]
    rows, columns = table.shape
    if rows < 2 or columns < 2:
        return None
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum()
    return ChiSquare(float(((table - expected) ** 2 / expected).sum()), (rows - 1) * (columns - 1))


# Counting


start: Any = None
resample: Any = None


def deal_all(states, parts, players, chances):
    """Deal a game for each generator."""
    for i in range(states.shape[0]):
        start(states[i], parts[0], players, chances[i])


def draw_all(states, parts, view, chances):
    """Draw a position from a view for each generator."""
    for i in range(states.shape[0]):
        resample(view[0], parts[0], chances[i], states[i])


CHANCES = GENERATOR.reshape(1, -1)
DEAL_ALL = Export(
    "deal_all",
    lambda game: of_rules(game, deal_all, start=game.rules.start),
    lambda game: (some_states(game), some_parts(game), 0, CHANCES),
)
DRAW_ALL = Export(
    "draw_all",
    lambda game: of_rules(game, draw_all, resample=game.rules.resample),
    lambda game: (some_states(game), some_parts(game), some_states(game), CHANCES),
)


Fill = Callable[[NDArray[Any], NDArray[np.uint64]], int]
"""Writes a state for each generator."""


def deals(game: Game, players: int) -> Fill:
    """First positions of a game."""
    parts, call = game.components().parts, game.fast_runner.call
    return lambda states, own: call(DEAL_ALL, states, parts, players, own)


def draws(position: Position, seat: int) -> Fill:
    """Positions that agree with what a seat sees."""
    call, parts = position.game.fast_runner.call, position.components.parts
    view = position.view(seat).states
    return lambda states, own: call(DRAW_ALL, states, parts, view, own)


@dataclass(frozen=True)
class Counted:
    """What many states were: all numbers of all, and those of each place of a pile in states of its own, so that places
    are independent of each other.
    """

    everything: Counts
    apart: Counts


def count(game: Game, fill: Fill, kind: str, number: int, seed: int) -> Counted:
    """Count so many states."""
    size = game.rules.STATE.itemsize
    found = Counted(*(np.zeros((size, 256), dtype=np.int64) for _ in range(2)))
    turns: list[tuple[int, int, int]] = []  # a place of a pile, how many places it has, which of them it is
    for first in range(0, number, CHUNK):
        many = range(first, min(first + CHUNK, number))
        states = np.zeros(len(many), dtype=game.rules.STATE)
        fill(states, chances(kind, seed, many))
        columns = np.ascontiguousarray(states.view(np.uint8).reshape(len(many), size).T)
        if not first:
            for pile in piles(game):
                used = [place for place in pile if np.ptp(columns[place])]
                turns += [(place, len(used), turn) for turn, place in enumerate(used)]
        for place in range(size):
            found.everything[place] += np.bincount(columns[place], minlength=256)
        for place, width, turn in turns:
            found.apart[place] += np.bincount(columns[place, (turn - first) % width :: width], minlength=256)
    return found


def piles(game: Game) -> Iterator[list[int]]:
    """Where the bytes of each pile lie in a state, by its place: a row of a field of small numbers called so."""
    for name in game.rules.STATE.names or ():
        kind, offset = field(game, name)
        if name.endswith("pile") and kind.base.itemsize == 1 and kind.shape:
            places = np.arange(offset, offset + kind.itemsize).reshape(-1, kind.shape[-1])
            yield from places.tolist()


def field(game: Game, name: str) -> tuple[np.dtype[Any], int]:
    """The type of a field of the state, and where its bytes begin."""
    fields: Any = game.rules.STATE.fields
    kind, offset, *_ = fields[name]
    return kind, offset


# What follows


def fair_piles(game: Game, counted: Counted) -> ChiSquare | None:
    """Whether cards are as often in one place of a pile as in another; those that a rule keeps from some places are
    compared by themselves, in the others. None if no pile has several places with several cards.
    """
    total = ChiSquare(0, 0)
    for pile in piles(game):
        table = counted.apart[[place for place in pile if counted.apart[place].any()]]
        everywhere = (table > 0).all(axis=0)
        tests = [alike(table[:, everywhere])]
        for card in np.flatnonzero(table.any(axis=0) & ~everywhere):
            there = table[table[:, card] > 0]
            tests.append(alike(np.stack([there[:, card], there.sum(axis=1) - there[:, card]], axis=1)))
        for test in filter(None, tests):
            total = ChiSquare(total.statistic + test.statistic, total.freedom + test.freedom)
    return total if total.freedom else None


def most_unlike(game: Game, one: Counted, other: Counted) -> tuple[int, float]:
    """Of the numbers of a state other than the generator that vary: how many there are, and how likely the one that
    differs most with the two generators is to differ so much (Bonferroni).
    """
    kind, offset = field(game, "generator")
    found = [
        alike(np.stack([one.everything[place], other.everything[place]]))
        for place in range(len(one.everything))
        if not offset <= place < offset + kind.itemsize
    ]
    likely = [test.probability for test in found if test is not None]
    return len(likely), min(1.0, len(likely) * min(likely))


def fills(game: Game) -> Iterator[tuple[str, Fill]]:
    """What is counted of a game: deals, and positions drawn from views at the start and after four decisions a seat."""
    players = game.default_players
    yield "deals", deals(game, players)
    position = game.start(players, 1)
    yield "drawn at the start", draws(position, 0)
    for _ in range(4 * players):
        seat = position.to_act[0]
        position.play_action(seat, int(position.legal_moves(seat).actions[-1]))
    yield "drawn later", draws(position, 0)


def tell_fairness(names: list[str], number: int, seed: int, console: Console) -> None:
    """Print a line for each game, thing that is counted, and generator."""
    table = Table(title=f"{number:,} states each; cards by place, and every number of the state by generator")
    for heading in ("Game", "", "Generator", "chi-square", "degrees", "p", "numbers", "p, generators alike"):
        table.add_column(heading, justify="right" if heading[:1] in "cdpn" and heading else "left")
    for name in names:
        game = find_game(name)
        for what, fill in fills(game):
            found = [
                count(game, fill, kind, number, seed)
                for kind in track(KINDS, f"{game.title}, {what}", console=console, transient=True)
            ]
            numbers, likely = most_unlike(game, *found)
            for kind, counted in zip(KINDS, found, strict=True):
                test = fair_piles(game, counted)
                figures = (
                    (f"{test.statistic:.1f}", str(test.freedom), f"{test.probability:.3f}")
                    if test
                    else ("",) * 3
                )
                table.add_row(game.title, what, kind, *figures, str(numbers), f"{likely:.3f}")
    console.print(table)


def tell_foretelling(number: int, bits: int, console: Console) -> None:
    """Print what linear algebra finds."""
    game = find_game(FORETOLD)
    for kind in KINDS:
        chance = partial(chances, kind, 1)
        length = linear_complexity(stream(chance(range(1))[0], bits))
        console.print(
            f"{kind}: {bits} bits seen one after another follow a linear recurrence of length {length}"
        )
        used, width, rank = relations(kind, 1000 * number)
        console.print(
            f"{kind}: {width - 1} bits that two shuffles show, and a constant, have rank {rank} of {width} over "
            f"{used} deals"
        )
        found = [foretell(game, own) for own in chance(range(number))]
        right, fitting, guesses = (
            sum(numbers)
            for numbers in zip(*((one.right, one.fitting, one.guesses) for one in found), strict=True)
        )
        console.print(
            f"{kind}: of {number} deals of {game.title} for four, one seat foretold the others' piles in {right}; the "
            f"{found[0].equations} equations could be solved for {fitting} of {guesses} guesses"
        )


def main() -> None:
    """Print both."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak chance",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--game", choices=sorted(games()), help="which game is counted (all)")
    parser.add_argument("--states", type=int, default=1_000_000, help="states that are counted of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--foretell", type=int, default=200, help="deals that are to be foretold")
    parser.add_argument("--bits", type=int, default=20_000, help="bits in a row that are looked at")
    settings = parser.parse_args()
    console = Console(highlight=False)
    tell_foretelling(settings.foretell, settings.bits, console)
    names = [settings.game] if settings.game else list(games())
    tell_fairness(names, settings.states, settings.seed, console)


if __name__ == "__main__":
    main()
