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
from msgspec.structs import replace

from atoll.bots import RECORDED_BOT
from atoll.core.game import Position
from atoll.core.records import Record, first_position, replay
from atoll.core.types import Json
from atoll.lab.batches import Workers, in_order
from atoll.lab.estimates import Estimate, Z
from atoll.lab.judge import POLICY, Judge, share_estimates
from atoll.lab.judge_engine import HERE, JudgeEngine
from atoll.lab.puzzles import Choice
from atoll.text.errors import RecordError
from atoll.text.messages import Message

WORLDS = 200
"""Worlds in which a position and a decision are judged at first."""
MOMENTS = 3
ERRORS = ("mistake", "blunder")
"""Classes of decisions of which every move is judged where people made them, who may solve them as puzzles."""
LISTED = 3
"""In so many times as many worlds."""
MOST_FIGURES = 3
"""Figures of the score that are told of a decision."""
CLEAR = 0.5
"""Points by which a figure has to differ to be told."""


class JudgedDecision(msgspec.Struct, frozen=True):
    """A decision among several moves: what it cost against another move in points of the share of the win, from 0 to 1,
    by what its seat could know, and by what was in fact so where it cost anything.

    `number` counts the game's decisions from 0. `gain` is by how much a search holds its move for better, 0 where it
    was not asked; `kind` is "fine", "inaccuracy", "mistake" or "blunder"; `figures` are what the other move brings more
    at the end, in points of each part of the score, where it is not "fine". `effects` are what the choice changed of
    each seat's share, against the policy's choice, and `variances` theirs. Of a person's error `choices` are all moves.
    """

    number: int
    round: int
    seat: int
    move: Json
    other: Json
    loss: Estimate
    gain: float
    in_fact: Estimate | None
    kind: str
    figures: list[Estimate]
    effects: list[float]
    variances: list[float]
    choices: list[Choice] = []

    @property
    def cost(self) -> Estimate:
        """What is told of the loss: no more than what the search holds its move better by, where it finds less."""
        loss, gain = self.loss, self.gain
        return Estimate(min(loss.value, gain), min(loss.low, gain), loss.high, loss.units, loss.method)

    def sure_figures(self, parts: Sequence[str]) -> list[tuple[float, str]]:
        """What the other move surely brings more, in points of parts of the score of these names, most first."""
        sure = [
            (figure.value, part)
            for figure, part in zip(self.figures, parts, strict=True)
            if abs(figure.value) >= CLEAR and (figure.low > 0 or figure.high < 0)
        ]
        return sorted(sure, key=lambda one: -abs(one[0]))[:MOST_FIGURES]


Finding = JudgedDecision | list[Estimate]
"""What one piece of an analysis finds: a decision judged, or the seats' shares in a position."""


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
    chance: Estimate
    own: Estimate
    others: Estimate
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
            (one for one in self.decisions if one.kind != "fine"), key=lambda one: -one.cost.value
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
    progress: Callable[[Sequence[Finding], int], None] = lambda findings, total: None,
    policy: str = POLICY,
    known: Sequence[Finding] = (),
    engine: JudgeEngine = HERE,
) -> Analysis:
    """Analyse a finished game; calls `progress` with what is found so far and how many findings there will be.

    The same seed and number of worlds give the same analysis. `known` are the first findings of one that was broken
    off. `engine` carries out what takes long. Raises RecordError for a game that is not over, and Stopped.
    """
    steps, end = steps_of(record)
    judge, players = Judge(seed, policy, engine), end.players
    outcome = end.outcome
    assert outcome is not None
    people = [not name.startswith(RECORDED_BOT) for name in record.header["players"]]
    starts = [place for place, step in enumerate(steps) if not place or step.round != steps[place - 1].round]
    choices = [place for place, step in enumerate(steps) if len(step.before.legal_moves(step.seat)) > 1]
    work: list[Callable[[], Finding]] = [
        *(
            partial(_decision, judge, place, steps[place], worlds, lists=people[steps[place].seat])
            for place in choices
        ),
        *(partial(_position_shares, judge, step.before, None, worlds) for step in steps),
        *(
            partial(_position_shares, judge, steps[place].before, seat, 2 * worlds)
            for place in starts
            for seat in range(players)
        ),
    ]
    findings: list[Any] = list(known)
    for one in in_order(work[len(findings) :], workers):
        findings.append(one)
        progress(findings, len(work))
    decisions, shares = findings[: len(choices)], findings[len(choices) :]
    course, own = shares[: len(steps)], shares[len(steps) :]
    final = [float(seat in outcome.winners) / len(outcome.winners) for seat in range(players)]
    seen = [
        [estimates[seat] for seat, estimates in enumerate(own[first : first + players])]
        for first in range(0, len(own), players)
    ]
    rounds = [steps[place].round for place in starts]
    return Analysis(
        game=end.game.name,
        players=[str(name) for name in record.header["players"]],
        points=list(outcome.points),
        winners=list(outcome.winners),
        policy=policy,
        worlds=worlds,
        seed=seed,
        shares=[*course, [Estimate(one, one, one, 1, "none") for one in final]],
        decisions=decisions,
        parts=[_parts(seat, final[seat], seen, rounds, decisions) for seat in range(players)],
    )


def _position_shares(judge: Judge, position: Position, seat: int | None, worlds: int) -> list[Estimate]:
    view = position.view() if seat is None else position.view(seat)
    return share_estimates(judge.shares(view, worlds))


def _decision(judge: Judge, number: int, step: Step, worlds: int, *, lists: bool) -> JudgedDecision:
    """A decision judged; by what was in fact so, too, and why, where it cost something; `lists` every move of an
    error.
    """
    view = step.before.view(step.seat)
    judged = judge.grade(view, step.action, worlds, number)
    in_fact, figures = None, list[Estimate]()
    move_of = step.before.game.notation.move_of
    if judged.kind != "fine":
        figures = judge.figures(view, step.action, judged.other, number)
        in_fact = judge.judge_in_fact(step.before, step.seat, step.action, judged.other, worlds)
    decision = JudgedDecision(
        number=number,
        round=step.round,
        seat=step.seat,
        move=move_of(step.action),
        other=move_of(judged.other),
        loss=judged.loss,
        gain=judged.gain,
        in_fact=in_fact,
        kind=judged.kind,
        figures=figures,
        effects=judged.effect.tolist(),
        variances=judged.effect_variance.tolist(),
    )
    if decision.kind not in ERRORS or not lists:
        return decision
    losses = judge.losses(view, judged.other, LISTED * worlds, number) | {step.action: decision.cost}
    by_loss = sorted(losses.items(), key=lambda one: (one[0] != judged.other, one[1].value))
    choices = [Choice(move_of(action), one.value, one.low, one.high) for action, one in by_loss]
    return replace(decision, choices=choices)


def _parts(
    seat: int,
    result: float,
    seen: Sequence[Sequence[Estimate]],
    rounds: Sequence[int],
    decisions: Sequence[JudgedDecision],
) -> SeatParts:
    """A seat's result in its parts; `seen` is what each seat could judge of its own share as each round began."""
    fair = 1 / len(seen[0])
    course = [one[seat] for one in seen]
    own, others = [0.0, 0.0], [0.0, 0.0]
    effects = dict.fromkeys(rounds, 0.0)
    variances = dict.fromkeys(rounds, 0.0)
    for decision in decisions:
        effect, variance = decision.effects[seat], decision.variances[seat]
        effects[decision.round] += effect
        variances[decision.round] += variance
        whose = own if decision.seat == seat else others
        whose[0] += effect
        whose[1] += variance
    luck = []
    for number, (now, then) in zip(rounds, pairwise([*course, None]), strict=True):
        assert now is not None
        change = (result if then is None else then.value) - now.value - effects[number]
        spread = _variance(now) + variances[number] + (0.0 if then is None else _variance(then))
        luck.append(RoundLuck(number, _around(change, spread)))
    start = course[0]
    deal = Estimate(start.value - fair, start.low - fair, start.high - fair, start.units, start.method)
    chance = _around(result - start.value - own[0] - others[0], _variance(start) + own[1] + others[1])
    return SeatParts(seat, result, fair, deal, chance, _around(*own), _around(*others), luck)


def _variance(estimate: Estimate) -> float:
    """The variance of an estimate, by its interval."""
    return ((estimate.high - estimate.low) / (2 * Z)) ** 2


def _around(value: float, variance: float) -> Estimate:
    half = Z * math.sqrt(variance)
    return Estimate(value, value - half, value + half, 1, "normal")
