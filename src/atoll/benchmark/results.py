"""Runs of a policy through tasks, the file of what came of them, and tables of such files.

What counts is the mean return as the environments give it: a sole winner has 1, every other seat -1 / (players - 1), so
that 0 is as good as the opponent, whatever the number of players. Deals are the units of intervals: in each the policy
sits once in every seat, and all opponents and policies meet the same deals, some opponents only the first of them.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from atoll import __version__
from atoll.benchmark.suite import BUDGETS, SUITE, VERSION, Task
from atoll.bots import find_bot
from atoll.bots.bot import Bot
from atoll.lab.arena import Match, MatchGames, play_match
from atoll.lab.batches import Workers
from atoll.lab.ratings import share_estimate, student_quantile
from atoll.text.errors import AtollError
from atoll.text.files import read_file, write_whole

Floats = NDArray[np.float64]
FORMAT = 1
MOST_BYTES = 50_000_000
UNLIMITED = "more"


class Meeting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A task against one opponent: `shares` has the policy's share of the win in each deal, the mean over all seats;
    `forfeits` its moves that chance chose, `seconds` of the processor those of all players.
    """

    task: str
    players: int
    opponent: str
    shares: list[float]
    games: int
    forfeits: dict[str, int]
    seconds: float


class Results(msgspec.Struct, forbid_unknown_fields=True):
    """What a file has: the policy as it is called, the decisions that it learnt from, the deals of each meeting, None
    for those of a whole run, and its meetings.
    """

    policy: str
    learnt: int
    deals: int | None = None
    meetings: list[Meeting] = []
    format: int = FORMAT
    suite: str = SUITE
    version: int = VERSION
    atoll: str = __version__

    @property
    def budget(self) -> str:
        """The smallest budget that it kept; - if it learnt nothing."""
        if self.learnt == 0:
            return "-"
        return next((name for name, most in BUDGETS.items() if self.learnt <= most), UNLIMITED)

    def met(self, task: str, opponent: str) -> Meeting | None:
        """That meeting, if it is over."""
        return next((one for one in self.meetings if (one.task, one.opponent) == (task, opponent)), None)

    def write(self, path: Path) -> None:
        """Whole or not at all; raises OSError."""
        write_whole(path, msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n")

    @classmethod
    def read(cls, path: Path) -> "Results":
        """Of a file; raises AtollError for what is none of this version."""
        try:
            found = msgspec.json.decode(read_file(path, MOST_BYTES), type=cls)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise AtollError(f"{path}: holds no results of the benchmark") from None
        if (found.format, found.suite, found.version) != (FORMAT, SUITE, VERSION):
            raise AtollError(
                f"{path}: is of {found.suite} version {found.version}, which does not compare with version {VERSION}"
            )
        if not all(one.shares and one.players > 1 for one in found.meetings):
            raise AtollError(f"{path}: holds a meeting without deals")
        return found

    @classmethod
    def go_on(cls, path: Path | None, policy: str, learnt: int, deals: int | None) -> "Results":
        """What a file has of the same run, or nothing yet; raises AtollError if it is of another."""
        if path is None or not path.exists():
            return cls(policy, learnt, deals)
        found = cls.read(path)
        own = {"policy": policy, "learnt": learnt, "deals": deals, "atoll": __version__}
        for key, value in own.items():
            if getattr(found, key) != value:
                raise AtollError(
                    f"{path}: holds another run, with {key} {getattr(found, key)!r} and not {value!r}; "
                    "name another file"
                )
        return found


def run_task(
    task: Task,
    opponent: str,
    bot: Bot,
    deals: int,
    workers: Workers = 1,
    progress: Callable[[int], None] = lambda games: None,
) -> Meeting:
    """A policy against one opponent of a task; the same figures whatever the number of workers, if the policy's own
    moves follow from what it is given. `progress` is called with the number of games just finished.
    """
    if bot.name == opponent:  # against itself every seat has its part, by symmetry
        return Meeting(task.name, task.players, opponent, [1 / task.players] * deals, 0, {}, 0.0)
    bots = [bot, *[find_bot(opponent)] * (task.players - 1)]
    match = Match(task.game, task.components, task.players, bots, task.pinned.seed, task.components.options)
    results = MatchGames(match)
    play_match(match, deals, results, workers, progress)
    own = match.names.index(bot.name)
    shares: list[float] = []
    forfeits: Counter[str] = Counter()
    for games in results.whole_deals():
        seats = [match.seatings[game.seating].index(own) for game in games]
        shares.append(sum(game.shares[seat] for game, seat in zip(games, seats, strict=True)) / len(games))
        for game, seat in zip(games, seats, strict=True):
            forfeits.update(game.forfeits[seat])
    return Meeting(
        task.name, task.players, opponent, shares, len(results), dict(sorted(forfeits.items())),
        round(results.seconds, 1),
    )  # fmt: skip


class Score(NamedTuple):
    """A mean return with its variance, from so many deals at least."""

    value: float
    variance: float
    deals: int

    @classmethod
    def of(cls, meetings: Sequence[Meeting]) -> "Score":
        """Of one task: the mean over opponents. Some were met in fewer deals than others, in the first of the same."""
        returns = [returns_of(one) for one in meetings]
        variance = sum(_covariance(one, other) for one in returns for other in returns) / len(returns) ** 2
        return cls(
            float(np.mean([one.mean() for one in returns])), max(0.0, variance), min(map(len, returns))
        )

    @classmethod
    def mean(cls, scores: Sequence["Score"]) -> "Score":
        """Of independent ones."""
        values, variances, deals = zip(*scores, strict=True)
        return cls(float(np.mean(values)), sum(variances) / len(scores) ** 2, min(deals))

    @property
    def half(self) -> float:
        """Half the width of the 95 % interval; infinite for one deal."""
        if self.deals < 2:
            return math.inf
        return student_quantile(self.deals - 1) * math.sqrt(self.variance)

    def __str__(self) -> str:
        return f"{self.value:+.3f}" + (f" ± {self.half:.3f}" if math.isfinite(self.half) else "")


def returns_of(meeting: Meeting) -> Floats:
    """The mean return of each deal."""
    values: Floats = (np.array(meeting.shares) * meeting.players - 1) / (meeting.players - 1)
    return values


def _covariance(one: Floats, other: Floats) -> float:
    """Of the means of two series, whose first deals are the same."""
    fewer, more = sorted((len(one), len(other)))
    return 0.0 if fewer < 2 else float(np.cov(one[:fewer], other[:fewer])[0, 1]) / more


def table(results: Iterable[Results], tasks: Sequence[Task]) -> str:
    """A Markdown table: a row for each policy and task, and one for the whole where no task is missing."""
    known = {task.name: task for task in tasks}
    results = list(results)
    played = {meeting.opponent for one in results for meeting in one.meetings}
    opponents = [
        name for name in dict.fromkeys(name for task in tasks for name in task.opponents) if name in played
    ]
    head = [
        "policy",
        "learnt within",
        "task",
        "deals",
        *(f"against {name}, % won" for name in opponents),
        "return",
    ]
    rows = [head, ["---"] * len(head)]
    for one in results:
        whole: list[Score] = []
        for name, task in known.items():
            met = [found for opponent in task.opponents if (found := one.met(name, opponent)) is not None]
            if not met:
                continue
            cells = [_share(one.met(name, opponent)) for opponent in opponents]
            score = ""
            if len(met) == len(task.opponents):
                whole.append(Score.of(met))
                score = str(whole[-1])
            deals = dict.fromkeys(len(meeting.shares) for meeting in met)
            rows.append([f"`{one.policy}`", one.budget, name, ", ".join(map(str, deals)), *cells, score])
        if len(whole) == len(known):
            rows.append([f"`{one.policy}`", one.budget, f"**{SUITE}**", "", *[""] * len(opponents),
                         f"**{Score.mean(whole)}**"])  # fmt: skip
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _share(meeting: Meeting | None) -> str:
    """A share of the win with its interval, in per cent."""
    if meeting is None:
        return ""
    if not meeting.games:
        return f"{100 / meeting.players:.1f} (itself)"
    share = share_estimate(np.array(meeting.shares))
    forfeits = sum(meeting.forfeits.values())
    text = f"{100 * share.value:.1f} ({100 * share.low:.1f}…{100 * share.high:.1f})"
    return text + (f", {forfeits} forfeits" if forfeits else "")
