"""The judge of positions and moves: what each seat's share of the win is, and what a move costs.

Games are played on by a quick bot from worlds that agree with what a seat could know. All moves of a decision are
tried in the same worlds, with the same chance to come, so what differs between them is the move (common random
numbers). The move that the played one is compared with is chosen in other worlds than those in which both are measured,
so that the best of many is not taken for better than it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from atoll.bots.bot import QUICK_BOTS
from atoll.core.events import NO_EVENTS
from atoll.core.exports import PLAY, RESAMPLE
from atoll.core.game import Position, View
from atoll.engine.chance import derive, generator
from atoll.engine.stopping import Stopped
from atoll.lab.estimates import Estimate, matched, mean_share
from atoll.lab.loop import (
    ENDLESS,
    NO_CHANCES,
    PLAIN_GAMES,
    STOPPED,
    deal_chances,
    deal_generators,
    loop_of,
    seated_arrays,
)
from atoll.lab.played import BotSeats, shares_of

Floats = NDArray[np.float64]

POLICY = "greedy"
"""The quick bot that plays on, of every seat."""
ROUND = 96
"""Games of each round in which the better half of the moves is kept, and FEWEST of each move."""
FEWEST = 8
CHOOSING, WORLDS, CHANCE, FACT, PLAYERS = range(5)
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
    points: float
    """own points that the other move brings more at the end, on average"""

    @property
    def loss(self) -> Estimate:
        """The share of the win that the played move costs against the best other; below 0 if it is the best."""
        return matched((self.other_shares - self.played_shares)[:, self.seat])

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
    """Judges positions of one game; `policy` is the name of the quick bot that plays on."""

    seed: int
    policy: str = POLICY

    @cached_property
    def _place(self) -> int:
        return [bot.name for bot in QUICK_BOTS].index(self.policy)

    def shares(self, view: View, worlds: int) -> Floats:
        """Each seat's share of the win by what a seat, or a spectator, may know: (worlds, players), a row a world."""
        return self._play_on(view, draw_worlds(view, worlds, derive(self.seed, WORLDS)))[0]

    def judge(self, view: View, played: int, worlds: int, number: int = 0) -> Judged:
        """What a move of the view's seat costs, one of several legal; `number` tells decisions apart.

        Raises EndlessGame, and Stopped.
        """
        moves = view.legal_moves().actions
        seed = derive(self.seed, CHOOSING, number)
        other = self._best(view, moves[moves != played], seed)
        return self._compare(
            view, played, other, draw_worlds(view, worlds, derive(seed, WORLDS)), derive(seed, PLAYERS)
        )

    def judge_in_fact(self, position: Position, seat: int, played: int, other: int, worlds: int) -> Estimate:
        """What a move costs against another by what was in fact so: cards lie where they lay, and only what chance and
        players do later is open.
        """
        states = np.repeat(position.states, worlds)
        states["generator"] = deal_generators(derive(self.seed, FACT), 0, worlds)
        return self._compare(position.view(seat), played, other, states, derive(self.seed, FACT)).loss

    def _best(self, view: View, moves: NDArray[np.int32], seed: int) -> int:
        """The move that does best, by sequential halving (Z. Karnin, T. Koren, O. Somekh, 2013)."""
        totals = np.zeros(len(moves))
        games = 0
        left = np.arange(len(moves))
        while len(left) > 1:
            count = max(FEWEST, ROUND // len(left))
            worlds = draw_worlds(view, count, derive(seed, games, WORLDS))
            states = np.concatenate([after(view, worlds, int(move)) for move in moves[left]])
            shares = self._play_on(view, states, derive(seed, games), repeats=len(left))[0][:, view.seat]
            totals[left] += shares.reshape(len(left), count).sum(axis=1)
            games += count
            left = left[np.argsort(-totals[left], kind="stable")][: (len(left) + 1) // 2]
        return int(moves[left[0]])

    def _compare(self, view: View, played: int, other: int, worlds: NDArray[np.void], seed: int) -> Judged:
        policy = self._choice(view, seed)
        tried = list(dict.fromkeys((played, other, policy)))
        states = np.concatenate([after(view, worlds, move) for move in tried])
        shares, points = self._play_on(view, states, seed, repeats=len(tried))
        of = dict(zip(tried, np.split(shares, len(tried)), strict=True))
        own = dict(zip(tried, np.split(points[:, view.seat], len(tried)), strict=True))
        gained = float((own[other] - own[played]).mean())
        return Judged(view.seat, other, len(worlds), of[played], of[other], of[policy], gained)

    def _choice(self, view: View, seed: int) -> int:
        """What the policy plays."""
        return QUICK_BOTS[self._place].decide(view, view.legal_moves().actions, generator(seed))

    def _play_on(
        self, view: View, states: NDArray[np.void], seed: int = 0, repeats: int = 1
    ) -> tuple[Floats, NDArray[np.int32]]:
        """Play games on to their ends: each seat's share of the win and points, (n, players).

        `states` are `repeats` times the same worlds, in which bots have the same chance.
        """
        game, players, count = view.game, view.players, len(states)
        own = deal_chances(derive(self.seed, seed, PLAYERS), 0, count // repeats, players)[1]
        seats = BotSeats(
            QUICK_BOTS,
            np.full((count, players), self._place, np.int8),
            np.zeros((1, len(game.moves)), np.int8),
            np.full((count, players), -1, np.int16),
        )
        room = np.concatenate([states, states[:1]])
        chance = np.concatenate([own] * repeats)
        arrays = seated_arrays(game, view.components, seats, chance, NO_CHANCES, states=room)
        loop = loop_of(PLAIN_GAMES, QUICK_BOTS, arrays)
        runner = game.runner if game.runner.has(loop) else game.fast_runner
        end = runner.call(loop, arrays)
        if end == STOPPED:
            raise Stopped
        if end == ENDLESS:
            raise game.endless(view.components, players)
        return shares_of(arrays.winners[:count], players), arrays.points[:count]


def draw_worlds(view: View, count: int, seed: int) -> NDArray[np.void]:
    """So many full states that agree with a view, each with chance of its own to come."""
    room = view.game.runner.room()
    chance, world = room.copy(generator(seed)), room.zeros(1, view.game.rules.STATE)
    draw = room.prepare(RESAMPLE, room.copy(view.states), room.copy(view.components.parts), chance, world)
    worlds = np.zeros(count, dtype=view.game.rules.STATE)
    for place in range(count):
        draw()
        worlds[place] = world[0]
    worlds["generator"] = deal_generators(derive(seed, CHANCE), 0, count)
    return worlds


def after(view: View, worlds: NDArray[np.void], action: int) -> NDArray[np.void]:
    """The worlds after a move of the view's seat."""
    moved = worlds.copy()
    runner, parts, seat = view.game.runner, view.components.parts, view.seat
    for place in range(len(moved)):
        runner.call(PLAY, moved[place : place + 1], parts, seat, action, NO_EVENTS)
    return moved


def share_estimates(shares: Floats) -> list[Estimate]:
    """Each seat's share of the win with its interval, of rows of worlds."""
    totals, squares = shares.sum(axis=0), (shares**2).sum(axis=0)
    return [mean_share(float(t), float(s), len(shares)) for t, s in zip(totals, squares, strict=True)]


def kind_of(loss: Estimate) -> str:
    """The class of a decision: fine where the interval of its loss covers 0, else by the points it costs."""
    if loss.low <= 0:
        return "fine"
    return next(name for name, most in CLASSES if loss.value <= most)


CLASSES: Sequence[tuple[str, float]] = (
    ("fine", 0.02),
    ("inaccuracy", 0.05),
    ("mistake", 0.10),
    ("blunder", 1.0),
)
"""Classes of decisions and the share of the win that each costs at most."""
