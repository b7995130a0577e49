"""How strong bots are, from games of several players in which some may share the win; everything with intervals.

Ratings are the strengths of the Davidson-Luce model (D. Firth, I. Kosmidis, H. Turner, "Davidson-Luce model for
multi-item choice with ties", 2019) of who wins a game: Luce's choice axiom, the first stage of the Plackett-Luce model,
extended to shared wins as Davidson extended Bradley and Terry's. Of two bots that never share a win it is the model
of Bradley and Terry. Games of one deal are not independent, so intervals treat the deal as the unit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from atoll.lab.estimates import Estimate, Z

Floats = NDArray[np.float64]

ELO = 400 / np.log(10)
"""Rating points to a factor e of the odds: 400 points are ten times the odds."""
PRIOR = 3.0
"""Standard deviation of the normal prior on each strength, in the logarithm of the odds; it decides only how far
above the others a bot stands that won every game.
"""
BOOTSTRAPS = 400


def student_quantile(freedom: int) -> float:
    """Student's 97.5 % quantile, from its expansion at the normal one (R. Fisher and E. Cornish, 1960); within 1 %
    from 3 degrees of freedom on.
    """
    powers: list[float] = [
        (Z**3 + Z) / 4,
        (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96,
        (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384,
    ]
    return Z + powers[0] / freedom + powers[1] / freedom**2 + powers[2] / freedom**3


def share_estimate(shares: Floats) -> Estimate:
    """The mean of the shares of the win, one a deal, all between 0 and 1.

    Wilson's interval for as many independent games as would vary as the deals do (the effective sample size), so that
    it stays within 0 and 1 and does not shrink to a point when every game was won.
    """
    count, mean = len(shares), float(shares.mean())
    if count < 2:
        return Estimate(mean, 0.0, 1.0)
    error = shares.var(ddof=1) / count
    size = mean * (1 - mean) / error if error > 0 else count
    quantile = student_quantile(count - 1)
    spread = quantile**2 / size
    middle = (mean + spread / 2) / (1 + spread)
    half = np.sqrt(spread * mean * (1 - mean) + spread**2 / 4) / (1 + spread)
    return Estimate(mean, max(0.0, float(middle - half)), min(1.0, float(middle + half)))


@dataclass(frozen=True)
class Outcomes:
    """What can come of the games at each table, and how often it did.

    A table is the bots that meet, an outcome of it the bots that share the win. `features` (outcomes, bots + sizes of
    shared wins from 2), `tables` (tables, outcomes), 1 where the outcome is the table's, `ways` the logarithm of the
    number of sets of seats that an outcome stands for, `counts` (deals, outcomes).
    """

    features: Floats
    tables: Floats
    ways: Floats
    counts: Floats


def outcomes(bots: int, deals: Sequence[Sequence[tuple[Sequence[int], Sequence[int]]]]) -> Outcomes:
    """Of each deal's games, each the bot of each seat and the seats that won."""
    most = max(len(winners) for games in deals for _, winners in games)
    places: dict[tuple[int, ...], dict[tuple[int, ...], int]] = {}
    features: list[Floats] = []
    ways: list[int] = []
    for table in dict.fromkeys(tuple(sorted(row)) for games in deals for row, _ in games):
        places[table] = {}
        for size in range(1, min(most, len(table)) + 1):
            for winners in combinations(table, size):
                if winners not in places[table]:
                    places[table][winners] = len(features)
                    ways.append(0)
                    features.append(np.zeros(bots + most - 1))
                    np.add.at(features[-1], list(winners), 1 / size)
                    if size > 1:
                        features[-1][bots + size - 2] = 1
                ways[places[table][winners]] += 1
    tables = np.zeros((len(places), len(features)))
    for number, rows_of_table in enumerate(places.values()):
        tables[number, list(rows_of_table.values())] = 1
    counts = np.zeros((len(deals), len(features)))
    for deal, games in enumerate(deals):
        for row, seats in games:
            winners_of_game = tuple(sorted(row[seat] for seat in seats))
            counts[deal, places[tuple(sorted(row))][winners_of_game]] += 1
    return Outcomes(np.array(features), tables, np.log(ways), counts)


def fit(possible: Outcomes, counts: Floats, start: Floats) -> tuple[Floats, Floats]:
    """The parameters at which outcomes that came `counts` times are most likely, and the curvature there.

    By Newton's method; the likelihood times the prior has one maximum.
    """
    features, tables = possible.features, possible.tables
    games = tables @ counts
    parameters = start.copy()
    while True:
        worth = np.exp(features @ parameters + possible.ways)
        chance = worth / (tables.T @ (tables @ worth))
        expected = chance * (tables.T @ games)
        means = tables @ (chance[:, None] * features)
        slope = features.T @ (counts - expected) - parameters / PRIOR**2
        curve = features.T @ (expected[:, None] * features) - means.T @ (games[:, None] * means)
        curve += np.eye(len(parameters)) / PRIOR**2
        step = np.linalg.solve(curve, slope)
        largest = np.abs(step).max()
        if largest < 1e-6:
            return parameters, curve
        parameters += step / max(1.0, largest)


def rate(
    bots: int, deals: Sequence[Sequence[tuple[Sequence[int], Sequence[int]]]], seed: int = 1
) -> list[Estimate]:
    """The rating of each bot, 0 being their mean, 400 points ten times the odds to win.

    `deals` as for `outcomes`. The intervals come from drawing the deals anew, with replacement (B. Efron's bootstrap);
    that of a bot that won all or nothing, which drawing would leave without width, from the curvature of the model.
    """
    possible = outcomes(bots, deals)
    count = len(deals)
    total = possible.counts.sum(axis=0)
    best, curve = fit(possible, total, np.zeros(possible.features.shape[1]))
    middle = np.eye(len(best))[:bots]
    middle[:, :bots] -= 1 / bots
    ratings = ELO * middle @ best
    errors = ELO * np.sqrt(np.diag(middle @ np.linalg.inv(curve) @ middle.T))
    chance = np.random.default_rng(seed)
    samples = np.array(
        [
            ELO * middle @ fit(possible, weights @ possible.counts, best)[0]
            for weights in chance.multinomial(count, np.full(count, 1 / count), size=BOOTSTRAPS)
        ]
    )
    low, high = np.percentile(samples, [2.5, 97.5], axis=0)
    wins = total @ possible.features[:, :bots]
    games = (possible.tables @ total) @ (possible.tables @ possible.features[:, :bots] > 0)
    flat = np.isclose(wins, 0) | np.isclose(wins, games) | (count < 2)
    low = np.where(flat, ratings - Z * errors, low)
    high = np.where(flat, ratings + Z * errors, high)
    return [
        Estimate(float(value), float(least), float(most))
        for value, least, most in zip(ratings, low, high, strict=True)
    ]
