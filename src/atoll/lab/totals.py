"""The sums that a report is made of: whole numbers, added up over chunks of games in any order, of a fixed size."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
MILLION = 1_000_000
BINS = 20
"""Classes of a share in a histogram."""
GAMES = "length.decisions"
"""The sums of which the first is the number of games."""


def sums(values: NDArray[np.int64]) -> Integers:
    """Of some units: how many there are, the sum, the sum of squares."""
    return np.array([len(values), values.sum(), (values * values).sum()])


def tally(into: Integers, index: NDArray[np.int64], *weights: NDArray[np.int64]) -> None:
    """Add at each index 1 to column 0 and each of the weights to the columns after it."""
    into[:, 0] += np.bincount(index, minlength=len(into))
    for column, weight in enumerate(weights, start=1):
        into[:, column] += np.bincount(index, weight, len(into)).astype(np.int64)


class Totals:
    """The sums over some games. `sums` are the arrays by name; `best` int64 (n, 2): the game that is the most of each
    of n things, as figure in millionths and number, -1 if there is none yet.
    """

    def __init__(self, shapes: Mapping[str, tuple[int, ...]], best: int) -> None:
        self.sums: dict[str, Integers] = {
            name: np.zeros(shape, dtype=np.int64) for name, shape in shapes.items()
        }
        self.best: Integers = np.full((best, 2), -1, dtype=np.int64)

    def __getstate__(self) -> dict[str, Any]:
        """What is sent from machine to machine: of the sums, which are mostly 0, those that are not."""
        places = {name: np.flatnonzero(values) for name, values in self.sums.items()}
        sums = {name: (self.sums[name].shape, at, self.sums[name].ravel()[at]) for name, at in places.items()}
        return {"sums": sums, "best": self.best}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.best, self.sums = state["best"], {}
        for name, (shape, at, values) in state["sums"].items():
            self.sums[name] = np.zeros(shape, dtype=np.int64)
            self.sums[name].ravel()[at] = values

    @property
    def games(self) -> int:
        """How many games were added."""
        return int(self.sums[GAMES][0])

    def __iadd__(self, other: Self) -> Self:
        for name, values in other.sums.items():
            self.sums[name] += values
        for place, (value, number) in enumerate(other.best.tolist()):
            self.note_best(place, value, number)
        return self

    def note_best(self, place: int, value: int, number: int) -> None:
        """A game comes to so much of something: keep it if it is the most, of equals the first."""
        best = self.best[place]
        if (value, -number) > (best[0], -best[1]):
            best[:] = value, number

    def save(self, path: Path) -> None:
        """Write the sums to a file, which appears whole."""
        unfinished = path.with_suffix(".new")
        with unfinished.open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, best=self.best, **self.sums)
        unfinished.replace(path)

    def load(self, path: Path) -> None:
        """Take the sums in a file; raises ValueError if they are not such sums."""
        with np.load(path) as arrays:
            if {name: arrays[name].shape for name in arrays.files} != {
                "best": self.best.shape,
                **{name: values.shape for name, values in self.sums.items()},
            }:
                raise ValueError("sums of another game")
            self.best = arrays["best"]
            self.sums = {name: arrays[name] for name in self.sums}
