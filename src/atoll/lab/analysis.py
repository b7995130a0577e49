"""A finished game, explained: the course of its shares of the win, what decisions cost, and how luck and skill add up.

Each seat's result is the sum of its fair share at the start, what it was dealt, what chance has done since, its own
decisions, and the others' decisions. A decision counts as what it changes of all seats' shares against the choice of
the judge's policy, in the same worlds; chance is what the share changes besides. So the parts telescope (N. Burch, M.
Schmid, M. Moravčík, D. Morrill, M. Bowling, "AIVAT", 2018).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np

from atoll.core.game import Game, Position
from atoll.core.records import Record, first_position, replay
from atoll.core.types import Json
from atoll.lab.batches import Workers, in_order
from atoll.lab.estimates import Estimate, Z
from atoll.lab.judge import POLICY, Judge, Judged, kind_of, share_estimates
from atoll.text.errors import RecordError
from atoll.text.messages import Message

WORLDS = 200
"""Worlds in which a position and a decision are judged at first."""
SURE = 3
"""A decision that seems to cost something is judged anew in so many times as many."""
DOUBT = 0.015
"""Share of the win that a decision has to cost at first to be judged anew."""
MOMENTS = 3


class JudgedDecision(msgspec.Struct, frozen=True):
    """A decision among several moves: what it cost against the best other move in points of the share of the win, from
    0 to 1, by what its seat could know, and by what was in fact so where it cost anything.

    `number` counts the game's decisions from 0. `kind` is "fine", "inaccuracy", "mistake" or "blunder"; `points` are
    those that the other move brings its seat more at the end of the game, on average.
    """

    number: int
    round: int
    seat: int
    move: Json
    other: Json
    loss: Estimate
    in_fact: Estimate | None
    kind: str
    points: float


class RoundLuck(msgspec.Struct, frozen=True):
    """What chance did to a seat in a round, as a share of the win."""

    round: int
    chance: Estimate


class SeatParts(msgspec.Struct, frozen=True):
    """A seat's share of the win in its parts: `result` is the sum of `fair`, `deal`, `chance`, `own` and `others`."""

    seat: int
    result: float
    fair: float
    deal: Estimate
    chance: float
    own: Estimate
    others: float
    rounds: list[RoundLuck]


class Analysis(msgspec.Struct, frozen=True):
    """A finished game, analysed. `shares` are each seat's before every decision, as somebody who only watches could
    judge them, and the result at the end.
    """

    game: str
    players: list[str]
    points: list[int]
    winners: list[int]
    policy: str
    worlds: int
    seed: int
    shares: list[list[Estimate]]
    decisions: list[JudgedDecision]
    parts: list[SeatParts]

    @property
    def moments(self) -> list[JudgedDecision]:
        """The decisions that cost most, in the order of the game; none that is fine."""
        flagged = sorted(
            (one for one in self.decisions if one.kind != "fine"), key=lambda one: -one.loss.value
        )
        return sorted(flagged[:MOMENTS], key=lambda one: one.number)


@dataclass(frozen=True)
class Step:
    """A decision that stands: the position in which a seat took an action, in which round."""

    before: Position
    seat: int
    action: int
    round: int


def steps_of(record: Record) -> tuple[list[Step], Position]:
    """The decisions of a finished game that stand, and its end; raises RecordError, also if the game is not over."""
    position = first_position(record).copy()
    game, stood = position.game, [position.copy()]
    steps: list[Step] = []
    number, told = 1, any(kind.begins_round for kind in game.events.kinds)
    begins = {kind.code for kind in game.events.kinds if kind.begins_round}
    rounds = [number]
    for move in replay(record):
        if "undo" in move.move:
            del steps[move.move["undo"] :], stood[move.move["undo"] + 1 :], rounds[move.move["undo"] + 1 :]
        elif "redeal" in move.move:
            stood[-1] = move.position.copy()
        else:
            steps.append(Step(stood[-1], move.seat, game.notation.action_of(move.move), rounds[-1]))
            stood.append(move.position.copy())
            begun = sum(event.what in begins for event in move.events)
            rounds.append(rounds[-1] + begun if told else 1 + len(steps) // position.players)
    if not stood[-1].is_over:
        raise RecordError(Message("only finished games are analysed, and this one is not over"))
    return steps, stood[-1]


def analyse(
    record: Record,
    seed: int = 1,
    worlds: int = WORLDS,
    workers: Workers = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
    policy: str = POLICY,
) -> Analysis:
    """Analyse a finished game; calls `progress` with how much of it is done, and how much there is.

    The same seed and number of worlds give the same analysis. Raises RecordError for a game that is not over.
    """
    steps, end = steps_of(record)
    judge, players = Judge(seed, policy), end.players
    outcome = end.outcome
    assert outcome is not None
    starts = [place for place, step in enumerate(steps) if not place or step.round != steps[place - 1].round]
    positions = [partial(_position_shares, judge, step.before, None, worlds) for step in steps]
    own = [
        partial(_position_shares, judge, steps[place].before, seat, 2 * worlds)
        for place in starts
        for seat in range(players)
    ]
    choices = [place for place, step in enumerate(steps) if len(step.before.legal_moves(step.seat)) > 1]
    decided = [partial(_decision, judge, place, steps[place], worlds) for place in choices]
    total = len(positions) + len(own) + len(decided)
    results: list[Any] = []
    work: list[Callable[[], Any]] = [*decided, *positions, *own]
    for done, one in enumerate(in_order(work, workers), start=1):
        results.append(one)
        progress(done, total)
    judged = dict(zip(choices, results, strict=False))
    course = results[len(decided) : len(decided) + len(positions)]
    final = np.array([(seat in outcome.winners) / len(outcome.winners) for seat in range(players)])
    seen = [
        [estimates[seat] for seat, estimates in enumerate(results[first : first + players])]
        for first in range(len(decided) + len(positions), total, players)
    ]
    exact = [Estimate(float(one), float(one), float(one), 1, "none") for one in final]
    return Analysis(
        game=end.game.name,
        players=[str(name) for name in record.header["players"]],
        points=list(outcome.points),
        winners=list(outcome.winners),
        policy=policy,
        worlds=worlds,
        seed=seed,
        shares=[*course, exact],
        decisions=[_told(end.game, place, steps[place], *judged[place]) for place in choices],
        parts=[
            _parts(seat, float(final[seat]), seen, [steps[place].round for place in starts], steps, judged)
            for seat in range(players)
        ],
    )


def _position_shares(judge: Judge, position: Position, seat: int | None, worlds: int) -> list[Estimate]:
    view = position.view() if seat is None else position.view(seat)
    return share_estimates(judge.shares(view, worlds))


def _decision(judge: Judge, number: int, step: Step, worlds: int) -> tuple[Judged, Estimate | None]:
    """A decision judged, and judged anew in other worlds if it seems to cost something: then by what was in fact so,
    too.
    """
    view = step.before.view(step.seat)
    judged = judge.judge(view, step.action, worlds, 2 * number)
    if judged.loss.value < DOUBT:
        return judged, None
    judged = judge.judge(view, step.action, SURE * worlds, 2 * number + 1)
    in_fact = None
    if kind_of(judged.loss) != "fine":
        in_fact = judge.judge_in_fact(step.before, step.seat, step.action, judged.other, worlds)
    return judged, in_fact


def _told(game: Game, number: int, step: Step, judged: Judged, in_fact: Estimate | None) -> JudgedDecision:
    move_of = game.notation.move_of
    return JudgedDecision(
        number=number,
        round=step.round,
        seat=step.seat,
        move=move_of(step.action),
        other=move_of(judged.other),
        loss=judged.loss,
        in_fact=in_fact,
        kind=kind_of(judged.loss),
        points=judged.points,
    )


def _parts(
    seat: int,
    result: float,
    seen: Sequence[Sequence[Estimate]],
    rounds: Sequence[int],
    steps: Sequence[Step],
    judged: dict[int, tuple[Judged, Estimate | None]],
) -> SeatParts:
    """A seat's result in its parts; `seen` is what each seat could judge of its own share as each round began."""
    fair = 1 / len(seen[0])
    course = [one[seat] for one in seen]
    own, others, own_variance = 0.0, 0.0, 0.0
    effects = dict.fromkeys(rounds, 0.0)
    variances = dict.fromkeys(rounds, 0.0)
    for place, (decision, _) in judged.items():
        effect, variance = float(decision.effect[seat]), float(decision.effect_variance[seat])
        effects[steps[place].round] += effect
        variances[steps[place].round] += variance
        if steps[place].seat == seat:
            own, own_variance = own + effect, own_variance + variance
        else:
            others += effect
    luck = []
    for number, (now, then) in zip(rounds, pairwise([*course, None]), strict=True):
        assert now is not None
        change = (result if then is None else then.value) - now.value - effects[number]
        spread = _variance(now) + variances[number] + (0.0 if then is None else _variance(then))
        luck.append(RoundLuck(number, _around(change, spread)))
    start = course[0]
    deal = Estimate(start.value - fair, start.low - fair, start.high - fair, start.units, start.method)
    chance = result - start.value - own - others
    return SeatParts(seat, result, fair, deal, chance, _around(own, own_variance), others, luck)


def _variance(estimate: Estimate) -> float:
    """The variance of an estimate, by its interval."""
    return ((estimate.high - estimate.low) / (2 * Z)) ** 2


def _around(value: float, variance: float) -> Estimate:
    half = Z * math.sqrt(variance)
    return Estimate(value, value - half, value + half, 1, "normal")
