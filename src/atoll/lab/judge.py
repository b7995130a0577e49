"""The judge of positions and moves: what each seat's share of the win is, and what a move costs.

Games are played on by a quick bot from worlds that agree with what a seat could know. All moves of a decision are
tried in the same worlds, with the same chance to come, so what differs between them is the move (common random
numbers). The move that the played one is compared with is chosen in other worlds than those in which both are measured,
so that the best of many is not taken for better than it is.

A quick bot misjudges what it would not follow up. So a move is called an error only where a search from the seat's view
prefers another one too, and where the loss is sure to be as large as its class says.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from atoll.bots.bot import QUICK_BOTS
from atoll.core.game import Position, View
from atoll.engine.chance import derive, generator
from atoll.lab.continued import play_on
from atoll.lab.estimates import Estimate, Z, matched, mean, mean_share
from atoll.lab.judge_engine import HERE, JudgeEngine
from atoll.text.translation import Translator

Floats = NDArray[np.float64]

POLICY = "greedy"
"""The quick bot that plays on, of every seat."""
SURE = 10
"""A decision that seems to cost something, and where a search would take another move, is judged anew in so many times
as many worlds."""
AGAIN = 2
"""Before that in so many times as many, where it may turn out to be fine."""
DOUBT = 0.015
"""Share of the win that a decision has to cost at first to be judged anew."""
SEARCHED = 5
"""Iterations of that search for each of the first worlds."""
CONFIRMED: Sequence[int] = (8, 32)
"""A second search of so many times as many has a say in what would be called an error, and a third one in what would
be called a mistake or worse."""
ROUND = 96
"""Games of each round in which the better half of the moves is kept, and FEWEST of each move."""
FEWEST = 8
SURELY = 3.0
"""Standard errors by which a loss is above the least of its class: among a game's hundreds of decisions few that
cost less are beyond that by chance."""
MARGIN = 0.03
"""By how much what a search gains may be too high: two searches of one position differ by so much."""
TOLD = 100
"""Worlds whose ends are compared part by part of the score."""
CHOOSING, COMPARING, FACT, SEARCHING, TELLING, LISTING = range(6)
"""Steps by which the seeds differ of what is drawn for different ends."""


@dataclass(frozen=True)
class Judged:
    """What a move costs: of every world the seats' shares of the win, (worlds, players), after the `played` move, after
    the best other one and after the one that the policy would have played; and their points.

    `other` is the code of that best other move.
    """

    seat: int
    other: int
    worlds: int
    played_shares: Floats
    other_shares: Floats
    policy_shares: Floats
    gain: float = 0.0
    """by how much searches hold their best move for better than the played one; 0 where none was asked"""

    @property
    def loss(self) -> Estimate:
        """The share of the win that the played move costs against the other; below 0 if it is better."""
        return matched((self.other_shares - self.played_shares)[:, self.seat])

    @property
    def kind(self) -> str:
        """The class of the decision."""
        return kind_of(self.loss, self.gain)

    @property
    def effect(self) -> Floats:
        """What the choice changed of each seat's share, against the policy's choice, (players,)."""
        effect: Floats = (self.played_shares - self.policy_shares).mean(axis=0)
        return effect

    @property
    def effect_variance(self) -> Floats:
        """The variance of `effect`, (players,)."""
        variance: Floats = (self.played_shares - self.policy_shares).var(axis=0, ddof=1) / self.worlds
        return variance


@dataclass(frozen=True)
class Judge:
    """Judges positions and moves of one game; `policy` is the name of the quick bot that plays on, and `engine`
    carries out what takes long.
    """

    seed: int
    policy: str = POLICY
    engine: JudgeEngine = HERE

    @cached_property
    def bot(self) -> int:
        """The place of the policy in QUICK_BOTS."""
        return [bot.name for bot in QUICK_BOTS].index(self.policy)

    def shares(self, view: View, worlds: int) -> Floats:
        """Each seat's share of the win by what a seat, or a spectator, may know: (worlds, players), a row a world."""
        shares: Floats = self.engine.shares(view, self.bot, derive(self.seed, COMPARING), worlds)[0]
        return shares

    def judge(self, view: View, played: int, worlds: int, number: int = 0) -> Judged:
        """What a move of the view's seat costs, one of several legal, against the best other one; `number` tells
        decisions apart.

        Raises EndlessGame, and Stopped.
        """
        moves = view.legal_moves().actions
        other = self._best(view, moves[moves != played], derive(self.seed, number, CHOOSING))
        return self._compare(view, played, other, worlds, derive(self.seed, number, COMPARING))

    def grade(self, view: View, played: int, worlds: int, number: int = 0) -> Judged:
        """What a move costs, as it is told: where that seems to be something, against what a search would do."""
        judged = self.judge(view, played, worlds, 2 * number)
        if judged.loss.value < DOUBT:
            return judged
        return self.judge_by_search(view, played, worlds, 2 * number + 1) or judged

    def judge_by_search(self, view: View, played: int, worlds: int, number: int = 0) -> Judged | None:
        """What a move costs against the one that a search from the view holds for the best, in up to SURE times as
        many worlds; None if that is the played one.
        """
        seed = derive(self.seed, number, SEARCHING)
        best, gain = self._searched(view, played, SEARCHED * worlds, seed)
        if best == played:
            return None
        judged = self._compare(view, played, best, AGAIN * worlds, derive(seed, CHOOSING), gain)
        if judged.loss.value <= CLASSES[0][1]:
            return judged
        judged = self._compare(view, played, best, SURE * worlds, derive(seed, COMPARING), gain)
        kinds = [kind for kind, _ in CLASSES]
        for mildest, times in enumerate(CONFIRMED):
            if kinds.index(judged.kind) <= mildest:
                break
            iterations = times * SEARCHED * worlds
            again = self._searched(view, played, iterations, derive(seed, SEARCHING, mildest))[1]
            judged = replace(judged, gain=min(judged.gain, again))
        return judged

    def losses(self, view: View, best: int, worlds: int, number: int = 0) -> dict[int, Estimate]:
        """What each legal move costs against `best`, by its code, in the same worlds."""
        moves = view.legal_moves().actions.tolist()
        shares = self.engine.shares(view, self.bot, derive(self.seed, number, LISTING), worlds, moves)
        own = dict(zip(moves, shares[:, :, view.seat], strict=True))
        nothing = Estimate(0.0, 0.0, 0.0, worlds, "none")
        return {action: nothing if action == best else matched(own[best] - own[action]) for action in moves}

    def judge_in_fact(self, position: Position, seat: int, played: int, other: int, worlds: int) -> Estimate:
        """What a move costs against another by what was in fact so: cards lie where they lay, and only what chance and
        players do later is open.
        """
        view, seed = position.view(seat), derive(self.seed, FACT)
        ends = play_on(view, self.bot, seed, worlds, (played, other), position.states)
        return matched((ends.shares[1] - ends.shares[0])[:, seat])

    def figures(self, view: View, played: int, other: int, number: int = 0) -> list[Estimate]:
        """What another move brings more at the end than the played one, in points of each part of the seat's score."""
        game, seed = view.game, derive(self.seed, number, TELLING)

        def row(state: NDArray[np.void]) -> list[int]:
            scores = game.notation.breakdown(state, view.components)
            return [points for _, points in game.messages.score_parts(_ENGLISH, scores[view.seat])]

        ends = play_on(view, self.bot, seed, TOLD, (played, other)).ends
        before, after = (np.array([row(state) for state in one.view(np.recarray)]) for one in ends)
        more = after - before
        return [mean(float(one.sum()), float((one**2).sum()), len(one)) for one in more.T]

    def _best(self, view: View, moves: NDArray[np.int32], seed: int) -> int:
        """The move that does best, by sequential halving (Z. Karnin, T. Koren, O. Somekh, 2013)."""
        totals = np.zeros(len(moves))
        games = 0
        left = np.arange(len(moves))
        while len(left) > 1:
            count = max(FEWEST, ROUND // len(left))
            shares = self.engine.shares(view, self.bot, derive(seed, games), count, moves[left].tolist())
            totals[left] += shares[:, :, view.seat].sum(axis=1)
            games += count
            left = left[np.argsort(-totals[left], kind="stable")][: (len(left) + 1) // 2]
        return int(moves[left[0]])

    def _compare(
        self, view: View, played: int, other: int, worlds: int, seed: int, gain: float = 0.0
    ) -> Judged:
        policy = QUICK_BOTS[self.bot].decide(view, view.legal_moves().actions, generator(seed))
        tried = list(dict.fromkeys((played, other, policy)))
        of = dict(zip(tried, self.engine.shares(view, self.bot, seed, worlds, tried), strict=True))
        return Judged(view.seat, other, worlds, of[played], of[other], of[policy], gain)

    def _searched(self, view: View, played: int, iterations: int, seed: int) -> tuple[int, float]:
        """The move that a search holds for the best, and by how much for better than the played one."""
        moves = self.engine.search(view, seed, iterations)
        wins = {move.action: move.wins for move in moves}
        best = moves[0].action if moves else played
        return best, 0.0 if best == played else wins[best] - wins.get(played, 0.0)


_ENGLISH = Translator("en")


def share_estimates(shares: Floats) -> list[Estimate]:
    """Each seat's share of the win with its interval, of rows of worlds."""
    totals, squares = shares.sum(axis=0), (shares**2).sum(axis=0)
    return [mean_share(float(t), float(s), len(shares)) for t, s in zip(totals, squares, strict=True)]


def kind_of(loss: Estimate, gain: float) -> str:
    """The class of a decision by the share of the win that it costs at least: in worlds that were drawn, and by the
    search that preferred the other move by `gain`, less its MARGIN.
    """
    middle, error = (loss.low + loss.high) / 2, (loss.high - loss.low) / (2 * Z)
    least = min(middle - SURELY * error, gain - MARGIN)
    return next(name for name, most in CLASSES if least <= most)


CLASSES: Sequence[tuple[str, float]] = (
    ("fine", 0.02),
    ("inaccuracy", 0.05),
    ("mistake", 0.10),
    ("blunder", 1.0),
)
"""Classes of decisions and the share of the win that each costs at most."""
