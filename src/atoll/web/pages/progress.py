"""What a person's results say of their play: which bots they beat, whether they get better, and what their choices cost
in which part of a game.

A game counts against a level if all others were bots, and the strongest of them was of that level.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import hypot, sqrt

import msgspec

from atoll.bots import LEVELS, RECORDED_BOT
from atoll.lab.estimates import Estimate, Z, share
from atoll.web.store.history import Result

RECENT, NEEDED = 5, 3
"""A level is beaten by whom has won so many of the last games against it."""
WINDOW = 10
"""Games of which each point of a course is the share of wins."""
FEWEST = 8
"""Games of which something can be said."""
LEVEL_NAMES = tuple(level.name for level in LEVELS)


@dataclass(frozen=True)
class LadderStep:
    """A level of bots, as a step of a ladder."""

    level: str
    games: int
    wins: int
    beaten: bool


@dataclass(frozen=True)
class Course:
    """How one does at a game of so many against one level, the first game first."""

    game: str
    players: int
    level: str
    shares: tuple[Estimate, ...]
    """of wins in the last games, after each game"""
    change: int | None
    """1: one gets better, -1: worse, 0: as good as before, None: there are too few games to tell"""

    @property
    def key(self) -> str:
        """As addresses say it."""
        return f"{self.game}.{self.players}.{self.level}"


def level_of(result: Result) -> str | None:
    """The level against which a game was; None if a person played along, or another bot alone."""
    bots = [name.removeprefix(RECORDED_BOT) for name in result.against if name.startswith(RECORDED_BOT)]
    if len(bots) < len(result.against):
        return None
    return max((name for name in bots if name in LEVEL_NAMES), key=LEVEL_NAMES.index, default=None)


def ladder(results: Sequence[Result]) -> list[LadderStep]:
    """The levels of one game, from the weakest; `results` are those of that game, the latest first."""
    steps = []
    for level in LEVEL_NAMES:
        won = [result.place == 1 for result in results if level_of(result) == level]
        beaten = any(sum(won[at : at + RECENT]) >= NEEDED for at in range(len(won)))
        steps.append(LadderStep(level, len(won), sum(won), beaten))
    return steps


def next_step(steps: Sequence[LadderStep]) -> str | None:
    """The level to play next: that above the highest that is beaten; None above the last."""
    beaten = [number for number, step in enumerate(steps) if step.beaten]
    after = beaten[-1] + 1 if beaten else 0
    return steps[after].level if after < len(steps) else None


def courses(results: Sequence[Result]) -> list[Course]:
    """The courses of one's games against bots, that of which there are most games first; `results` as in `ladder`."""

    def key(result: Result) -> tuple[str, int, str]:
        return result.game, result.players, level_of(result) or ""

    known = [result for result in reversed(results) if level_of(result) is not None]
    found = [
        course_of(*of, [result.place == 1 for result in group])
        for of, group in groupby(sorted(known, key=key), key)
    ]
    return sorted(found, key=lambda course: -len(course.shares))


def course_of(game: str, players: int, level: str, won: Sequence[bool]) -> Course:
    """The course of games that were won or not, the first one first."""
    shares = []
    for count in range(1, len(won) + 1):
        last = won[max(0, count - WINDOW) : count]
        shares.append(share(sum(last), len(last)))
    return Course(game, players, level, tuple(shares), change_of(won))


def change_of(won: Sequence[bool]) -> int | None:
    """Whether the later half of the games went better than the earlier, by Newcombe's interval of 95 % of the
    difference of two shares (Statistics in Medicine 17, 1998, method 10).
    """
    if len(won) < FEWEST:
        return None
    middle = len(won) // 2
    before, after = share(sum(won[:middle]), middle), share(sum(won[middle:]), len(won) - middle)
    difference = after.value - before.value
    if difference > hypot(after.value - after.low, before.high - before.value):
        return 1
    if -difference > hypot(after.high - after.value, before.value - before.low):
        return -1
    return 0


# What choices cost, by part of the game: thirds of all its decisions.

THIRDS = 3
ANALYSED = 10
"""The last games of a kind that are looked at, of those that were analysed."""


class JudgedChoice(msgspec.Struct, frozen=True):
    """What is needed here of a `JudgedDecision`."""

    number: int
    seat: int
    kind: str
    effects: list[float]
    variances: list[float]


class AnalysedGame(msgspec.Struct, frozen=True):
    """What is needed here of an `Analysis`; `shares` has an entry for each decision, and one for the end."""

    game: str
    shares: list[msgspec.Raw]
    decisions: list[JudgedChoice]


@dataclass(frozen=True)
class PartsOfGames:
    """What somebody's choices were worth in the games of one kind that were analysed: the share of the win that they
    changed a game, against what the judge's policy would have chosen, in each third of a game, and in all.

    The intervals say how surely that is known of these games, not what further games would bring.
    """

    game: str
    games: int
    choices: int
    slips: int
    """choices that surely cost something"""
    thirds: tuple[Estimate, ...]
    whole: Estimate


def parts_of_games(analysed: Sequence[tuple[AnalysedGame, int]]) -> list[PartsOfGames]:
    """By game, that with most of them first: analysed games, each with one's seat."""

    def name(one: tuple[AnalysedGame, int]) -> str:
        return one[0].game

    found = [_parts_of(game, list(group)) for game, group in groupby(sorted(analysed, key=name), name)]
    return sorted(found, key=lambda parts: -parts.games)


def _parts_of(game: str, analysed: Sequence[tuple[AnalysedGame, int]]) -> PartsOfGames:
    effects, variances = [0.0] * THIRDS, [0.0] * THIRDS
    choices = slips = 0
    for one, seat in analysed:
        for choice in one.decisions:
            if choice.seat == seat:
                third = THIRDS * choice.number // (len(one.shares) - 1)
                effects[third] += choice.effects[seat]
                variances[third] += choice.variances[seat]
                choices += 1
                slips += choice.kind != "fine"
    count = len(analysed)

    def mean(effect: float, variance: float) -> Estimate:
        half = Z * sqrt(variance) / count
        return Estimate(effect / count, effect / count - half, effect / count + half, count, "normal")

    thirds = tuple(map(mean, effects, variances))
    return PartsOfGames(game, count, choices, slips, thirds, mean(sum(effects), sum(variances)))
