"""The sums that a report is made of: whole numbers, added up over chunks of games in any order, of a fixed size."""

from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from atoll.core.game import Game
from atoll.lab import counts
from atoll.lab.chunks import Chunk
from atoll.lab.counts import PLAN, ROUNDS, WIN
from atoll.lab.items import items_of

Integers = NDArray[np.int64]
LONGEST = 20_000
"""Decisions of a game that are told apart in the histogram."""
DEFICITS = 256
"""Deficits in points that are told apart."""
MILLION = 1_000_000
BINS = 20
"""Classes of a share in a histogram."""
MOST_PLANS = 60_000
"""First choices are only followed where there are at most so many."""
MOST_ENDINGS = 32
EXAMPLES = ("closest", "longest", "oddest", "comeback")


def sums(values: NDArray[np.int64]) -> Integers:
    """Of some units: how many there are, the sum, the sum of squares."""
    return np.array([len(values), values.sum(), (values * values).sum()])


def tally(into: Integers, index: NDArray[np.int64], *weights: NDArray[np.int64]) -> None:
    """Add at each index 1 to column 0 and each of the weights to the columns after it."""
    into[:, 0] += np.bincount(index, minlength=len(into))
    for column, weight in enumerate(weights, start=1):
        into[:, column] += np.bincount(index, weight, len(into)).astype(np.int64)


class Totals:
    """The sums over some games. `sums` are the arrays by name; `best` int64 (EXAMPLES, 2): the game that is the most of
    each, as figure in millionths and number, -1 if there is none yet.
    """

    def __init__(self, game: Game, players: int, bots: int) -> None:
        things = items_of(game)
        kinds = len(game.moves.kinds)
        plans = (kinds + 1) ** PLAN
        shapes = {
            "length": (3,),
            "lengths": (LONGEST,),
            "choices": (3,),
            "rounds_played": (3,),
            "rounds_histogram": (128,),
            "endings": (MOST_ENDINGS,),
            "shares": (players,),
            "share_products": (players, players),
            "points": (players, 3),
            "bots": (bots, 5),
            "bot_points": (bots, 5),
            "leading": (ROUNDS, players),
            "leading_squares": (ROUNDS, players),
            "course": (ROUNDS, 6),
            "lead_changes": (3,),
            "lead_changes_histogram": (ROUNDS + 1,),
            "comebacks": (ROUNDS * DEFICITS, 3),
            "drama": (3,),
            "drama_histogram": (BINS,),
            "decided": (3,),
            "decided_histogram": (BINS,),
            "runaway": (2,),
            "things": (len(things.items), counts.USAGE_COLUMNS),
            "rounds": (ROUNDS, counts.ROUND_COLUMNS),
            "openings": (len(game.moves) + 1, 3),
            "plans": (plans if plans <= MOST_PLANS else 0, 3),
        }
        self.sums: dict[str, Integers] = {
            name: np.zeros(shape, dtype=np.int64) for name, shape in shapes.items()
        }
        self.best: Integers = np.full((len(EXAMPLES), 2), -1, dtype=np.int64)

    def __getstate__(self) -> dict[str, Any]:
        """What is sent from machine to machine: of the sums, which are mostly 0, those that are not."""
        kept = {name: np.flatnonzero(values) for name, values in self.sums.items()}
        found = {name: (self.sums[name].shape, at, self.sums[name].ravel()[at]) for name, at in kept.items()}
        return {"sums": found, "best": self.best}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.best, self.sums = state["best"], {}
        for name, (shape, at, values) in state["sums"].items():
            self.sums[name] = np.zeros(shape, dtype=np.int64)
            self.sums[name].ravel()[at] = values

    @property
    def games(self) -> int:
        """How many games were added."""
        return int(self.sums["length"][0])

    def __iadd__(self, other: Self) -> Self:
        for name, values in other.sums.items():
            self.sums[name] += values
        for own, new in zip(self.best, other.best, strict=True):
            if (new[0], -new[1]) > (own[0], -own[1]):
                own[:] = new
        return self

    def add(self, chunk: Chunk) -> None:
        """Add the games of a chunk."""
        self.sums["things"] += chunk.usage
        self.sums["rounds"] += chunk.rounds
        self._add_lengths(chunk)
        self._add_seats(chunk)
        self._add_openings(chunk)
        self._add_course(chunk)

    def _add_lengths(self, chunk: Chunk) -> None:
        length, choices = chunk.played.lengths.astype(np.int64), chunk.games[:, counts.CHOICES]
        rounds = chunk.played.rounds.astype(np.int64)
        self.sums["length"] += sums(length)
        self.sums["lengths"] += np.bincount(np.minimum(length, LONGEST - 1), minlength=LONGEST)
        self.sums["choices"] += sums(choices)
        self.sums["rounds_played"] += sums(rounds)
        self.sums["rounds_histogram"] += np.bincount(np.clip(rounds, 0, 127), minlength=128)
        self.sums["endings"] += np.bincount(chunk.played.endings, minlength=MOST_ENDINGS)

    def _add_seats(self, chunk: Chunk) -> None:
        shares, points = chunk.shares, chunk.played.points.astype(np.int64)
        self.sums["shares"] += shares.sum(axis=0)
        self.sums["share_products"] += shares.T @ shares
        for seat in range(points.shape[1]):
            self.sums["points"][seat] += sums(points[:, seat])
        for bot in range(len(self.sums["bots"])):
            own = chunk.played.bots == bot
            seats = own.sum(axis=1)
            for name, values in (("bots", shares), ("bot_points", points)):
                got = (values * own).sum(axis=1)
                products = (seats, got, seats * seats, seats * got, got * got)
                self.sums[name][bot] += np.array([part.sum() for part in products])

    def _add_openings(self, chunk: Chunk) -> None:
        players = chunk.players
        shares = chunk.shares.ravel()
        first = chunk.games[:, counts.FIRST_ACTION : counts.FIRST_ACTION + players].ravel()
        tally(self.sums["openings"], first, shares, shares * shares)
        if len(self.sums["plans"]):
            plans = chunk.games[:, counts.FIRST_PLAN : counts.FIRST_PLAN + players].ravel()
            tally(self.sums["plans"], plans, shares, shares * shares)

    def _add_course(self, chunk: Chunk) -> None:
        course = Course(chunk)
        for name, values in course.sums().items():
            self.sums[name][: len(values)] += values
        self._add_examples(chunk, course)

    def _add_examples(self, chunk: Chunk, course: "Course") -> None:
        """Find the games that are the most of something; the oddest by how far its features lie from the mean of
        the games of the chunk, in squared standard deviations.
        """
        numbers = np.arange(len(chunk)) + chunk.first
        ordered = np.sort(chunk.played.points, axis=1)
        margin = (ordered[:, -1] - ordered[:, -2]).astype(np.int64) if ordered.shape[1] > 1 else ordered[:, 0]
        features = np.stack(
            [
                chunk.played.lengths,
                chunk.games[:, counts.CHOICES],
                chunk.played.points.sum(axis=1),
                margin,
                course.lead_changes,
                course.deficit,
            ],
            axis=1,
        ).astype(np.int64)
        spread = np.maximum(features.var(axis=0), 0.25)
        oddness = (MILLION * ((features - features.mean(axis=0)) ** 2 / spread).sum(axis=1)).astype(np.int64)
        figures = {
            "closest": (1_000_000 - np.minimum(margin, 999_999)) * MILLION,
            "longest": chunk.played.lengths.astype(np.int64) * MILLION,
            "oddest": oddness,
            "comeback": course.deficit * MILLION,
        }
        for row, name in zip(self.best, EXAMPLES, strict=True):
            best = int(figures[name].argmax())
            new = int(figures[name][best]), int(numbers[best])
            if (new[0], -new[1]) > (row[0], -row[1]):
                row[:] = new

    def save(self, path: Path) -> None:
        """Write the sums to a file, which appears whole."""
        unfinished = path.with_suffix(".new")
        with unfinished.open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, best=self.best, **self.sums)
        unfinished.replace(path)

    def load(self, path: Path) -> None:
        """Take the sums in a file; raises ValueError if they are not such sums."""
        with np.load(path) as found:
            if {name: found[name].shape for name in found.files} != {
                "best": self.best.shape,
                **{name: values.shape for name, values in self.sums.items()},
            }:
                raise ValueError("sums of another game")
            self.best = found["best"]
            self.sums = {name: found[name] for name in self.sums}


class Course:
    """What the points after each round say of the games of a chunk.

    `snapshots` int64 (n,): rounds counted from the start, the end included, so that a game's last is snapshots - 1.
    `lead_changes` and `deficit` int64 (n,): how far behind the first the eventual winner was at most; `drama` and
    `decided` in millionths.
    """

    def __init__(self, chunk: Chunk) -> None:
        self.shares = chunk.shares
        self.snapshots = chunk.games[:, counts.SNAPSHOTS]
        self.course = chunk.round_points[:, : int(self.snapshots.max())].astype(np.int64)
        _, rounds, self.players = self.course.shape
        self.valid = np.arange(rounds)[None, :] < self.snapshots[:, None]
        self.valid[:, 0] = False
        self.top = self.course.max(axis=2)
        self.behind = self.top[:, :, None] - self.course
        self.leads = (self.behind == 0) & self.valid[:, :, None]
        self.alone = self.leads.sum(axis=2) == 1
        won = self.shares > 0
        # Of several winners the one that was behind least counts.
        self.winner_behind = np.where(won[:, None, :], self.behind, 1 << 40).min(axis=2)
        self.winner_behind[~self.valid] = 0
        self.deficit = self.winner_behind.max(axis=1)
        self.lead_changes = self._lead_changes()
        self.drama = self._drama()
        self.decided_from = self._decided_from()
        self.decided = self.decided_from * MILLION // np.maximum(self.snapshots - 1, 1)

    def _lead_changes(self) -> Integers:
        last = np.full(len(self.course), -1)
        changes = np.zeros(len(self.course), dtype=np.int64)
        leader = self.leads.argmax(axis=2)
        for number in range(1, self.course.shape[1]):
            alone = self.alone[:, number]
            changes += alone & (last >= 0) & (leader[:, number] != last)
            last = np.where(alone, leader[:, number], last)
        return changes

    def _drama(self) -> Integers:
        """The mean over the rounds before the end of the winner's deficit, in parts of the largest of any seat."""
        ends = np.arange(self.course.shape[1])[None, :] < self.snapshots[:, None] - 1
        inner = self.valid & ends
        largest = np.where(self.valid[:, :, None], self.behind, 0).max(axis=(1, 2))
        rounds = inner.sum(axis=1)
        total = np.where(inner, self.winner_behind, 0).sum(axis=1)
        found: Integers = total * MILLION // np.maximum(largest * rounds, 1)
        return found

    def _decided_from(self) -> Integers:
        """The round after which the winner is never behind again; a round whose number is snapshots - 1 is the end."""
        behind = (self.winner_behind > 0) & self.valid
        last = behind.shape[1] - 1 - behind[:, ::-1].argmax(axis=1)
        return np.where(behind.any(axis=1), last + 1, 1)

    def sums(self) -> dict[str, Integers]:
        """What is added to the totals, of as many rounds as there were."""
        rounds = self.course.shape[1]
        equals = np.maximum(self.leads.sum(axis=2, keepdims=True), 1)
        leading = np.where(self.leads, WIN // equals, 0)
        leader_wins = (leading * self.shares[:, None, :]).sum(axis=2)
        second = np.sort(self.course, axis=2)[:, :, -2] if self.players > 1 else self.top
        margin = np.where(self.valid, self.top - second, 0)
        decided = self.valid & (np.arange(rounds)[None, :] >= self.decided_from[:, None])
        columns = (self.valid, leader_wins, leader_wins**2, margin, margin**2, decided)
        thirds = np.maximum(1, (self.snapshots - 1) // 3)
        lone_winner = (self.alone & (self.winner_behind == 0)) | ~self.valid
        from_then = np.arange(rounds)[None, :] >= thirds[:, None]
        runaway = (lone_winner | ~from_then).all(axis=1) & (self.snapshots > 3)
        half = np.maximum(1, (self.snapshots - 1) // 2)
        places = np.arange(len(half))
        last_then = self.winner_behind[places, half] == self.behind[places, half].max(axis=1)
        comeback = last_then & (self.winner_behind[places, half] > 0)
        return {
            "leading": leading.sum(axis=0),
            "leading_squares": (leading**2).sum(axis=0),
            "course": np.stack([column.sum(axis=0) for column in columns], axis=1),
            "lead_changes": sums(self.lead_changes),
            "lead_changes_histogram": np.bincount(self.lead_changes, minlength=ROUNDS + 1),
            "comebacks": self._comebacks(rounds),
            "drama": sums(self.drama),
            "drama_histogram": _bins(self.drama),
            "decided": sums(self.decided),
            "decided_histogram": _bins(self.decided),
            "runaway": np.array([runaway.sum(), comeback.sum()]),
        }

    def _comebacks(self, rounds: int) -> Integers:
        """By round and deficit: seats, what they won, and its squares."""
        game, number, seat = np.nonzero(np.repeat(self.valid[:, :, None], self.players, axis=2))
        deficit = np.minimum(self.behind[game, number, seat], DEFICITS - 1)
        won = self.shares[game, seat]
        found = np.zeros((rounds * DEFICITS, 3), dtype=np.int64)
        tally(found, number * DEFICITS + deficit, won, won * won)
        return found


def _bins(shares: Integers) -> Integers:
    return np.bincount(np.minimum(shares * BINS // MILLION, BINS - 1), minlength=BINS)
