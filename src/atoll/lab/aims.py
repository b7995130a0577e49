"""What a designer wants of a game: the aims file of `atoll tune`, and how far games are from it."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import msgspec

from atoll.core import entries
from atoll.core.components import FileContent, parse_toml
from atoll.core.entries import value_at
from atoll.core.types import Components, Json
from atoll.lab import estimates
from atoll.lab.counts import UU, U
from atoll.lab.estimates import Estimate
from atoll.lab.items import NamedItem, existing
from atoll.lab.played import Setup
from atoll.lab.sections import length, seats, strategies
from atoll.lab.totals import Totals
from atoll.text.errors import AtollError
from atoll.text.files import read_file, unreadable
from atoll.text.messages import Message, quoted

LONGEST_FILE = 100_000
FEWEST_OPENINGS = 0.01
"""First choices that are rarer are not judged."""
LEVELS_SCALE = 0.05
"""So far outside the wanted share counts as much as an aim about seats that is missed by its own width."""
Percent = Annotated[float, msgspec.Meta(ge=0, le=100)]
Positive = Annotated[float, msgspec.Meta(gt=0, le=1_000_000_000)]


class Used(msgspec.Struct, forbid_unknown_fields=True):
    """Each thing whose key begins with `moves` is used by at least `least` seats in a hundred games."""

    moves: str
    least: Annotated[float, msgspec.Meta(gt=0, le=100)]


class Level(msgspec.Struct, forbid_unknown_fields=True):
    """`bot` wins from `least` to `most` per cent against `against`, at a table for two where the game is for two."""

    bot: str
    against: str
    least: Percent
    most: Percent
    games: Annotated[int, msgspec.Meta(ge=2)] = 40


class Aims(msgspec.Struct, forbid_unknown_fields=True):
    """The aims; shares and their differences in per cent."""

    seats: Annotated[float, msgspec.Meta(gt=0, le=100)] | None = None
    """no seat's share of the win is further from another's than this and chance would put it (`beyond_chance`)"""
    rounds: tuple[Positive, Positive] | None = None
    decisions: tuple[Positive, Positive] | None = None
    used: list[Used] = []
    first_action: Positive | None = None
    """no first choice wins more than so many times its share"""
    levels: list[Level] = []


class AimsFile(msgspec.Struct, forbid_unknown_fields=True):
    """A whole file: `ranges` are those of numbers of a components file by their paths, `[*]` for all of a list."""

    ranges: dict[str, tuple[int, int]]
    aims: Aims
    players: list[int] = []
    bots: str = "greedy"
    games: int = 2000


def read_aims(path: Path) -> AimsFile:
    """The aims in a file; raises AtollError, which says what is wrong where."""
    try:
        content = read_file(path, LONGEST_FILE)
    except OSError as error:
        raise AtollError(unreadable(path, error)) from None
    file = FileContent(str(path), parse_toml(str(path), content)).checked(AimsFile)
    if not file.ranges:
        raise AtollError(
            Message(
                "%(file)s: [ranges] names no number; it would be, such as %(example)s",
                file=path,
                example='"game.hand" = [2, 5]',
            )
        )
    if file.games < 100:
        raise AtollError(
            Message(
                "%(file)s: games is %(games)s; from fewer than 100 nothing can be said",
                file=path,
                games=file.games,
            )
        )
    if msgspec.to_builtins(file.aims) == msgspec.to_builtins(Aims()):
        raise AtollError(Message("%(file)s: [aims] has none; such as seats = 2", file=path))
    for name, least, most in _wanted(file.aims):
        if least > most:
            raise AtollError(
                Message(
                    "%(file)s: %(aim)s is wanted from %(least)s to %(most)s, from more to less",
                    file=path,
                    aim=name,
                    least=f"{least:g}",
                    most=f"{most:g}",
                )
            )
    return file


def _wanted(aims: Aims) -> Iterator[tuple[str | Message, float, float]]:
    """What is wanted between two values."""
    for name, ends in (("rounds", aims.rounds), ("decisions", aims.decisions)):
        if ends is not None:
            yield name, *ends
    for level in aims.levels:
        yield Message("the level of %(bot)s", bot=level.bot), level.least, level.most


def ranges_of(file: AimsFile, components: Components) -> dict[str, tuple[int, int]]:
    """Each number's range by its path; raises AtollError for a path where no number stands."""
    ranges: dict[str, tuple[int, int]] = {}
    data = whole(components)
    for pattern, (least, most) in file.ranges.items():
        if least >= most:
            raise AtollError(
                Message(
                    "the range of %(path)s is [%(least)s, %(most)s]; it would go from less to more",
                    path=pattern,
                    least=least,
                    most=most,
                )
            )
        paths = [path for path in _paths(pattern, data) if _is_number(data, path)]
        if not paths:
            raise AtollError(
                Message(
                    "there is no number at %(path)s in the components %(name)s",
                    path=pattern,
                    name=quoted(components.name),
                )
            )
        ranges |= dict.fromkeys(paths, (least, most))
    return ranges


def left_out(components: Components) -> Json:
    """The parts that a file leaves out, as they hold then."""
    file = components.file
    return entries.left_out(entries.structure_of(type(file)), components.data) if file is not None else {}


def whole(components: Components) -> Json:
    """What a file says, and the parts that it leaves out."""
    return components.data | left_out(components)


def _paths(pattern: str, data: Any) -> Iterator[str]:
    """The paths that a pattern stands for."""
    before, star, after = pattern.partition("[*]")
    if not star:
        yield pattern
        return
    try:
        listed = value_at(data, before)
    except LookupError:
        return
    for place in range(len(listed) if isinstance(listed, list) else 0):
        yield from _paths(f"{before}[{place}]{after}", data)


def _is_number(data: Any, path: str) -> bool:
    try:
        return type(value_at(data, path)) is int
    except LookupError:
        return False


@dataclass(frozen=True)
class AimResult:
    """How far games are from an aim: `value` should lie from `least` to `most`; `scale` is a miss that counts 1."""

    aim: str
    players: int
    least: float
    most: float
    value: Estimate
    scale: float
    share: bool = True
    thing: NamedItem | None = None
    weight: float = 1.0

    @property
    def miss(self) -> float:
        """How far the value lies outside, weighted; 0 where the aim is met."""
        return self._outside(self.value.value, self.value.value)

    @property
    def least_miss(self) -> float:
        """How far outside even the best value of the interval lies."""
        return self._outside(self.value.low, self.value.high)

    @property
    def most_miss(self) -> float:
        """How far outside the worst value of the interval lies."""
        return max(
            self._outside(self.value.low, self.value.low), self._outside(self.value.high, self.value.high)
        )

    @property
    def error(self) -> float:
        """The standard error of the value, weighted as a miss is; 0 where its interval is not known."""
        width = self.value.high - self.value.low
        return self.weight * width / (2 * estimates.Z) / self.scale if math.isfinite(width) else 0.0

    def luck(self, games: float = 1.0) -> float:
        """How likely so many times as many games would show the aim met if the value were the true one."""
        error = (self.value.high - self.value.low) / (2 * estimates.Z) / math.sqrt(games)
        if error <= 0:
            return float(self.miss == 0)
        ends = ((end - self.value.value) / error / math.sqrt(2) for end in (self.least, self.most))
        low, high = (math.erf(end) for end in ends)
        if self.least <= 0:  # no value is below 0
            low = -1.0
        return (high - low) / 2

    def _outside(self, low: float, high: float) -> float:
        return self.weight * max(0.0, self.least - high, low - self.most) / self.scale


def aim_results(aims: Aims, setup: Setup, totals: Totals, items: Sequence[NamedItem]) -> list[AimResult]:
    """How far the games counted are from all aims but those about levels."""
    game, players = setup.game, setup.players
    results = []
    if aims.seats is not None:
        (table,) = seats.figures(totals, setup.names).tables
        most = aims.seats / 100
        difference = estimates.beyond_chance(table.largest_difference, table.expected_difference)
        results.append(AimResult("seats", players, 0.0, most, difference, most))
    lengths = length.figures(totals, game)
    for aim, ends, value in (
        ("rounds", aims.rounds, lengths.rounds),
        ("decisions", aims.decisions, lengths.decisions),
    ):
        if ends is not None and value is None:
            raise AtollError(
                Message(
                    "%(game)s does not tell its rounds; an aim can be decisions = [40, 60]", game=game.title
                )
            )
        if ends is not None and value is not None:
            scale = max((ends[1] - ends[0]) / 2, 0.5)
            results.append(AimResult(aim, players, *ends, value, scale, share=False))
    for use in aims.used:
        results += _uses(use, setup, totals, items)
    if aims.first_action is not None:
        results += _first_actions(aims.first_action, setup, totals, items)
    return results


def _uses(aim: Used, setup: Setup, totals: Totals, items: Sequence[NamedItem]) -> list[AimResult]:
    """A row for each thing that there is, also for one that nobody ever could use."""
    sums, players = totals.sums["usage"], setup.players
    places = [
        place
        for place, exists in enumerate(existing(setup.game, setup.components, players))
        if exists and items[place].of and items[place].key.startswith(aim.moves)
    ]
    if not places:
        raise AtollError(
            Message(
                "no move of the game has a key that begins with %(key)s, such as %(example)s",
                key=quoted(aim.moves),
                example=quoted("move/build/tile"),
            )
        )
    least = aim.least / 100
    return [
        AimResult(
            "used",
            players,
            least,
            float("inf"),
            _seats_that_used(int(sums[place, U]), int(sums[place, UU]), totals.games, players),
            least,
            thing=items[place],
            weight=1 / len(places),
        )
        for place in places
    ]


def _seats_that_used(total: int, squares: int, games: int, players: int) -> Estimate:
    """How many seats of a game used something on average: never less than none, nor sure where nobody did."""
    seats = games * players
    share = estimates.ratio_share(total, seats, squares, total * players, seats * players, seats)
    return Estimate(share.value * players, share.low * players, share.high * players, games, share.method)


def _first_actions(most: float, setup: Setup, totals: Totals, items: Sequence[NamedItem]) -> list[AimResult]:
    """The first choice that wins most, as a multiple of what its seats win."""
    openings = [
        one
        for one in strategies.openings(totals, setup.game, setup.components, items)
        if len(one.moves) == 1 and one.taken.value >= FEWEST_OPENINGS and one.expected
    ]
    if not openings:
        return []
    best = max(openings, key=lambda one: one.win.value / one.expected)
    win, share = best.win, best.expected
    times = Estimate(win.value / share, win.low / share, win.high / share, win.units, win.method)
    return [AimResult("first_action", setup.players, 0.0, most, times, most, share=False)]
