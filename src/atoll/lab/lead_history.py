"""Who led when in the games of a chunk, from the points after each round."""

import numpy as np
from numpy.typing import NDArray

from atoll.lab.counts import WIN
from atoll.lab.totals import MILLION, Integers, tally

DEFICITS = 256
"""Classes of deficits in points: larger ones count as the last."""


class LeadHistory:
    """What the points after each round, (n, rounds, players), say of n games, whose seats won `shares`, parts of WIN.

    `snapshots` int64 (n,): rounds counted from the start, the end included, so that a game's last is snapshots - 1.
    `lead_changes` and `deficit` int64 (n,): how far behind the first the eventual winner was at most; `drama` and
    `decided` in millionths.
    """

    def __init__(self, round_points: NDArray[np.int32], snapshots: Integers, shares: Integers) -> None:
        self.shares = shares
        self.snapshots = snapshots
        self.points = round_points[:, : int(snapshots.max())].astype(np.int64)
        _, rounds, self.players = self.points.shape
        self.valid = np.arange(rounds)[None, :] < self.snapshots[:, None]
        self.valid[:, 0] = False
        self.top = self.points.max(axis=2)
        self.behind = self.top[:, :, None] - self.points
        self.leads = (self.behind == 0) & self.valid[:, :, None]
        self.alone = self.leads.sum(axis=2) == 1
        wins = self.shares > 0
        # Of several winners the one that was behind least counts.
        self.winner_behind = np.where(wins[:, None, :], self.behind, 1 << 40).min(axis=2)
        self.winner_behind[~self.valid] = 0
        self.deficit = self.winner_behind.max(axis=1)
        self.lead_changes = self._lead_changes()
        self.drama = self._drama()
        self.decided_from = self._decided_from()
        self.decided = self.decided_from * MILLION // np.maximum(self.snapshots - 1, 1)

    def _lead_changes(self) -> Integers:
        last = np.full(len(self.points), -1)
        changes = np.zeros(len(self.points), dtype=np.int64)
        leader = self.leads.argmax(axis=2)
        for number in range(1, self.points.shape[1]):
            alone = self.alone[:, number]
            changes += alone & (last >= 0) & (leader[:, number] != last)
            last = np.where(alone, leader[:, number], last)
        return changes

    def _drama(self) -> Integers:
        """The mean over the rounds before the end of the winner's deficit, in parts of the largest of any seat."""
        ends = np.arange(self.points.shape[1])[None, :] < self.snapshots[:, None] - 1
        inner = self.valid & ends
        largest = np.where(self.valid[:, :, None], self.behind, 0).max(axis=(1, 2))
        rounds = inner.sum(axis=1)
        total = np.where(inner, self.winner_behind, 0).sum(axis=1)
        drama: Integers = total * MILLION // np.maximum(largest * rounds, 1)
        return drama

    def _decided_from(self) -> Integers:
        """The round after which the winner is never behind again; a round whose number is snapshots - 1 is the end."""
        behind = (self.winner_behind > 0) & self.valid
        last = behind.shape[1] - 1 - behind[:, ::-1].argmax(axis=1)
        return np.where(behind.any(axis=1), last + 1, 1)

    def sums(self) -> dict[str, Integers]:
        """What is added to the totals, of as many rounds as there were."""
        rounds = self.points.shape[1]
        equals = np.maximum(self.leads.sum(axis=2, keepdims=True), 1)
        leading = np.where(self.leads, WIN // equals, 0)
        leader_wins = (leading * self.shares[:, None, :]).sum(axis=2)
        second = np.sort(self.points, axis=2)[:, :, -2] if self.players > 1 else self.top
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
            "comebacks": self._comebacks(rounds),
            "runaway": np.array([runaway.sum(), comeback.sum()]),
        }

    def _comebacks(self, rounds: int) -> Integers:
        """By round and deficit: seats, what they won, and its squares."""
        game, number, seat = np.nonzero(np.repeat(self.valid[:, :, None], self.players, axis=2))
        deficit = np.minimum(self.behind[game, number, seat], DEFICITS - 1)
        shares = self.shares[game, seat]
        sums = np.zeros((rounds * DEFICITS, 3), dtype=np.int64)
        tally(sums, number * DEFICITS + deficit, shares, shares * shares)
        return sums
